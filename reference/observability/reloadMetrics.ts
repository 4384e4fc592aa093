import { digest } from '../ports/hash.ts';
import { hostname } from '../ports/host.ts';
import type { Clock } from '../time.ts';
import type { MetricsRegistry } from './metrics.ts';

/**
 * Metrics of a configuration that is read again when its file changes (2/authentication-configuration-file/p2).
 *
 * @param subject `authentication` or `authorization`
 * @returns to be called after every attempt, with whether it was a success
 */
export function reloadMetrics(metrics: MetricsRegistry, subject: string, clock: Clock): (success: boolean) => void {
  const labels = ['apiserver_id_hash', 'status'] as const;
  const prefix = `apiserver_${subject}_config_controller_automatic_reload`;
  const total = metrics.counter({
    name: `${prefix}s_total`,
    help: `How often the ${subject} configuration was read again, by success and server.`,
    stability: 'ALPHA',
    labels,
  });
  const last = metrics.gauge({
    name: `${prefix}_last_timestamp_seconds`,
    help: `When the ${subject} configuration was last read again, by success and server.`,
    stability: 'ALPHA',
    labels,
  });
  const id = `sha256:${digest('sha256', hostname()).toString('hex')}`;
  return (success) => {
    const values = { apiserver_id_hash: id, status: success ? 'success' : 'failure' };
    total.add(values);
    last.set(values, clock.now() / 1000);
  };
}

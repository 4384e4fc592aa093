import type { ImpersonationMetrics } from '../contracts/requestObserver.ts';
import type { MetricsRegistry } from './metrics.ts';

/** Seconds, from a millisecond on, each bound twice the one before. */
const SECONDS = Array.from({ length: 15 }, (_, i) => 2 ** i / 1000);
const LABELS = ['decision', 'mode'] as const;

/** Counts and times attempts to act as somebody else, and the permissions asked for on the way, by mode. */
export function impersonationMetrics(metrics: MetricsRegistry): ImpersonationMetrics {
  const permissions = family('authorization_attempts', 'permissions asked for to act as somebody else');
  const attempts = family('attempts', 'attempts to act as somebody else');

  function family(name: string, what: string) {
    const described = { stability: 'ALPHA', labels: LABELS } as const;
    const full = `apiserver_impersonation_${name}`;
    const total = metrics.counter({
      name: `${full}_total`,
      help: `How many ${what}, by mode and decision.`,
      ...described,
    });
    const help = `Seconds taken by ${what}, by mode and decision.`;
    const seconds = metrics.histogram({ name: `${full}_duration_seconds`, help, ...described }, SECONDS);
    return (mode: string, allowed: boolean, took: number): void => {
      const labels = { decision: allowed ? 'allowed' : 'denied', mode };
      total.add(labels);
      seconds.observe(labels, took / 1000);
    };
  }
  return {
    asked: permissions,
    tried: (mode, took) => attempts(mode ?? '', mode !== undefined, took),
  };
}

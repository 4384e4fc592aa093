import type { AuthorizationResult } from '../contracts/authorizer.ts';
import type { MetricsRegistry } from './metrics.ts';

/**
 * Counts which authorizer decided what, by the name that it has in the configuration
 * (2/authorization-configuration-file/t1.2). Who had no opinion is not counted, nor is what system:masters may.
 *
 * @param typeOf the type of the authorizer of a name; undefined for one that stands in no configuration
 * @returns to be called with every verdict
 */
export function decisionMetrics(
  metrics: MetricsRegistry,
  typeOf: (name: string) => string | undefined,
): (verdict: AuthorizationResult) => void {
  const total = metrics.counter({
    name: 'apiserver_authorization_decisions_total',
    help: 'Requests that an authorizer allowed or denied, by its type and name.',
    stability: 'ALPHA',
    labels: ['decision', 'name', 'type'],
  });
  return ({ decision, by }) => {
    const type = decision === 'noOpinion' ? undefined : typeOf(by);
    if (type !== undefined) total.add({ decision: decision === 'allow' ? 'allowed' : 'denied', name: by, type });
  };
}

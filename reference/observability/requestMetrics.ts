import type { Observed, Observer } from '../pipeline.ts';
import type { ResourceRegistry } from '../resources/registry.ts';
import type { Reply } from '../transport/reply.ts';
import type { Histogram, MetricsRegistry, Numbers } from './metrics.ts';
import { endpointOf, type RequestLabels, requestLabels } from './requestLabels.ts';

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const BYTES = [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

const REQUEST = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const;
const WITH_DRY_RUN = [...REQUEST, 'dry_run'] as const;

/** Counts and times requests, and tells which deprecated versions are called (3/metrics). */
export class RequestMetrics implements Observer {
  readonly #registry: ResourceRegistry;
  readonly #domain: string;
  readonly #total: Numbers<(typeof WITH_DRY_RUN)[number] | 'code'>;
  readonly #duration: Histogram<(typeof WITH_DRY_RUN)[number]>;
  readonly #sizes: Histogram<(typeof REQUEST)[number]>;
  readonly #deprecated: Numbers<'group' | 'removed_release' | 'resource' | 'subresource' | 'version'>;
  readonly #authenticated: Numbers<'result'>;
  readonly #authorized: Numbers<'result'>;

  /** @param apiDomain domain of the audit annotations that tell the decision */
  constructor(metrics: MetricsRegistry, registry: ResourceRegistry, apiDomain: string) {
    this.#registry = registry;
    this.#domain = apiDomain;
    this.#total = metrics.counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, dry run, group, version, resource, scope, component and HTTP status.',
      stability: 'STABLE',
      labels: [...WITH_DRY_RUN, 'code'],
    });
    this.#duration = metrics.histogram(
      {
        name: 'apiserver_request_duration_seconds',
        help: 'Time until the answer, by verb, dry run, group, version, resource, subresource, scope and component.',
        stability: 'STABLE',
        labels: WITH_DRY_RUN,
      },
      SECONDS,
    );
    this.#sizes = metrics.histogram(
      {
        name: 'apiserver_response_sizes',
        help: 'Bytes of answers, by group, version, verb, resource, subresource, scope and component.',
        stability: 'STABLE',
        labels: REQUEST,
      },
      BYTES,
    );
    this.#deprecated = metrics.gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated versions that were called, by group, version, resource, subresource and removed_release.',
      stability: 'STABLE',
      labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
    });
    this.#authenticated = metrics.counter({
      name: 'authentication_attempts',
      help: 'Attempts to authenticate, by result.',
      stability: 'ALPHA',
      labels: ['result'],
    });
    this.#authorized = metrics.counter({
      name: 'authorization_attempts_total',
      help: 'Attempts to authorize, by result.',
      stability: 'ALPHA',
      labels: ['result'],
    });
  }

  ended({ exchange, took }: Observed, reply: Reply): void {
    const endpoint = endpointOf(exchange.info, this.#registry);
    const labels: RequestLabels = requestLabels(exchange, endpoint !== undefined);
    this.#total.add({ ...labels, code: String(reply.code) });
    if (reply.kind === 'whole') {
      this.#duration.observe(labels, took / 1000);
      if (labels.verb === 'GET' || labels.verb === 'LIST') this.#sizes.observe(labels, reply.body.length);
    }
    const decision = exchange.audit.get(`authorization.${this.#domain}/decision`);
    this.#authenticated.add({ result: decision === undefined && reply.code === 401 ? 'failure' : 'success' });
    if (decision !== undefined) this.#authorized.add({ result: decision === 'allow' ? 'allowed' : 'denied' });
    const deprecation = endpoint?.version.deprecation;
    if (deprecation && decision === 'allow') {
      const { group, resource, subresource, version } = labels;
      const removed = deprecation.removedRelease ?? '';
      this.#deprecated.set({ group, resource, subresource, version, removed_release: removed }, 1);
    }
  }
}

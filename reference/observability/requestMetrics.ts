import type { Reply } from '../contracts/reply.ts';
import type { Observed, Observer } from '../contracts/requestObserver.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { Cell, Histogram, MetricsRegistry, Numbers, Series } from './metrics.ts';
import { endpointOf, type RequestLabels, requestLabels } from './requestLabels.ts';

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const BYTES = [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

const REQUEST = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const;
const WITH_DRY_RUN = [...REQUEST, 'dry_run'] as const;

/** What is counted of requests with the same labels and code; found by one look-up, and made when first wanted. */
interface Counted {
  readonly total: Cell<(typeof WITH_DRY_RUN)[number] | 'code'>;
  duration: Series | undefined;
  sizes: Series | undefined;
}

/** Counts and times requests, and tells which deprecated versions are called (3/metrics). */
export class RequestMetrics implements Observer {
  readonly #registry: ResourceRegistry;
  readonly #total: Numbers<(typeof WITH_DRY_RUN)[number] | 'code'>;
  readonly #duration: Histogram<(typeof WITH_DRY_RUN)[number]>;
  readonly #sizes: Histogram<(typeof REQUEST)[number]>;
  readonly #deprecated: Numbers<'group' | 'removed_release' | 'resource' | 'subresource' | 'version'>;
  readonly #attempts: { readonly [what in 'authenticated' | 'authorized']: (success: boolean) => Cell<'result'> };
  readonly #counted = new Map<string, Counted>();

  constructor(metrics: MetricsRegistry, registry: ResourceRegistry) {
    this.#registry = registry;
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
    const authenticated = metrics.counter({
      name: 'authentication_attempts',
      help: 'Attempts to authenticate, by result.',
      stability: 'ALPHA',
      labels: ['result'],
    });
    const authorized = metrics.counter({
      name: 'authorization_attempts_total',
      help: 'Attempts to authorize, by result.',
      stability: 'ALPHA',
      labels: ['result'],
    });
    this.#attempts = {
      authenticated: byResult(authenticated, 'success', 'failure'),
      authorized: byResult(authorized, 'allowed', 'denied'),
    };
  }

  ended({ exchange, took, allowed }: Observed, reply: Reply): void {
    const endpoint = endpointOf(exchange.info, this.#registry);
    const labels: RequestLabels = requestLabels(exchange, endpoint !== undefined);
    const counted = this.#of(labels, reply.code);
    counted.total.value++;
    if (reply.kind === 'whole') {
      counted.duration ??= this.#duration.of(labels);
      counted.duration.observe(took / 1000);
      if (labels.verb === 'GET' || labels.verb === 'LIST') {
        counted.sizes ??= this.#sizes.of(labels);
        counted.sizes.observe(reply.body.length);
      }
    }
    this.#attempts.authenticated(allowed !== undefined || reply.code !== 401).value++;
    if (allowed !== undefined) this.#attempts.authorized(allowed).value++;
    const deprecation = endpoint?.version.deprecation;
    if (deprecation && allowed) {
      const { group, resource, subresource, version } = labels;
      const removed = deprecation.removedRelease ?? '';
      this.#deprecated.set({ group, resource, subresource, version, removed_release: removed }, 1);
    }
  }

  #of(labels: RequestLabels, code: number): Counted {
    const { verb, group, version, resource, subresource, scope, dry_run } = labels;
    const key = `${code} ${verb} ${group}/${version}/${resource}/${subresource} ${scope} ${dry_run}`;
    let counted = this.#counted.get(key);
    if (!counted) {
      counted = { total: this.#total.of({ ...labels, code: String(code) }), duration: undefined, sizes: undefined };
      this.#counted.set(key, counted);
    }
    return counted;
  }
}

/** The number of each of two results, looked up once; told of from when it is first wanted. */
function byResult(numbers: Numbers<'result'>, good: string, bad: string): (success: boolean) => Cell<'result'> {
  let goods: Cell<'result'> | undefined;
  return (success) => {
    if (!success) return numbers.of({ result: bad });
    goods ??= numbers.of({ result: good });
    return goods;
  };
}

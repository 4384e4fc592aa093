import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import type { Exchange, Query } from '../api/request.ts';
import type { Answer, TextAnswer } from '../contracts/answer.ts';
import type { Store } from '../contracts/store.ts';
import type { Clock } from '../time.ts';

const HOOKS_BEFORE_REGISTRATION = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-^apiserver-identity-lease-controller',
  'start-^apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-wait-for-first-sync',
  'apiservice-discovery-controller',
  '^apiserver-autoregistration',
];
const HOOKS_AFTER_REGISTRATION = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'];

const hook = (name: string): string => `poststarthook/${name}`;

/** Checks of what a server does before it is up, in the order in which they are told; `^` is the component prefix. */
const START_CHECKS: readonly string[] = [
  ...HOOKS_BEFORE_REGISTRATION.map(hook),
  'autoregister-completion',
  ...HOOKS_AFTER_REGISTRATION.map(hook),
];

/** The three endpoints (2/health/t1). */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';
const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** One check; it throws when something is wrong. */
interface Check {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

export interface HealthDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly follow: Follow;
  /** Milliseconds for which /livez does not mind start-up hooks that are still running. */
  readonly livezGracePeriod: number;
  /** Milliseconds that the store may take to answer. */
  readonly storeHealthTimeout: number;
  readonly storeReadyTimeout: number;
}

/**
 * The health of the server (2/health): by endpoint as a whole, and check by check. Start-up hooks count until they
 * are done; readiness ends when the shutdown begins.
 */
export class Health {
  readonly #dependencies: HealthDependencies;
  readonly #startedAt: number;
  /** Whether the start-up hooks have run. */
  #started = false;
  #stopping = false;

  constructor(dependencies: HealthDependencies) {
    this.#dependencies = dependencies;
    this.#startedAt = dependencies.clock.now();
  }

  /** The checks of an endpoint in the order in which they are told; made when somebody asks, which is seldom. */
  #checks(endpoint: HealthEndpoint): readonly Check[] {
    const { dialect, storeHealthTimeout, storeReadyTimeout } = this.#dependencies;
    const basic: Check[] = [
      { name: 'ping', run: () => {} },
      { name: 'log', run: () => {} },
    ];
    const storage: Check = { name: 'etcd', run: () => this.#checkStore(storeHealthTimeout) };
    const hooks = START_CHECKS.map((name) => ({
      name: name.replaceAll('^', dialect.componentPrefix),
      run: () => this.#checkHooks(endpoint === 'livez'),
    }));
    // The certificate for its own connections is never old: it makes none.
    const loopback: Check = { name: 'loopback-serving-certificate', run: () => {} };
    if (endpoint !== 'readyz') return [...basic, loopback, storage, ...hooks];
    return [
      ...basic,
      storage,
      { name: 'etcd-readiness', run: () => this.#checkStore(storeReadyTimeout) },
      { name: 'informer-sync', run: () => this.#checkHooks(false) },
      ...hooks,
      { name: 'shutdown', run: () => this.#checkShutdown() },
    ];
  }

  /** What is done at the start is done. */
  started(): void {
    this.#started = true;
  }
  /** From now on the server is not ready. */
  beginShutdown(): void {
    this.#stopping = true;
  }

  /** Answers the paths of health, whatever the method; undefined for other paths. */
  async answer({ info, request }: Exchange): Promise<Answer | undefined> {
    if (info.isResource) return undefined;
    const { path } = info;
    const endpoint = ENDPOINTS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
    if (!endpoint) return undefined;
    if (path.length === endpoint.length + 1) return this.#whole(endpoint, request.query);
    const name = path.slice(endpoint.length + 2);
    const check = this.#checks(endpoint).find((one) => one.name === name);
    if (!check) return undefined;
    const fault = await faultOf(check);
    return fault === undefined ? text(200, 'ok') : text(500, `internal server error: ${fault}\n`);
  }

  /** {@link answer}, as one of the document sources of the pipeline. */
  readonly documents = (exchange: Exchange): Promise<Answer | undefined> => this.answer(exchange);

  /** How every check of an endpoint stands, for metrics. */
  async states(endpoint: HealthEndpoint): Promise<{ readonly name: string; readonly ok: boolean }[]> {
    const states: { name: string; ok: boolean }[] = [];
    for (const check of this.#checks(endpoint)) {
      states.push({ name: check.name, ok: (await faultOf(check)) === undefined });
    }
    return states;
  }

  async #whole(endpoint: HealthEndpoint, query: Query): Promise<TextAnswer> {
    const excluded = new Set(query.all('exclude'));
    const lines: string[] = [];
    let failed = false;
    for (const check of this.#checks(endpoint)) {
      if (excluded.delete(check.name)) {
        lines.push(`[+]${check.name} excluded: ok`);
        continue;
      }
      const fault = await faultOf(check);
      failed ||= fault !== undefined;
      lines.push(fault === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
    }
    if (excluded.size > 0) {
      const names = [...excluded].sort().map((name) => JSON.stringify(name));
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(', ')}`);
    }
    if (failed) return text(500, `${[...lines, `${endpoint} check failed`].join('\n')}\n`);
    if (!query.has('verbose')) return text(200, 'ok');
    const which = departs(this.#dependencies.follow, 'health-last-line') ? endpoint : 'healthz';
    return text(200, `${[...lines, `${which} check passed`].join('\n')}\n`);
  }

  async #checkStore(patience: number): Promise<void> {
    const { store, clock } = this.#dependencies;
    const asked = store.revision();
    if (!(asked instanceof Promise)) return;
    await new Promise<void>((resolve, reject) => {
      const timer = clock.after(patience, () => reject(new Error('the store does not answer')));
      const settled = (settle: () => void) => () => {
        timer.cancel();
        settle();
      };
      asked.then(
        settled(resolve),
        settled(() => reject(new Error('the store cannot be reached'))),
      );
    });
  }
  #checkHooks(graceful: boolean): void {
    if (this.#started) return;
    const { clock, livezGracePeriod } = this.#dependencies;
    if (graceful && clock.now() - this.#startedAt < livezGracePeriod) return;
    throw new Error('not finished');
  }
  #checkShutdown(): void {
    if (this.#stopping) throw new Error('process is shutting down');
  }
}

/** What is wrong, or undefined. */
async function faultOf(check: Check): Promise<string | undefined> {
  try {
    await check.run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function text(code: number, body: string): TextAnswer {
  return {
    kind: 'text',
    code,
    contentType: 'text/plain; charset=utf-8',
    body,
    headers: { 'x-content-type-options': 'nosniff' },
  };
}

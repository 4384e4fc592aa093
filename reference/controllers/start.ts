import { RevisionCompacted, type Store, type Watcher } from '../storage/store.ts';
import type { Services } from '../verbs/call.ts';
import { bootstrap } from './bootstrap.ts';
import { BootstrapSigner } from './bootstrapSigner.ts';
import { BootstrapTokenCleaner } from './bootstrapTokenCleaner.ts';
import { Client } from './client.ts';
import type { Controller } from './controller.ts';
import { CustomTypes } from './customTypes.ts';
import { GarbageCollector } from './garbageCollector.ts';
import { NamespaceController } from './namespaceController.ts';
import { NamespaceFurniture } from './namespaceFurniture.ts';
import { PolicyTypeChecking } from './policyTypeChecking.ts';
import { WorkQueue } from './workQueue.ts';

export interface ControllerSettings {
  /** PEM that the config map of root certificates publishes in every namespace; undefined: there is no such map. */
  readonly rootCa?: string | undefined;
  /** Whether bootstrap tokens are accepted, so that they are cleaned up and sign cluster-info. */
  readonly bootstrapTokens?: boolean;
}
export interface Controllers {
  /** Resolves when there is nothing left to do for now. */
  idle(): Promise<void>;
  stop(): void;
}

/** Milliseconds before controllers begin anew when their watch broke off. */
const RESTART = 100;

/**
 * Creates what a server is never without, and starts what happens by itself: namespaces are furnished and emptied,
 * garbage is collected. Resolves when all that is there at the start has been seen to. Throws ApiError.
 */
export async function startControllers(services: Services, settings: ControllerSettings = {}): Promise<Controllers> {
  const { componentPrefix } = services.dialect;
  const queue = new WorkQueue(services.clock);
  const own = new Client(services, `${componentPrefix}apiserver`);
  const client = new Client(services, `${componentPrefix}controller-manager`);
  const controllers: readonly Controller[] = [
    new CustomTypes(services, own, queue),
    new NamespaceFurniture(services, client, queue, settings.rootCa),
    new NamespaceController(services, client, queue),
    new GarbageCollector(services, client, queue),
    new PolicyTypeChecking(services, new Client(services, 'validatingadmissionpolicy-status'), queue),
    ...(settings.bootstrapTokens ? bootstrapTokenControllers(services, client, queue) : []),
  ];
  await bootstrap(services, own);
  const feed = new Feed(services, controllers);
  await feed.start();
  await queue.idle();
  return {
    idle: () => queue.idle(),
    stop: () => {
      feed.stop();
      queue.stop();
    },
  };
}

function bootstrapTokenControllers({ clock, dialect }: Services, client: Client, queue: WorkQueue): Controller[] {
  return [new BootstrapTokenCleaner(client, queue, clock, dialect), new BootstrapSigner(client, queue, clock, dialect)];
}

/** Everything in the store, then every change of it, told to all controllers in the order of revisions. */
class Feed {
  readonly #store: Store;
  readonly #services: Services;
  readonly #controllers: readonly Controller[];
  #watcher: Watcher | undefined;
  #stopped = false;

  constructor(services: Services, controllers: readonly Controller[]) {
    this.#store = services.store;
    this.#services = services;
    this.#controllers = controllers;
  }

  async start(): Promise<void> {
    const { revision, entries } = await this.#store.range({ prefix: '/' });
    if (this.#stopped) return;
    for (const entry of entries) this.#tell({ key: entry.key, entry, deleted: false });
    try {
      this.#watcher = this.#store.watch('/', revision, {
        event: ({ key, entry, type }) => this.#tell({ key, entry, deleted: type === 'delete' }),
        failed: () => this.#again(),
      });
    } catch (error) {
      if (!(error instanceof RevisionCompacted)) throw error;
      this.#again();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#watcher?.cancel();
  }

  #tell(change: Parameters<Controller['changed']>[0]): void {
    for (const controller of this.#controllers) controller.changed(change);
  }

  #again(): void {
    if (this.#stopped) return;
    this.#services.clock.after(RESTART, () => {
      this.start().catch(() => this.#again());
    });
  }
}

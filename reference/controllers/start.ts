import { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller } from '../contracts/controller.ts';
import { Alone, type Election, type Reign } from '../contracts/election.ts';
import type { ControllerName } from '../contracts/serverOptions.ts';
import { Follower } from '../contracts/storeFollower.ts';
import type { AccountTokenKeys } from './accountTokenSecrets.ts';
import { AccountTokenSecrets } from './accountTokenSecrets.ts';
import { bootstrap } from './bootstrap.ts';
import { BootstrapSigner } from './bootstrapSigner.ts';
import { BootstrapTokenCleaner } from './bootstrapTokenCleaner.ts';
import { GarbageCollector } from './garbageCollector.ts';
import { holdIdentityLease, type IdentityLeaseOptions } from './identityLease.ts';
import { NamespaceController } from './namespaceController.ts';
import { PolicyTypeChecking } from './policyTypeChecking.ts';
import { QuotaController } from './quotaController.ts';
import { AggregationController } from './roleAggregation.ts';
import { ServiceAccountAndRootCaPublisher } from './serviceAccountAndRootCa.ts';
import { claimProtection, volumeProtection } from './storageProtection.ts';

/** What serves and watches over the types that definitions make. */
export interface CustomTypeServing {
  /** Prefix of the store below which the definitions lie. */
  readonly prefix: string;
  /** Serves, on each server, what a definition says. */
  readonly served: Controller;
  /** Accepts names and removes the objects of definitions that go, on the server that leads. */
  watch(client: Client, queue: WorkQueue): Controller;
}

export interface ControllerSettings {
  /** A client whose writes belong to a field manager. */
  readonly clientOf: (manager: string) => Client;
  readonly customTypes: CustomTypeServing;
  /** PEM that the config map of root certificates publishes in every namespace; undefined: there is no such map. */
  readonly rootCa?: string | undefined;
  /** Whether bootstrap tokens are accepted, so that they are cleaned up and sign cluster-info. */
  readonly bootstrapTokens?: boolean;
  /** Those that run of the controllers that can be chosen; all unless told. */
  readonly chosen?: ReadonlySet<ControllerName>;
  /** Signs the tokens that secrets ask for; undefined: such secrets stay as they are. */
  readonly accountKeys?: AccountTokenKeys;
  /** How this server tells that it is there; undefined: it does not. */
  readonly identityLease?: IdentityLeaseOptions | undefined;
  /** Which of several servers runs the controllers; this one unless told. */
  readonly election?: Election;
}
export interface Controllers {
  /** Resolves when there is nothing left to do for now. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates what a server is never without, serves the types that definitions make, and starts what happens by itself:
 * namespaces get their objects and are emptied, garbage is collected. Of several servers one does the latter. Resolves when all
 * that is there at the start has been handled, or when another server handles it. Throws ApiError.
 */
export async function startControllers(services: Services, settings: ControllerSettings): Promise<Controllers> {
  const { election = new Alone(), clientOf, customTypes } = settings;
  const own = clientOf(`${services.dialect.componentPrefix}apiserver`);
  await bootstrap(services, own);
  const { prefix, served } = customTypes;
  const feed = new Follower(services.store, prefix, services.clock, (change) => served.changed(change));
  await feed.start();
  let queue: WorkQueue | undefined;
  await election.start(async () => {
    const leading = new WorkQueue(services.clock);
    queue = leading;
    return reign(services, settings, own, leading);
  });
  const identity = settings.identityLease && (await holdIdentityLease(services, own, settings.identityLease));
  return {
    idle: async () => queue?.idle(),
    async stop() {
      identity?.stop();
      feed.stop();
      await election.stop();
    },
  };
}

/** Runs the controllers until stopped. Resolves when they have seen to all that is there. */
async function reign(services: Services, settings: ControllerSettings, own: Client, queue: WorkQueue): Promise<Reign> {
  const client = settings.clientOf(`${services.dialect.componentPrefix}controller-manager`);
  const { store, clock, dialect } = services;
  const aggregation = new AggregationController(store, clock, dialect);
  const controllers: readonly Controller[] = [
    settings.customTypes.watch(own, queue),
    new ServiceAccountAndRootCaPublisher(services, client, queue, settings.rootCa),
    new NamespaceController(services, client, queue),
    new GarbageCollector(services, client, queue),
    ...CHOICES.filter(({ name }) => settings.chosen?.has(name) ?? true).map(({ make }) =>
      make(services, client, queue, settings),
    ),
    ...(settings.accountKeys ? [accountTokens(services, settings, settings.accountKeys, client, queue)] : []),
    ...(settings.bootstrapTokens ? bootstrapTokenControllers(services, client, queue) : []),
  ];
  const feed = follow(services, controllers);
  const stop = () => {
    aggregation.stop();
    feed.stop();
    queue.stop();
  };
  try {
    await aggregation.start();
    await feed.start();
    await queue.idle();
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

/** Controllers that options can leave out. */
const CHOICES: readonly {
  readonly name: ControllerName;
  readonly make: (services: Services, client: Client, queue: WorkQueue, settings: ControllerSettings) => Controller;
}[] = [
  {
    name: 'persistentvolumeclaim-protection-controller',
    make: ({ dialect }, client, queue) => claimProtection(client, queue, dialect.labelDomain),
  },
  {
    name: 'persistentvolume-protection-controller',
    make: ({ dialect }, client, queue) => volumeProtection(client, queue, dialect.labelDomain),
  },
  { name: 'resourcequota-controller', make: (services, client, queue) => new QuotaController(services, client, queue) },
  {
    name: 'validatingadmissionpolicy-status-controller',
    make: (services, _, queue, { clientOf }) =>
      new PolicyTypeChecking(services, clientOf('validatingadmissionpolicy-status'), queue),
  },
];

function accountTokens(
  { dialect }: Services,
  { rootCa }: ControllerSettings,
  keys: AccountTokenKeys,
  client: Client,
  queue: WorkQueue,
): Controller {
  return new AccountTokenSecrets(client, queue, { dialect, keys, rootCa });
}

function bootstrapTokenControllers({ clock, dialect }: Services, client: Client, queue: WorkQueue): Controller[] {
  return [new BootstrapTokenCleaner(client, queue, clock, dialect), new BootstrapSigner(client, queue, clock, dialect)];
}

/** Everything in the store, then every change of it, told to all controllers. */
function follow({ store, clock }: Services, controllers: readonly Controller[]): Follower {
  return new Follower(store, '/', clock, (change) => {
    for (const controller of controllers) controller.changed(change);
  });
}

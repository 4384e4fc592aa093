import { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite } from '../contracts/controller.ts';
import { Alone, type Election, type Reign } from '../contracts/election.ts';
import type { ControllerName } from '../contracts/serverOptions.ts';
import { Follower, type StoreChange } from '../contracts/storeFollower.ts';
import type { AccountTokenKeys } from './accountTokenSecrets.ts';
import { AccountTokenSecrets } from './accountTokenSecrets.ts';
import { bootstrap } from './bootstrap.ts';
import { BootstrapSigner } from './bootstrapSigner.ts';
import { BootstrapTokenCleaner } from './bootstrapTokenCleaner.ts';
import { EventExpiry } from './eventExpiry.ts';
import { FlowControlObjects, placeFlowControl } from './flowControlObjects.ts';
import { GarbageCollector } from './garbageCollector.ts';
import { holdIdentityLease, type IdentityLeaseOptions } from './identityLease.ts';
import { NamespaceController } from './namespaceController.ts';
import { POLICY_STATUS, PolicyTypeChecking } from './policyTypeChecking.ts';
import { QuotaController } from './quotaController.ts';
import { AggregationController } from './roleAggregation.ts';
import { ServiceAccountAndRootCaPublisher } from './serviceAccountAndRootCa.ts';
import { claimProtection, volumeProtection } from './storageProtection.ts';

/** What serves and watches over the types that definitions make. */
export interface CustomTypeServing {
  /** Prefix of the store below which the definitions lie. */
  readonly prefix: string;
  /** Serves, on each server, what a definition says. */
  readonly served: { changed(change: StoreChange): void };
  /** Accepts names and removes the objects of definitions that go, on the server that leads. */
  watch(client: Client, queue: WorkQueue): Controller;
}

export interface ControllerSettings {
  /** Whether requests are sorted by what is stored of flow control, so that it is there and says what it comes to. */
  readonly priorityAndFairness?: boolean;
  /** A client whose writes belong to a field manager. */
  readonly clientOf: (manager: string) => Client;
  readonly customTypes: CustomTypeServing;
  /** PEM that the config map of root certificates publishes in every namespace; undefined: there is no such map. */
  readonly rootCa?: string | undefined;
  /** Whether bootstrap tokens are accepted, so that they are cleaned up and sign cluster-info. */
  readonly bootstrapTokens?: boolean;
  /** Milliseconds that events are kept after they were last written; for ever unless told. */
  readonly eventTimeToLive?: number;
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
  /** Whether there is something to do now. */
  readonly busy: boolean;
  /** Resolves when there is nothing left to do for now. */
  idle(): Promise<void>;
  stop(): Promise<void>;
  /**
   * The controllers of a server whose store was forked from this one's at a revision; they know what these know. To be
   * asked for when these are not busy.
   */
  fork(services: Services, settings: ControllerSettings, revision: number): ForkedControllers;
}

/** Controllers that know all that is there, of which nothing runs. */
export interface ForkedControllers {
  readonly feed: Follower;
  /** Undefined where those before still have to do what they could not: then everything is looked at again. */
  readonly reign: RunningReign | undefined;
}

interface RunningReign extends Reign {
  readonly queue: WorkQueue;
  readonly aggregation: AggregationController;
  readonly controllers: readonly Controller[];
  readonly feed: Follower;
}

/**
 * Creates what a server is never without, serves the types that definitions make, and starts what happens by itself:
 * namespaces get their objects and are emptied, garbage is collected. Of several servers one does the latter. Resolves when all
 * that is there at the start has been handled, or when another server handles it. Throws ApiError.
 */
export async function startControllers(
  services: Services,
  settings: ControllerSettings,
  forked?: ForkedControllers,
): Promise<Controllers> {
  const { election = new Alone(), customTypes } = settings;
  const { store, clock } = services;
  const { own } = siteOf(services, settings);
  if (!forked) {
    await bootstrap(services, own);
    if (settings.priorityAndFairness) await placeFlowControl(services, settings.clientOf);
  }
  const feed =
    forked?.feed ?? new Follower(store, customTypes.prefix, clock, (change) => customTypes.served.changed(change));
  await feed.start();
  let running: RunningReign | undefined;
  await election.start(async () => {
    running = forked?.reign ?? beginReign(siteOf(services, settings), settings);
    await start(running);
    return running;
  });
  const identity = settings.identityLease && (await holdIdentityLease(services, own, settings.identityLease));
  const busy = () => running !== undefined && (running.queue.busy || running.aggregation.busy);
  return {
    get busy() {
      return busy();
    },
    async idle() {
      while (busy()) {
        await running?.aggregation.idle();
        await running?.queue.idle();
      }
    },
    fork(others, theirs, revision) {
      const { served } = theirs.customTypes;
      return {
        feed: feed.fork(others.store, revision, others.clock, (change) => served.changed(change)),
        reign: running && !running.queue.retrying ? forkReign(siteOf(others, theirs), running, revision) : undefined,
      };
    },
    async stop() {
      identity?.stop();
      feed.stop();
      await election.stop();
    },
  };
}

function siteOf(services: Services, { clientOf }: ControllerSettings): ControllerSite {
  const { componentPrefix } = services.dialect;
  return {
    services,
    own: clientOf(`${componentPrefix}apiserver`),
    client: clientOf(`${componentPrefix}controller-manager`),
    clientOf,
    queue: new WorkQueue(services.clock),
  };
}

/** The controllers that the settings ask for, of which nothing has begun. */
function beginReign(site: ControllerSite, settings: ControllerSettings): RunningReign {
  const { services, own, client, queue } = site;
  const { store, clock, dialect } = services;
  const controllers: readonly Controller[] = [
    new EventExpiry(services, queue, settings.eventTimeToLive ?? 0),
    settings.customTypes.watch(own, queue),
    new ServiceAccountAndRootCaPublisher(services, client, queue, settings.rootCa),
    new NamespaceController(services, client, queue),
    new GarbageCollector(services, client, queue),
    ...(settings.priorityAndFairness ? [new FlowControlObjects(site)] : []),
    ...CHOICES.filter(({ name }) => settings.chosen?.has(name) ?? true).map(({ make }) =>
      make(services, client, queue, settings),
    ),
    ...(settings.accountKeys ? [accountTokens(services, settings, settings.accountKeys, client, queue)] : []),
    ...(settings.bootstrapTokens ? bootstrapTokenControllers(services, client, queue) : []),
  ];
  // Everything in the store, then every change of it.
  const feed = new Follower(store, '/', clock, telling(controllers));
  return runningReign(queue, new AggregationController(store, clock, dialect), controllers, feed);
}

/** The controllers of a fork. */
function forkReign(site: ControllerSite, from: RunningReign, revision: number): RunningReign {
  const { store, clock, dialect } = site.services;
  const controllers = from.controllers.map((one) => one.fork(site));
  const aggregation = new AggregationController(store, clock, dialect, { of: from.aggregation, revision });
  const feed = from.feed.fork(store, revision, clock, telling(controllers));
  return runningReign(site.queue, aggregation, controllers, feed);
}

const telling = (controllers: readonly Controller[]) => (change: StoreChange) => {
  for (const controller of controllers) controller.changed(change);
};

function runningReign(
  queue: WorkQueue,
  aggregation: AggregationController,
  controllers: readonly Controller[],
  feed: Follower,
): RunningReign {
  const stop = () => {
    aggregation.stop();
    feed.stop();
    queue.stop();
    for (const controller of controllers) controller.stop?.();
  };
  return { queue, aggregation, controllers, feed, stop };
}

/** Resolves when the controllers have seen to all that is there. */
async function start({ aggregation, feed, queue, stop }: RunningReign): Promise<void> {
  try {
    await aggregation.start();
    await feed.start();
    await queue.idle();
  } catch (error) {
    stop();
    throw error;
  }
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
    make: (services, _, queue, { clientOf }) => new PolicyTypeChecking(services, clientOf(POLICY_STATUS), queue),
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

function bootstrapTokenControllers(services: Services, client: Client, queue: WorkQueue): Controller[] {
  const { clock, dialect } = services;
  return [new BootstrapTokenCleaner(client, queue, clock, dialect), new BootstrapSigner(client, queue, services)];
}

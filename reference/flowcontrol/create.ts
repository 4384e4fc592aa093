import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { ApiObject } from '../api/object.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { FlowControl, FlowFigures, LevelFigures } from '../contracts/flowControl.ts';
import { readable } from '../contracts/readable.ts';
import type { Store } from '../contracts/store.ts';
import { Follower, type Forked, type StoreChange } from '../contracts/storeFollower.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { flowControlDefaults } from '../objects/flowControlDefaults.ts';
import type { Clock } from '../time.ts';
import { type FlowSchema, readFlowSchema } from './flowSchema.ts';
import { maxInFlight } from './maxInFlight.ts';
import { PriorityAndFairness } from './priorityAndFairness.ts';
import { type LevelOptions, readLevel } from './priorityLevel.ts';

export interface FlowControlOptions {
  /** Most reads and writes at a time; 0: without limit. Together they are the seats of the priority levels. */
  readonly reads: number;
  readonly writes: number;
  /** Whether requests are sorted into priority levels; else there are just the two numbers. */
  readonly priorities: boolean;
  /** Milliseconds that a request may take; a quarter of it is the longest that it waits for a seat. */
  readonly requestTimeout: number;
}

export interface FlowControlDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly dialect: Dialect;
  /** Of the server that this one is forked from. */
  readonly from?: Forked<KnownToFlowControl> | undefined;
}

/** What is kept up to date from the store; undefined where there are only two numbers. */
export type KnownToFlowControl =
  | { readonly schemas: Kept<FlowSchema>; readonly levels: Kept<LevelOptions> }
  | undefined;

/** Flow control that follows what is stored of it. */
export interface RunningFlowControl {
  readonly control: FlowControl;
  /** Its figures now; none where there are only two numbers. */
  flows(): Iterable<FlowFigures>;
  levels(): Iterable<LevelFigures>;
  /** Resolves when all that is stored is known. Throws what the store throws. */
  start(): Promise<void>;
  stop(): void;
  /** For a server that is forked from this one. */
  readonly known: KnownToFlowControl;
}

/** Milliseconds that a request waits at most where its time has no limit. */
const LONGEST_WAIT = 60_000;

/** Makes the flow control of a server; before it starts the mandatory objects are in force. */
export function createFlowControl(options: FlowControlOptions, deps: FlowControlDependencies): RunningFlowControl {
  const { reads, writes, priorities, requestTimeout } = options;
  if (!priorities || reads + writes === 0) {
    const control = maxInFlight(reads, writes);
    return {
      control,
      flows: () => [],
      levels: () => [],
      start: async () => undefined,
      stop: () => undefined,
      known: undefined,
    };
  }
  const { clock, dialect, from } = deps;
  const patience = requestTimeout === 0 ? LONGEST_WAIT : requestTimeout / 4;
  const named = `x-${dialect.vendor}-pf`;
  const fairness = new PriorityAndFairness({ seats: reads + writes, patience, clock }, (schema, level) => ({
    [`${named}-flowschema-uid`]: schema.uid,
    [`${named}-prioritylevel-uid`]: level.uid,
  }));
  const group = groupName(dialect, 'flowcontrol.apiserver');
  const schemas = new Kept({ group, resource: 'flowschemas' }, deps, readFlowSchema, from?.of?.schemas);
  const levels = new Kept({ group, resource: 'prioritylevelconfigurations' }, deps, readLevel, from?.of?.levels);
  function configure(): void {
    fairness.configure({ schemas: schemas.all(), levels: levels.all() });
  }
  configure();
  return {
    control: fairness,
    flows: () => fairness.flows,
    levels: () => fairness.levels,
    async start() {
      await levels.start(configure);
      await schemas.start(configure);
      configure();
    },
    stop() {
      schemas.stop();
      levels.stop();
    },
    known: { schemas, levels },
  };
}

/** The objects of a type as they are read, the mandatory ones even while they are not stored. */
class Kept<T extends object> {
  readonly #mandatory: ReadonlyMap<string, T>;
  readonly #stored: LayeredMap<string, T>;
  readonly #follower: Follower;
  /** Told of changes once all that is stored is known. */
  #changed: (() => void) | undefined;

  constructor(
    type: { readonly group: string; readonly resource: string },
    { store, clock, dialect, from }: FlowControlDependencies,
    read: (object: ApiObject) => T,
    known: Kept<T> | undefined,
  ) {
    const prefix = collectionPrefix(type);
    this.#mandatory = known ? known.#mandatory : mandatoryOf(type.resource, prefix, dialect, read);
    this.#stored = known ? known.#stored.fork() : new LayeredMap();
    const told = ({ key, entry, deleted }: StoreChange) => {
      const object = deleted ? undefined : readable(entry);
      if (object) this.#stored.set(key, read(object));
      else this.#stored.delete(key);
      this.#changed?.();
    };
    this.#follower =
      known && from
        ? known.#follower.fork(store, from.revision, clock, told)
        : new Follower(store, prefix, clock, told);
  }

  all(): T[] {
    return [...new Map([...this.#mandatory, ...this.#stored]).values()];
  }
  /** Resolves when all that is stored is known; `changed` hears of what changes from then on. */
  async start(changed: () => void): Promise<void> {
    await this.#follower.start();
    this.#changed = changed;
  }
  stop(): void {
    this.#follower.stop();
  }
}

function mandatoryOf<T>(
  resource: string,
  prefix: string,
  dialect: Dialect,
  read: (object: ApiObject) => T,
): ReadonlyMap<string, T> {
  const own = flowControlDefaults(dialect).filter((one) => one.mandatory && one.resource === resource);
  return new Map(
    own.map(({ name, spec }) => [prefix + name, read({ apiVersion: '', kind: '', metadata: { name }, spec })]),
  );
}

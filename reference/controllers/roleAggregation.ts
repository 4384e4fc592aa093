import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { equalityKey, equalJson, isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Store } from '../contracts/store.ts';
import { Follower, type Forked, type StoreChange } from '../contracts/storeFollower.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { appliedBy } from '../objects/ownFields.ts';
import { labelSelectorFromObject } from '../selectors/labelSelectorObject.ts';
import { afterThisTurn, type Clock } from '../time.ts';

const MANAGER = 'clusterrole-aggregation-controller';

/** How many roles it looks at before others have their turn. */
const LOOKED_AT = 20_000;

/**
 * Fills the rules of cluster roles that aggregate others (2/rbac-objects/p3): for each selector in its order, the
 * rules of the matching roles in the order of their names, equal rules once. Runs when a cluster role changes, for the
 * aggregates that it is or that gather it, so that roles that come later are gathered as well, and what others write
 * into an aggregate is replaced.
 */
export class AggregationController {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #roles: LayeredMap<string, Entry>;
  readonly #follower: Follower;
  /** What each aggregate gathers, by the key of that; made when it is first needed. */
  #selectors: Map<string, readonly Matches[]> | undefined;
  /** The keys of all roles in the order of their names, until one comes or goes. */
  #order: readonly string[] | undefined;
  /** Aggregates that may have to be filled, by their keys. */
  readonly #due = new Set<string>();
  /** Whether the aggregates stand as they should at the start. */
  readonly #filled: boolean;
  #following = false;
  #running: Promise<void> | undefined;

  /** @param from that of the store that this one was forked from */
  constructor(store: Store, clock: Clock, dialect: Dialect, from?: Forked<AggregationController>) {
    this.#store = store;
    this.#clock = clock;
    this.#filled = from !== undefined;
    this.#roles = from ? from.of.#roles.fork() : new LayeredMap();
    const prefix = collectionPrefix({ group: groupName(dialect, 'rbac.authorization'), resource: 'clusterroles' });
    const changed = ({ key, entry, deleted }: StoreChange) => {
      const before = this.#roles.get(key);
      if (deleted) this.#roles.delete(key);
      else this.#roles.set(key, entry);
      if (deleted || !before) this.#order = undefined;
      this.#note(key, deleted ? undefined : entry.object);
      if (!this.#following) return;
      for (const [aggregate, selectors] of this.#aggregates()) {
        const gathers = ({ labels }: Entry) => selectors.some((matches) => matches(labels));
        if (aggregate === key || gathers(entry) || (before && gathers(before))) this.#due.add(aggregate);
      }
      if (this.#due.size > 0) this.#wake().catch(() => {});
    };
    this.#follower = from
      ? from.of.#follower.fork(store, from.revision, clock, changed)
      : new Follower(store, prefix, clock, changed);
  }

  /** Reads the roles, fills the aggregates once, and follows changes from then on. */
  async start(): Promise<void> {
    await this.#follower.start();
    this.#following = true;
    if (this.#filled) return;
    for (const key of this.#aggregates().keys()) this.#due.add(key);
    await this.#wake();
  }
  get busy(): boolean {
    return this.#running !== undefined;
  }
  /** Resolves when it is not at work. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }
  stop(): void {
    this.#follower.stop();
    this.#following = false;
  }

  /** Keeps what an aggregate gathers up to date. */
  #note(key: string, role: ApiObject | undefined): void {
    if (role && isObject(role.aggregationRule)) this.#selectors?.set(key, selectorsOf(role));
    else this.#selectors?.delete(key);
  }
  #aggregates(): ReadonlyMap<string, readonly Matches[]> {
    this.#selectors ??= new Map(
      [...this.#roles].flatMap(([key, { object }]) =>
        isObject(object.aggregationRule) ? [[key, selectorsOf(object)] as const] : [],
      ),
    );
    return this.#selectors;
  }

  /** Ends when all aggregates stand as they should, so far as is known now. */
  #wake(): Promise<void> {
    this.#running ??= this.#run().then(
      () => {
        this.#running = undefined;
        return this.#due.size > 0 ? this.#wake() : undefined;
      },
      (error) => {
        this.#running = undefined;
        throw error;
      },
    );
    return this.#running;
  }
  async #run(): Promise<void> {
    // Aggregates may gather aggregates: each write comes back as an event, by which others are due.
    let lookedAt = 0;
    for (const key of this.#due) {
      // While another one was written it may have come to gather others, or none any more.
      const [entry, selectors] = [this.#roles.get(key), this.#aggregates().get(key)];
      this.#due.delete(key);
      if (!entry || !selectors) continue;
      try {
        await this.#fill(entry, selectors);
      } catch (error) {
        this.#due.add(key);
        throw error;
      }
      lookedAt += this.#roles.size * selectors.length;
      if (lookedAt < LOOKED_AT) continue;
      lookedAt = 0;
      await new Promise<void>(afterThisTurn);
    }
  }

  async #fill(entry: Entry, selectors: readonly Matches[]): Promise<void> {
    const role = entry.object;
    const rules = this.#gather(entry.key, selectors);
    if (equalJson(rules, Array.isArray(role.rules) ? role.rules : [])) return;
    const { resourceVersion: _, ...metadata } = role.metadata;
    const now = this.#clock.now();
    const result = await this.#store.commit({
      key: entry.key,
      expected: entry.modRevision,
      object: {
        ...role,
        metadata: {
          ...metadata,
          managedFields: appliedBy(MANAGER, 'rules', role.apiVersion, metadata.managedFields ?? [], now),
        },
        // As the service writes it: an aggregate of nothing has no list at all.
        rules: rules.length > 0 ? rules : null,
      },
    });
    // Where the events were faster, they have told of this write, and maybe of a later one.
    if (result.committed && this.#roles.get(entry.key) === entry) this.#roles.set(entry.key, result.entry);
  }

  /** Roles of which nothing is gathered are not read: most are kept as their JSON. */
  #gather(aggregate: string, selectors: readonly Matches[]): JsonObject[] {
    const rules = new Map<string, JsonObject>();
    this.#order ??= [...this.#roles].map(([key]) => key).sort();
    for (const matches of selectors) {
      for (const key of this.#order) {
        const entry = key === aggregate ? undefined : this.#roles.get(key);
        if (!entry || !matches(entry.labels)) continue;
        for (const [equality, rule] of keyedRules(entry)) if (!rules.has(equality)) rules.set(equality, rule);
      }
    }
    return [...rules.values()];
  }
}

type KeyedRules = readonly (readonly [equality: string, rule: JsonObject])[];
const keyed = new WeakMap<Entry, KeyedRules>();

/** The rules of a role, with what equal ones share: it is gathered again whenever another changes. */
function keyedRules(entry: Entry): KeyedRules {
  const known = keyed.get(entry);
  if (known) return known;
  const { rules } = entry.object;
  const found = Array.isArray(rules) ? rules.filter(isObject).map((rule) => [equalityKey(rule), rule] as const) : [];
  keyed.set(entry, found);
  return found;
}

type Matches = ReturnType<typeof labelSelectorFromObject>['matches'];

function selectorsOf(aggregate: ApiObject): readonly Matches[] {
  const { clusterRoleSelectors } = aggregate.aggregationRule as JsonObject;
  const selectors = Array.isArray(clusterRoleSelectors) ? clusterRoleSelectors : [];
  return selectors.map((selector) => labelSelectorFromObject(selector).matches);
}

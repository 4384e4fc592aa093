import { equalJson, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { objectOf } from '../api/parts.ts';
import { othersTurn, Pace } from '../api/staged.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client, ObjectAddress } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import { addressOf } from '../contracts/storedKey.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { countName, inScopes, isCounted, usageOf } from '../objects/quotaUsage.ts';
import { type Amounts, amountsOf, amountsText, combined, count } from '../objects/resourceAmounts.ts';

/** What each quota of a namespace limits, by its name. */
type Quotas = ReadonlyMap<string, JsonObject>;

const NONE: Quotas = new Map();
/** Entries that long work passes in the time in which one object is counted. */
const OF_AN_OBJECT = 8;
const QUOTAS = collectionPrefix({ group: '', resource: 'resourcequotas' });

/** Says in the status of each quota what it limits and how much of that is used, and counts anew what goes. */
export class QuotaController implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  /** By namespace. */
  readonly #known: LayeredMap<string, Quotas>;

  constructor(services: Services, client: Client, queue: WorkQueue, known = new LayeredMap<string, Quotas>()) {
    this.#known = known;
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
  }

  fork({ services, client, queue }: ControllerSite): QuotaController {
    return new QuotaController(services, client, queue, this.#known.fork());
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (this.#known.size === 0 && !key.startsWith(QUOTAS)) return;
    const address = addressOf(this.#services.registry, key);
    if (!address?.type.namespaced) return;
    const { type, namespace, name } = address;
    const quotas = this.#known.get(namespace) ?? NONE;
    if (type.group === '' && type.resource === 'resourcequotas') {
      const limits = deleted ? undefined : limitsOf(readable(entry));
      const before = quotas.get(name);
      const now = new Map(quotas);
      if (limits) now.set(name, limits);
      else now.delete(name);
      if (now.size > 0) this.#known.set(namespace, now);
      else this.#known.delete(namespace);
      // What admission counts in the status stands there before its object does: it is not counted anew.
      if (limits && !(before && equalJson(before, limits))) this.#count(address);
    } else if (quotas.size > 0 && (deleted || type.resource === 'pods')) this.#countAll(namespace, quotas.keys());
  }

  #countAll(namespace: string, names: Iterable<string>): void {
    const type = this.#client.type('', 'resourcequotas');
    if (type) for (const name of names) this.#count({ type, namespace, name });
  }

  #count(address: ObjectAddress): void {
    const { namespace, name } = address;
    this.#queue.add(`quota/${namespace}/${name}`, async () => {
      // What else goes in this turn is counted with it.
      await othersTurn();
      const quota = await this.#client.get(address);
      if (!quota) return;
      const used = await this.#used(quota, namespace);
      await this.#client.change(address, (present) => withStatus(present, used), 'status');
    });
  }

  /** What is used of all that the quota limits. */
  async #used(quota: ApiObject, namespace: string): Promise<Amounts> {
    const spec = objectOf(asJson(quota).spec);
    const hard = amountsOf(spec.hard);
    const used = new Map([...hard.keys()].map((name) => [name, count(0)]));
    const pace = new Pace();
    for (const type of this.#services.registry.types()) {
      if (!type.namespaced || type.storedAs || !isLimited(type, hard)) continue;
      for (const object of await this.#client.list(type, namespace)) {
        if (pace.due(OF_AN_OBJECT)) await othersTurn();
        if (!inScopes(spec, type, object)) continue;
        for (const [name, amount] of usageOf(type, object, this.#services.dialect)) {
          const before = used.get(name);
          if (before) used.set(name, combined(before, amount));
        }
      }
    }
    return used;
  }
}

function limitsOf(quota: ApiObject | undefined): JsonObject | undefined {
  return quota && objectOf(objectOf(asJson(quota).spec).hard);
}

/** Types whose objects use something that is limited. */
function isLimited(type: { readonly group: string; readonly resource: string }, hard: Amounts): boolean {
  if (hard.has(countName(type))) return true;
  return isCounted(type) && [...hard.keys()].some((name) => !name.startsWith('count/'));
}

function withStatus(quota: ApiObject, used: Amounts): ApiObject | undefined {
  const { hard = {} } = objectOf(asJson(quota).spec);
  // An empty map is written as none.
  const amounts = { hard: hard as Json, used: amountsText(used) };
  const status: JsonObject = used.size === 0 && Object.keys(objectOf(hard)).length === 0 ? {} : amounts;
  return equalJson(status, objectOf(quota.status)) ? undefined : { ...quota, status };
}

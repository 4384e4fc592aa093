import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { addressOf } from '../contracts/storedKey.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { formatTime } from '../time.ts';
import { type Remains, remainsConditions } from './namespaceConditions.ts';

/** Milliseconds between the deletion of a namespace and the moment in which it begins to be emptied. */
const PATIENCE = 300;
const NAMESPACES = collectionPrefix({ group: '', resource: 'namespaces' });

/**
 * Empties namespaces that are being deleted, tells in their status what still keeps them, and takes the service's
 * own finalizer from those that are empty (1/object-naming/4).
 */
export class NamespaceController implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #terminating = new Map<string, 'waiting' | 'emptying'>();

  constructor(services: Services, client: Client, queue: WorkQueue) {
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
  }

  fork({ services, client, queue }: ControllerSite): NamespaceController {
    const fork = new NamespaceController(services, client, queue);
    for (const name of this.#terminating.keys()) fork.#begin(name);
    return fork;
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (this.#terminating.size === 0 && !key.startsWith(NAMESPACES)) return;
    const address = addressOf(this.#services.registry, key);
    if (!address) return;
    const { type, name, namespace } = address;
    if (type.group === '' && type.resource === 'namespaces') {
      if (deleted || !readable(entry)?.metadata.deletionTimestamp) this.#terminating.delete(name);
      else if (this.#terminating.has(name)) this.#empty(name);
      else this.#begin(name);
    } else if (namespace && this.#terminating.has(namespace)) this.#empty(namespace);
  }

  /** Waits a moment, so that whoever deleted the namespace can still see it as it was. */
  #begin(name: string): void {
    this.#terminating.set(name, 'waiting');
    this.#services.clock.after(PATIENCE, () => {
      if (!this.#terminating.has(name)) return;
      this.#terminating.set(name, 'emptying');
      this.#empty(name);
    });
  }

  #empty(name: string): void {
    if (this.#terminating.get(name) !== 'emptying') return;
    this.#queue.add(`namespace/${name}`, () => this.#sync(name));
  }

  async #sync(name: string): Promise<void> {
    const type = this.#client.type('', 'namespaces');
    if (!type) return;
    const address = { type, namespace: '', name };
    const namespace = await this.#client.get(address);
    if (!namespace?.metadata.deletionTimestamp) return;
    const own = this.#services.dialect.namespaceFinalizer;
    if (!finalizersOf(namespace).includes(own)) {
      if (finalizersOf(namespace).length === 0 && !namespace.metadata.finalizers?.length) {
        await this.#client.remove(address, namespace.metadata.uid, 'Background');
      }
      return;
    }
    const remains = await this.#deleteContent(name);
    await this.#client.change(address, (object) => this.#withConditions(object, remains), 'status');
    if (remains.length > 0) return;
    await this.#client.change(address, (object) => withoutFinalizer(object, own), 'finalize');
  }

  /** Deletes what can be deleted, type by type, and tells what is left. */
  async #deleteContent(namespace: string): Promise<Remains[]> {
    const remains: Remains[] = [];
    for (const type of this.#contentTypes()) {
      for (const object of await this.#client.list(type, namespace)) {
        const { name = '', uid } = object.metadata;
        if (!isWaiting(object)) await this.#client.remove({ type, namespace, name }, uid, 'Background');
      }
      const left = await this.#client.list(type, namespace);
      if (left.length > 0) remains.push({ type, finalizers: left.map((one) => one.metadata.finalizers ?? []) });
    }
    return remains;
  }

  #contentTypes(): ResourceType[] {
    const types = [...this.#services.registry.types()].filter(
      (type) => type.namespaced && [...type.versions.values()].some((version) => version.verbs.includes('delete')),
    );
    const name = (type: ResourceType) => `${type.group}/${type.resource}`;
    return types.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  }

  #withConditions(object: ApiObject, remains: readonly Remains[]): ApiObject {
    const status: JsonObject = isObject(object.status) ? object.status : {};
    const now = formatTime(this.#services.clock.now());
    object.status = { ...status, conditions: remainsConditions(status.conditions, remains, now) };
    return object;
  }
}

/** Whether an object is being deleted and held by something; one that nothing holds was left so by an end of the server. */
function isWaiting({ metadata }: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && (deletionGracePeriodSeconds > 0 || finalizers.length > 0);
}

function finalizersOf({ spec }: ApiObject): readonly string[] {
  return isObject(spec) && Array.isArray(spec.finalizers) ? (spec.finalizers as string[]) : [];
}

function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const spec: JsonObject = isObject(object.spec) ? { ...object.spec } : {};
  const left = finalizersOf(object).filter((name) => name !== finalizer);
  if (left.length > 0) spec.finalizers = left;
  else delete spec.finalizers;
  object.spec = spec;
  return object;
}

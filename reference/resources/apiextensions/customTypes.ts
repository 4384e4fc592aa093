import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { cloneJson } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { LayeredMap } from '../../collections/layeredMap.ts';
import type { WorkQueue } from '../../collections/workQueue.ts';
import type { Services } from '../../contracts/call.ts';
import type { Client, ObjectAddress } from '../../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../../contracts/controller.ts';
import { readable } from '../../contracts/readable.ts';
import type { ResourceType } from '../../contracts/resourceType.ts';
import { addressOf } from '../../contracts/storedKey.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';
import { CUSTOM_OBJECTS_FINALIZER } from '../../objects/deletionRules.ts';
import { conditionOf, readNaming } from './definition.ts';
import { conditionsOf, DEFINITIONS, withCondition } from './nameClaims.ts';
import { ServedTypes } from './servedTypes.ts';

/** Keeps definitions: accepts their names, and deletes the objects of those that are being deleted. */
export class CustomTypes implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #group: string;
  readonly #prefix: string;
  /** The definitions as last heard of, by name. */
  readonly #definitions: LayeredMap<string, ApiObject>;
  /** Definitions whose objects are waited for, by the prefix of their keys. */
  readonly #terminating: LayeredMap<string, string>;

  /** @param from the one of the server that this one was forked from */
  constructor(services: Services, client: Client, queue: WorkQueue, from?: CustomTypes) {
    this.#definitions = from ? from.#definitions.fork() : new LayeredMap();
    this.#terminating = from ? from.#terminating.fork() : new LayeredMap();
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
    this.#group = groupName(services.dialect, 'apiextensions');
    this.#prefix = collectionPrefix({ group: this.#group, resource: DEFINITIONS });
  }

  fork({ services, own, queue }: ControllerSite): CustomTypes {
    return new CustomTypes(services, own, queue, this);
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (!deleted && !key.startsWith(this.#prefix)) return;
    const address = addressOf(this.#services.registry, key);
    if (!address) return;
    const { type, name } = address;
    if (type.group === this.#group && type.resource === DEFINITIONS) {
      const object = deleted ? undefined : readable(entry);
      if (object) this.#learn(name, object);
      else this.#forget(name);
    } else if (deleted) {
      const waiting = this.#terminating.get(`${type.group}/${type.resource}`);
      if (waiting) this.#sync(waiting);
    }
  }

  #learn(name: string, object: ApiObject): void {
    this.#definitions.set(name, object);
    this.#sync(name);
  }

  /** Another definition may want the names that are free now. */
  #forget(name: string): void {
    const object = this.#definitions.get(name);
    this.#definitions.delete(name);
    if (!object) return;
    const { group, names } = readNaming(object);
    this.#terminating.delete(`${group}/${names.plural}`);
    for (const [other, one] of this.#definitions) {
      if (readNaming(one).group === group) this.#sync(other);
    }
  }

  #sync(name: string): void {
    this.#queue.add(`customresourcedefinition/${name}`, () => this.#settle(name));
  }

  async #settle(name: string): Promise<void> {
    const address = this.#address(name);
    const object = address && (await this.#client.get(address));
    if (!address || !object) return;
    await this.#settleNames(address);
    if (object.metadata.deletionTimestamp) await this.#empty(address, object);
  }

  #address(name: string): ObjectAddress | undefined {
    const type = this.#client.type(this.#group, DEFINITIONS);
    return type && { type, namespace: '', name };
  }

  async #settleNames(address: ObjectAddress): Promise<void> {
    const { dialect, clock } = this.#services;
    await this.#client.change(
      address,
      (object) => {
        const others = [...this.#definitions].filter(([name]) => name !== address.name).map(([, other]) => other);
        const status = conditionsOf(object, others, dialect, clock.now());
        return status && { ...object, status };
      },
      'status',
    );
  }

  /** Deletes the objects of a definition that is being deleted, and lets it go when none is left. */
  async #empty(address: ObjectAddress, object: ApiObject): Promise<void> {
    const finalizer = `${CUSTOM_OBJECTS_FINALIZER}.${this.#group}`;
    if (!object.metadata.finalizers?.includes(finalizer)) return;
    const { group, names } = readNaming(object);
    const type = this.#services.registry.type(group, names.plural);
    if (type?.custom && conditionOf(object, 'Established') === 'True') {
      this.#terminating.set(`${group}/${names.plural}`, address.name);
      if (!(await this.#deleteObjects(type))) {
        await this.#tell(address, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
        return;
      }
    }
    await this.#tell(address, 'False', 'InstanceDeletionCompleted', 'removed all instances');
    await this.#client.change(address, (latest) => {
      latest.metadata.finalizers = (latest.metadata.finalizers ?? []).filter((name) => name !== finalizer);
      return latest;
    });
  }

  /** True when no object is left. */
  async #deleteObjects(type: ResourceType): Promise<boolean> {
    for (const { metadata } of await this.#client.list(type)) {
      if (metadata.deletionTimestamp) continue;
      const address = { type, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await this.#client.remove(address, metadata.uid, 'Background');
    }
    return (await this.#client.list(type)).length === 0;
  }

  async #tell(address: ObjectAddress, status: 'True' | 'False', reason: string, message: string): Promise<void> {
    const now = this.#services.clock.now();
    await this.#client.change(
      address,
      (object) => {
        const next = withCondition(object.status, { type: 'Terminating', status, reason, message }, now);
        return next && { ...object, status: cloneJson(next) };
      },
      'status',
    );
  }
}

/**
 * What the controllers do about custom types.
 *
 * @param from what those of the server do that this one was forked from
 */
export function customTypeServing(
  services: Services,
  from?: { readonly served: ServedTypes },
): {
  readonly prefix: string;
  readonly served: ServedTypes;
  watch(client: Client, queue: WorkQueue): CustomTypes;
} {
  const served = from?.served.fork(services) ?? new ServedTypes(services);
  return { prefix: served.prefix, served, watch: (client, queue) => new CustomTypes(services, client, queue) };
}

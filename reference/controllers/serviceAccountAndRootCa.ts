import { equalJson, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import { addressOf } from '../contracts/storedKey.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';

const NAMESPACES = collectionPrefix({ group: '', resource: 'namespaces' });

/** An object that every namespace has. */
interface NamespaceObject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly body: Partial<ApiObject>;
  /** Top-level fields that are put back when somebody changes them. */
  readonly kept: readonly string[];
}

/**
 * Gives every namespace its service account `default` and the config map with the root certificates, and puts them
 * back where they are deleted or changed. Upstream these are two controllers, the one for service accounts and the
 * publisher of the root CA; here one does both, since they differ in the object alone.
 */
export class ServiceAccountAndRootCaPublisher implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #rootCa: string | undefined;
  readonly #objects: readonly NamespaceObject[];

  /** @param rootCa PEM for the config map of root certificates; undefined: there is no such map */
  constructor(services: Services, client: Client, queue: WorkQueue, rootCa: string | undefined) {
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
    this.#rootCa = rootCa;
    const account: NamespaceObject = { group: '', resource: 'serviceaccounts', name: 'default', body: {}, kept: [] };
    this.#objects = rootCa === undefined ? [account] : [account, this.#certificates(rootCa)];
  }

  fork({ services, client, queue }: ControllerSite): ServiceAccountAndRootCaPublisher {
    return new ServiceAccountAndRootCaPublisher(services, client, queue, this.#rootCa);
  }

  #certificates(rootCa: string): NamespaceObject {
    const { labelDomain, rootCaConfigMap, serviceName } = this.#services.dialect;
    const description = `Contains a CA bundle that can be used to verify the API server when using internal endpoints such as the internal service IP or ${serviceName}.default.svc.`;
    return {
      group: '',
      resource: 'configmaps',
      name: rootCaConfigMap,
      body: {
        metadata: { annotations: { [`${labelDomain}/description`]: description } },
        data: { 'ca.crt': rootCa },
      },
      kept: ['data'],
    };
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (!key.startsWith(NAMESPACES) && !this.#objects.some(({ name }) => key.endsWith(`/${name}`))) return;
    const address = addressOf(this.#services.registry, key);
    if (!address) return;
    const { type, name, namespace } = address;
    if (type.group === '' && type.resource === 'namespaces') {
      if (!deleted && !readable(entry)?.metadata.deletionTimestamp) this.#enqueue(name);
      return;
    }
    const mine = this.#objects.some(
      (object) => object.name === name && object.resource === type.resource && object.group === type.group,
    );
    if (mine) this.#enqueue(namespace);
  }

  #enqueue(namespace: string): void {
    this.#queue.add(`furniture/${namespace}`, () => this.#sync(namespace));
  }

  async #sync(name: string): Promise<void> {
    const namespaces = this.#client.type('', 'namespaces');
    const namespace = namespaces && (await this.#client.get({ type: namespaces, namespace: '', name }));
    if (!namespace || namespace.metadata.deletionTimestamp) return;
    for (const object of this.#objects) await this.#place(object, name);
  }

  async #place({ group, resource, name, body, kept }: NamespaceObject, namespace: string): Promise<void> {
    const type = this.#client.type(group, resource);
    if (!type) return;
    const address = { type, namespace, name };
    const present = await this.#client.get(address);
    if (!present) {
      await this.#client.create(address, body);
      return;
    }
    const wanted = body as unknown as JsonObject;
    const changed = kept.filter((field) => !equalJson(asJson(present)[field], wanted[field]));
    if (changed.length === 0) return;
    await this.#client.change(address, (object) => {
      for (const field of changed) asJson(object)[field] = wanted[field] ?? null;
      return object;
    });
  }
}

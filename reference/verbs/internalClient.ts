import { cloneJson, type JsonObject } from '../api/json.ts';
import { cloneInParts } from '../api/longJson.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { inTurns } from '../api/staged.ts';
import { ApiError } from '../api/status.ts';
import type { Services } from '../contracts/call.ts';
import type { Client, ObjectAddress, Propagation } from '../contracts/client.ts';
import { readable } from '../contracts/readable.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { collectionPrefix, objectKey } from '../contracts/storeKeys.ts';
import { decodeObject, expectedOf } from '../objects/body.ts';
import { internalWriteOptions } from '../objects/writeOptions.ts';
import { createObject } from './create.ts';
import { internalDeleteOptions } from './deleteOptions.ts';
import { deleteObject } from './deletion.ts';
import { internalExchange } from './internalExchange.ts';
import { write } from './write.ts';
import { type WriteRequest, writeRequest } from './writeRequest.ts';

/** The client of controllers: writes pass the stages that requests pass. Made by the composition root for each manager. */
export class InternalClient implements Client {
  readonly #services: Services;
  readonly #manager: string;

  /** @param manager owner of the fields that this client writes */
  constructor(services: Services, manager: string) {
    this.#services = { ...services, largeWork: undefined };
    this.#manager = manager;
  }

  /** The type of a group and plural, where it is served. */
  type(group: string, resource: string): ResourceType | undefined {
    return this.#services.registry.type(group, resource);
  }

  /** The object as it is now, or undefined; one that cannot be read counts as missing. */
  async get({ type, namespace, name }: ObjectAddress): Promise<ApiObject | undefined> {
    return readable(await this.#services.store.get(objectKey(type, namespace, name)));
  }

  /** All objects of a type, in one namespace or (empty) in all, that can be read. */
  async list(type: ResourceType, namespace = ''): Promise<ApiObject[]> {
    const { entries } = await this.#services.store.range({ prefix: collectionPrefix(type, namespace) });
    return entries.map(readable).filter((object) => object !== undefined);
  }

  /** Creates an object; `body` is without defaults. False when one of that name is there. Throws ApiError. */
  async create(address: ObjectAddress, body: Partial<ApiObject>): Promise<boolean> {
    const { type, namespace, name } = address;
    const request = this.#request(address, 'create');
    const metadata = { ...body.metadata, name, ...(type.namespaced ? { namespace } : {}) };
    const object = decodeObject(cloneJson({ ...body, metadata } as never), expectedOf(request), () => {});
    try {
      await createObject(request, object);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return false;
      throw error;
    }
  }

  /**
   * Changes an object, or one of its subresources. `change` gets a copy that it may alter and return, or answers
   * undefined to leave the object as it is. False when the object is missing. Throws ApiError.
   */
  async change(
    address: ObjectAddress,
    change: (object: ApiObject) => ApiObject | undefined,
    subresource = '',
  ): Promise<boolean> {
    const request = this.#request(address, 'update', subresource);
    try {
      await write(request, {
        change: (live, long) => {
          const changed = (copy: JsonObject): ApiObject => {
            const next = change(asApiObject(copy));
            if (!next) throw new Unchanged();
            return next;
          };
          return long ? inTurns(cloneInParts(asJson(live))).then(changed) : changed(cloneJson(asJson(live)));
        },
      });
      return true;
    } catch (error) {
      if (error instanceof Unchanged) return true;
      if (error instanceof ApiError && error.reason === 'NotFound') return false;
      throw error;
    }
  }

  /** Deletes an object, if it has this uid; nothing happens where it is missing or another one. Throws ApiError. */
  async remove(address: ObjectAddress, uid: string | undefined, propagationPolicy: Propagation): Promise<void> {
    const { type, namespace, name } = address;
    try {
      await deleteObject({
        services: this.#services,
        exchange: internalExchange(type, 'delete', namespace, name),
        endpoint: this.#endpoint(type),
        namespace,
        name,
        admissionName: name,
        options: internalDeleteOptions(this.#services.dialect, {
          propagationPolicy,
          ...(uid ? { preconditions: { uid } } : {}),
        }),
      });
    } catch (error) {
      if (error instanceof ApiError && (error.reason === 'NotFound' || error.reason === 'Conflict')) return;
      throw error;
    }
  }

  #request({ type, namespace, name }: ObjectAddress, verb: 'create' | 'update', subresource = ''): WriteRequest {
    const { dialect } = this.#services;
    return writeRequest(
      {
        services: this.#services,
        exchange: internalExchange(type, verb, namespace, name, subresource),
        endpoint: this.#endpoint(type, subresource),
      },
      internalWriteOptions(dialect, verb === 'create' ? 'CreateOptions' : 'UpdateOptions', this.#manager),
    );
  }

  #endpoint(type: ResourceType, subresource = ''): Endpoint {
    const version = type.versions.get(type.storageVersion);
    if (!version) throw new Error(`${type.resource} has no version ${type.storageVersion}`);
    return { type, version, subresource: version.subresources.find((one) => one.name === subresource) };
  }
}

/** Thrown through the write loop when a change turns out to be none. */
class Unchanged extends Error {}

import type { ApiObject } from '../api/object.ts';
import type { ResourceType } from './resourceType.ts';

/** What becomes of the objects that a deleted one owns. */
export type Propagation = 'Orphan' | 'Background' | 'Foreground';

/** Which object. `namespace` is empty for cluster-scoped types. */
export interface ObjectAddress {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
}

/**
 * How controllers read and write: through the same rules, admission and ownership as requests, without a wire and
 * without authorization. Objects are in the storage version.
 */
export interface Client {
  /** The type of a group and plural, where it is served. */
  type(group: string, resource: string): ResourceType | undefined;
  /** The object as it is now, or undefined; one that cannot be read counts as missing. */
  get(address: ObjectAddress): Promise<ApiObject | undefined>;
  /** All objects of a type, in one namespace or (empty) in all, that can be read. */
  list(type: ResourceType, namespace?: string): Promise<ApiObject[]>;
  /** Creates an object; `body` is without defaults. False when one of that name is there. Throws ApiError. */
  create(address: ObjectAddress, body: Partial<ApiObject>): Promise<boolean>;
  /**
   * Changes an object, or one of its subresources. `change` gets a copy that it may alter and return, or answers
   * undefined to leave the object as it is. False when the object is missing. Throws ApiError.
   */
  change(
    address: ObjectAddress,
    change: (object: ApiObject) => ApiObject | undefined,
    subresource?: string,
  ): Promise<boolean>;
  /** Deletes an object, if it has this uid; nothing happens where it is missing or another one. Throws ApiError. */
  remove(address: ObjectAddress, uid: string | undefined, propagationPolicy: Propagation): Promise<void>;
}

import type { Json, JsonObject } from './json.ts';

/** What every stored object carries under `metadata` (1/common-object-metadata). */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | null | undefined;
  deletionTimestamp?: string | null | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/**
 * An API object: plain JSON whose first fields are known. Objects that came from the store are shared by all
 * readers and must never be written to; objects decoded from a request belong to that request.
 */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: Json | ObjectMeta | undefined;
}

/** What a collection carries under `metadata`. */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/**
 * Metadata with further members, or others in place of its own; the argument is not changed. Assigned and not spread: to an
 * object that was spread the engine gives a layout of its own with the first member that is added, which takes as long to
 * make as the rest of it and is slow for whoever reads it from then on.
 */
export function withMetadata(metadata: ObjectMeta, more: ObjectMeta): ObjectMeta {
  return Object.assign({}, metadata, more);
}

/** The same object seen as plain JSON, for code that walks it by schema. */
export function asJson(object: ApiObject): JsonObject {
  return object as unknown as JsonObject;
}

/** Plain JSON that decoding has already proved to be an object of the API. */
export function asApiObject(json: JsonObject): ApiObject {
  return json as unknown as ApiObject;
}

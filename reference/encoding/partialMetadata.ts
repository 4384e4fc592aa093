import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../api/json.ts';
import type { ListMeta } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { ObjectShape } from '../objects/shape.ts';

/** apiVersion of the representations that belong to no resource type. */
export function metaVersion(dialect: Dialect, version: string): string {
  return `${groupName(dialect, 'meta')}/${version}`;
}

/** Refuses the metadata-only form of an object for a list. */
export function notAnObject(shape: ObjectShape): ApiError {
  const what = internalName(shape.listKind, shape);
  return mismatch(`you requested PartialObjectMetadata, but the requested object is a list (${what})`);
}
/** Refuses the metadata-only form of a list for an object. */
export function notAList(shape: ObjectShape): ApiError {
  const what = internalName(shape.kind, shape);
  return mismatch(`you requested PartialObjectMetadataList, but the requested object is not a list (${what})`);
}

function mismatch(message: string): ApiError {
  return new ApiError(406, 'NotAcceptable', message);
}

/** The name by which the service's messages call a type inside. */
function internalName(kind: string, shape: ObjectShape): string {
  if (shape.custom) return kind.endsWith('List') ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const module = shape.group === '' ? 'core' : (shape.group.split('.')[0] as string);
  return `*${module}.${kind}`;
}

/** Members of the `metadata` of a list as JSON; what is empty is left out. */
export function listMetadata(metadata: ListMeta): JsonObject {
  const json: JsonObject = {};
  if (metadata.resourceVersion) json.resourceVersion = metadata.resourceVersion;
  if (metadata.continue) json.continue = metadata.continue;
  if (metadata.remainingItemCount !== undefined) json.remainingItemCount = metadata.remainingItemCount;
  return json;
}

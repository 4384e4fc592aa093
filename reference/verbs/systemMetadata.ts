import type { ApiObject, ObjectMeta } from '../api/object.ts';
import { badRequest } from '../api/status.ts';
import { nameSuffix, type Random, uuid } from '../random.ts';
import { formatTime } from '../time.ts';

/** A generateName longer than this is cut before its suffix, so that the name fits into a label. */
const LONGEST_PREFIX = 58;

/** Where a path leads; `namespace` is empty for cluster-scoped types. */
interface Address {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Takes from a new object, in place, what only the service may set, whatever its body says
 * (1/common-object-metadata/t1.6).
 */
export function clearSystemFields(object: ApiObject): void {
  // Made anew: an object from which members were deleted is slow for whoever reads it from then on.
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...kept } =
    object.metadata as ObjectMeta & { selfLink?: string };
  object.metadata = kept;
}

/** Gives a new object its uid and creation time, and a name where generateName asks for one. In place. */
export function fillSystemFields(object: ApiObject, now: number, random: Random): void {
  object.metadata.creationTimestamp = formatTime(now);
  object.metadata.uid = uuid(random);
  const { name, generateName } = object.metadata;
  if (!name && generateName) object.metadata.name = `${generateName.slice(0, LONGEST_PREFIX)}${nameSuffix(random)}`;
}

/** Puts the object into the namespace of the request, in place. Throws ApiError 400 when it names another one. */
export function settleNamespace(object: ApiObject, namespace: string): void {
  const given = object.metadata.namespace ?? '';
  if (given === namespace) return;
  if (!namespace) delete object.metadata.namespace;
  else if (!given) object.metadata.namespace = namespace;
  else throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/**
 * Puts the object where the path says, in place: into its namespace. Throws ApiError 400 where the object names another
 * namespace, another name or none.
 */
export function settleAddress(object: ApiObject, { namespace, name }: Address): void {
  settleNamespace(object, namespace);
  const given = object.metadata.name;
  if (!given) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}

/**
 * What an update may not change of the metadata, whatever its body says; in place. Times of deletion that the old
 * object has stay; others are left for validation to refuse.
 */
export function keepSystemFields(meta: ObjectMeta, old: ObjectMeta): void {
  if (old.generation === undefined) delete meta.generation;
  else meta.generation = old.generation;
  if (!meta.uid) meta.uid = old.uid;
  meta.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined) {
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  delete (meta as Record<string, unknown>).selfLink;
}

const DECIMAL = /^[0-9]+$/;

/**
 * A resourceVersion that a client gave with an object, as a number; 0 means none, and undefined that the text is no
 * version of any object.
 */
export function parseVersion(text: string | undefined): number | undefined {
  if (!text) return 0;
  return DECIMAL.test(text) ? Number(text) : undefined;
}

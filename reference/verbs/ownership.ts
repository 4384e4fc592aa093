import { formatApiVersion, parseApiVersion } from '../api/groupVersion.ts';
import { equalBut, equalJson, type Json } from '../api/json.ts';
import { equalInParts } from '../api/longJson.ts';
import { type ApiObject, asJson, type ManagedFieldsEntry } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import type { Endpoint, ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { decodeEntries, encodeEntries } from '../fields/managers.ts';
import { ForeignField, type OwnershipContext, type Writer } from '../fields/ownership.ts';
import { noteMerge } from '../objects/decisions.ts';
import { settleEmpty } from '../objects/emptyLists.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import type { WriteRequest } from './writeRequest.ts';

/**
 * The object with `metadata.managedFields` as they are after this write (1/server-side-apply-rules/2 and /4). Both
 * objects are in the version of the endpoint. `object` belongs to the write: empty lists that only ownership tells from
 * absent ones are gone from it afterwards. The work is staged, and pauses where it is long.
 */
export function* recordOwnership(
  request: WriteRequest,
  live: ApiObject | undefined,
  object: ApiObject,
  long: boolean,
): Staged<ApiObject> {
  const { ownership } = request.services;
  const owned = yield* ownership.update(live, object, writerOf(request), ownershipContext(request, long));
  settleEmpty(request.endpoint.version.schema, owned);
  dropScaleTimes(request, owned);
  return owned;
}

/** Entries of the scale subresource bear no time; in place. */
export function dropScaleTimes({ endpoint: { subresource } }: WriteRequest, object: ApiObject): void {
  if (subresource?.form !== 'scale') return;
  const { managedFields } = object.metadata;
  if (!managedFields?.some((entry) => entry.subresource === subresource.name && entry.time)) return;
  const owners = [...decodeEntries(managedFields).values()].map((owner) =>
    owner.subresource === subresource.name ? { ...owner, time: undefined } : owner,
  );
  object.metadata.managedFields = encodeEntries(owners);
}

/** Who owns what this write changes. */
export function writerOf({ endpoint, options }: WriteRequest): Writer {
  return { manager: options.manager, apiVersion: versionOwned(endpoint) };
}

/** What ownership must know of the endpoint, of the time of the write and whether that is long work. */
export function ownershipContext(
  { endpoint, services, exchange, strategy }: WriteRequest,
  long: boolean,
): OwnershipContext {
  const { subresource } = endpoint;
  const operation = subresource?.form === 'operation' ? subresource : undefined;
  return {
    schemaOf: (apiVersion) => {
      if (operation) return apiVersion === formatApiVersion(operation.kind) ? operation.schema : undefined;
      return endpointNamed(endpoint, apiVersion, services.registry)?.version.schema;
    },
    convert: (object, apiVersion) => {
      const converted = convert(endpoint, object, apiVersion, services.registry);
      // The real service fails to compare where a version lacks fields of the object; the text knows no such limit.
      if (endpoint.type.custom && services.follow === 'service' && loses(object, converted)) {
        throw new ForeignField(apiVersion);
      }
      return converted;
    },
    now: services.clock.now(),
    follow: services.follow,
    subresource: subresource?.name ?? '',
    resetFields: strategy.unownedFields ?? strategy.resetFields,
    pauses: long,
    note: exchange.trace && ((trace) => noteMerge(exchange, 'update', 'recorded', trace)),
  };
}

function versionOwned({ type, version, subresource }: Endpoint): string {
  if (subresource?.form === 'operation') return formatApiVersion(subresource.kind);
  return formatApiVersion({ group: type.group, version: version.version });
}

/**
 * The version of the objects of an endpoint that has a name, also under another group that shows the same objects, and
 * also where it is not served any more: who wrote in it still owns what it wrote.
 */
function endpointNamed({ type }: Endpoint, apiVersion: string, registry: ResourceRegistry): Endpoint | undefined {
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) return undefined;
  const own = parsed.group === type.group ? type.versions.get(parsed.version) : undefined;
  if (own) return { type, version: own, subresource: undefined };
  const found = registry.everServed(parsed.group, parsed.version, type.resource);
  return found && collectionPrefix(found.type) === collectionPrefix(type) ? found : undefined;
}

/** Whether a conversion that only renames took something away. */
function loses({ apiVersion: _, ...object }: ApiObject, { apiVersion: __, ...converted }: ApiObject): boolean {
  return !equalJson(object as never, converted as never);
}

function convert(endpoint: Endpoint, object: ApiObject, apiVersion: string, registry: ResourceRegistry): ApiObject {
  const from = endpointNamed(endpoint, object.apiVersion, registry);
  const to = endpointNamed(endpoint, apiVersion, registry);
  if (!from || !to || from.version === to.version) return object;
  return fromStorage(to, toStorage(from, object));
}

/**
 * Keeps the old records where they would differ from the new ones in times alone and nothing else changed, so that a
 * write without effect stays one. Both are in the storage version; `object` is changed in place.
 */
export function keepOldTimes(object: ApiObject, old: ApiObject): void {
  const { managedFields } = object.metadata;
  const before = old.metadata.managedFields;
  if (!managedFields || !before || managedFields.length !== before.length) return;
  for (let i = 0; i < before.length; i++) if (!equalBut(managedFields[i] as never, before[i] as never, TIMES)) return;
  if (!equalBut(asJson(object), asJson(old), METADATA)) return;
  if (equalBut(object.metadata as never, old.metadata as never, VERSION_AND_RECORDS))
    object.metadata.managedFields = before;
}
const TIMES: readonly string[] = ['time'];
const METADATA: readonly string[] = ['metadata'];
const VERSION_AND_RECORDS: readonly string[] = ['resourceVersion', 'managedFields'];

/** The same with turns for others meanwhile. */
export function* keepOldTimesInParts(object: ApiObject, old: ApiObject): Staged<void> {
  const pairs = recordsToCompare(object, old);
  if (!pairs) return;
  for (const [entry, before] of pairs) if (!(yield* equalInParts(entry, before))) return;
  const same = yield* equalInParts(besideRecords(object), besideRecords(old));
  if (same) object.metadata.managedFields = old.metadata.managedFields;
}

/** Entries without their times, new and old ones; undefined where they are not as many. */
function recordsToCompare(object: ApiObject, old: ApiObject): (readonly [Json, Json])[] | undefined {
  const { managedFields } = object.metadata;
  const before = old.metadata.managedFields;
  if (!managedFields || !before || managedFields.length !== before.length) return undefined;
  return managedFields.map(({ time: _, ...entry }, index) => {
    const { time: __, ...was } = before[index] as ManagedFieldsEntry;
    return [entry as never, was as never];
  });
}

/** An object without its version and its records. */
function besideRecords(object: ApiObject): Json {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  return { ...asJson(object), metadata: metadata as never };
}

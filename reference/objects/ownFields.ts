import type { JsonObject } from '../api/json.ts';
import type { ApiObject, ManagedFieldsEntry } from '../api/object.ts';
import { formatTime } from '../time.ts';

const keysOf = (map: Readonly<Record<string, unknown>>): JsonObject => ({
  '.': {},
  ...Object.fromEntries(Object.keys(map).map((key) => [`f:${key}`, {}])),
});

/**
 * The record of who owns the fields of a role or binding that this server itself made: its labels, annotations and
 * every field of its own (all of which are atomic but the aggregation rule).
 *
 * @param now milliseconds since the epoch
 */
export function ownedBy(manager: string, object: ApiObject, now: number): ManagedFieldsEntry {
  const { apiVersion, kind: _, metadata, ...fields } = object;
  const owned: JsonObject = {};
  const about: JsonObject = {};
  if (metadata.annotations) about['f:annotations'] = keysOf(metadata.annotations);
  if (metadata.labels) about['f:labels'] = keysOf(metadata.labels);
  if (Object.keys(about).length > 0) owned['f:metadata'] = about;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    owned[`f:${name}`] = name === 'aggregationRule' ? keysOf(value as Record<string, unknown>) : {};
  }
  return { manager, operation: 'Update', apiVersion, time: formatTime(now), fieldsType: 'FieldsV1', fieldsV1: owned };
}

/**
 * Records that a manager applied one top-level field by force: the others lose it, and those left with nothing go.
 *
 * @param before the records so far, never changed
 */
export function appliedBy(
  manager: string,
  field: string,
  apiVersion: string,
  before: readonly ManagedFieldsEntry[],
  now: number,
): ManagedFieldsEntry[] {
  const name = `f:${field}`;
  const others = before
    .filter((entry) => !(entry.manager === manager && entry.operation === 'Apply'))
    .map((entry) => {
      if (!entry.fieldsV1 || !Object.hasOwn(entry.fieldsV1, name)) return entry;
      const { [name]: _, ...rest } = entry.fieldsV1;
      return { ...entry, fieldsV1: rest };
    })
    .filter((entry) => Object.keys(entry.fieldsV1 ?? {}).length > 0);
  const own: ManagedFieldsEntry = {
    manager,
    operation: 'Apply',
    apiVersion,
    time: formatTime(now),
    fieldsType: 'FieldsV1',
    fieldsV1: { [name]: {} },
  };
  // Records of applying stand before those of updating.
  const applied = others.filter((entry) => entry.operation === 'Apply');
  return [...applied, own, ...others.filter((entry) => entry.operation !== 'Apply')];
}

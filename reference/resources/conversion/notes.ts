import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  apiVersionIn,
  type GroupVersion,
  type Value,
  type VersionDifference,
} from '../../../fixtures/releases/removedVersion.ts';
import { removedVersions } from '../../../fixtures/releases/removedVersions.ts';
import { isObject, type Json, type JsonObject, member } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';

/** Something about a converted object that somebody should decide, field by field. */
export interface ConversionNote {
  /** The field in the converted object, `spec.rules[0].http.paths[0].pathType`. */
  readonly field: string;
  /** One sentence. */
  readonly text: string;
}

interface Versions {
  readonly from: string;
  readonly to: string;
  readonly dialect: Dialect;
}

/**
 * What the table of removed versions makes worth a look: defaults that the newer version would not have chosen, values
 * that it does not take, what it asks for and the object lacks, what means something else there
 * (3/removed-api-versions-by-release/p2).
 *
 * @param given the object as it was before, without defaults
 */
export function notesOn(given: JsonObject, converted: ApiObject, versions: Versions): readonly ConversionNote[] {
  const { from, to, dialect } = versions;
  if (from === to) return [];
  const row = removedVersions.find(
    ({ kinds, removed }) =>
      kinds.includes(converted.kind) && removed.some((one) => apiVersionIn(dialect, one) === from),
  );
  const named = row?.replacements.some((one) => apiVersionIn(dialect, one) === to);
  if (!row || !named) return [];
  return row.changes.flatMap((change) => noteOn(change, given, asJson(converted), versions));
}

function noteOn(change: VersionDifference, given: JsonObject, object: JsonObject, { from, to, dialect }: Versions) {
  const notes: ConversionNote[] = [];
  const note = (field: string, text: string) => void notes.push({ field, text });
  switch (change.change) {
    case 'default': {
      if (change.from && !change.from.some((older) => appliesTo(older.in, from, dialect))) break;
      for (const { field, value } of placesOf(object, change.field)) {
        if (value === undefined || equal(value, change.to) || valueAt(given, field) !== undefined) continue;
        note(field, `is ${JSON.stringify(value)}, the default of ${from}; ${to} would choose ${shown(change.to)}`);
      }
      break;
    }
    case 'required':
      for (const { field, value } of placesOf(object, change.field)) {
        if (isNothing(value)) note(field, `is required in ${to}`);
        else if (valueAt(given, field) === undefined && !wasRenamed(change.field)) {
          note(field, `is required in ${to}; ${JSON.stringify(value)} was filled in by ${from}`);
        }
      }
      break;
    case 'values':
      if (change.only === 'known') break;
      for (const { field, value } of placesOf(object, change.field)) {
        if (typeof value !== 'string' || change.only.includes(value)) continue;
        note(field, `is ${JSON.stringify(value)}, and ${to} takes only ${change.only.join(', ')}`);
      }
      break;
    case 'forbidden':
      for (const { field, value } of placesOf(object, change.field)) {
        if (equal(value, change.value)) note(field, `must not be ${shown(change.value)} in new objects of ${to}`);
      }
      break;
    case 'meaning':
      for (const { field, value } of placesOf(given, change.field)) {
        if (!equal(value, change.when)) continue;
        note(field, `${shown(change.when)} ${change.from} in ${from} and ${change.to} in ${to}`);
      }
      break;
  }
  return notes;
}

/** Fields that a conversion fills from others: what was not given under this name may have been given under another. */
function wasRenamed(field: string): boolean {
  return field.includes('versions[]') || field === 'reason';
}

function appliesTo(versions: readonly GroupVersion[] | undefined, from: string, dialect: Dialect): boolean {
  return versions?.some((one) => apiVersionIn(dialect, one) === from) ?? true;
}

/** Every place of a path with `[]` for items: its name with numbers, and what stands there; undefined for nothing. */
function placesOf(object: JsonObject, path: string): { field: string; value: Json | undefined }[] {
  let places: { field: string; value: Json | undefined }[] = [{ field: '', value: object }];
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    places = places.flatMap(({ field, value }) => {
      const next = {
        field: field === '' ? name : `${field}.${name}`,
        value: isObject(value) ? member(value, name) : undefined,
      };
      if (!step.endsWith('[]')) return [next];
      if (!Array.isArray(next.value)) return [];
      return next.value.map((item: Json, index) => ({ field: `${next.field}[${index}]`, value: item }));
    });
  }
  return places;
}

function valueAt(object: JsonObject, field: string): Json | undefined {
  let value: Json | undefined = object;
  for (const step of field.split('.')) {
    const [, name = '', index] = /^([^[]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    value = isObject(value) ? member(value, name) : undefined;
    if (index !== undefined) value = Array.isArray(value) ? (value[Number(index)] as Json) : undefined;
  }
  return value;
}

function equal(value: Json | undefined, wanted: Value): boolean {
  if (typeof wanted === 'object') return isObject(value) && Object.keys(value).length === 0;
  if (wanted === 'unset') return value === undefined;
  return value === wanted;
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function shown(value: Value): string {
  if (typeof value === 'object') return 'the empty value';
  return value === 'unset' ? 'nothing' : JSON.stringify(value);
}

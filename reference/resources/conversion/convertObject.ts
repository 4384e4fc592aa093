import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { NEWEST_RELEASE } from '../../../fixtures/releases/lifecycles.ts';
import { formatApiVersion, parseApiVersion } from '../../api/groupVersion.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../../api/object.ts';
import type { ResourceType, TypeVersion } from '../../contracts/resourceType.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';
import { decodeTyped } from '../../schema/decode.ts';
import { applySchemaDefaults } from '../../schema/defaults.ts';
import { BuiltinMaker } from '../builtin.ts';
import { readBuiltinTypes } from '../typeLines.ts';
import { type ConversionNote, notesOn } from './notes.ts';

/** An object in another version. */
interface Converted {
  readonly object: ApiObject;
  /** Fields that the version it came in does not have; they are left out. `unknown field "spec.x"`. */
  readonly unknown: readonly string[];
  /** What somebody should look at before the object is used. */
  readonly notes: readonly ConversionNote[];
}

/** The object, or the version wanted, is none that can be converted; the message is one sentence. */
export class NoConversion extends Error {}

/**
 * Brings an object from one version of its type into another, as the service itself does: it is read by the schema of
 * the version it says it is in and takes the defaults of that version (3/removed-api-versions-by-release/p2).
 *
 * @param json an object with apiVersion and kind; not changed
 * @param wanted `<group>/<version>`, or `v1`
 * @throws NoConversion where either version is none of a built-in type, or the two have no objects in common
 * @throws ApiError 400 for a value of another type than its field
 */
export function convertObject(json: JsonObject, wanted: string, dialect: Dialect): Converted {
  const maker = new BuiltinMaker({ dialect, release: NEWEST_RELEASE, follow: 'spec' });
  const kind = typeof json.kind === 'string' ? json.kind : '';
  const given = typeof json.apiVersion === 'string' ? json.apiVersion : '';
  const from = find(maker, dialect, given, kind);
  if (!from) throw new NoConversion(`${given} ${kind} is no version of a built-in type`);
  const to = find(maker, dialect, wanted, kind);
  if (!to) throw new NoConversion(`${kind} is not in ${wanted}`);
  if (collectionPrefix(from.type) !== collectionPrefix(to.type)) {
    throw new NoConversion(`${given} ${kind} and ${wanted} ${kind} are different types`);
  }
  const { object, unknown } = read(json, from, given, kind);
  const kept = from.version.toStorage?.(object) ?? object;
  const shown = to.version.fromStorage?.(kept) ?? kept;
  const converted = read(asJson(shown), to, wanted, kind, false).object;
  return { object: converted, unknown, notes: notesOn(json, converted, { from: given, to: wanted, dialect }) };
}

interface Found {
  readonly type: ResourceType;
  readonly version: TypeVersion;
}

function find(maker: BuiltinMaker, dialect: Dialect, apiVersion: string, kind: string): Found | undefined {
  const parsed = parseApiVersion(apiVersion);
  const row = parsed && readBuiltinTypes(dialect).find((one) => one.group === parsed.group && one.kind === kind);
  const type = row && maker.unserved(row.group, row.resource);
  const version = parsed && type?.versions.get(parsed.version);
  // What a group keeps of another one is no version of its own.
  const foreign = type?.storedAs && version?.schema.name?.startsWith(`${row?.kept?.groupPrefix.split('.')[0]}.`);
  return type && version && !foreign ? { type, version } : undefined;
}

/** Reads by a schema, with the defaults of the version where they are wanted; fields come in the order of the schema. */
function read(
  json: JsonObject,
  { version }: Found,
  apiVersion: string,
  kind: string,
  filled = true,
): { object: ApiObject; unknown: readonly string[] } {
  const { object, unknown } = decodeTyped(version.schema, json, { typeMeta: { apiVersion, kind } });
  if (!isObject(object.metadata)) object.metadata = {};
  const read = asApiObject(object);
  if (filled) {
    applySchemaDefaults(version.schema, object);
    version.applyDefaults?.(read);
  }
  return { object: read, unknown };
}

/** The versions, `<group>/<version>`, that objects of a kind can be converted to, best first; empty for unknown ones. */
export function versionsFor(apiVersion: string, kind: string, dialect: Dialect): readonly string[] {
  const maker = new BuiltinMaker({ dialect, release: NEWEST_RELEASE, follow: 'spec' });
  const from = find(maker, dialect, apiVersion, kind);
  if (!from) return [];
  const prefix = collectionPrefix(from.type);
  const names: string[] = [];
  for (const row of readBuiltinTypes(dialect)) {
    if (row.kind !== kind) continue;
    const type = maker.unserved(row.group, row.resource);
    if (!type || collectionPrefix(type) !== prefix) continue;
    for (const version of type.versions.keys()) {
      const name = formatApiVersion({ group: row.group, version });
      if (find(maker, dialect, name, kind)) names.push(name);
    }
  }
  return names;
}

import { cluster } from '../../../../fixtures/dialects/cluster.ts';
import { type FieldError, invalid, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { parseApiVersion } from '../../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1035Label, pathSegment } from '../../../api/nameRules.ts';
import type { ObjectMeta } from '../../../api/object.ts';
import type { ResourceType } from '../../../contracts/resourceType.ts';
import { validateNewMetadata } from '../../../objects/metadataValidation.ts';
import { DecodingError, decodeTyped } from '../../../schema/decode.ts';
import { metaType } from '../../../schema/metaTypes.ts';
import type { ObjectSchema } from '../../../schema/schema.ts';
import { nodesOf, type SchemaNode } from '../schema/schemaNode.ts';

/** An object with nothing but metadata, which is decoded as that of every object. */
const holder: ObjectSchema = {
  kind: 'object',
  name: 'meta.v1.ObjectMeta',
  mapType: 'granular',
  fields: new Map([
    ['metadata', { name: 'metadata', schema: metaType('meta.v1.ObjectMeta'), required: false, presence: 'explicit' }],
  ]),
};

/**
 * Metadata of a custom or embedded object as typed data.
 * @throws DecodingError for a value of another type than its field
 */
export function decodeMetadata(metadata: Json): { readonly metadata: JsonObject; readonly unknown: readonly string[] } {
  const { object, unknown } = decodeTyped(holder, { metadata });
  return { metadata: isObject(object.metadata) ? object.metadata : {}, unknown };
}

/** Visits the objects embedded in a value, with the text of their path. */
function* embeddedIn(
  value: Json,
  node: SchemaNode,
  path: string,
  itself: boolean,
): Generator<{ object: JsonObject; path: string }> {
  if (Array.isArray(value)) {
    if (!node.items) return;
    for (const [index, item] of value.entries())
      yield* embeddedIn(item, node.items, `${path}[${index}]`, node.items.embedded);
  } else if (isObject(value)) {
    if (itself) yield { object: value, path };
    for (const name of Object.keys(value)) {
      const child = node.properties?.get(name) ?? (typeof node.additional === 'object' ? node.additional : undefined);
      if (!child) continue;
      const at = node.properties?.has(name) ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`;
      yield* embeddedIn(value[name] as Json, child, at, child.embedded);
    }
  }
}

const known = new WeakMap<SchemaNode, boolean>();

/** Whether an object may be embedded anywhere in a value of a schema; found once. */
function hasEmbedded(node: SchemaNode): boolean {
  let answer = known.get(node);
  if (answer === undefined) {
    answer = [...nodesOf(node)].some(({ embedded }) => embedded);
    known.set(node, answer);
  }
  return answer;
}

/**
 * Types the metadata of embedded objects, in place, and tells the fields that it does not have.
 * @throws DecodingError
 */
export function coerceEmbedded(value: Json, node: SchemaNode): string[] {
  const unknown: string[] = [];
  if (!hasEmbedded(node)) return unknown;
  for (const { object, path } of embeddedIn(value, node, '', false)) {
    if (!isObject(object.metadata)) continue;
    const decoded = decodeMetadata(object.metadata);
    object.metadata = decoded.metadata;
    for (const text of decoded.unknown) unknown.push(text.replace('"metadata.', `"${path}.metadata.`));
  }
  return unknown;
}

/** Embedded objects say what they are, and their metadata obeys the rules of metadata. */
export function validateEmbedded(
  value: Json,
  node: SchemaNode,
  base: FieldPath | undefined,
  itself: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!itself && !hasEmbedded(node)) return errors;
  for (const { object, path } of embeddedIn(value, node, '', itself)) {
    const at = path === '' ? (base ?? FieldPath.root) : (base ?? FieldPath.root).child(path);
    errors.push(...validateTypeFields(object, at), ...validateMetadata(object, at));
  }
  return errors;
}

function validateTypeFields(object: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (name: string, faultOf: (text: string) => string | undefined): void => {
    const value = object[name];
    const at = path.child(name);
    if (value === undefined) errors.push(required(at));
    else if (typeof value !== 'string') errors.push(invalid(at, value, 'must be a string'));
    else if (value === '') errors.push(invalid(at, value, 'must not be empty'));
    else {
      const fault = faultOf(value);
      if (fault !== undefined) errors.push(invalid(at, value, fault));
    }
  };
  check('apiVersion', (text) => (parseApiVersion(text) ? undefined : `unexpected GroupVersion string: ${text}`));
  check('kind', (text) => {
    const faults = dns1035Label(text.toLowerCase());
    return faults.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  });
  return errors;
}

function validateMetadata({ metadata }: JsonObject, path: FieldPath): FieldError[] {
  if (metadata === undefined) return [];
  if (!isObject(metadata)) return [invalid(path.child('metadata'), metadata, 'must be an object')];
  let meta: ObjectMeta;
  try {
    meta = decodeMetadata(metadata).metadata as unknown as ObjectMeta;
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    return [invalid(path.child('metadata'), metadata, error.fault)];
  }
  const named = meta.name ? meta : { ...meta, name: 'fakename' };
  const type = meta.namespace ? NAMESPACED : CLUSTERED;
  return validateNewMetadata(named, type, cluster).map((error) => ({
    ...error,
    field: path.child(error.field).toString(),
  }));
}

const CLUSTERED = placeholder(false);
const NAMESPACED = placeholder(true);

/** Nothing is known of the type of an embedded object but what its metadata shows. */
function placeholder(namespaced: boolean): ResourceType {
  return {
    group: '',
    resource: '',
    singular: '',
    kind: '',
    listKind: '',
    namespaced,
    shortNames: [],
    categories: [],
    versions: new Map(),
    storageVersion: '',
    strategy: { validateName: pathSegment },
    custom: true,
  };
}

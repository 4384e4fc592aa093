import { type FieldError, invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/groupVersion.ts';
import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { internalError, invalidObject } from '../api/status.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ScaleMapping } from '../contracts/resourceType.ts';
import { metaType } from '../schema/metaTypes.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import type { Expected } from './body.ts';

/** What the view shows where the type says nothing else. */
const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The kind of the scale view of an endpoint. */
export function scaleKind(mapping: ScaleMapping): GroupVersionKind {
  return mapping.kind ?? SCALE;
}

/** The mapping of an endpoint that is a scale view. */
export function mappingOf(endpoint: Endpoint): ScaleMapping {
  const { subresource } = endpoint;
  if (subresource?.form !== 'scale') throw new Error('the endpoint is no scale view');
  return subresource.scale;
}

/**
 * The scale view of an object (1/url-shapes/t1.6): its replicas, wanted and present, and its selector as text.
 * `object` is in the version of the endpoint and is not changed. What GET of the subresource answers.
 */
export function scaleOf(endpoint: Endpoint, object: ApiObject): ApiObject {
  const mapping = mappingOf(endpoint);
  const kind = scaleKind(mapping);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata: ApiObject['metadata'] = { name };
  if (namespace) metadata.namespace = namespace;
  if (uid) metadata.uid = uid;
  if (resourceVersion) metadata.resourceVersion = resourceVersion;
  metadata.creationTimestamp = creationTimestamp;
  const spec: JsonObject = {};
  if (mapping.required && valueAtPath(asJson(object), mapping.specReplicas) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(mapping.specReplicas)} does not exist`);
  }
  const wanted = numberAt(object, mapping.specReplicas);
  if (wanted !== 0) spec.replicas = wanted;
  const status: JsonObject = { replicas: numberAt(object, mapping.statusReplicas) };
  const selector = mapping.selector === undefined ? undefined : valueAtPath(asJson(object), mapping.selector);
  const text = selectorText(selector);
  if (mapping.labels) Object.assign(status, selectorAsLabels(selector, text));
  else if (text) status.selector = text;
  return { apiVersion: formatApiVersion(kind), kind: kind.kind, metadata, spec, status };
}

/** A selector as beta versions tell it: its labels, where it is nothing but labels, and all of it as text. */
function selectorAsLabels(selector: Json | undefined, text: string): JsonObject {
  if (text === '' || !isObject(selector)) return {};
  const { matchLabels, matchExpressions } = selector;
  const plain = isObject(matchLabels) && !(Array.isArray(matchExpressions) && matchExpressions.length > 0);
  return { ...(plain ? { selector: matchLabels } : {}), targetSelector: text };
}

/** The object with the replicas that the view wants; a copy, in the version of the endpoint. */
export function withReplicas(endpoint: Endpoint, object: ApiObject, scale: ApiObject): ApiObject {
  const mapping = mappingOf(endpoint);
  const spec = isObject(scale.spec) ? scale.spec : {};
  const replicas = typeof spec.replicas === 'number' ? spec.replicas : 0;
  return setAt(asJson(object), mapping.specReplicas.split('.'), replicas) as unknown as ApiObject;
}

/** Throws ApiError 422 for a view that wants fewer replicas than none. */
export function validateScale(endpoint: Endpoint, scale: ApiObject, name: string): void {
  // Custom types judge the object that comes of it, by the path that they keep the replicas at.
  if (endpoint.type.custom) return;
  const errors: FieldError[] = [];
  const spec = isObject(scale.spec) ? scale.spec : {};
  if (typeof spec.replicas === 'number' && spec.replicas < 0) {
    errors.push(invalid(FieldPath.of('spec', 'replicas'), spec.replicas, 'must be greater than or equal to 0'));
  }
  if (errors.length > 0) throw invalidObject(scaleKind(mappingOf(endpoint)), name, errors);
}

/** What a body of the scale subresource must be. */
export function expectedScale(endpoint: Endpoint): Expected {
  const { type, version } = endpoint;
  const metadata = version.schema.fields.get('metadata')?.schema;
  const mapping = mappingOf(endpoint);
  const schema = mapping.labels ? metaType(`${type.group}.${version.version}.Scale`) : scaleSchema(metadata);
  return { kind: scaleKind(mapping), schema, custom: type.custom };
}

const shapes = new WeakMap<Schema, ObjectSchema>();

/** The shape of the view around the shape of metadata; made once for each. */
export function scaleSchema(metadata: Schema | undefined): ObjectSchema {
  const key = metadata ?? UNTYPED;
  let shape = shapes.get(key);
  if (!shape) {
    shape = object('autoscaling.v1.Scale', [
      field('kind', STRING),
      field('apiVersion', STRING),
      { name: 'metadata', schema: key, required: false, presence: 'always', number: 1 },
      field('spec', object('autoscaling.v1.ScaleSpec', [{ ...field('replicas', INT32), number: 1 }]), 2, 'always'),
      field(
        'status',
        object('autoscaling.v1.ScaleStatus', [
          { ...field('replicas', INT32), number: 1, presence: 'always', required: true },
          { ...field('selector', STRING), number: 2 },
        ]),
        3,
        'always',
      ),
    ]);
    shapes.set(key, shape);
  }
  return shape;
}

const UNTYPED: Schema = { kind: 'untyped', mapType: 'granular' };
const STRING: Schema = { kind: 'scalar', type: 'string' };
const INT32: Schema = { kind: 'scalar', type: 'int32' };
type Fields = ObjectSchema['fields'] extends ReadonlyMap<string, infer F> ? F : never;

function field(name: string, schema: Schema, number?: number, presence: Fields['presence'] = 'nonEmpty'): Fields {
  return { name, schema, required: false, presence, number };
}
function object(name: string, fields: readonly Fields[]): ObjectSchema {
  return { kind: 'object', name, mapType: 'granular', fields: new Map(fields.map((one) => [one.name, one])) };
}

function numberAt(object: ApiObject, path: string): number {
  const value = valueAtPath(asJson(object), path);
  return typeof value === 'number' ? value : 0;
}

/** A value by its dotted path. */
export function valueAtPath(object: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = object;
  for (const name of path.split('.')) {
    if (!name) continue;
    if (!isObject(at)) return undefined;
    at = member(at, name);
  }
  return at;
}

/** A copy with one value changed; shares the rest. */
function setAt(object: JsonObject, [name, ...rest]: readonly string[], value: Json): JsonObject {
  if (!name) return setAt(object, rest, value);
  const copy = { ...object };
  const inner = member(object, name);
  setMember(copy, name, rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value));
  return copy;
}

const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A selector as query parameters write it; text stays as it is. */
export function selectorText(selector: Json | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isObject(selector)) return '';
  const structured = isObject(selector.matchLabels) || Array.isArray(selector.matchExpressions);
  const labels = structured ? selector.matchLabels : selector;
  const parts: { key: string; text: string }[] = [];
  if (isObject(labels)) for (const [key, value] of Object.entries(labels)) parts.push({ key, text: `${key}=${value}` });
  const expressions = structured && Array.isArray(selector.matchExpressions) ? selector.matchExpressions : [];
  for (const one of expressions) {
    if (!isObject(one)) continue;
    const values = Array.isArray(one.values) ? [...(one.values as string[])].sort().join(',') : '';
    const key = String(one.key);
    parts.push({ key, text: OPERATORS[String(one.operator)]?.(key, values) ?? key });
  }
  // The text lists requirements by key.
  parts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return parts.map((part) => part.text).join(',');
}

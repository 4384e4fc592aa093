import type { Follow } from '../../fixtures/follow.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject, ManagedFieldsEntry } from '../api/object.ts';
import { atOnce } from '../api/staged.ts';
import { type Applied, type ApplyContext, applyConfiguration } from '../fields/applyConfiguration.ts';
import { recordUpdate } from '../fields/recordUpdate.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarType, Schema } from '../schema/schema.ts';

/** Types and writes for the tests of this folder: a type with a field of every marker, told in few words. */

export const text: Schema = { kind: 'scalar', type: 'string' };
export const scalar = (type: ScalarType): Schema => ({ kind: 'scalar', type });
export const withDefault = (schema: Schema, value: string | number): Schema => ({ ...schema, default: value });
export const names = (values: Schema, mapType: MapSchema['mapType'] = 'granular'): Schema => ({
  kind: 'map',
  values,
  mapType,
});
export const list = (items: Schema, listType: ListSchema['listType'] = 'atomic', ...keys: string[]): Schema => ({
  kind: 'list',
  items,
  listType,
  keys,
});
export const untyped: Schema = { kind: 'untyped', mapType: 'granular' };

/** An object of the given fields; `patch` says how fields merge under a strategic merge patch. */
export function struct(
  fields: Readonly<Record<string, Schema>>,
  mapType: ObjectSchema['mapType'] = 'granular',
  patch: Readonly<Record<string, Field['patch']>> = {},
): ObjectSchema {
  const all = Object.entries(fields).map(([name, schema]): [string, Field] => [
    name,
    { name, schema, required: false, presence: 'explicit', ...(patch[name] ? { patch: patch[name] } : {}) },
  ]);
  return { kind: 'object', fields: new Map(all), mapType };
}

const item = struct({ name: text, value: text, tags: list(text, 'set') });
const port = struct({ port: scalar('int32'), protocol: withDefault(text, 'TCP'), name: text });

export const spec: Readonly<Record<string, Schema>> = {
  size: withDefault(scalar('int32'), 1),
  note: text,
  labels: names(text),
  whole: names(text, 'atomic'),
  struct: struct({ a: text, b: text }),
  ref: struct({ kind: text, name: text }, 'atomic'),
  plain: list(text),
  tags: list(text, 'set'),
  items: list(item, 'map', 'name'),
  ports: list(port, 'map', 'port', 'protocol'),
  any: untyped,
};

const metadata = struct({
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  labels: names(text),
  annotations: names(text),
  finalizers: list(text, 'set'),
});

/** The type, with other fields in its spec where asked. */
export function widget(fields: Readonly<Record<string, Schema>> = spec): ObjectSchema {
  return struct({ apiVersion: text, kind: text, metadata, spec: struct(fields), status: struct({ ready: text }) });
}

export const V1 = 'example.com/v1';

/** One stored widget, and clients that write it. Seconds pass only when told. */
export class Fixture {
  live: ApiObject | undefined;
  now = Date.UTC(2030, 0, 1);
  schema: ObjectSchema;
  follow: Follow;

  constructor(schema: ObjectSchema = widget(), follow: Follow = 'spec') {
    this.schema = schema;
    this.follow = follow;
  }

  context(more: Partial<ApplyContext> = {}): ApplyContext {
    return {
      schemaOf: (apiVersion) => (apiVersion === V1 ? this.schema : undefined),
      convert: (object, apiVersion) => ({ ...object, apiVersion }),
      now: this.now,
      follow: this.follow,
      subresource: '',
      resetFields: [['status']],
      kind: 'Widget',
      complete: (object) => ({ ...object, spec: { size: 1, ...(object.spec as JsonObject) } }),
      ...more,
    };
  }

  /** Applies a spec, or a whole configuration; what is stored afterwards is the result. Throws what apply throws. */
  apply(manager: string, fields: JsonObject, options: { force?: boolean; more?: Partial<ApplyContext> } = {}): Applied {
    const applied = atOnce(
      applyConfiguration(
        this.live,
        configuration(fields),
        { manager, apiVersion: V1, force: options.force ?? false },
        this.context(options.more),
      ),
    );
    this.live = applied.object;
    return applied;
  }

  /** Writes a whole spec as PUT does. */
  put(manager: string, fields: JsonObject, more: Partial<ApplyContext> = {}): ApiObject {
    const next = configuration(fields) as unknown as ApiObject;
    const uid = this.live?.metadata.uid ?? 'u';
    const named = { ...next, metadata: { ...next.metadata, uid } };
    this.live = atOnce(recordUpdate(this.live, named, { manager, apiVersion: V1 }, this.context(more)));
    return this.live;
  }

  /** Changes the stored object as a patch does. */
  change(manager: string, edit: (object: ApiObject) => ApiObject, more: Partial<ApplyContext> = {}): ApiObject {
    const live = this.live as ApiObject;
    this.live = atOnce(recordUpdate(live, edit(live), { manager, apiVersion: V1 }, this.context(more)));
    return this.live;
  }

  get spec(): JsonObject {
    return (this.live?.spec ?? {}) as JsonObject;
  }

  get entries(): ManagedFieldsEntry[] {
    return this.live?.metadata.managedFields ?? [];
  }

  /** Fields of a manager's entry below spec. */
  fieldsOf(manager: string, operation = 'Apply'): JsonObject | undefined {
    const entry = this.entries.find((one) => one.manager === manager && one.operation === operation);
    return entry && ((entry.fieldsV1 as JsonObject)['f:spec'] as JsonObject);
  }

  /** `manager:operation` of every entry, in order. */
  get owners(): string[] {
    return this.entries.map(({ manager, operation }) => `${manager}:${operation}`);
  }
}

/** A configuration with the given spec, or with the given parts when it names one. */
export function configuration(fields: JsonObject): JsonObject {
  const whole = 'spec' in fields || 'metadata' in fields;
  const { metadata: meta = {}, ...rest } = whole ? fields : { spec: fields };
  return { apiVersion: V1, kind: 'Widget', metadata: { name: 'w', ...(meta as JsonObject) }, ...rest };
}

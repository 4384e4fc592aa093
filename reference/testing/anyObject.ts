import fc from 'fast-check';
import type { Json, JsonObject } from '../api/json.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';

/** Deeper than this only what is required is filled. */
const DEPTH = 7;

/**
 * Any object of a schema as a client could send it, for tests: every field is there or not, lists and maps are short.
 * @param fixed what stands at a field, always, by the name of the field, instead of anything
 */
export function anyObject(schema: ObjectSchema, fixed: Readonly<Record<string, fc.Arbitrary<Json>>>, depth = 0) {
  const fields: Record<string, fc.Arbitrary<Json>> = {};
  const always: string[] = [];
  for (const field of schema.fields.values()) {
    if (IGNORED.has(field.name)) continue;
    if (depth > DEPTH && !field.required) continue;
    fields[field.name] = fixed[field.name] ?? anyValue(field.schema, fixed, depth + 1);
    if (field.required || isIdentity(field) || fixed[field.name]) always.push(field.name);
  }
  return fc.record(fields, { requiredKeys: always }) as fc.Arbitrary<JsonObject>;
}

/** What the caller gives, and what would only make objects large. */
const IGNORED: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata', 'template', 'volumeClaimTemplates']);

function isIdentity({ name }: Field): boolean {
  return ['name', 'type', 'basic'].includes(name);
}

function anyValue(
  schema: Schema,
  fixed: Readonly<Record<string, fc.Arbitrary<Json>>>,
  depth: number,
): fc.Arbitrary<Json> {
  switch (schema.kind) {
    case 'object':
      return anyObject(schema, fixed, depth);
    case 'list':
      return fc.array(fc.memo(() => anyValue(schema.items, fixed, depth))(1), { maxLength: depth > DEPTH ? 0 : 2 });
    case 'map':
      return fc.dictionary(word, fc.memo(() => anyValue(schema.values, fixed, depth))(1), {
        maxKeys: depth > DEPTH ? 0 : 2,
      });
    case 'untyped':
      return fc.constant({ a: 1 });
    case 'scalar':
      return scalars[schema.type];
  }
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const time = fc.constantFrom('2024-01-02T03:04:05Z', '2025-06-07T08:09:10Z');
const scalars: Readonly<Record<Extract<Schema, { kind: 'scalar' }>['type'], fc.Arbitrary<Json>>> = {
  string: word,
  bytes: word.map((text) => Buffer.from(text).toString('base64')),
  boolean: fc.boolean(),
  int32: fc.nat(1000),
  int64: fc.nat(100_000),
  double: fc.nat(100),
  quantity: fc.constantFrom('1', '250m', '2Gi'),
  intOrString: fc.oneof(fc.integer({ min: 1, max: 65_535 }), word),
  time,
  microTime: fc.constantFrom('2024-01-02T03:04:05.000001Z', '2025-06-07T08:09:10.123456Z'),
  duration: fc.constantFrom('30s', '1m0s'),
};

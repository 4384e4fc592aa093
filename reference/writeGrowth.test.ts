import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from './api/json.ts';
import { asApiObject } from './api/object.ts';
import type { ResourceType } from './contracts/resourceType.ts';
import { objectKey } from './contracts/storeKeys.ts';
import type { ObjectSchema, Schema } from './schema/schema.ts';
import { writingFixture } from './testing/writingFixture.ts';

/** Entries of a list or map in the smaller and the larger object. */
const FEW = 60;
const MANY = 4 * FEW;
/** How much more work four times the entries may be: n log n, and not the sixteen of each with each. */
const GROWTH = 6;
/** Steps that count as nothing. */
const NOISE = 15_000;

/** Counts what methods of lists and names of objects look at, while `work` runs. */
async function stepsOf(work: () => Promise<void>): Promise<number> {
  let steps = 0;
  const undo: (() => void)[] = [];
  const put = (holder: object, name: string, make: (own: (...given: unknown[]) => unknown) => unknown): void => {
    const before = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
    Object.defineProperty(holder, name, { ...before, value: make(before.value as () => unknown) });
    undo.push(() => Object.defineProperty(holder, name, before));
  };
  for (const name of ['some', 'every', 'find', 'findIndex', 'filter', 'map', 'flatMap', 'forEach']) {
    put(Array.prototype, name, (own) => {
      return function (this: unknown[], each: (...given: unknown[]) => unknown, self?: unknown) {
        const counted = (...given: unknown[]): unknown => {
          steps++;
          return each.apply(self, given);
        };
        return own.call(this, counted);
      };
    });
  }
  for (const name of ['includes', 'indexOf', 'slice', 'splice', 'concat', 'join', 'entries']) {
    put(Array.prototype, name, (own) => {
      return function (this: unknown[], ...given: unknown[]) {
        steps += this.length;
        return own.apply(this, given);
      };
    });
  }
  for (const name of ['keys', 'values', 'entries']) {
    put(Object, name, (own) => (...given: unknown[]) => {
      const found = own.apply(Object, given) as unknown[];
      steps += found.length;
      return found;
    });
  }
  try {
    await work();
  } finally {
    for (const one of undo) one();
  }
  return steps;
}

/** A list or map of a type, by the names of fields on the way; lists on the way have one item. */
interface Place {
  readonly steps: readonly string[];
  readonly on: readonly Schema[];
}

/** Each list and map below a schema; what several types share is met once: by name, or where it has none as the schema that it is. */
function placesIn(schema: ObjectSchema, met: Set<string | Schema>): Place[] {
  const places: Place[] = [];
  const walk = (one: Schema, steps: readonly string[], on: readonly Schema[]): void => {
    if (one.kind === 'list' || one.kind === 'map') {
      places.push({ steps, on: [...on, one] });
      const inner = one.kind === 'list' ? one.items : one.values;
      if (inner.kind !== 'scalar' && inner.kind !== 'untyped')
        walk(inner, [...steps, one.kind === 'list' ? '[]' : '{}'], [...on, one]);
    } else if (one.kind === 'object') {
      if (!one.name) {
        if (met.has(one)) return;
        met.add(one);
      }
      for (const field of one.fields.values()) {
        const name = `${one.name}.${field.name}`;
        if (one.name && met.has(name)) continue;
        met.add(name);
        walk(field.schema, [...steps, field.name], [...on, one]);
      }
    }
  };
  walk(schema, [], []);
  return places;
}

/** A value of a schema that differs from others by its number, with as few fields as tell it apart. */
function sample(schema: Schema, number: number, keys: readonly string[] = []): Json {
  if (schema.kind === 'list' || schema.kind === 'untyped') return schema.kind === 'list' ? [] : {};
  if (schema.kind === 'map') return {};
  if (schema.kind === 'object') {
    const object: JsonObject = {};
    const scalars = [...schema.fields.values()].filter((field) => field.schema.kind === 'scalar');
    const chosen = new Set([...keys, ...scalars.slice(0, 3).map((field) => field.name)]);
    for (const field of schema.fields.values()) {
      if (field.required || chosen.has(field.name)) object[field.name] = sample(field.schema, number);
    }
    return object;
  }
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return number + 1;
    case 'quantity':
      return `${number + 1}`;
    case 'time':
      return '2024-01-01T00:00:00Z';
    case 'microTime':
      return '2024-01-01T00:00:00.000000Z';
    case 'duration':
      return '30s';
    case 'bytes':
      return 'eA==';
    default:
      return `e${number}`;
  }
}

/** The object with so many entries at a place, all of them equal or none. */
function filled(place: Place, count: number, equal: boolean): JsonObject {
  const last = place.on.at(-1) as Schema;
  const numbers = Array.from({ length: count }, (_, index) => (equal ? 0 : index));
  let value: Json =
    last.kind === 'list'
      ? numbers.map((number) => sample(last.items, number, last.keys))
      : Object.fromEntries(numbers.map((number, i) => [`k${i}`, sample((last as { values: Schema }).values, number)]));
  for (let i = place.steps.length - 1; i >= 0; i--) {
    const step = place.steps[i] as string;
    const holder = place.on[i] as Schema;
    if (step === '[]') value = [value];
    else if (step === '{}') value = { k: value };
    else value = { ...(hasSample(holder, place.steps[i - 1]) ? (sample(holder, 0) as JsonObject) : {}), [step]: value };
  }
  return value as JsonObject;
}

/** Whether what stands beside a place is filled in: not in the object itself, nor in metadata, which names it. */
function hasSample(holder: Schema, under: string | undefined): boolean {
  return holder.kind === 'object' && under !== undefined && under !== 'metadata';
}

const PATCHES = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

interface Written {
  readonly steps: number;
  /** Writes that were taken, of so many. */
  readonly taken: number;
  readonly sent: number;
}

/** Writes an object in every way, twice; what a write that is refused costs counts too. */
async function writeAll(
  type: ResourceType,
  version: string,
  place: Place,
  count: number,
  equal: boolean,
): Promise<Written> {
  const { send, store } = await fixture;
  const apiVersion = type.group === '' ? version : `${type.group}/${version}`;
  const namespace = type.namespaced ? 'default' : '';
  const base = `/${type.group === '' ? 'api' : 'apis'}/${apiVersion}${namespace && '/namespaces/default'}/${type.resource}`;
  const body = filled(place, count, equal);
  const object = {
    ...body,
    apiVersion,
    kind: type.kind,
    metadata: { ...(body.metadata as JsonObject | undefined), name: 'o', ...(namespace ? { namespace } : {}) },
  };
  const key = objectKey(type, namespace, 'o');
  const present = await store.get(key);
  const creationTimestamp = '2024-01-01T00:00:00Z';
  const stored = { ...object, metadata: { ...object.metadata, uid: 'u', creationTimestamp } };
  store.commit({ key, expected: present?.modRevision ?? 0, object: asApiObject(stored) });
  const operations = [
    { op: 'add', path: `/${place.steps[0]}`, value: (object as JsonObject)[place.steps[0] as string] },
  ];
  const codes: number[] = [];
  const put = async (...asked: Parameters<typeof send>): Promise<void> => {
    codes.push((await send(...asked)).status);
  };
  const steps = await stepsOf(async () => {
    for (let twice = 0; twice < 2; twice++) {
      await put('POST', base, { body: { ...object, metadata: { ...object.metadata, name: 'n' } } });
      await put('PUT', `${base}/o`, { body: object });
      for (const type of PATCHES) await put('PATCH', `${base}/o`, { body: object, headers: { 'content-type': type } });
      const json = { 'content-type': 'application/json-patch+json' };
      await put('PATCH', `${base}/o`, { body: operations, headers: json });
      const apply = { 'content-type': 'application/apply-patch+yaml' };
      await put('PATCH', `${base}/o?fieldManager=m&force=true`, { body: object, headers: apply });
    }
    for (const name of ['n', 'o']) {
      const entry = await store.get(objectKey(type, namespace, name));
      if (entry) store.commit({ key: entry.key, expected: entry.modRevision, object: null });
    }
  });
  return { steps, taken: codes.filter((code) => code < 300).length, sent: codes.length };
}

const fixture = writingFixture();

test('what a write costs grows with the entries of a list or map, and not with their square', async (t) => {
  const { services } = await fixture;
  const met = new Set<string | Schema>();
  const slow: string[] = [];
  const types = new Set<string>();
  let places = 0;
  let taken = 0;
  let sent = 0;
  for (const type of services.registry.types()) {
    for (const [version, { schema, operation }] of type.versions) {
      if (operation || type.computed) continue;
      for (const place of placesIn(schema, met)) {
        places++;
        types.add(`${type.group}/${type.kind}`);
        for (const equal of [false, true]) {
          const few = await writeAll(type, version, place, FEW, equal);
          const many = await writeAll(type, version, place, MANY, equal);
          taken += few.taken + many.taken;
          sent += few.sent + many.sent;
          if (many.steps <= GROWTH * few.steps + NOISE) continue;
          const where = `${type.kind} ${version} ${place.steps.join('.')}${equal ? ' (equal)' : ''}`;
          slow.push(`${where}: ${few.steps} → ${many.steps}`);
        }
      }
    }
  }
  assert.deepEqual(slow, []);
  const walked = `${places} lists and maps first met in ${types.size} types, ${taken} of ${sent} writes taken`;
  t.diagnostic(walked);
  assert.ok(places >= 270 && types.size >= 40 && taken >= 1_200, walked);
});

import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import type { Json, JsonObject } from '../../reference/api/json.ts';
import type { Field, ScalarType, Schema } from '../../reference/schema/schema.ts';

/** Draws a value; the run can be repeated, and made smaller, by what was drawn. */
export type Draw = GeneratorValue;

/** Texts on which readers stumble. */
const ODD_TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '-',
  '_',
  '*',
  '/',
  '%',
  '%2e%2e',
  '\u0000',
  '\n',
  '\u2028',
  '\ufeff',
  '\ud800',
  '𝒳',
  'é',
  'İ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'true',
  '0',
  '-1',
  '00',
  '1e999',
  '0x10',
  '9223372036854775808',
  '-9223372036854775809',
  'NaN',
  'Infinity',
  '{}',
  '[]',
  '"',
  "'",
  'a=b,c!=d',
  'a in (b',
  '$patch',
  'f:a',
  'k:{}',
  '~1',
  '2024-02-30T25:61:61Z',
  '0000-01-01T00:00:00Z',
  '1h2m3.5s',
  '1Ei',
  '1e-30',
  '10.0.0.256',
  '::ffff:1.2.3.4',
  'a'.repeat(64),
  'a'.repeat(254),
  `${'a.'.repeat(126)}a`,
  'x'.repeat(5_000),
] as const;
const ODD_NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  5e-324,
  -1e-7,
] as const;

export const oddText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
);
export const oddValue: Arbitrary<Json> = fc.oneof(
  oddText,
  fc.constantFrom(...ODD_NUMBERS),
  fc.constantFrom<Json>(null, true, false, {}, [], [null], { '': null }, [[]], { a: [] }, [{}]),
);
/** A short name that is good everywhere. */
export const word = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/);

const SCALARS: Readonly<Record<ScalarType, Arbitrary<Json>>> = {
  string: fc.oneof(
    word,
    fc.constantFrom('a', 'b', '/a', 'a.example', 'a.example/b', 'v1', 'ConfigMap', 'true', 'TCP', '*', '10.0.0.1'),
  ),
  bytes: fc.base64String({ maxLength: 16 }),
  boolean: fc.boolean(),
  int32: fc.oneof(fc.nat(5), fc.integer({ min: -5, max: 70_000 })),
  int64: fc.oneof(fc.nat(5), fc.integer()),
  double: fc.oneof(fc.nat(5), fc.double({ noNaN: true, noDefaultInfinity: true })),
  quantity: fc.constantFrom<Json>('1', '250m', '2Gi', 3, '0', '-1', '1e3'),
  intOrString: fc.oneof(fc.nat(70_000), fc.constantFrom('http', '25%', '0%', '-1')),
  time: fc.constantFrom('2024-01-02T03:04:05Z', '2025-06-07T08:09:10+02:00'),
  microTime: fc.constantFrom('2024-01-02T03:04:05.000001Z', '2025-06-07T08:09:10.5Z'),
  duration: fc.constantFrom('30s', '1m0s', '0s', '-1s'),
};

const below = (count: number): Arbitrary<number> => fc.nat(Math.max(0, count - 1));
/** One of them, the earlier ones when the run is made smaller. */
export const pick = <T>(draw: Draw, choices: readonly T[]): T => choices[draw(below, choices.length)] as T;
/** True once in so many. */
export const rarely = (draw: Draw, times: number): boolean => draw(below, times) === times - 1;
export const upTo = (draw: Draw, most: number): number => draw(below, most + 1);

/** How deep objects are filled beyond what is required. */
const DEPTH = 6;

/** A value of a schema, mostly a good one; once in a while anything. */
export function drawn(draw: Draw, schema: Schema, depth = 0): Json {
  if (depth > 0 && rarely(draw, 60)) return draw(anything);
  switch (schema.kind) {
    case 'scalar':
      return draw(scalarOf, schema.type);
    case 'untyped':
      return draw(untyped);
    case 'list':
      return Array.from({ length: upTo(draw, depth > DEPTH ? 0 : 2) }, () => drawn(draw, schema.items, depth + 1));
    case 'map': {
      const map: JsonObject = {};
      for (let left = upTo(draw, depth > DEPTH ? 0 : 2); left > 0; left--) {
        map[rarely(draw, 12) ? draw(odd) : draw(wordly)] = drawn(draw, schema.values, depth + 1);
      }
      return map;
    }
    case 'object': {
      const object: JsonObject = {};
      const optional: Field[] = [];
      for (const field of schema.fields.values()) {
        if (field.name === 'apiVersion' || field.name === 'kind') continue;
        if (depth === 0 && (field.name === 'metadata' || field.name === 'status')) continue;
        if (needed(field)) object[field.name] = drawn(draw, field.schema, depth + 1);
        else optional.push(field);
      }
      if (depth > DEPTH || optional.length === 0) return object;
      for (let left = upTo(draw, 3); left > 0; left--) {
        const field = pick(draw, optional);
        object[field.name] = drawn(draw, field.schema, depth + 1);
      }
      if (rarely(draw, 40)) object[draw(odd)] = draw(anything);
      return object;
    }
  }
}
const scalarOf = (type: ScalarType): Arbitrary<Json> => SCALARS[type];
const untyped = (): Arbitrary<Json> => fc.constantFrom<Json>({ a: 1 }, {}, 'a', { a: { b: [1, null] } });
export const odd = (): Arbitrary<string> => oddText;
export const anything = (): Arbitrary<Json> => oddValue;
const wordly = (): Arbitrary<string> => word;

/** What objects are mostly refused without. */
const needed = ({ name, required }: Field): boolean =>
  required || ['spec', 'name', 'selector', 'template', 'containers', 'image', 'key', 'rules'].includes(name);

/** Changes a value at one place: taken away, repeated, replaced by something odd, or by what another place holds. */
export function bent(draw: Draw, value: Json): Json {
  const copy = structuredClone(value);
  const places: { readonly holder: Json[] | JsonObject; readonly key: string | number }[] = [];
  const walk = (at: Json): void => {
    if (Array.isArray(at)) {
      at.forEach((item, key) => {
        places.push({ holder: at, key });
        walk(item);
      });
    } else if (typeof at === 'object' && at !== null) {
      for (const [key, inner] of Object.entries(at as JsonObject)) {
        places.push({ holder: at as JsonObject, key });
        walk(inner as Json);
      }
    }
  };
  walk(copy);
  if (places.length === 0) return draw(anything);
  const { holder, key } = pick(draw, places);
  const members = holder as Record<string | number, Json>;
  switch (upTo(draw, 4)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete members[key];
      break;
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(members[key] as Json));
      else members[draw(odd)] = structuredClone(members[key] as Json);
      break;
    case 2: {
      const other = pick(draw, places);
      members[key] = structuredClone((other.holder as Record<string | number, Json>)[other.key] as Json);
      break;
    }
    default:
      members[key] = draw(anything);
  }
  return copy;
}

/** Bytes with some changed, left out, repeated or put in. */
export function bentBytes(draw: Draw, bytes: Uint8Array): Uint8Array {
  let now = Buffer.from(bytes);
  for (let left = 1 + upTo(draw, 2); left > 0; left--) {
    const at = upTo(draw, now.length);
    switch (upTo(draw, 4)) {
      case 0:
        now = Buffer.concat([now.subarray(0, at), now.subarray(at + 1 + upTo(draw, 8))]);
        break;
      case 1:
        now = Buffer.concat([now.subarray(0, at), Uint8Array.of(upTo(draw, 255)), now.subarray(at)]);
        break;
      case 2:
        now = Buffer.concat([now.subarray(0, at), now.subarray(Math.max(0, at - 16))]);
        break;
      case 3:
        now = now.subarray(0, at);
        break;
      default:
        now = Buffer.from(now);
        if (now.length > 0) now[Math.min(at, now.length - 1)] = upTo(draw, 255);
    }
  }
  return now;
}

/** Percent-encoded; a lone surrogate has no bytes of its own. */
export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

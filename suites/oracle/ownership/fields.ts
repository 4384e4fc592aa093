import fc from 'fast-check';
import { type Fields, TEXT, TEXT_MAP, TEXTS } from '../../1-conventions/merge-annotations-on-fields/markedType.ts';
import type { Json, JsonObject } from '../../harness/index.ts';

/** A type with a field of every marker. */
export const EVERY_MARKER: Fields = (mark) => ({
  size: { type: 'integer', default: 1 },
  note: TEXT,
  labels: TEXT_MAP,
  whole: { ...TEXT_MAP, ...mark('map-type', 'atomic') },
  struct: { type: 'object', properties: { a: TEXT, b: TEXT } },
  ref: { type: 'object', properties: { kind: TEXT, name: TEXT }, ...mark('map-type', 'atomic') },
  plain: TEXTS,
  tags: { ...TEXTS, ...mark('list-type', 'set') },
  items: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: TEXT, value: TEXT, tags: { ...TEXTS, ...mark('list-type', 'set') } },
    },
    ...mark('list-type', 'map'),
    ...mark('list-map-keys', ['name']),
  },
  ports: {
    type: 'array',
    items: {
      type: 'object',
      required: ['port'],
      properties: { port: { type: 'integer' }, protocol: { ...TEXT, default: 'TCP' }, name: TEXT },
    },
    ...mark('list-type', 'map'),
    ...mark('list-map-keys', ['port', 'protocol']),
  },
  any: { type: 'object', ...mark('preserve-unknown-fields', true) },
});

/** Lists of which the order of items is only recommended: wherever they stand, they are compared without it. */
export const UNORDERED: ReadonlySet<string> = new Set(['tags', 'items', 'ports']);

const letter = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2');
const some = (of: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> =>
  fc.record(of, { requiredKeys: [], noNullPrototype: true });
const dictionary = (of: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(letter, of, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
// Empty lists are left out: whether one that nobody fills is there or not is nobody's to say.
const letters = fc.uniqueArray(letter, { minLength: 1, maxLength: 3 });
const item = fc.tuple(letter, some({ value, tags: letters })).map(([name, rest]): JsonObject => ({ ...rest, name }));
const port = fc
  .tuple(fc.constantFrom(1, 2), some({ protocol: fc.constantFrom('TCP', 'UDP'), name: value }))
  .map(([number, rest]): JsonObject => ({ ...rest, port: number }));

/** Any spec of it, out of few values, so that managers meet. */
export const anySpec: fc.Arbitrary<JsonObject> = some({
  size: fc.constantFrom(1, 2, 3),
  note: value,
  labels: dictionary(value),
  whole: dictionary(value),
  struct: fc.constantFrom<JsonObject>({ a: '1' }, { a: '2' }, { b: '1' }, { a: '1', b: '2' }),
  ref: fc.constantFrom<JsonObject>({ kind: '1' }, { name: '1' }, { kind: '1', name: '2' }),
  plain: letters,
  tags: letters,
  items: fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }),
  ports: fc.uniqueArray(port, {
    selector: (one) => `${one.port}/${one.protocol ?? 'TCP'}`,
    minLength: 1,
    maxLength: 3,
  }),
  any: dictionary(fc.oneof(value, letters, dictionary(value))),
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { configuration, Fixture } from '../testing/fieldsFixture.ts';
import { compare, everyField } from './compare.ts';
import { statedFields } from './configFields.ts';
import { difference, type FieldSet, intersection, isEmpty, leaves, NO_FIELDS, paths, union } from './fieldSet.ts';
import { decodeFields } from './fieldsV1.ts';
import { NEVER_OWNED } from './neverOwned.ts';
import { describePath } from './pathElement.ts';

/** Laws of ownership that need no model: whatever managers write to a type with every marker, they hold. */

const letter = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2');
const strings = (of: fc.Arbitrary<string>) => fc.uniqueArray(of, { maxLength: 3 });
const dictionary = (of: fc.Arbitrary<Json>) =>
  fc.dictionary(letter, of, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const some = (of: Record<string, fc.Arbitrary<Json>>) => fc.record(of, { requiredKeys: [], noNullPrototype: true });

const item = fc
  .tuple(letter, some({ value, tags: strings(letter) }))
  .map(([name, rest]): JsonObject => ({ name, ...rest }) as JsonObject);
const port = fc
  .tuple(fc.constantFrom(1, 2), some({ protocol: fc.constantFrom('TCP', 'UDP'), name: value }))
  .map(([number, rest]): JsonObject => ({ port: number, ...rest }) as JsonObject);
const portKey = ({ port: number, protocol }: JsonObject) => `${number}/${protocol ?? 'TCP'}`;

const specArbitrary = some({
  size: fc.constantFrom(1, 2, 3),
  note: value,
  labels: dictionary(value),
  whole: dictionary(value),
  struct: some({ a: value, b: value }) as fc.Arbitrary<Json>,
  ref: some({ kind: value, name: value }) as fc.Arbitrary<Json>,
  plain: strings(letter),
  tags: strings(letter),
  items: fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 3 }),
  ports: fc.uniqueArray(port, { selector: portKey, maxLength: 3 }),
  any: dictionary(fc.oneof(value, strings(letter), dictionary(value))),
}) as fc.Arbitrary<JsonObject>;

interface Write {
  readonly manager: string;
  readonly apply: boolean;
  readonly spec: JsonObject;
}
const write: fc.Arbitrary<Write> = fc.record({
  manager: fc.constantFrom('x', 'y', 'z'),
  apply: fc.boolean(),
  spec: specArbitrary,
});
const history = fc.array(write, { maxLength: 5 });

function after(writes: readonly Write[]): Fixture {
  const fixture = new Fixture();
  for (const { manager, apply, spec } of writes) {
    fixture.now += 1000;
    if (apply) fixture.apply(manager, { spec }, { force: true });
    else if (fixture.live) fixture.change(manager, (object) => ({ ...object, spec: { size: 1, ...spec } }));
    else fixture.put(manager, { spec: { size: 1, ...spec } });
  }
  return fixture;
}

const stated = (fixture: Fixture, spec: JsonObject): FieldSet =>
  difference(statedFields(fixture.schema, configuration({ spec })), NEVER_OWNED);
const owned = (fixture: Fixture, manager: string, operation = 'Apply'): FieldSet => {
  const entry = fixture.entries.find((one) => one.manager === manager && one.operation === operation);
  return entry ? decodeFields(entry.fieldsV1) : NO_FIELDS;
};
const ownedByOthers = (fixture: Fixture, manager: string): FieldSet =>
  fixture.entries
    .filter((one) => one.manager !== manager || one.operation !== 'Apply')
    .map(({ fieldsV1 }) => decodeFields(fieldsV1))
    .reduce(union, NO_FIELDS);
const told = (set: FieldSet) => [...paths(set)].map((path) => path.join('/'));
const plain = (json: unknown) => JSON.parse(JSON.stringify(json)) as Json;

describe('laws of apply', () => {
  it('applying twice changes nothing', () => {
    fc.assert(
      fc.property(history, specArbitrary, (writes, spec) => {
        const fixture = after(writes);
        fixture.apply('me', { spec }, { force: true });
        const before = fixture.live;
        fixture.now += 60_000;
        assert.equal(fixture.apply('me', { spec }).changed, false);
        assert.equal(fixture.live, before);
      }),
    );
  });

  it('the object holds what was applied, and the applier owns just what it stated', () => {
    fc.assert(
      fc.property(history, specArbitrary, (writes, spec) => {
        const fixture = after(writes);
        fixture.apply('me', { spec }, { force: true });
        assert.deepEqual(told(owned(fixture, 'me')).sort(), told(stated(fixture, spec)).sort());
        for (const name of ['size', 'note', 'plain', 'ref', 'whole']) {
          if (name in spec) assert.deepEqual(fixture.spec[name], spec[name], name);
        }
        const tags = (fixture.spec.tags ?? []) as string[];
        const wanted = (spec.tags ?? []) as string[];
        assert.deepEqual(
          tags.filter((tag) => wanted.includes(tag)),
          wanted,
        );
      }),
    );
  });

  it('force leaves one owner of each changed field', () => {
    fc.assert(
      fc.property(history, specArbitrary, (writes, spec) => {
        const fixture = after(writes);
        const { trace } = fixture.apply('me', { spec }, { force: true });
        const others = new Set([...paths(ownedByOthers(fixture, 'me'))].map(describePath));
        for (const { field, outcome } of trace.decisions()) {
          if (outcome === 'set' || outcome === 'taken') assert.ok(!others.has(field), `${field} has other owners`);
        }
      }),
    );
  });

  it('what nobody owns any more is gone, and what other appliers own stays', () => {
    const appliers = fc.array(write, { maxLength: 4 }).map((writes) => writes.map((one) => ({ ...one, apply: true })));
    fc.assert(
      fc.property(appliers, specArbitrary, (writes, spec) => {
        const fixture = after(writes);
        fixture.apply('me', { spec }, { force: true });
        const mine = told(leaves(owned(fixture, 'me')));
        const others = new Set(told(ownedByOthers(fixture, 'me')));
        const othersIn = (field: string) => [...others].some((one) => one === field || one.startsWith(`${field}/`));
        const before = present(fixture);
        fixture.apply('me', { spec: {} });
        const left = present(fixture);
        for (const field of mine) {
          if (!['f:spec', 'f:spec/f:size'].includes(field) && !othersIn(field))
            assert.ok(!left.has(field), `${field} is nobody's`);
        }
        for (const field of others) {
          if (before.has(field)) assert.ok(left.has(field), `${field} belongs to others and went`);
        }
        assert.deepEqual(told(owned(fixture, 'me')), ['f:spec']);
      }),
    );
  });

  it('who shares a field conflicts when changing it, and never otherwise', () => {
    fc.assert(
      fc.property(specArbitrary, specArbitrary, (first, second) => {
        const fixture = new Fixture();
        fixture.apply('x', { spec: first });
        fixture.apply('y', { spec: first });
        if (isFree(fixture, second)) fixture.apply('y', { spec: second });
        else assert.throws(() => fixture.apply('y', { spec: second }), { code: 409 });
      }),
    );
  });

  it('the order of appliers that do not touch does not count', () => {
    const half = (names: readonly string[]) => specArbitrary.map((spec) => only(spec, names));
    const left = ['size', 'note', 'whole', 'plain', 'any'];
    const right = ['labels', 'struct', 'ref', 'tags', 'items', 'ports'];
    fc.assert(
      fc.property(half(left), half(right), half(left), half(right), (a1, b1, a2, b2) => {
        const forth = new Fixture();
        const back = new Fixture();
        for (const [a, b] of [
          [a1, b1],
          [a2, b2],
        ] as const) {
          forth.apply('a', { spec: a });
          forth.apply('b', { spec: b });
          back.apply('b', { spec: b });
          back.apply('a', { spec: a });
        }
        assert.deepEqual(plain(sorted(forth.spec)), plain(sorted(back.spec)));
        const entries = (fixture: Fixture) =>
          fixture.entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]).sort();
        assert.deepEqual(plain(entries(forth)), plain(entries(back)));
      }),
    );
  });

  it('an update takes what it changes, gives nothing to others, and loses nothing that stays', () => {
    fc.assert(
      fc.property(history, specArbitrary, (writes, spec) => {
        const fixture = after([{ manager: 'x', apply: true, spec: { note: '1' } }, ...writes]);
        const before = fixture.entries.map((entry) => ({ ...entry, fields: decodeFields(entry.fieldsV1) }));
        fixture.change('updater', (object) => ({ ...object, spec: { size: 1, ...spec } }));
        const taken = new Set(told(owned(fixture, 'updater', 'Update')));
        const there = present(fixture);
        for (const { manager = '', operation, fields } of before) {
          const now = owned(fixture, manager, operation);
          assert.ok(isEmpty(difference(now, fields)), 'an update gave fields to somebody else');
          for (const field of told(difference(fields, now))) {
            assert.ok(taken.has(field) || !there.has(field), `${field} of ${manager} was lost to nobody`);
          }
        }
      }),
    );
  });
});

/** Every field that the object has, parents included. */
function present(fixture: Fixture): Set<string> {
  return new Set(told(everyField(fixture.schema, asJson(fixture.live as ApiObject))));
}

/** Whether `y` may apply a spec: where it changes no field that somebody else owns. */
function isFree(fixture: Fixture, spec: JsonObject): boolean {
  const trial = new Fixture();
  trial.live = fixture.live;
  const { comparison, others } = changesOf(trial, spec);
  return isEmpty(intersection(comparison, others));
}

/** What a forced apply by `y` adds and modifies, and what others owned before. */
function changesOf(trial: Fixture, spec: JsonObject): { comparison: FieldSet; others: FieldSet } {
  const before = asJson(trial.live as ApiObject);
  const others = ownedByOthers(trial, 'y');
  const { object } = trial.apply('y', { spec }, { force: true });
  const { added, modified } = compare(trial.schema, before, asJson(object));
  return { comparison: union(added, modified), others };
}

/** Some fields of a spec; no empty lists, which nobody comes to own. */
function only(spec: JsonObject, names: readonly string[]): JsonObject {
  const kept = Object.entries(spec).filter(
    ([name, value]) => names.includes(name) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept);
}

function sorted(value: Json): Json {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

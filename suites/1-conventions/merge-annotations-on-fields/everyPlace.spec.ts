import type { MarkedPlace, RequirementId } from '../../../fixtures/ledger/index.ts';
import type { Exchange, Json, JsonObject, Query } from '../../harness/index.ts';
import { type Actor, check, clause, clausesOf, match, must, named, objectIn } from '../../harness/index.ts';
import { defineMarked, type Mark, TEXT, TEXT_MAP, TEXTS } from './markedType.ts';

/** A marked field of a custom type. */
interface Marked {
  readonly id: RequirementId;
  readonly title: string;
  readonly schema: (mark: Mark) => JsonObject;
  /** What the author applies, and what the rival. */
  readonly mine: Json;
  readonly theirs: Json;
  /** What may come of both, in whatever order; where it is left out there is one owner, and a conflict. */
  readonly both?: readonly Json[];
}

const struct = (schema: JsonObject): JsonObject => ({ type: 'object', properties: schema });
const keyed = (mark: Mark, properties: JsonObject): JsonObject => ({
  type: 'array',
  items: { ...struct({ name: TEXT, ...properties }), required: ['name'] },
  ...mark('list-type', 'map'),
  ...mark('list-map-keys', ['name']),
});
const orders = (one: Json, other: Json): readonly Json[] => [
  [one, other],
  [other, one],
];

const [A, B, AB] = [{ a: '1' }, { b: '1' }, { a: '1', b: '1' }];
const MARKED: readonly Marked[] = [
  {
    id: 'MERGE-SET-01',
    title: 'a set',
    schema: (mark) => ({ ...TEXTS, ...mark('list-type', 'set') }),
    mine: ['a'],
    theirs: ['b'],
    both: orders('a', 'b'),
  },
  {
    id: 'MERGE-MAP-01',
    title: 'a keyed list',
    schema: (mark) => keyed(mark, { value: TEXT, other: TEXT }),
    mine: [{ name: 'ours', value: '1' }, { name: 'mine' }],
    theirs: [{ name: 'ours', other: '1' }],
    both: orders({ name: 'ours', value: '1', other: '1' }, { name: 'mine' }),
  },
  {
    id: 'MERGE-GRANULAR-01',
    title: 'a granular map',
    schema: (mark) => ({ ...TEXT_MAP, ...mark('map-type', 'granular') }),
    mine: A,
    theirs: B,
    both: [AB],
  },
  {
    id: 'MERGE-GRANULAR-02',
    title: 'an atomic map',
    schema: (mark) => ({ ...TEXT_MAP, ...mark('map-type', 'atomic') }),
    mine: A,
    theirs: B,
  },
  {
    id: 'MERGE-STRUCT-01',
    title: 'a granular struct',
    schema: (mark) => ({ ...struct({ a: TEXT, b: TEXT }), ...mark('map-type', 'granular') }),
    mine: A,
    theirs: B,
    both: [AB],
  },
  {
    id: 'MERGE-STRUCT-02',
    title: 'an atomic struct',
    schema: (mark) => ({ ...struct({ a: TEXT, b: TEXT }), ...mark('map-type', 'atomic') }),
    mine: A,
    theirs: B,
  },
  {
    id: 'MERGE-ATOMIC-01',
    title: 'an atomic list',
    schema: (mark) => ({ ...TEXTS, ...mark('list-type', 'atomic') }),
    mine: ['a'],
    theirs: ['a', 'b'],
  },
  { id: 'MERGE-UNMARKED-01', title: 'a list without a marker', schema: () => TEXTS, mine: ['a'], theirs: ['a', 'b'] },
  {
    id: 'MERGE-UNMARKED-01',
    title: 'an object without a marker',
    schema: () => struct({ a: TEXT, b: TEXT }),
    mine: A,
    theirs: B,
    both: [AB],
  },
];

/** Where a marked field stands in spec: the schema around its own, and the value around its own. */
interface Place {
  readonly schema: (of: JsonObject, mark: Mark) => JsonObject;
  readonly value: (of: Json) => Json;
}
const PLACES: Readonly<Record<MarkedPlace, Place>> = {
  itself: { schema: (of) => of, value: (of) => of },
  struct: { schema: (of) => struct({ of }), value: (of) => ({ of }) },
  item: { schema: (of, mark) => keyed(mark, { of }), value: (of) => [{ name: 'x', of }] },
  entry: { schema: (of) => ({ type: 'object', additionalProperties: struct({ of }) }), value: (of) => ({ x: { of } }) },
  'item-of-item': {
    schema: (of, mark) => keyed(mark, { inner: struct({ items: keyed(mark, { of }) }) }),
    value: (of) => [{ name: 'x', inner: { items: [{ name: 'y', of }] } }],
  },
};

for (const { id, title, schema, mine, theirs, both } of MARKED) {
  check(
    `${id}.8/${title}`,
    `author and rival apply ${title} in each place of a custom type → ${both ? 'both are in it' : 'a conflict, and by force one owner'}`,
    [id],
    ['custom-types'],
    async ({ author, rival, dialect }) => {
      const things = await defineMarked(author, dialect, (mark) =>
        Object.fromEntries(Object.entries(PLACES).map(([name, place]) => [name, place.schema(schema(mark), mark)])),
      );
      for (const [name, { value }] of Object.entries(PLACES)) {
        const spec = (of: Json): JsonObject => ({ [name]: value(of) });
        const apply = (actor: Actor, of: Json, force = false): Promise<Exchange> =>
          actor.apply(things, named(name, { spec: spec(of) }), { force });
        const holding = (...any: readonly Json[]) => match.field('spec', match.oneOf(...any.map(spec)));
        await author.prepare((each) => apply(each, mine));
        const answer = await apply(rival, theirs);
        if (both) {
          must(`${name}: no conflict, and nothing is lost`, answer, match.status(200), holding(...both));
          must('nor when it is applied again', await apply(author, mine), match.status(200), holding(...both));
          continue;
        }
        must(`${name}: it has one owner`, answer, match.refusal);
        const forced = await apply(rival, theirs, true);
        must('by force it is replaced whole', forced, match.status(200), holding(theirs));
        must('and belongs to who forced it', await apply(author, mine), match.refusal);
        must('who replaces it whole again', await apply(rival, mine), match.status(200), holding(mine));
      }
    },
  );
}

/** Those of which parts have owners each, and how they are empty. */
const EMPTIED: Readonly<Partial<Record<RequirementId, Json>>> = {
  'MERGE-SET-01': [],
  'MERGE-MAP-01': [],
  'MERGE-GRANULAR-01': {},
  'MERGE-STRUCT-01': {},
};
for (const { id, title, schema, mine, theirs, both = [] } of MARKED) {
  const empty = EMPTIED[id];
  if (empty === undefined) continue;
  check(
    `${id}.9`,
    `a manager of nothing, the rival and the author in turn apply ${title} that is empty, in each place of a custom type → each takes away what is theirs alone`,
    clausesOf(id, 'emptied'),
    ['custom-types'],
    async ({ author, rival, dialect }) => {
      const things = await defineMarked(author, dialect, (mark) =>
        Object.fromEntries(Object.entries(PLACES).map(([name, place]) => [name, place.schema(schema(mark), mark)])),
      );
      for (const [name, { value }] of Object.entries(PLACES)) {
        const spec = (of: Json): JsonObject => ({ [name]: value(of) });
        const apply = (actor: Actor, of: Json, query: Query = {}) =>
          actor.apply(things, named(name, { spec: spec(of) }), query);
        const holding = (...any: readonly Json[]) => match.field('spec', match.oneOf(...any.map(spec)));
        await author.prepare((each) => apply(each, mine));
        await rival.prepare((each) => apply(each, theirs));
        await clause(clausesOf(id, 'emptied', name), async () => {
          const none = await apply(author, empty, { fieldManager: 'touchstone-third' });
          must('who owns nothing takes nothing away', none, match.status(200), holding(...both));
          must('nothing is stored of it', await author.get(things, name), holding(...both));
          const left = await apply(rival, empty);
          must("what is the author's stays", left, match.status(200), holding(mine));
          must('and is stored', await author.get(things, name), holding(mine));
          const last = await apply(author, empty);
          // Servers in use make it null, which the schema then refuses; nothing may be lost by that.
          must('it is taken, or no value of its type', last, match.status(200, 422));
          if (last.status === 422) {
            must('then all stays', await author.get(things, name), holding(mine));
            return;
          }
          const gone = JSON.stringify(objectIn(last).spec ?? {});
          const words = ['"a"', '"b"', 'mine', 'ours'].filter((word) => gone.includes(word));
          must('the last takes the rest away', words, match.equal([]));
        });
      }
    },
  );
}

check(
  'MERGE-ATOMIC-02.2',
  'the rival applies what is marked in every way within an atomic list → a conflict, and by force only theirs is left',
  ['MERGE-ATOMIC-02'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => ({
      outer: {
        type: 'array',
        items: struct(Object.fromEntries(MARKED.map(({ schema }, at) => [`of${at}`, schema(mark)]))),
        ...mark('list-type', 'atomic'),
      },
    }));
    for (const [at, { title, mine, theirs }] of MARKED.entries()) {
      const thing = (of: Json) => named(`of${at}`, { spec: { outer: [{ [`of${at}`]: of }] } });
      await author.prepare((each) => each.apply(things, thing(mine)));
      must(`${title}: nothing within is merged`, await rival.apply(things, thing(theirs)), match.refusal);
      const forced = await rival.apply(things, thing(theirs), { force: true });
      must('it is replaced whole', forced, match.status(200), match.field('spec', match.equal(thing(theirs).spec)));
    }
  },
);

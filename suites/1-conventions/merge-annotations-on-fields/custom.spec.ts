import type { NearKeys } from '../../../fixtures/ledger/index.ts';
import {
  type ApiObject,
  check,
  clause,
  clausesOf,
  customResourceDefinitions,
  match,
  must,
  objectIn,
} from '../../harness/index.ts';
import { owned } from '../server-side-apply-rules/owned.ts';
import { applied, defineMarked, type Fields, schemaOf, TEXT, TEXTS, thing } from './markedType.ts';

const FORCED = { force: true };
const port = { port: { type: 'integer' }, protocol: { ...TEXT, default: 'TCP' }, name: TEXT };
/** A list with two keys, one of which has a default. */
const ports: Fields = (mark) => ({
  ports: {
    type: 'array',
    items: { type: 'object', required: ['port'], properties: port },
    ...mark('list-type', 'map'),
    ...mark('list-map-keys', ['port', 'protocol']),
  },
});

check(
  'MERGE-ATOMIC-02.1',
  'the rival applies into a set within an atomic list → a conflict, and by force only theirs is left',
  ['MERGE-ATOMIC-02'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => {
      const tags = { ...TEXTS, ...mark('list-type', 'set') };
      const items = { type: 'object', properties: { name: TEXT, tags } };
      return { outer: { type: 'array', items, ...mark('list-type', 'atomic') } };
    });
    await applied(author, things, { outer: [{ name: 'a', tags: ['mine'] }] });
    const theirs = { outer: [{ name: 'a', tags: ['theirs'] }] };
    must('nothing within is merged', await rival.apply(things, thing(theirs)), match.refusal);
    const forced = await rival.apply(things, thing(theirs), FORCED);
    must('it is replaced whole', forced, match.status(200), match.field('spec', theirs));
    must('and has one owner', forced, owned('spec.outer', 'rival Apply'));
  },
);

check(
  'MERGE-SET-02.1',
  'the author applies a value of a set twice → refused',
  ['MERGE-SET-02'],
  async ({ author, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => ({ tags: { ...TEXTS, ...mark('list-type', 'set') } }));
    const live = objectIn(await applied(author, things, { tags: ['a'] }));
    // Whose fault it is called is left open: the real service answers 500.
    must('each is there once', await author.apply(things, thing({ tags: ['a', 'b', 'b'] })), match.error);
    must('nothing changed', await author.get(things, 'thing'), match.body(live));
  },
);

check(
  'MERGE-SET-02.2',
  'the author writes a value of a set, and an item of a keyed list, twice in every other way → refused',
  ['MERGE-SET-02', 'MERGE-MAP-02'],
  async ({ author, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => ({
      tags: { ...TEXTS, ...mark('list-type', 'set') },
      ...ports(mark),
    }));
    const port = { port: 1, protocol: 'TCP', name: 'a' };
    const live = objectIn(await applied(author, things, { tags: ['a'], ports: [port] }));
    for (const spec of [{ tags: ['b', 'b'] }, { ports: [port, { ...port, name: 'b' }] }]) {
      const [[member = '', value] = []] = Object.entries(spec);
      const other = { ...thing(spec), metadata: { name: 'other' } };
      must('by a POST', await author.create(things, other), match.refusal);
      must(
        'by a PUT',
        await author.update(things, { ...live, spec: { ...(live.spec as object), ...spec } }),
        match.refusal,
      );
      must('by a merge patch', await author.patch(things, 'thing', 'merge', { spec }), match.refusal);
      const json = [{ op: 'replace', path: `/spec/${member}`, value }];
      must('by a JSON patch', await author.patch(things, 'thing', 'json', json), match.refusal);
    }
    must('nothing changed', await author.get(things, 'thing'), match.body(live));
    must('nothing was made', await author.get(things, 'other'), match.status(404));
  },
);

check(
  'MERGE-MAP-03.1',
  'author and rival apply items that differ in one key of two → they are two items',
  ['MERGE-MAP-03'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, ports);
    const item = (protocol: string, name: string) => ({ port: 1, protocol, name });
    await applied(author, things, { ports: [item('TCP', 'mine')] });
    const both = await rival.apply(things, thing({ ports: [item('UDP', 'theirs')] }));
    const all = match.field('spec.ports', match.sameItems([item('TCP', 'mine'), item('UDP', 'theirs')]));
    must('both are in it', both, match.status(200), all);
    const same = await rival.apply(things, thing({ ports: [item('TCP', 'theirs')] }));
    must('where both keys are equal it is one item', same, match.refusal);
  },
);

/** Keys of two items each, of a text, another text and a number. */
const NEAR: Readonly<Record<NearKeys, readonly (readonly [first: string, second: string, third: number])[]>> = {
  joined: [
    ['a', 'bc', 1],
    ['ab', 'c', 1],
    ['abc', '', 1],
    ['', 'abc', 1],
  ],
  marked: ['/', ',', '.', '-', '_', ':', ';', '|', ' ', '=', '#', '\t', '\n'].flatMap((mark) => [
    [`a${mark}b`, 'c', 1] as const,
    ['a', `b${mark}c`, 1] as const,
  ]),
  quoted: [
    ['a","b', 'c', 1],
    ['a', 'b","c', 1],
    ['a', '"b"', 1],
    ['a', "'b'", 1],
    ['a', 'b', 1],
    ['a', 'b\\', 1],
  ],
  swapped: [
    ['a', 'b', 1],
    ['b', 'a', 1],
  ],
  empty: [
    ['', 'a', 1],
    ['a', '', 1],
    ['', '', 1],
    [' ', ' ', 1],
  ],
  typed: [
    ['a', '1', 11],
    ['a', '11', 1],
    ['a1', '1', 1],
    ['a1', '', 11],
    ['1', '0', 1],
    ['1', '00', 1],
    ['1', '', 0],
    ['1', 'null', 0],
  ],
  cased: [
    ['a', 'b', 1],
    ['A', 'b', 1],
    ['a', 'B', 1],
    ['a', 'b ', 1],
    [' a', 'b', 1],
  ],
};
for (const [what, keys] of Object.entries(NEAR)) {
  check(
    `MERGE-MAP-03.4/${what}`,
    `the author brings items with near keys, ${what}, by every write → each is kept`,
    clausesOf('MERGE-MAP-03', what),
    async ({ author, rival, dialect }) => {
      const number = { type: 'integer' };
      const things = await defineMarked(author, dialect, (mark) => ({
        keyed: {
          type: 'array',
          items: {
            type: 'object',
            required: ['first', 'second', 'third'],
            properties: { first: TEXT, second: TEXT, third: number, value: TEXT },
          },
          ...mark('list-type', 'map'),
          ...mark('list-map-keys', ['first', 'second', 'third']),
        },
      }));
      const keyed = keys.map(([first, second, third], at) => ({ first, second, third, value: `${at}` }));
      const all = match.field('spec.keyed', match.sameItems(keyed));
      await clause(clausesOf('MERGE-MAP-03', what, 'post'), async () => {
        const made = await author.create(things, { ...thing({ keyed }), metadata: { name: 'made' } });
        must('each is another', made, match.created, all);
      });
      const changes = {
        put: (name: string, live: ApiObject) =>
          author.update(things, { ...live, metadata: { ...live.metadata, name }, spec: { keyed } }),
        json: (name: string) =>
          author.patch(things, name, 'json', [{ op: 'replace', path: '/spec/keyed', value: keyed }]),
        merge: (name: string) => author.patch(things, name, 'merge', { spec: { keyed } }),
      };
      for (const [write, change] of Object.entries(changes)) {
        await clause(clausesOf('MERGE-MAP-03', what, write), async () => {
          const live = await author.given(things, { ...thing({ keyed: [] }), metadata: { name: write } });
          must('each is another', await change(write, live), match.status(200), all);
          must('and stored', await author.get(things, write), all);
        });
      }
      await clause(clausesOf('MERGE-MAP-03', what, 'apply'), async () => {
        must('each is another', await author.apply(things, thing({ keyed })), match.created, all);
        const [first, ...others] = keyed;
        const one = await rival.apply(things, thing({ keyed: [first ?? null] }));
        must('and one is one of them', one, match.status(200), all);
        // What the author leaves out is the one of the rival, which stays.
        const without = await author.apply(things, thing({ keyed: others }));
        must('whoever has it', without, match.status(200), all);
        const none = await author.apply(things, thing({ keyed: [] }));
        must('none goes with another', none, match.status(200), match.field('spec.keyed', [first ?? null]));
      });
    },
  );
}

check(
  'MERGE-MAP-04.1',
  'the rival names the key that the author left to its default → it is the same item',
  ['MERGE-MAP-04'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, ports);
    const made = await author.apply(things, thing({ ports: [{ port: 1 }] }));
    must('a key that is left out has its default', made, match.created, match.field('spec.ports.0.protocol', 'TCP'));
    const named = await rival.apply(things, thing({ ports: [{ port: 1, protocol: 'TCP', name: 'theirs' }] }));
    const one = [{ port: 1, protocol: 'TCP', name: 'theirs' }];
    must('there is one item', named, match.status(200), match.field('spec.ports', one));
    const again = await author.apply(things, thing({ ports: [{ port: 1 }] }));
    must('whoever applies it', again, match.status(200), match.field('spec.ports', one));
    const keyless = await author.apply(things, thing({ ports: [{ name: 'x' }] }));
    must('without key and default it is refused', keyless, match.error);
    must('and nothing changed', await author.get(things, 'thing'), match.body(objectIn(again)));
  },
);

/** Keys of which one is the least that its type has. */
const LEAST_KEYS = { number: [0, 1, -1], flag: [false, true], text: ['', '0', 'false', 'null'] } as const;

check(
  'MERGE-MAP-04.2',
  'the author and the rival bring items whose keys are 0, false and the empty text → each is an item as any other',
  ['MERGE-MAP-04'],
  async ({ author, rival, dialect }) => {
    const types = { number: { type: 'integer' }, flag: { type: 'boolean' }, text: TEXT };
    const things = await defineMarked(author, dialect, (mark) =>
      Object.fromEntries(
        Object.entries(types).map(([name, key]) => {
          const items = { type: 'object', required: ['key'], properties: { key, mine: TEXT, theirs: TEXT } };
          return [name, { type: 'array', items, ...mark('list-type', 'map'), ...mark('list-map-keys', ['key']) }];
        }),
      ),
    );
    const all = (more: object) =>
      Object.fromEntries(
        Object.entries(LEAST_KEYS).map(([name, keys]) => [name, keys.map((key) => ({ key, ...more }))]),
      );
    const spec = all({ mine: 'yes' });
    must('they are applied', await author.apply(things, thing(spec)), match.created, match.field('spec', spec));
    const both = all({ mine: 'yes', theirs: 'yes' });
    const joined = await rival.apply(things, thing(all({ theirs: 'yes' })));
    must('each is the same item to the other', joined, match.status(200), match.field('spec', both));
    const ended = await author.apply(things, thing({}));
    must('and the others own it alone', ended, match.status(200), match.field('spec', all({ theirs: 'yes' })));
    const made = await author.create(things, { ...thing(spec), metadata: { name: 'made' } });
    must('a POST brings them too', made, match.created, match.field('spec', spec));
    const merged = await author.patch(things, 'thing', 'merge', { spec });
    must('so does a patch', merged, match.status(200), match.field('spec', spec));
  },
);

/** What is wrong, and the fields that say it. */
const WRONG: Readonly<Record<string, Fields>> = {
  'keys of a list that is no map': (mark) => ({
    wrong: {
      type: 'array',
      items: { type: 'object', required: ['port'], properties: port },
      ...mark('list-type', 'atomic'),
      ...mark('list-map-keys', ['port']),
    },
  }),
  'a key that is no scalar': (mark) => ({
    wrong: {
      type: 'array',
      items: { type: 'object', required: ['key'], properties: { key: { type: 'object', properties: port } } },
      ...mark('list-type', 'map'),
      ...mark('list-map-keys', ['key']),
    },
  }),
};
for (const [what, fields] of Object.entries(WRONG)) {
  check(`MERGE-MAP-05.1/${what}`, `the author defines ${what} → 4xx`, ['MERGE-MAP-05'], async ({ author, dialect }) => {
    const things = await defineMarked(author, dialect, ports);
    const name = `${things.plural}.${things.group}`;
    const spec = (openAPIV3Schema: object) => ({
      spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] },
    });
    const define = (schema: object) => author.patch(customResourceDefinitions, name, 'merge', spec(schema));
    must('it is refused', await define(schemaOf(dialect, fields)), match.refusal);
    must('what is right is not', await define(schemaOf(dialect, ports)), match.status(200));
  });
}

check(
  'MERGE-STRUCT-01.1',
  'author and rival apply other fields of a struct → each has an owner of its own',
  ['MERGE-STRUCT-01'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => ({
      struct: { type: 'object', properties: { a: TEXT, b: TEXT }, ...mark('map-type', 'granular') },
    }));
    await applied(author, things, { struct: { a: '1' } });
    const both = await rival.apply(things, thing({ struct: { b: '1' } }));
    must('both are in it', both, match.status(200), match.field('spec.struct', { a: '1', b: '1' }));
    must('one is owned', both, owned('spec.struct.a', 'author Apply'));
    must('the other is owned', both, owned('spec.struct.b', 'rival Apply'));
    must('so they conflict apart', await rival.apply(things, thing({ struct: { a: '2' } })), match.refusal);
  },
);

check(
  'MERGE-UNMARKED-01.1',
  'author and rival apply to a type without markers → keys have owners each, lists one',
  ['MERGE-UNMARKED-01'],
  async ({ author, rival, dialect }) => {
    const things = await defineMarked(author, dialect, (mark) => ({
      plain: { type: 'object', properties: { a: TEXT, b: TEXT } },
      open: { type: 'object', ...mark('preserve-unknown-fields', true) },
      list: TEXTS,
      parts: { type: 'array', items: { type: 'object', properties: { name: TEXT, value: TEXT } } },
    }));
    await applied(author, things, { plain: { a: '1' }, open: { deep: { a: '1' }, list: ['a'] }, list: ['a'] });
    const both = await rival.apply(things, thing({ plain: { b: '1' }, open: { deep: { b: '1' } } }));
    const all = { plain: { a: '1', b: '1' }, open: { deep: { a: '1', b: '1' }, list: ['a'] }, list: ['a'] };
    must('keys are merged', both, match.status(200), match.field('spec', all));
    must('however deep', both, owned('spec.open.deep.b', 'rival Apply'), owned('spec.open.deep.a', 'author Apply'));
    must('a list is not', await rival.apply(things, thing({ list: ['a', 'b'] })), match.refusal);
    must('wherever it is', await rival.apply(things, thing({ open: { list: ['a', 'b'] } })), match.refusal);
    const forced = await rival.apply(things, thing({ list: ['b'] }), { force: true });
    must('it is replaced whole', forced, match.status(200), match.field('spec.list', ['b']));
    // A list of maps is no list by key, though its items have what could be one.
    const parts = (name: string) => ({ parts: [{ name, value: name }], open: { parts: [{ name, value: name }] } });
    await applied(author, things, parts('a'));
    const other = await author.apply(things, thing(parts('b')));
    must('one of maps too', other, match.status(200), match.field('spec.parts', parts('b').parts));
    must('wherever it is', other, match.field('spec.open.parts', parts('b').parts));
    must('it has one owner', await rival.apply(things, thing({ parts: parts('c').parts })), match.refusal);
    const theirs = await rival.apply(things, thing({ parts: parts('c').parts }), { force: true });
    must('by force it is theirs', theirs, match.status(200), match.field('spec.parts', parts('c').parts));
  },
);

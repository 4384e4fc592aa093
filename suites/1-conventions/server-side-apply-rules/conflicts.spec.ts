import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  type Json,
  match,
  must,
  named,
  objectIn,
  ought,
  valueAt,
} from '../../harness/index.ts';
import { defineMarked, TEXT, TEXT_MAP, TEXTS } from '../merge-annotations-on-fields/markedType.ts';

const doc = (data: Record<string, string>) => named('doc', { data });
const given = (actor: Actor, data: Record<string, string>) =>
  actor.prepare((each) => each.apply(configMaps, doc(data)));

check(
  'APPLY-CREATE-01.1',
  'the author applies a missing object → 201, and it is there',
  ['APPLY-CREATE-01'],
  async ({ author }) => {
    const applied = await author.apply(configMaps, doc({ a: '1' }));
    must('it is created', applied, match.created, match.field('data', { a: '1' }));
    must('it is there', await author.get(configMaps, 'doc'), match.status(200), match.body(objectIn(applied)));
  },
);

check(
  'APPLY-MERGE-01.1',
  'the rival applies a field of their own → 200, and the fields of the author stay',
  ['APPLY-MERGE-01'],
  async ({ author, rival }) => {
    await given(author, { a: '1' });
    const applied = await rival.apply(configMaps, doc({ b: '2' }));
    must('both are there', applied, match.status(200), match.field('data', { a: '1', b: '2' }));
  },
);

check(
  'APPLY-MERGE-03.1',
  'the author applies the same again → object and version stay',
  ['APPLY-MERGE-03'],
  async ({ author }) => {
    const first = objectIn(await given(author, { a: '1' }));
    must('nothing changes', await author.apply(configMaps, doc({ a: '1' })), match.status(200), match.body(first));
  },
);

check(
  'APPLY-CONFLICT-01.1',
  "the rival applies another value to the author's field → refused as a whole",
  ['APPLY-CONFLICT-01', 'APPLY-CONFLICT-02'],
  async ({ author, rival }) => {
    const live = objectIn(await given(author, { a: '1' }));
    const applied = await rival.apply(configMaps, doc({ a: '2', b: '2' }));
    must('it is refused', applied, match.refusal);
    ought('as a conflict with its causes', applied, match.status(409), match.field('details.causes', match.size(1)));
    must('nothing of it is stored', await author.get(configMaps, 'doc'), match.body(live));
  },
);

/** Who owns which field in the check below. */
const OWNERS = { a: ['author', 'another'], b: ['author'], c: ['author'] } as const;
const fieldOf = (cause: unknown): unknown => valueAt(cause, ['field']);

check(
  'APPLY-CONFLICT-02.1',
  'the rival applies other values to several fields, one of them shared by two → refused as a whole, with a cause for each',
  ['APPLY-CONFLICT-01', 'APPLY-CONFLICT-02'],
  async ({ author, rival }) => {
    await given(author, { a: '1', b: '1', c: '1' });
    await author.prepare((each) => each.apply(configMaps, doc({ a: '1' }), { fieldManager: 'another' }));
    const live = objectIn(await author.get(configMaps, 'doc'));
    const applies: readonly Record<string, string>[] = [
      { a: '2', b: '2', c: '1', d: '1' },
      { b: '2', c: '2' },
    ];
    for (const data of applies) {
      const applied = must('it is refused', await rival.apply(configMaps, doc(data)), match.refusal);
      must('nothing of it is stored', await author.get(configMaps, 'doc'), match.body(live));
      const causes = valueAt(applied.json, ['details', 'causes']);
      for (const [key, managers] of Object.entries(OWNERS)) {
        if (!(key in data) || data[key] === '1') continue;
        const told = JSON.stringify(
          (Array.isArray(causes) ? causes : []).filter((each) => fieldOf(each) === `.data.${key}`),
        );
        const unnamed = managers.filter((manager) => !told.includes(`\\"${manager}\\"`));
        ought(`it is told of ${key} who owns it`, unnamed, match.empty);
      }
    }
  },
);

/** Of each type of value one that is zero or empty, and another; lists and maps are one value each. */
const VALUES = {
  text: ['', 'a'],
  integer: [0, 1],
  number: [0, 1.5],
  boolean: [false, true],
  list: [[], ['a']],
  map: [{}, { a: 'a' }],
} as const;

check(
  'APPLY-CONFLICT-01.4',
  'the rival applies to each type of value what is zero or empty, and over it → refused',
  [
    ...clausesOf('APPLY-CONFLICT-01', 'zero', Object.keys(VALUES)),
    ...clausesOf('APPLY-CONFLICT-01', 'over-zero', Object.keys(VALUES)),
  ],
  ['custom-types'],
  async ({ author, rival, dialect }) => {
    const type = await defineMarked(author, dialect, (mark) => ({
      text: TEXT,
      integer: { type: 'integer' },
      number: { type: 'number' },
      boolean: { type: 'boolean' },
      list: { ...TEXTS, ...mark('list-type', 'atomic') },
      map: { ...TEXT_MAP, ...mark('map-type', 'atomic') },
    }));
    for (const [field, [zero, other]] of Object.entries(VALUES))
      for (const [way, first, second] of [
        ['zero', other, zero],
        ['over-zero', zero, other],
      ] as const)
        await clause(`APPLY-CONFLICT-01/${way}/${field}`, async () => {
          const thing = (value: Json) => named(`${way}-${field}`, { spec: { [field]: value } });
          const live = objectIn(await author.prepare((each) => each.apply(type, thing(first as Json))));
          must('it is refused', await rival.apply(type, thing(second as Json)), match.refusal);
          must('nothing changes', await author.get(type, `${way}-${field}`), match.body(live));
        });
  },
);

check(
  'APPLY-CONFLICT-03.1',
  'the rival applies over a value that was put → refused too',
  ['APPLY-CONFLICT-03'],
  async ({ author, rival }) => {
    const live = await author.given(configMaps, doc({ a: '1' }));
    must('a written field conflicts', await rival.apply(configMaps, doc({ a: '2' })), match.refusal);
    must('nothing changes', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'APPLY-FORCE-01.1',
  'the rival forces the conflict → the value and the field are theirs',
  ['APPLY-FORCE-01'],
  async ({ author, rival }) => {
    await given(author, { a: '1', b: '1' });
    const forced = await rival.apply(configMaps, doc({ a: '2' }), { force: true });
    must('it is stored', forced, match.status(200), match.field('data', { a: '2', b: '1' }));
    const managed = objectIn(forced).metadata.managedFields ?? [];
    const owners = managed
      .filter((entry) => JSON.stringify(entry.fieldsV1).includes('"f:a"'))
      .map((entry) => entry.manager);
    must('the rival alone owns it', owners, match.equal(['rival']));
    // Force is for what conflicts: a value that both want is shared with it as without.
    const both = await rival.apply(configMaps, doc({ a: '2', b: '1' }), { force: true });
    const sharing = (objectIn(must('it is taken', both, match.status(200))).metadata.managedFields ?? [])
      .filter((entry) => JSON.stringify(entry.fieldsV1).includes('"f:b"'))
      .map((entry) => entry.manager);
    must('what is equal is shared', sharing, match.sameItems(['author', 'rival']));
  },
);

check(
  'APPLY-RESOLVE-02.1',
  'the rival applies the live value → no conflict, and both own it',
  ['APPLY-RESOLVE-02'],
  async ({ author, rival }) => {
    await given(author, { a: '1' });
    const applied = await rival.apply(configMaps, doc({ a: '1' }));
    const managed =
      must('it is shared', applied, match.status(200)) && (objectIn(applied).metadata.managedFields ?? []);
    const owners = managed
      .filter((entry) => JSON.stringify(entry.fieldsV1).includes('"f:a"'))
      .map((entry) => entry.manager);
    must('both own it', owners, match.sameItems(['author', 'rival']));
  },
);

check(
  'APPLY-REMOVE-01.1',
  'the author no longer applies a field → it is removed',
  ['APPLY-REMOVE-01'],
  async ({ author }) => {
    await given(author, { a: '1', b: '1' });
    const applied = await author.apply(configMaps, doc({ a: '1' }));
    must('it is gone', applied, match.status(200), match.field('data', { a: '1' }));
    const noted = (annotations: object) =>
      author.apply(configMaps, { ...doc({ a: '1' }), metadata: { name: 'doc', annotations } });
    must('notes are applied', await noted({ one: '1', two: '2' }), match.field('metadata.annotations.two', '2'));
    const none = await noted({});
    for (const member of ['one', 'two'])
      must(
        'an empty map applies none',
        none,
        match.status(200),
        match.field(['metadata', 'annotations', member], match.absent),
      );
    const { apiVersion, kind, metadata } = await author.given(configMaps, named('owner'));
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' };
    const held = { finalizers: ['touchstone.example/hold'], ownerReferences: [owner] };
    const of = (more: object) => ({ ...doc({ a: '1' }), metadata: { name: 'doc', ...more } });
    const applying = await author.apply(configMaps, of(held));
    for (const [list, items] of Object.entries(held)) {
      must(`${list} are applied`, applying, match.field(['metadata', list], items));
    }
    const without = await author.apply(configMaps, of({}));
    for (const list of Object.keys(held))
      must(`${list} are gone`, without, match.status(200), match.field(['metadata', list], match.absent));
  },
);

check(
  'APPLY-MANAGER-01.1',
  'the author applies without fieldManager → 4xx',
  ['APPLY-MANAGER-01'],
  async ({ author }) => {
    const applied = await author.apply(configMaps, doc({ a: '1' }), { fieldManager: undefined });
    must('it is required', applied, match.refusal);
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
  },
);

check(
  'APPLY-BODY-03.1',
  'the author applies with managedFields in the body → 4xx, and nothing changes',
  ['APPLY-BODY-03'],
  async ({ author }) => {
    const live = objectIn(await given(author, { a: '1' }));
    const { managedFields } = live.metadata;
    const applied = await author.apply(configMaps, { metadata: { name: 'doc', managedFields }, data: { a: '2' } });
    must('it must not be set', applied, match.refusal);
    must('nothing changes', await author.get(configMaps, 'doc'), match.body(live));
  },
);

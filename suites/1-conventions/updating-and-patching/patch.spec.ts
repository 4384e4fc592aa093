import type { StrategicDirective } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  configMaps,
  match,
  must,
  named,
  ought,
  PATCH_TYPES,
  webhookConfigurations,
} from '../../harness/index.ts';

const doc = named('doc', { data: { a: '1', b: '2' } });

check(
  'PATCH-TYPE-01.1',
  'the author patches with an unknown Content-Type → 4xx, and nothing changes',
  ['PATCH-TYPE-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, doc);
    const headers = { 'content-type': 'application/x-touchstone' };
    const patched = await author.request('PATCH', await author.pathOf(configMaps, 'doc'), { headers, body: '{}' });
    must('it is no kind of patch', patched, match.refusal);
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'PATCH-TYPE-01.2',
  'the author patches with a charset in the Content-Type → each is the patch that it names',
  ['PATCH-TYPE-01'],
  async ({ author }) => {
    await author.given(configMaps, doc);
    const path = await author.pathOf(configMaps, 'doc');
    const apply = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'doc' } };
    for (const [type, body] of [
      ['json', [{ op: 'add', path: '/data/by', value: 'json' }]],
      ['merge', { data: { by: 'merge' } }],
      ['strategic', { data: { by: 'strategic' } }],
      ['apply', { ...apply, data: { by: 'apply' } }],
    ] as const)
      for (const parameter of [';charset=utf-8', '; charset=UTF-8']) {
        const headers = { 'content-type': `${PATCH_TYPES[type]}${parameter}` };
        const query = type === 'apply' ? '?fieldManager=author&force=true' : '';
        await author.prepare(() => author.patch(configMaps, 'doc', 'merge', { data: { by: null } }));
        const patched = await author.request('PATCH', path + query, { headers, body });
        must(`it is a ${type} patch`, patched, match.status(200), match.field('data.by', type));
      }
  },
);

for (const type of ['json', 'merge', 'strategic'] as const) {
  const patch = type === 'json' ? [{ op: 'add', path: '/data', value: { c: '3' } }] : { data: { c: '3' } };
  check(
    `PATCH-TYPE-02.2/${type}`,
    `the author sends a ${type} patch to what does not exist → 404, and nothing is created`,
    ['PATCH-TYPE-02'],
    async ({ author }) => {
      must('there is nothing to patch', await author.patch(configMaps, 'missing', type, patch), match.status(404));
      must('nothing is created', await author.get(configMaps, 'missing'), match.status(404));
    },
  );

  const bad = type === 'json' ? [{ op: 'add', path: '/data', value: { c: 3 } }] : { data: { c: 3 } };
  check(
    `PATCH-RESULT-01.1/${type}`,
    `the author sends a ${type} patch that makes the object invalid → 4xx, and it stays`,
    ['PATCH-RESULT-01'],
    async ({ author }) => {
      const live = await author.given(configMaps, doc);
      must('it is refused', await author.patch(configMaps, 'doc', type, bad), match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}

check(
  'PATCH-RESULT-03.1',
  'the author patches an object into what it is → 200, and the version stays',
  ['PATCH-RESULT-03'],
  async ({ author }) => {
    const live = await author.given(configMaps, doc);
    const patched = await author.patch(configMaps, 'doc', 'merge', { data: { a: '1' } });
    const version = match.field('metadata.resourceVersion', live.metadata.resourceVersion ?? null);
    must('nothing was changed', patched, match.status(200), version);
  },
);

check(
  'JSONPATCH-OPERATION-01.1',
  'the author sends every operation of a JSON patch → applied in order',
  ['JSONPATCH-OPERATION-01', 'JSONPATCH-TEST-01'],
  async ({ author }) => {
    await author.given(configMaps, doc);
    const patched = await author.patch(configMaps, 'doc', 'json', [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'replace', path: '/data/a', value: '4' },
      { op: 'copy', from: '/data/a', path: '/data/d' },
      { op: 'move', from: '/data/c', path: '/data/e' },
      { op: 'remove', path: '/data/b' },
    ]);
    must('each is applied', patched, match.status(200), match.field('data', { a: '4', d: '4', e: '3' }));
  },
);

check(
  'JSONPATCH-OPERATION-01.2',
  'the author sends operations with members of others and of none → they are applied without',
  ['JSONPATCH-OPERATION-01/members'],
  async ({ author }) => {
    const patch = [
      { op: 'test', path: '/data/a', value: '1', from: '/data/b' },
      { op: 'add', path: '/data/c', value: '3', from: '/data/none' },
      { op: 'replace', path: '/data/a', value: '4', from: '/data/b' },
      { op: 'copy', from: '/data/a', path: '/data/d', value: 'other' },
      { op: 'move', from: '/data/c', path: '/data/e', value: { not: 'a text' } },
      { op: 'remove', path: '/data/b', value: 'other', from: '/data/a' },
    ];
    const unknown = { comment: 'why', Path: '/data/none', $patch: 'delete', values: [{ op: 'remove' }] };
    for (const [name, operations, query] of [
      ['others', patch, {}],
      // What is unknown may be warned of, or refused under Strict.
      ['none', patch.map((operation) => ({ comment: 'why', ...operation })), {}],
      ['ignored', patch.map((operation) => ({ ...operation, ...unknown })), { fieldValidation: 'Ignore' }],
    ] as const) {
      await author.given(configMaps, { ...doc, metadata: { name } });
      const patched = await author.patch(configMaps, name, 'json', operations, query);
      must('each is applied', patched, match.status(200), match.field('data', { a: '4', d: '4', e: '3' }));
    }
  },
);

check(
  'JSONPATCH-OPERATION-02.1',
  'the author sends a JSON patch of which one operation fails → nothing of it is applied',
  ['JSONPATCH-OPERATION-02', 'JSONPATCH-TEST-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, doc);
    const failing = [
      { op: 'test', path: '/data/a', value: 'other' },
      { op: 'remove', path: '/data/none' },
    ];
    for (const operation of failing) {
      const patch = [{ op: 'add', path: '/data/c', value: '3' }, operation];
      must('it fails', await author.patch(configMaps, 'doc', 'json', patch), match.refusal);
      must('as a whole', await author.get(configMaps, 'doc'), match.body(live));
    }
  },
);

check(
  'JSONPATCH-POINTER-01.1',
  'the author points at members with slash and tilde, and at list items → they are reached',
  ['JSONPATCH-POINTER-01'],
  async ({ author }) => {
    const annotations = { 'touchstone.example/a': '1' };
    const finalizers = ['touchstone.example/a', 'touchstone.example/c'];
    await author.given(configMaps, { metadata: { name: 'doc', annotations, finalizers } });
    const patched = await author.patch(configMaps, 'doc', 'json', [
      { op: 'replace', path: '/metadata/annotations/touchstone.example~1a', value: '2' },
      { op: 'add', path: '/metadata/finalizers/1', value: 'touchstone.example/b' },
      { op: 'add', path: '/metadata/finalizers/-', value: 'touchstone.example/d' },
    ]);
    const order = ['a', 'b', 'c', 'd'].map((letter) => `touchstone.example/${letter}`);
    must(
      '~1 is a slash',
      patched,
      match.status(200),
      match.field('metadata.annotations', match.including({ 'touchstone.example/a': '2' })),
    );
    must('items are counted, and a dash appends', patched, match.field('metadata.finalizers', order));
  },
);

check(
  'JSONPATCH-POINTER-01.2',
  'the author points at items behind the tenth → each is counted by all its digits',
  ['JSONPATCH-POINTER-01'],
  async ({ author }) => {
    const held = Array.from({ length: 13 }, (_, at) => `touchstone.example/held-${at}`);
    await author.given(configMaps, { metadata: { name: 'doc', finalizers: held } });
    const patched = await author.patch(configMaps, 'doc', 'json', [
      { op: 'test', path: '/metadata/finalizers/11', value: held[11] },
      { op: 'replace', path: '/metadata/finalizers/10', value: 'touchstone.example/ten' },
      { op: 'remove', path: '/metadata/finalizers/12' },
      { op: 'add', path: '/metadata/finalizers/11', value: 'touchstone.example/eleven' },
    ]);
    const wanted = [...held.slice(0, 10), 'touchstone.example/ten', 'touchstone.example/eleven', held[11] ?? ''];
    must('each is the one', patched, match.status(200), match.field('metadata.finalizers', wanted));
  },
);

check(
  'JSONPATCH-TEST-01.1',
  'the author tests lists in another order and texts that differ late → the patch fails, and passes for what is there',
  ['JSONPATCH-TEST-01'],
  async ({ author }) => {
    const [long, finalizers] = ['x'.repeat(3_000), ['touchstone.example/a', 'touchstone.example/b']];
    const data = { long: `${long}a`, case: 'A', blank: 'a ', number: '1' };
    const live = await author.given(configMaps, { metadata: { name: 'doc', finalizers }, data });
    const test = (path: string, value: unknown) =>
      author.patch(configMaps, 'doc', 'json', [
        { op: 'test', path, value },
        { op: 'add', path: '/data/tested', value: 'yes' },
      ]);
    for (const [path, value] of [
      ['/metadata/finalizers', [...finalizers].reverse()],
      ['/metadata/finalizers', finalizers.slice(0, 1)],
      ['/metadata/finalizers', [...finalizers, ...finalizers]],
      ['/metadata/finalizers/0', finalizers[1]],
      ['/data/long', `${long}b`],
      ['/data/long', long],
      ['/data/case', 'a'],
      ['/data/blank', 'a'],
      ['/data/number', 1],
      ['/data/number', '1.0'],
      ['/data', { ...data, long: `${long}b` }],
    ] as const)
      must(`${path} is another`, await test(path, value), match.refusal);
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    for (const [path, value] of [
      ['/metadata/finalizers', finalizers],
      ['/data/long', data.long],
      ['/data', data],
    ] as const) {
      must(`${path} is just that`, await test(path, value), match.status(200));
      await author.prepare(() => author.patch(configMaps, 'doc', 'merge', { data: { tested: null } }));
    }
  },
);

for (const [title, patch] of [
  ['an object', { op: 'remove', path: '/data' }],
  ['an unknown operation', [{ op: 'twist', path: '/data' }]],
  ['a pointer to nothing', [{ op: 'replace', path: '/data/x/y', value: '1' }]],
] as const) {
  check(
    `JSONPATCH-INVALID-01.1/${title}`,
    `the author sends ${title} as a JSON patch → 4xx`,
    ['JSONPATCH-INVALID-01'],
    async ({ author }) => {
      await author.given(configMaps, doc);
      must('it is no patch', await author.patch(configMaps, 'doc', 'json', patch), match.refusal);
    },
  );
}

for (const path of ['/data/none', '/metadata/labels']) {
  check(
    `JSONPATCH-INVALID-02.1/${path}`,
    `the author replaces ${path}, which is absent, by a JSON patch → 4xx, and nothing changes`,
    ['JSONPATCH-INVALID-02'],
    async ({ author }) => {
      const live = await author.given(configMaps, doc);
      const value = path === '/metadata/labels' ? { a: '1' } : '1';
      const patched = await author.patch(configMaps, 'doc', 'json', [{ op: 'replace', path, value }]);
      must('there is nothing to replace', patched, match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}

for (const [id, type] of [
  ['JSONPATCH-INVALID-03', 'json'],
  ['MERGEPATCH-INVALID-02', 'merge'],
] as const) {
  check(
    `${id}.1/${type}`,
    `the author sends null as a ${type} patch → 4xx, and nothing changes`,
    [id],
    async ({ author }) => {
      const live = await author.given(configMaps, doc);
      const headers = { 'content-type': PATCH_TYPES[type] };
      const path = await author.pathOf(configMaps, 'doc');
      must('it is no patch', await author.request('PATCH', path, { headers, body: 'null' }), match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}

for (const value of [null, '1']) {
  check(
    `JSONPATCH-INVALID-04.1/${value}`,
    `the author tests an absent member for ${value} in a JSON patch → 4xx, and nothing changes`,
    ['JSONPATCH-INVALID-04'],
    async ({ author }) => {
      const live = await author.given(configMaps, doc);
      const patched = await author.patch(configMaps, 'doc', 'json', [
        { op: 'test', path: '/data/none', value },
        { op: 'add', path: '/data/b', value: '2' },
      ]);
      must('there is nothing to test', patched, match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}

check(
  'MERGEPATCH-RULE-01.1',
  'the author merges members, removes one by null and replaces a list → as RFC 7386 says',
  ['MERGEPATCH-RULE-01'],
  async ({ author }) => {
    const finalizers = ['touchstone.example/a', 'touchstone.example/b'];
    await author.given(configMaps, { ...doc, metadata: { name: 'doc', finalizers } });
    const patch = { metadata: { finalizers: ['touchstone.example/c'] }, data: { a: null, c: '3' } };
    const patched = await author.patch(configMaps, 'doc', 'merge', patch);
    must('members are merged', patched, match.status(200), match.field('data', { b: '2', c: '3' }));
    must('lists are replaced', patched, match.field('metadata.finalizers', ['touchstone.example/c']));
  },
);

check(
  'MERGEPATCH-INVALID-01.1',
  'the author merges what is no object → 4xx',
  ['MERGEPATCH-INVALID-01'],
  async ({ author }) => {
    await author.given(configMaps, doc);
    must('a list is no merge patch', await author.patch(configMaps, 'doc', 'merge', []), match.refusal);
  },
);

const hook = (name: string, change: object = {}) => ({
  name: `${name}.touchstone.example`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://hook.example/' },
  ...change,
});

check(
  'STRATEGIC-MERGE-01.1',
  'the author merges one webhook strategically → the others stay, and one is deleted by directive',
  ['STRATEGIC-MERGE-01', 'STRATEGIC-MERGE-02', 'VWC-OBJECT-02'],
  async ({ author }) => {
    await author.given(webhookConfigurations, { ...named('config'), webhooks: [hook('a'), hook('b')] });
    const change = { webhooks: [{ name: 'b.touchstone.example', timeoutSeconds: 3 }, hook('c')] };
    const patched = await author.patch(webhookConfigurations, 'config', 'strategic', change);
    const timeouts = match.field(
      'webhooks',
      match.containing(match.including({ name: 'b.touchstone.example', timeoutSeconds: 3 })),
    );
    must('items are merged by name', patched, match.status(200), match.field('webhooks', match.size(3)), timeouts);
    const none = await author.patch(webhookConfigurations, 'config', 'strategic', { webhooks: [] });
    must('none is named by an empty list', none, match.status(200), match.field('webhooks', match.size(3)), timeouts);
    const gone = { webhooks: [{ $patch: 'delete', name: 'a.touchstone.example' }] };
    const deleted = await author.patch(webhookConfigurations, 'config', 'strategic', gone);
    must('the directive takes one out', deleted, match.status(200), match.field('webhooks', match.size(2)));
    const both = ['b', 'c'].map((name) => ({ $patch: 'delete', name: `${name}.touchstone.example` }));
    const last = await author.patch(webhookConfigurations, 'config', 'strategic', { webhooks: [...both, hook('d')] });
    must('or several, beside one that is new', last, match.status(200), match.field('webhooks', match.size(1)));
    must('which is there', last, match.field('webhooks.0.name', 'd.touchstone.example'));
  },
);

const HOLDS = ['a', 'b', 'c'].map((letter) => `touchstone.example/${letter}`);
const [A = '', B = '', C = ''] = HOLDS;
const namesOf = (...names: string[]) => names.map((name) => `${name}.touchstone.example`);
/** The patch, and what it makes of an object with three webhooks, finalizers and notes, by the place of each. */
const DIRECTIVES: Readonly<
  Record<StrategicDirective, readonly [patch: object, then: Readonly<Record<string, match.Expectation>>]>
> = {
  'replace-list': [
    { webhooks: [{ $patch: 'replace' }, hook('d')] },
    { webhooks: match.size(1), 'webhooks.0.name': 'd.touchstone.example' },
  ],
  'replace-map': [
    { metadata: { annotations: { $patch: 'replace', four: '4' } } },
    { 'metadata.annotations': { four: '4' } },
  ],
  'delete-map': [
    { metadata: { annotations: { $patch: 'delete' } } },
    { 'metadata.annotations.one': match.absent, 'metadata.annotations.two': match.absent },
  ],
  'delete-texts': [{ metadata: { '$deleteFromPrimitiveList/finalizers': [A, C] } }, { 'metadata.finalizers': [B] }],
  'order-items': [
    { '$setElementOrder/webhooks': namesOf('c', 'a', 'b').map((name) => ({ name })) },
    Object.fromEntries(namesOf('c', 'a', 'b').map((name, at) => [`webhooks.${at}.name`, name])),
  ],
  'order-texts': [{ metadata: { '$setElementOrder/finalizers': [C, A, B] } }, { 'metadata.finalizers': [C, A, B] }],
};

check(
  'STRATEGIC-MERGE-03.1',
  'the author merges strategically with every directive → lists and maps are replaced, shortened and ordered',
  clausesOf('STRATEGIC-MERGE-03'),
  async ({ author }) => {
    const webhooks = [hook('a'), hook('b'), hook('c')];
    const annotations = { one: '1', two: '2' };
    for (const [directive, [patch, then]] of Object.entries(DIRECTIVES) as [
      StrategicDirective,
      (typeof DIRECTIVES)[StrategicDirective],
    ][])
      await clause(`STRATEGIC-MERGE-03/${directive}`, async () => {
        const metadata = { name: directive, annotations, finalizers: HOLDS };
        await author.given(webhookConfigurations, { metadata, webhooks });
        const patched = await author.patch(webhookConfigurations, directive, 'strategic', patch);
        ought('it is taken', patched, match.status(200));
        for (const [place, value] of Object.entries(then)) ought(`${place} is so`, patched, match.field(place, value));
        const kept = await author.get(webhookConfigurations, directive);
        for (const [place, value] of Object.entries(then)) ought('and stored', kept, match.field(place, value));
      });
  },
);

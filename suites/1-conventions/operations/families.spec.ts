import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { FAMILIES, PATCHES } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  groupOf,
  type Json,
  listIn,
  load,
  match,
  must,
  named,
  objectIn,
  valueAt,
  webhookConfigurations,
} from '../../harness/index.ts';
import { HOOK, RULE } from '../server-side-apply-rules/hook.ts';
import { writerOf } from '../writing.ts';

/** What leaves out all that has a default, by the plural of each family, and the defaults of each of its items. */
const BARE = {
  clusterrolebindings: {
    member: 'subjects',
    items: () => [
      { kind: 'User', name: 'a' },
      { kind: 'Group', name: 'b' },
    ],
    defaults: (dialect: Dialect) => match.including({ apiGroup: groupOf(clusterRoleBindings, dialect) }),
  },
  validatingwebhookconfigurations: {
    member: 'webhooks',
    items: (word: string) => [{ ...HOOK, rules: [RULE], name: `${word}.touchstone.example` }],
    defaults: () => match.including({ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 }),
  },
} as const;
const OPERATIONS = {
  'OP-CREATE-01': ['post'],
  'OP-UPDATE-01': ['put'],
  'OP-PATCH-01': [...PATCHES, 'apply'],
} as const;

for (const family of FAMILIES) {
  const { member, items, defaults } = BARE[family];
  check(
    `OP-UPDATE-01.2/${family}`,
    `the author leaves out of ${family} what has defaults, by every write, really and as a dry run → answered with them, as it is stored`,
    [
      ...clausesOf('OP-CREATE-01', 'defaults', family),
      ...clausesOf('OP-UPDATE-01', 'defaults', family),
      ...clausesOf('OP-PATCH-01', 'defaults', family),
    ],
    async ({ author, dialect }) => {
      const writer = await writerOf(author, family);
      await writer.given('doc');
      for (const id of ['OP-CREATE-01', 'OP-UPDATE-01', 'OP-PATCH-01'] as const)
        for (const write of OPERATIONS[id])
          await clause(clausesOf(id, 'defaults', write, family), async () => {
            const content = { [member]: items(write) };
            const filled = match.field(member, match.every(defaults(dialect)));
            const tried = await writer.send(write, { content, query: { dryRun: 'All' } });
            must('a dry run is answered with them', tried, match.success, filled);
            const written = must('so is the write', await writer.send(write, { content }), match.success, filled);
            const stored = await writer.get(write === 'post' ? 'made' : 'doc');
            must('as it is stored', stored, match.status(200), match.body(objectIn(written)));
            const shown = valueAt(objectIn(stored), [member]) as Json;
            must('the dry run as it would be', tried, match.field(member, match.equal(shown)));
          });
    },
  );
}

/** The two families that the specification defines in full; every check here is made for each. */
for (const kind of [clusterRoleBindings, webhookConfigurations]) {
  const one = kind.plural;

  check(
    `OP-GET-01.1/${one}`,
    `the author gets one of ${one}, pretty and plain, in JSON and in YAML → 200, the same object`,
    ['OP-GET-01'],
    async ({ author }) => {
      const live = await author.given(kind, named('one'));
      must('it is the object', await author.get(kind, 'one'), match.status(200), match.body(live));
      must(
        'pretty means the same',
        await author.get(kind, 'one', { pretty: 'true' }),
        match.status(200),
        match.body(live),
      );
      const accept = 'application/yaml';
      const yaml = await author.get(kind, 'one', { pretty: 'true' }, { headers: { accept } });
      must('in YAML too', yaml, match.status(200), match.mediaType(accept));
      must('which reads as the same', load(yaml.text), match.equal(live));
    },
  );

  check(
    `OP-LIST-01.1/${one}`,
    `the author lists ${one}, saying that it is no watch or nothing of it → 200, the list kind`,
    ['OP-LIST-01'],
    async ({ author, space }) => {
      await author.given(kind, named('one'));
      // As a watch it would end.
      for (const declined of [{}, { watch: false, timeoutSeconds: 5 }]) {
        const query = { labelSelector: space.selector, ...declined };
        must(
          'it is a list',
          await author.list(kind, query),
          match.status(200),
          match.field('kind', `${kind.kind}List`),
          match.field('items', match.size(1)),
        );
      }
    },
  );

  check(
    `OP-LIST-02.1/${one}`,
    `the author lists ${one} by field, in chunks and at a version → each is honoured`,
    ['OP-LIST-02'],
    async ({ author, space }) => {
      const live = await author.given(kind, { metadata: { name: 'one', labels: { part: 'one' } } });
      await author.given(kind, named('two'));
      const byName = await author.list(kind, { fieldSelector: `metadata.name=${live.metadata.name}` });
      const byLabel = await author.list(kind, { labelSelector: `${space.selector},part=one` });
      must('labelSelector', byLabel, match.status(200), match.names([live.metadata.name]));
      must('fieldSelector', byName, match.status(200), match.names([live.metadata.name]));
      const first = await author.list(kind, { labelSelector: space.selector, limit: 1 });
      must('limit', first, match.field('items', match.size(1)), match.field('metadata.continue', match.aString));
      const token = listIn(first).metadata.continue;
      const second = await author.list(kind, { labelSelector: space.selector, limit: 1, continue: token });
      must('continue', second, match.status(200), match.field('items', match.size(1)));
      // What stands behind others is found in chunks too.
      const labelSelector = `last=${space.selector.split('=').at(-1)}`;
      const last = await author.given(kind, { metadata: { name: 'zz', labels: { last: labelSelector.slice(5) } } });
      let page = await author.list(kind, { labelSelector, limit: 1 });
      const found = [...listIn(page).items];
      for (let next = listIn(page).metadata.continue; next; next = listIn(page).metadata.continue) {
        page = await author.list(kind, { labelSelector, limit: 1, continue: next });
        found.push(...listIn(page).items);
      }
      must(
        'all of them together',
        found.map(({ metadata }) => metadata.uid),
        match.equal([last.metadata.uid]),
      );
      const at = { resourceVersion: live.metadata.resourceVersion, resourceVersionMatch: 'NotOlderThan' };
      must('versions', await author.list(kind, { ...at, limit: 1 }), match.status(200));
    },
  );

  for (const [name, value] of Object.entries({ limit: 'many', timeoutSeconds: 'soon' })) {
    check(
      `OP-LIST-03.1/${one}/${name}/${value}`,
      `the author lists ${one} with ${name}=${value} → 4xx`,
      ['OP-LIST-03'],
      async ({ author }) => {
        for (const each of [value, '10x', '1.5', '1e1', '0x10', ' 10', '10 '])
          must(`${each} is not of its type`, await author.list(kind, { [name]: each }), match.refusal);
      },
    );
  }

  check(
    `OP-WATCH-01.1/${one}`,
    `the watcher watches ${one} → 200, events of its objects`,
    ['OP-WATCH-01'],
    async ({ author, watcher, space }) => {
      const stream = await watcher.watch(kind, { labelSelector: space.selector, allowWatchBookmarks: true });
      must('it is open', stream.opening, match.status(200));
      const live = await author.given(kind, named('one'));
      const event = must('a creation is told', await stream.until(match.event('ADDED', live.metadata.name)));
      must('in full', event.object, match.equal(live));
    },
  );

  check(
    `OP-WATCH-02.1/${one}`,
    `the watcher watches ${one} for a second → the stream ends by itself, complete`,
    ['OP-WATCH-02'],
    async ({ author, watcher, space }) => {
      const live = await author.given(kind, named('one'));
      const stream = await watcher.watch(kind, { labelSelector: space.selector, timeoutSeconds: 1 });
      const events = must('it ends', await stream.end());
      must(
        'with what there was',
        events.map(({ object }) => object.metadata.name),
        match.equal([live.metadata.name]),
      );
    },
  );

  check(
    `OP-CREATE-01.1/${one}`,
    `the author creates one of ${one} → the object as it was stored`,
    ['OP-CREATE-01'],
    async ({ author }) => {
      const query = { fieldManager: 'author', fieldValidation: 'Strict', pretty: 'true' };
      const created = await author.create(kind, named('one'), query);
      must('it is created', created, match.created, match.field('kind', kind.kind));
      must('what is answered is stored', await author.get(kind, 'one'), match.body(objectIn(created)));
    },
  );

  check(
    `OP-CREATE-01.2/${one}`,
    `the author creates one of ${one} as a dry run → it is answered and not stored`,
    ['OP-CREATE-01'],
    async ({ author }) => {
      const created = await author.create(kind, named('one'), { dryRun: 'All' });
      must('it is answered', created, match.created, match.field('kind', kind.kind));
      must('it is not stored', await author.get(kind, 'one'), match.status(404));
    },
  );

  for (const [title, body] of [
    ['no body', undefined],
    ['a list', '[]'],
    ['a number', '7'],
    ['nothing', 'null'],
    ['a text', '"a"'],
    ['a truth', 'true'],
    ['blanks', '  '],
  ] as const) {
    check(
      `OP-CREATE-02.1/${one}/${title}`,
      `the author creates one of ${one} from ${title} → 4xx`,
      ['OP-CREATE-02'],
      async ({ author }) => {
        must('it is no object', await author.request('POST', await author.pathOf(kind), { body }), match.refusal);
      },
    );
  }

  check(
    `OP-UPDATE-01.1/${one}`,
    `the author updates one of ${one} → the object as it was stored`,
    ['OP-UPDATE-01'],
    async ({ author }) => {
      const live = await author.given(kind, named('one'));
      const changed = { ...live, metadata: { ...live.metadata, annotations: { a: '1' } } };
      const dry = await author.update(kind, changed, { dryRun: 'All', fieldManager: 'author' });
      must(
        'a dry run answers',
        dry,
        match.status(200, 201),
        match.field('metadata.annotations', match.including({ a: '1' })),
      );
      must('and stores nothing', await author.get(kind, 'one'), match.body(live));
      const updated = await author.update(kind, changed, {
        fieldManager: 'author',
        fieldValidation: 'Strict',
        pretty: 'true',
      });
      must(
        'it is updated',
        updated,
        match.status(200, 201),
        match.field('metadata.annotations', match.including({ a: '1' })),
      );
      must('what is answered is stored', await author.get(kind, 'one'), match.body(objectIn(updated)));
    },
  );

  for (const type of ['merge', 'strategic', 'json'] as const) {
    check(
      `OP-PATCH-01.2/${type}/${one}`,
      `the author sends a ${type} patch to one of ${one} → the object as it was stored`,
      ['OP-PATCH-01'],
      async ({ author }) => {
        await author.given(kind, named('one'));
        const merge = { metadata: { annotations: { a: '1' } } };
        const patch = type === 'json' ? [{ op: 'add', path: '/metadata/annotations', value: { a: '1' } }] : merge;
        const query = { fieldManager: 'author', fieldValidation: 'Strict', pretty: 'true' };
        const patched = await author.patch(kind, 'one', type, patch, query);
        must(
          'it is patched',
          patched,
          match.status(200),
          match.field('metadata.annotations', match.including({ a: '1' })),
        );
        must('what is answered is stored', await author.get(kind, 'one'), match.body(objectIn(patched)));
      },
    );
  }

  for (const [title, body] of [
    ['without a body', undefined],
    ['with options', { propagationPolicy: 'Background' }],
  ] as const) {
    check(
      `OP-DELETE-01.1/${one}/${title}`,
      `the author deletes one of ${one} ${title} → 200 or 202`,
      ['OP-DELETE-01'],
      async ({ author }) => {
        await author.given(kind, named('one'));
        const wrong = { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } };
        for (const type of ['application/json', 'application/yaml']) {
          const headers = { 'content-type': type };
          const refused = await author.delete(kind, 'one', {}, wrong, { headers });
          must(`another uid in ${type} is none of it`, refused, match.refusal);
        }
        const query = { gracePeriodSeconds: 0, pretty: 'true' };
        must('it is taken', await author.delete(kind, 'one', query, body), match.status(200, 202));
        must('it is gone', await author.get(kind, 'one'), match.status(404));
      },
    );
  }

  check(
    `OP-DELETE-01.2/${one}`,
    `the author deletes one of ${one} as a dry run → it is answered and stays`,
    ['OP-DELETE-01'],
    async ({ author }) => {
      const live = await author.given(kind, named('one'));
      must('it is answered', await author.delete(kind, 'one', { dryRun: 'All' }), match.status(200, 202));
      must('it stays as it was', await author.get(kind, 'one'), match.body(live));
    },
  );

  check(
    `OP-DELETECOLLECTION-01.2/${one}`,
    `the author deletes ${one} by a label → what it selects, and nothing else`,
    ['OP-DELETECOLLECTION-01', 'OP-DELETECOLLECTION-02'],
    async ({ author, space }) => {
      await author.given(kind, { metadata: { name: 'a', labels: { part: 'one' } } });
      const kept = await author.given(kind, { metadata: { name: 'b', labels: { part: 'two' } } });
      const dry = await author.deleteAll(kind, { labelSelector: 'part=one', dryRun: 'All' });
      must('a dry run is taken', dry, match.status(200));
      must(
        'and deletes nothing',
        await author.list(kind, { labelSelector: space.selector }),
        match.field('items', match.size(2)),
      );
      must('it is taken', await author.deleteAll(kind, { labelSelector: 'part=one' }), match.status(200));
      must(
        'the rest stays',
        await author.list(kind, { labelSelector: space.selector }),
        match.names([kept.metadata.name]),
      );
    },
  );

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    check(
      `OP-UNAUTHENTICATED-01.2/${method}/${one}`,
      `nobody sends ${method} for ${one} with a token that is no good → 401`,
      ['OP-UNAUTHENTICATED-01'],
      async ({ nobody, space }) => {
        const path = await nobody.pathOf(kind, method === 'POST' ? '' : `${space.prefix}-none`);
        const headers = { authorization: 'Bearer touchstone-no-such-token', 'content-type': 'application/json' };
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        must('it is not authenticated', await nobody.request(method, path, { headers, body }), match.status(401));
      },
    );
  }
}

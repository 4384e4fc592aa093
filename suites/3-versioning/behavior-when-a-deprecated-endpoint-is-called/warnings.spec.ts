import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { EVERY_VERB } from '../../../fixtures/ledger/index.ts';
import { apiVersionIn } from '../../../fixtures/releases/removedVersion.ts';
import { isBefore } from '../../../fixtures/releases/removedVersions.ts';
import {
  type Actor,
  type ApiObject,
  atRelease,
  before,
  type ClauseName,
  check,
  clause,
  clausesOf,
  configMaps,
  customResourceDefinitions,
  deprecatedEndpoints,
  type Exchange,
  givenAccount,
  grantHere,
  isRecord,
  type Kind,
  match,
  must,
  named,
  PATCH_TYPES,
  rootOfVersion,
  should,
  typesServed,
  warningsIn,
} from '../../harness/index.ts';
import { NAMESPACED } from '../removed-api-versions-by-release/drafts.ts';
import { call, grouped, isReview, type Removal, rootOf } from '../removed-api-versions-by-release/rows.ts';
import { notWarned, saying, warned } from '../warnings.ts';
import { callsOf } from './everyCall.ts';
import { cronJobs, everyVerb, nightly } from './everyVerb.ts';
import { defineOldType, defineOldVersions } from './oldType.ts';

/** The names of what a list holds. */
function namesIn(list: unknown): string[] {
  const items = isRecord(list) && Array.isArray(list.items) ? list.items.filter(isRecord) : [];
  return items.map(({ metadata }) => (isRecord(metadata) ? String(metadata.name) : ''));
}

check(
  'DEPRECATED-WARNING-01.1',
  'the watcher lists what is deprecated → each answer warns, in the form of RFC 7234',
  clausesOf('DEPRECATED-WARNING-01', 'list'),
  async ({ watcher, target }) => {
    const endpoints = deprecatedEndpoints(target);
    const listed = await typesServed(
      watcher,
      endpoints.map(({ served }) => served),
    );
    for (const { served, plural } of endpoints) {
      const root = rootOfVersion(served.slice(0, -plural.length - 1));
      const type = listed.find((each) => each.root === root && each.name === plural);
      // What is only ever created has nothing to list.
      if (!type?.verbs.includes('list')) continue;
      const path = `${root}/${plural}`;
      const answer = await watcher.request('GET', `${path}?limit=1`);
      must(`${served} warns`, answer, warned);
      const table = `application/json;as=Table;v=v1;g=meta.${watcher.dialect.apiDomain}`;
      const asTable = await watcher.request('GET', `${path}?limit=1`, { headers: { accept: table } });
      must(`${served} warns as a table`, asTable, warned);
      if (!type.verbs.includes('get')) continue;
      const within = type.namespaced ? `${root}/namespaces/default/${plural}` : path;
      for (const name of ['scheduler', 'touchstone-not-there', ...namesIn(answer.json)])
        must(`${served} ${name} warns`, await watcher.request('GET', `${within}/${name}`), warned);
    }
  },
);

check(
  'DEPRECATED-WARNING-01.2',
  'the author does all there is with a version that release 1.24 calls deprecated → each answer warns',
  clausesOf('DEPRECATED-WARNING-01', [...EVERY_VERB, 'refused']),
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, cronJobs, nightly)) {
      await clause(`DEPRECATED-WARNING-01/${verb}`, async () => {
        must(`${verb} is served`, answer, match.success);
        must(`${verb} warns`, answer, warned);
      });
    }
    await clause('DEPRECATED-WARNING-01/refused', async () => {
      must('what is not there warns', await author.get(cronJobs, 'not-there'), match.status(404), warned);
      const invalid = await author.create(cronJobs, { ...named('wrong'), spec: {} });
      must('what is refused warns', invalid, match.refusal, warned);
    });
  },
);

/** Texts with what a quoted text has to escape, and with what stands between warnings and their parts. */
const QUOTED = [
  '"all" of it is old',
  'it is old, and "',
  'see C:\\relics',
  'it ends with \\',
  '\\"',
  'old, "older", 299 - "oldest"',
  'it is old 299 - so',
];

check(
  'DEPRECATED-WARNING-01.3',
  'the author calls versions of a custom type whose warnings have quotes, backslashes and commas → each answer warns, in the form of RFC 7234',
  clausesOf('DEPRECATED-WARNING-01', 'quoted'),
  ['custom-types'],
  async ({ author }) => {
    const { old } = await defineOldVersions(author, QUOTED);
    for (const [place, kind] of old.entries()) {
      const text = QUOTED[place] ?? '';
      await clause('DEPRECATED-WARNING-01/quoted', async () => {
        for (const answer of [
          await author.list(kind),
          await author.create(kind, { ...named('a'), size: 1 }, { dryRun: 'All' }),
          await author.get(kind, 'not-there'),
        ])
          must(`it warns: ${text}`, answer, warned, saying(text));
      });
    }
  },
);

check(
  'DEPRECATED-WARNING-02.1',
  'the author does all there is with a version that is not deprecated → no answer warns',
  ['DEPRECATED-WARNING-02'],
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, configMaps, {})) must(`${verb} is silent`, answer, notWarned);
    must('so is the version', await author.request('GET', '/version'), notWarned);
  },
);

check(
  'DEPRECATED-WARNING-03.1',
  'the author does all there is with a deprecated version of a custom type → each answer warns, and no other',
  ['DEPRECATED-WARNING-03', 'DEPRECATED-WARNING-02'],
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    for (const [verb, answer] of await everyVerb(author, old, { size: 1 })) {
      must(`${verb} is served`, answer, match.success);
      must(`${verb} warns`, answer, warned);
    }
    await author.given(current, { ...named('c'), size: 1 });
    const resumed = await author.watch(old, { resourceVersion: '0' });
    must('a watch from a version warns', resumed.opening, warned);
    resumed.close();
    const status = await author.request('GET', await author.pathOf(old, 'c', 'status'));
    must('its status is served', status, match.success);
    must('its status warns', status, warned);
    for (const [verb, answer] of await everyVerb(author, current, { size: 1 })) {
      must(`${verb} of the current version is silent`, answer, notWarned);
    }
    for (const [word, ask] of callsOf(old)) must(`${word} warns`, await ask(author, word), warned);
  },
);

check(
  'DEPRECATED-WARNING-05.1',
  'the author calls both versions of a custom type in every way, one of them deprecated → each answer of that one warns, and no other',
  clausesOf('DEPRECATED-WARNING-05'),
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    for (const [word, ask] of callsOf(old)) {
      await clause(`DEPRECATED-WARNING-05/${word}`, async () => must(`${word} warns`, await ask(author, word), warned));
    }
    await clause('DEPRECATED-WARNING-05/another-call', async () => {
      // What the deprecated version has written does not make the other one warn, whichever way it was written.
      await writtenInEveryWay(author, old, 'a');
      for (const [word, ask] of callsOf(current)) {
        const answer = await ask(author, word);
        // It has a warning of its own.
        if (word !== 'create-unknown-field') must(`${word} of the other version is silent`, answer, notWarned);
      }
    });
  },
);

/** Creates, changes and applies an object, and its status. */
async function writtenInEveryWay(by: Actor, kind: Kind, name: string): Promise<void> {
  await by.prepare(() => by.apply(kind, { ...named(name), size: 1 }));
  await by.prepare(() => by.patch(kind, name, 'merge', { free: { written: 'merge' } }));
  await by.prepare(() => by.patch(kind, name, 'json', [{ op: 'add', path: '/spec', value: { replicas: 1 } }]));
  const { json } = await by.prepare(() => by.get(kind, name));
  await by.prepare(() => by.update(kind, { ...(json as ApiObject), free: { written: 'put' } }));
  const headers = { 'content-type': PATCH_TYPES.merge };
  const body = { status: { seen: 1 } };
  await by.prepare(async () => by.request('PATCH', await by.pathOf(kind, name, 'status'), { headers, body }));
}

check(
  'DEPRECATED-WARNING-02.2',
  'the author writes in a deprecated version at release 1.24, and does all there is with the same object in the one that is not → no answer warns',
  ['DEPRECATED-WARNING-02'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    const stable = { ...cronJobs, version: 'v1' };
    await author.prepare(() => author.apply(cronJobs, { ...named('b'), ...nightly }));
    const labels = { 'touchstone.example/step': 'old' };
    await author.prepare(() => author.patch(cronJobs, 'b', 'merge', { metadata: { labels } }));
    must('one that is there is silent', await author.get(stable, 'b'), match.success, notWarned);
    const status = await author.pathOf(stable, 'b', 'status');
    must('so is its status', await author.request('GET', status), match.success, notWarned);
    for (const [verb, answer] of await everyVerb(author, stable, nightly)) {
      must(`${verb} is served`, answer, match.success);
      must(`${verb} is silent`, answer, notWarned);
    }
  },
);

check(
  'DEPRECATED-WARNING-03.2',
  'the author marks versions of a custom type deprecated and takes the mark away → each warns as long as it has the mark, and in the words of now',
  ['DEPRECATED-WARNING-03', 'DEPRECATED-WARNING-02'],
  async ({ author }) => {
    const { old, current, definition } = await defineOldType(author);
    await author.given(old, { ...named('a'), size: 1 });
    for (const [marked, silent, words] of [
      [current, old, 'now it is "the other"'],
      [old, current, 'it is old again: C:\\relics'],
    ] as const) {
      await author.prepare(() => author.patch(customResourceDefinitions, definition, 'json', marking(marked, words)));
      const told = await should(() => author.get(marked, 'a'), saying(words));
      must('it warns in these words', told.subject, match.success, saying(words));
      must('so does a list', await author.list(marked), match.success, warned, saying(words));
      const untold = await should(() => author.get(silent, 'a'), notWarned);
      must('the other is silent', untold.subject, match.success, notWarned);
      must('so is a list', await author.list(silent), match.success, notWarned);
      must('so is a write', await author.patch(silent, 'a', 'merge', { size: 2 }), match.success, notWarned);
    }
  },
);

check(
  'DEPRECATED-WARNING-03.3',
  'the operator starts a server anew on what it has stored → a deprecated version of a custom type warns as before, and no other',
  ['DEPRECATED-WARNING-03', 'DEPRECATED-WARNING-02'],
  async ({ start, space }) => {
    const directory = mkdtempSync(join(tmpdir(), 'touchstone-restart-'));
    try {
      const setup = { flags: [], data: directory };
      const first = await start(setup);
      const namespace = `${space.prefix}-again`;
      const admin = first.as('admin').in(namespace);
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
      const { old, current } = await defineOldType(admin);
      await admin.given(old, { ...named('a'), size: 1 });
      await first.stop();
      const second = await start(setup);
      must('it starts again', second, match.starts);
      const again = second.as('admin').in(namespace);
      for (const [kind, expected] of [
        [old, warned],
        [current, notWarned],
      ] as const) {
        must('it is served', await should(() => again.get(kind, 'a'), match.status(200)));
        must('a GET', await again.get(kind, 'a'), expected);
        must('a list', await again.list(kind), expected);
        must('a patch', await again.patch(kind, 'a', 'merge', { size: 2 }), match.success, expected);
        must('what is not there', await again.get(kind, 'not-there'), match.status(404), expected);
      }
      await second.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

/** The patch of a definition that makes this one of its versions, the first or the second, the only deprecated one. */
function marking({ version }: Kind, deprecationWarning: string): readonly object[] {
  return ['v1', 'v1beta1'].flatMap((name, place) =>
    name === version
      ? [
          { op: 'add', path: `/spec/versions/${place}/deprecated`, value: true },
          { op: 'add', path: `/spec/versions/${place}/deprecationWarning`, value: deprecationWarning },
        ]
      : [
          { op: 'add', path: `/spec/versions/${place}/deprecationWarning`, value: '' },
          { op: 'remove', path: `/spec/versions/${place}/deprecationWarning` },
          { op: 'add', path: `/spec/versions/${place}/deprecated`, value: false },
        ],
  );
}

check(
  'DEPRECATED-WARNING-04.1',
  'the author calls at release 1.24 a deprecated version as a dry run, for its status, as a table and in other formats → each answer warns',
  clausesOf('DEPRECATED-WARNING-04', [
    'dry-run',
    'subresource',
    'table',
    'yaml',
    'protobuf',
    'json-patch',
    'conflict',
    'further-chunk',
    'beside-another',
  ]),
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author, dialect }) => {
    await author.given(cronJobs, { ...named('a'), ...nightly });
    const accepting = async (accept: string) => [
      await author.get(cronJobs, 'a', {}, { headers: { accept } }),
      await author.list(cronJobs, {}, { headers: { accept } }),
    ];
    const table = `application/json;as=Table;v=v1;g=meta.${dialect.apiDomain}`;
    const status = await author.pathOf(cronJobs, 'a', 'status');
    for (const [what, asking] of [
      ['dry-run', () => author.create(cronJobs, { ...named('b'), ...nightly }, { dryRun: 'All' })],
      ['subresource', () => author.request('GET', status)],
      ['table', () => accepting(table)],
      ['yaml', () => accepting('application/yaml')],
      ['protobuf', () => accepting(protobufMediaType(dialect))],
    ] as const) {
      await clause(`DEPRECATED-WARNING-04/${what}`, async () => {
        for (const answer of [await asking()].flat()) {
          must('it is answered', answer, match.success);
          must('it warns', answer, warned);
        }
      });
    }
    await clause('DEPRECATED-WARNING-04/json-patch', async () => {
      const patch = [{ op: 'add', path: '/metadata/annotations', value: { step: 'patched' } }];
      const answer = await author.patch(cronJobs, 'a', 'json', patch);
      must('it is answered', answer, match.success);
      must('it warns', answer, warned);
    });
    await clause('DEPRECATED-WARNING-04/conflict', async () => {
      const stale = { ...nightly, metadata: { name: 'a', resourceVersion: '1' } };
      const answer = await author.update(cronJobs, stale);
      must('it is refused', answer, match.status(409));
      must('it warns', answer, warned);
    });
    await clause('DEPRECATED-WARNING-04/further-chunk', async () => {
      await author.given(cronJobs, { ...named('second'), ...nightly });
      const first = await author.prepare(() => author.list(cronJobs, { limit: 1 }));
      const { metadata } = first.json as { metadata?: { continue?: string } };
      const next = await author.list(cronJobs, { limit: 1, continue: metadata?.continue ?? '' });
      must('it is answered', next, match.success);
      must('it warns', next, warned);
    });
    await clause('DEPRECATED-WARNING-04/beside-another', async () => {
      const draft = { ...named('c'), ...nightly };
      const alone = await author.create(cronJobs, draft, { dryRun: 'All', fieldValidation: 'Warn' });
      const unknown = { ...draft, spec: { ...nightly.spec, unheardOf: true } };
      const both = await author.create(cronJobs, unknown, { dryRun: 'All', fieldValidation: 'Warn' });
      must('it is taken', both, match.success);
      must('it warns', both, warned);
      const textsOf = (answer: Exchange) => warningsIn(answer.header('warning')).map(({ text }) => text);
      for (const text of textsOf(alone))
        must('what is said without it is said', textsOf(both), match.containing(match.equal(text)));
    });
  },
);

/** What parameters say of a read, of a collection or of one object, and of a watch alone. */
const OF_LISTS = [
  'resourceVersion=0',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&limit=1',
  'labelSelector=none%3Dthere',
  'fieldSelector=metadata.name%3Da',
  'timeoutSeconds=5',
  'watch=false',
  'pretty=true',
];
const OF_WATCHES = [
  'resourceVersion=0',
  'labelSelector=none%3Dthere',
  'fieldSelector=metadata.name%3Da',
  'allowWatchBookmarks=true',
  'pretty=true',
  'timeoutSeconds=1',
];
/** Parameters by what is asked for with them; a watch ends by itself. */
const PARAMETERS = {
  get: ['resourceVersion=0', 'pretty=true', 'pretty=false'],
  list: OF_LISTS,
  watch: OF_WATCHES.map((query) => `watch=true&${query}`),
  write: ['pretty=true', 'fieldManager=other', 'fieldValidation=Ignore', 'fieldValidation=Strict'],
  delete: ['pretty=true', 'propagationPolicy=Orphan', 'gracePeriodSeconds=0'],
} as const;

check(
  'DEPRECATED-WARNING-04.4',
  'the author reads and writes at release 1.24 a deprecated version and the other one with each parameter → each answer of that one warns, and no other',
  [...clausesOf('DEPRECATED-WARNING-04', 'parameters'), 'DEPRECATED-WARNING-02'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    const stable = { ...cronJobs, version: 'v1' };
    await author.given(cronJobs, { ...named('a'), ...nightly });
    const headers = { 'content-type': PATCH_TYPES.merge };
    const body = { metadata: { annotations: { step: 'patched' } } };
    const asking = {
      get: async (kind: Kind, query: string) =>
        (await should(async () => author.request('GET', `${await author.pathOf(kind, 'a')}?${query}`), match.success))
          .subject,
      list: async (kind: Kind, query: string) => author.request('GET', `${await author.pathOf(kind)}?${query}`),
      watch: async (kind: Kind, query: string) => {
        const stream = await author.openStream('a watch', `${await author.pathOf(kind)}?${query}`);
        stream.close();
        return stream.opening;
      },
      write: async (kind: Kind, query: string) =>
        author.request('PATCH', `${await author.pathOf(kind, 'a')}?dryRun=All&${query}`, { headers, body }),
      delete: async (kind: Kind, query: string) =>
        author.request('DELETE', `${await author.pathOf(kind, 'a')}?dryRun=All&${query}`),
    };
    for (const [verb, queries] of Object.entries(PARAMETERS) as [keyof typeof PARAMETERS, readonly string[]][]) {
      await clause(`DEPRECATED-WARNING-04/parameters/${verb}`, async () => {
        for (const query of queries)
          must(`${verb} with ${query} warns`, await asking[verb](cronJobs, query), match.success, warned);
      });
      for (const query of queries)
        must(`${verb} with ${query} is silent`, await asking[verb](stable, query), match.success, notWarned);
    }
  },
);

check(
  'DEPRECATED-WARNING-04.2',
  'somebody who is acted as lists at release 1.24 a deprecated version → the answer warns',
  clausesOf('DEPRECATED-WARNING-04', 'acted-as'),
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ admin, person, dialect }) => {
    const ada = person('ada');
    await grantHere(admin, ada, dialect, [{ verbs: ['list'], apiGroups: ['batch'], resources: ['cronjobs'] }]);
    must('it is answered', await should(() => ada.list(cronJobs), match.status(200)));
    must('it warns', await ada.list(cronJobs), warned);
  },
);

check(
  'DEPRECATED-WARNING-04.3',
  'a service account lists, reads and writes at release 1.24 what is of a deprecated version, by its token and acted as → each answer warns',
  clausesOf('DEPRECATED-WARNING-04', 'service-account'),
  { needs: ['releases', 'impersonation'], setup: atRelease('1.24') },
  async ({ admin, someone, dialect }) => {
    const identity = await givenAccount(admin, 'robot');
    const robot = someone('robot', identity);
    const rules = [{ verbs: ['list', 'create', 'get'], apiGroups: ['batch'], resources: ['cronjobs'] }];
    await grantHere(admin, robot, dialect, rules);
    const headers = { 'impersonate-user': identity.user ?? '' };
    for (const [who, options] of [
      [robot, {}],
      [admin, { headers }],
    ] as const) {
      must('it is answered', await should(() => who.list(cronJobs, {}, options), match.status(200)));
      must('a list warns', await who.list(cronJobs, {}, options), warned);
      const made = await who.create(cronJobs, { ...named('a'), ...nightly }, { dryRun: 'All' }, options);
      must('a write is taken', made, match.created);
      must('a write warns', made, warned);
      must('what is not there warns', await who.get(cronJobs, 'a', {}, options), match.status(404), warned);
    }
  },
);

for (const [release, rows] of grouped((removal) => removal.release)) {
  const last = before(release);
  if (isBefore(last, '1.19')) continue;
  check(
    `DEPRECATED-WARNING-06.1/${last}/${release}`,
    `the author calls at release ${last} all that ${release} removes with every verb → each answer warns`,
    clausesOf('DEPRECATED-WARNING-06'),
    { needs: ['releases'], setup: atRelease(last) },
    async ({ author, dialect }) => {
      const namespace = await author.namespace();
      const judged = async (word: string, asking: (removal: Removal, path: string) => Promise<Exchange>) =>
        clause(`DEPRECATED-WARNING-06/${word}` as ClauseName, async () => {
          for (const removal of rows) {
            const { kind, version, plural } = removal;
            // What is only ever created has one verb.
            if (isReview(removal) && word !== 'create') continue;
            const within = NAMESPACED.has(kind) ? `/namespaces/${namespace}` : '';
            const answer = await asking(removal, `${rootOf(version, dialect)}${within}/${plural}`);
            must(`${word} of ${version.version} ${plural} warns`, answer, warned);
          }
        });
      const headers = { 'content-type': PATCH_TYPES.merge };
      const none = `${author.space.prefix}-not-there`;
      await judged('list', (_, path) => author.request('GET', `${path}?limit=1`));
      await judged('get', (_, path) => author.request('GET', `${path}/${none}`));
      await judged('create', (removal, path) => {
        if (isReview(removal)) return call(author, removal);
        const body = {
          apiVersion: apiVersionIn(dialect, removal.version),
          kind: removal.kind,
          metadata: { name: none },
        };
        return author.request('POST', `${path}?dryRun=All`, { body });
      });
      await judged('patch', (_, path) => author.request('PATCH', `${path}/${none}`, { headers, body: {} }));
      await judged('delete', (_, path) => author.request('DELETE', `${path}/${none}`));
      await judged('deletecollection', (_, path) =>
        author.request('DELETE', `${path}?dryRun=All&labelSelector=touchstone.example%2Fnever%3Dthere`),
      );
      await judged('watch', async ({ plural }, path) => {
        const stream = await author.openStream(
          `${author.name} watches ${plural}`,
          `${path}?watch=true&timeoutSeconds=1`,
        );
        stream.close();
        return stream.opening;
      });
    },
  );
}

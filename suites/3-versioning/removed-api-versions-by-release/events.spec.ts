import { CHANGES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  atRelease,
  check,
  clause,
  clausesOf,
  type Kind,
  load,
  match,
  must,
  named,
  type Query,
} from '../../harness/index.ts';
import { areRefused, makeNothing } from './everyWrite.ts';
import { coreEvents, events } from './kinds.ts';

/** An event that is as v1 of the events group wants it. */
const event = async (author: Actor) => ({
  ...named('a'),
  eventTime: '2026-01-02T03:04:05.000006Z',
  type: 'Normal',
  action: 'Looking',
  reason: 'Looked',
  reportingController: 'touchstone.example/looker',
  reportingInstance: 'looker-1',
  regarding: { kind: 'ConfigMap', apiVersion: 'v1', namespace: await author.namespace(), name: 'seen' },
});

check(
  'CHANGED-EVENT-01.1',
  'the author creates an event of either type → it is taken',
  ['CHANGED-EVENT-01'],
  async ({ author }) => {
    const normal = await event(author);
    must('Normal', await author.create(events, normal), match.created);
    const warning = { ...normal, ...named('b'), type: 'Warning' };
    must('Warning', await author.create(events, warning), match.created, match.field('type', 'Warning'));
  },
);

const SERIES = { count: 3, lastObservedTime: '2026-01-02T04:04:05.000006Z' };

/** What v1 refuses of a new event, as a change of one that it takes. */
const REFUSED = [
  ['another type', { type: 'Odd' }],
  ['the type normal', { type: 'normal' }],
  ['the type warning', { type: 'warning' }],
  ['an empty type', { type: '' }],
  ['an empty action', { action: '' }],
  ['an empty reason', { reason: '' }],
  ['an empty reportingController', { reportingController: '' }],
  ['an empty reportingInstance', { reportingInstance: '' }],
  ['no eventTime', { eventTime: undefined }],
  ['no action', { action: undefined }],
  ['no reason', { reason: undefined }],
  ['no reportingController', { reportingController: undefined }],
  ['no reportingInstance', { reportingInstance: undefined }],
  ['a deprecatedFirstTimestamp', { deprecatedFirstTimestamp: '2026-01-02T03:04:05Z' }],
  ['a deprecatedLastTimestamp', { deprecatedLastTimestamp: '2026-01-02T03:04:05Z' }],
  ['a deprecatedCount', { deprecatedCount: 2 }],
  ['a deprecatedSource', { deprecatedSource: { component: 'looker', host: 'node-a' } }],
  ['a deprecatedSource of a component alone', { deprecatedSource: { component: 'looker' } }],
  ['a deprecatedSource of a host alone', { deprecatedSource: { host: 'node-a' } }],
] as const;
for (const [what, change] of REFUSED) {
  check(
    `CHANGED-EVENT-01.2/${what}`,
    `the author makes an event with ${what} in every way → refused, and nothing is stored`,
    ['CHANGED-EVENT-01'],
    async ({ author }) => {
      const { metadata: _, ...sound } = await event(author);
      // What it says beside does not make up for it.
      const fuller = { ...sound, note: 'It was seen.', series: SERIES, related: sound.regarding };
      await makeNothing(author, events, [
        [what, { ...sound, ...change }],
        [`${what} beside a series, a note and something related`, { ...fuller, ...change }],
      ]);
    },
  );
}

check(
  'CHANGED-EVENT-02.1',
  'the author writes an event of the core group → the events group shows its old fields as deprecated',
  ['CHANGED-EVENT-02'],
  async ({ author }) => {
    const involvedObject = (await event(author)).regarding;
    await author.given(coreEvents, {
      ...named('a'),
      involvedObject,
      reason: 'Looked',
      message: 'It was seen.',
      source: { component: 'looker', host: 'node-a' },
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T04:04:05Z',
      count: 3,
      type: 'Warning',
    });
    const seen = await author.get(events, 'a');
    must('it is there', seen, match.status(200));
    must('the object is what it regards', seen, match.field('regarding', match.including(involvedObject)));
    must('the type and the reason stay', seen, match.field('type', 'Warning'), match.field('reason', 'Looked'));
    must('the message is its note', seen, match.field('note', 'It was seen.'));
    must('the source is deprecated', seen, match.field('deprecatedSource', { component: 'looker', host: 'node-a' }));
    must('the first time is', seen, match.field('deprecatedFirstTimestamp', '2026-01-02T03:04:05Z'));
    must('the last time is', seen, match.field('deprecatedLastTimestamp', '2026-01-02T04:04:05Z'));
    must('the count is', seen, match.field('deprecatedCount', 3));
  },
);

/** Events of the core group, with what the events group calls the same. */
const OLDER = [
  [
    'old-first',
    {
      reason: 'Looked',
      message: 'Once.',
      count: 1,
      firstTimestamp: '2026-01-02T03:04:05Z',
      source: { host: 'node-a' },
    },
    { note: 'Once.', deprecatedCount: 1, deprecatedFirstTimestamp: '2026-01-02T03:04:05Z', reason: 'Looked' },
  ],
  [
    'old-second',
    {
      reason: 'Found',
      message: 'Often.',
      count: 7,
      lastTimestamp: '2026-01-02T04:04:05Z',
      source: { component: 'looker' },
    },
    { note: 'Often.', deprecatedCount: 7, deprecatedLastTimestamp: '2026-01-02T04:04:05Z', reason: 'Found' },
  ],
] as const;

check(
  'CHANGED-EVENT-02.2',
  'the author writes events of either group → each group shows all of them under its own names, by themselves, in lists and in watches',
  ['CHANGED-EVENT-02'],
  async ({ author, watcher }) => {
    const { regarding, ...newer } = await event(author);
    const about = (name: string) => ({ ...regarding, name });
    for (const [name, fields] of OLDER)
      await author.given(coreEvents, { ...named(name), involvedObject: about(name), type: 'Normal', ...fields });
    const names = [...OLDER.map(([name]) => name as string), 'new-first', 'new-second'];
    for (const name of names.slice(2))
      await author.given(events, { ...newer, ...named(name), regarding: about(name), note: name });
    for (const kind of [events, coreEvents]) {
      const isNewer = kind === events;
      const all = `${isNewer ? `/apis/${kind.prefix}.${author.dialect.apiDomain}` : '/api'}/v1/events`;
      const lists = [
        await author.list(kind),
        await author.request('GET', `${all}?fieldSelector=metadata.namespace%3D${regarding.namespace}`),
      ];
      for (const name of names) {
        const stream = await watcher.watch(kind, { fieldSelector: `metadata.name=${name}` });
        const older = OLDER.find(([each]) => each === name);
        const told = isNewer
          ? { regarding: match.including(about(name)), involvedObject: match.absent, ...(older?.[2] ?? { note: name }) }
          : {
              involvedObject: match.including(about(name)),
              regarding: match.absent,
              message: older?.[1].message ?? name,
            };
        const shown = match.including(told);
        must(`${name} by itself`, await author.get(kind, name), match.status(200), match.body(shown));
        for (const list of lists) {
          const item = match.both(match.at('metadata.name', name), shown);
          must(`${name} in a list`, list, match.field('items', match.containing(item)));
        }
        const { subject } = await stream.until(match.event('ADDED', name));
        must(`${name} in a watch`, subject, match.at('object', shown));
        // Whichever group changes it, in every way.
        for (const [place, write] of CHANGES.entries()) {
          const by = place % 2 === 0 ? events : coreEvents;
          must(
            `${name} is changed`,
            await labelled(author, write, by, name),
            match.status(200),
            by === kind ? match.body(shown) : match.success,
          );
          const changed = match.both(match.event('MODIFIED', name), match.at('object.metadata.labels.step', write));
          must(`${name} in a watch after ${write}`, (await stream.until(changed)).subject, match.at('object', shown));
        }
        stream.close();
      }
    }
  },
);

check(
  'CHANGED-EVENT-02.3',
  'the author writes an event in either group, and both groups tell of it until it is gone → each event, table and answer, in whatever encoding, has the names of its own group, and what tells of a removal none of the other',
  ['CHANGED-EVENT-02'],
  async ({ author, watcher }) => {
    const { regarding, ...newer } = await event(author);
    const table = `application/json;as=Table;v=v1;g=meta.${author.dialect.apiDomain}`;
    for (const written of [coreEvents, events]) {
      const name = written === events ? 'newer' : 'older';
      const about = { ...regarding, name };
      const foreign = {
        newer: { involvedObject: match.absent, message: match.absent },
        older: { regarding: match.absent, note: match.absent },
      };
      const own = {
        newer: { regarding: match.including(about), note: name, ...foreign.newer },
        older: { involvedObject: match.including(about), message: name, ...foreign.older },
      };
      const shownIn = (kind: Kind) => match.including(kind === events ? own.newer : own.older);
      const leftIn = (kind: Kind) => match.including(kind === events ? foreign.newer : foreign.older);
      const kinds = [events, coreEvents].map((kind) => ({ kind, shown: shownIn(kind), left: leftIn(kind) }));
      const fieldSelector = `metadata.name=${name}`;
      const whole = { fieldSelector, includeObject: 'Object' };
      const streams = await Promise.all(
        kinds.map(async ({ kind, shown, left }) => ({
          shown,
          left,
          plain: await watcher.watch(kind, { fieldSelector }),
          rows: await watcher.watch(kind, whole, { headers: { accept: table } }),
        })),
      );
      const metadata = { name, finalizers: ['touchstone.example/held'] };
      await author.given(
        written,
        written === events
          ? { ...newer, metadata, regarding: about, note: name }
          : { metadata, involvedObject: about, message: name, count: 2, type: 'Normal', reason: 'Looked' },
      );
      await author.prepare(() => labelled(author, 'merge', written, name));
      for (const { kind, shown } of kinds) {
        const item = match.containing(match.both(match.at('metadata.name', name), shown));
        const yaml = { headers: { accept: 'application/yaml' } };
        must('in YAML', load((await author.get(kind, name, {}, yaml)).text), shown);
        must(
          'in a list in YAML',
          load((await author.list(kind, { fieldSelector }, yaml)).text),
          match.at('items', item),
        );
        const listed = await author.list(kind, whole, { headers: { accept: table } });
        must('in the rows of a table', listed, match.field('rows', match.containing(match.at('object', shown))));
        const chunk = await author.list(kind, { fieldSelector, limit: 1 });
        must('in a chunk', chunk, match.field('items', item));
        const answers = [
          [
            'an apply that is tried',
            await author.apply(kind, named(name), { dryRun: 'All', force: true, fieldManager: 'third' }),
          ],
          ['a patch that is tried', await labelled(author, 'json', kind, name, { dryRun: 'All' })],
        ] as const;
        for (const [what, answer] of answers) must(`answering ${what}`, answer, match.status(200), match.body(shown));
      }
      // A deletion that is held may be answered with what it deletes.
      for (const { kind, shown } of kinds) {
        const isStatus = match.field('kind', 'Status');
        const deleted = await author.delete(kind, name);
        must('answering a deletion', deleted, match.success, match.either(isStatus, match.body(shown)));
        const many = await author.deleteAll(kind, { fieldSelector });
        const told = match.field('items', match.every(shown));
        must('answering one of the collection', many, match.success, match.either(isStatus, told));
      }
      const unheld = { metadata: { finalizers: null } };
      must('it is let go', await author.patch(written, name, 'merge', unheld), match.success);
      for (const { shown, left, plain, rows } of streams) {
        for (const type of ['ADDED', 'MODIFIED'] as const) {
          const event = match.event(type, name);
          const told = must(`it tells of ${event.allows}`, await plain.until(event));
          must('under its own names', told, match.at('object', shown));
          const row = match.both(match.at('type', type), match.at('object.rows.0.object', match.present));
          const { subject } = await rows.until(row);
          must('so it is in a table', subject, match.at('object.rows.0.object', shown));
        }
        // What a removal is called is left open, and how much of the object it has.
        const removed = must('it tells of the removal', await plain.until(match.removal(name)));
        must('not under the names of the other', removed, match.at('object', left));
        const row = match.at('type', match.not(match.oneOf('ADDED', 'MODIFIED', 'BOOKMARK', 'ERROR')));
        const inTable = match.at('object.rows.0.object', match.either(match.absent, left));
        must('nor is it in a table', must('a table tells of it', await rows.until(row)), inTable);
        plain.close();
        rows.close();
      }
    }
  },
);

check(
  'CHANGED-EVENT-03.1',
  'the author writes an event of the events group with a series → the core group shows it under the older names',
  clausesOf('CHANGED-EVENT-03'),
  async ({ author }) => {
    const related = { kind: 'ConfigMap', apiVersion: 'v1', namespace: await author.namespace(), name: 'beside' };
    const written = { ...(await event(author)), note: 'It was seen.', series: SERIES, related };
    await author.given(events, written);
    const { namespace } = written.regarding;
    const everywhere = `/api/v1/events?fieldSelector=metadata.name%3Da,metadata.namespace%3D${namespace}`;
    // By itself, and in lists of its namespace and of all.
    const shown = [
      ['', await author.get(coreEvents, 'a')],
      ['items.0.', await author.list(coreEvents, { fieldSelector: 'metadata.name=a' })],
      ['items.0.', await author.request('GET', everywhere)],
    ] as const;
    for (const [what, fields] of [
      ['subject', { involvedObject: match.including(written.regarding), regarding: match.absent }],
      ['related', { related: match.including(related) }],
      ['note', { message: 'It was seen.', note: match.absent }],
      ['reporter', { reportingComponent: written.reportingController, reportingInstance: written.reportingInstance }],
      ['time', { eventTime: written.eventTime, action: written.action, reason: written.reason }],
      ['series', { series: match.including(SERIES) }],
    ] as const) {
      await clause(`CHANGED-EVENT-03/${what}`, async () => {
        for (const [place, seen] of shown) {
          must('it is there', seen, match.status(200), match.field(`${place}metadata.name`, 'a'));
          for (const [name, value] of Object.entries(fields))
            must(`${name} is as written`, seen, match.field(`${place}${name}`, value));
        }
      });
    }
  },
);

check(
  'CHANGED-EVENT-04.1',
  'the author writes events in v1beta1 and v1 of the events group → each reads the same in the other',
  clausesOf('CHANGED-EVENT-04'),
  { setup: atRelease('1.24') },
  async ({ author }) => {
    const old = { ...events, version: 'v1beta1', specified: true };
    const { metadata: _, ...said } = { ...(await event(author)), note: 'It was seen.', series: SERIES };
    for (const [direction, from, to] of [
      ['to-v1', old, events],
      ['to-v1beta1', events, old],
    ] as const) {
      await clause(`CHANGED-EVENT-04/${direction}`, async () => {
        await author.given(from, { ...named(direction), ...said });
        const seen = await author.get(to, direction);
        must('it reads so', seen, match.status(200));
        const listed = await author.list(to, { fieldSelector: `metadata.name=${direction}` });
        for (const [name, value] of Object.entries(said)) {
          const written = typeof value === 'string' ? value : match.including(value);
          must(`${name} is as written`, seen, match.field(name, written));
          must('so it is in a list', listed, match.field(`items.0.${name}`, written));
        }
      });
    }
  },
);

check(
  'CHANGED-EVENT-05.1',
  'the author applies events that are not there without what v1 wants → refused, and nothing is stored',
  ['CHANGED-EVENT-05'],
  async ({ author }) => {
    const sound = await event(author);
    for (const [what, change] of REFUSED) {
      must(`${what} is refused`, await author.apply(events, { ...sound, ...change }), match.refusal);
      must('nothing is stored', await author.get(events, 'a'), match.status(404));
    }
    must('what has all of it is taken', await author.apply(events, sound), match.created);
  },
);

check(
  'CHANGED-EVENT-06.1',
  'the author changes an event of the core group in the events group in every way → it is taken, and keeps its older fields',
  clausesOf('CHANGED-EVENT-06'),
  async ({ author }) => {
    const older = {
      involvedObject: (await event(author)).regarding,
      reason: 'Looked',
      source: { component: 'looker', host: 'node-a' },
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T04:04:05Z',
      count: 3,
      type: 'Normal',
    };
    const created = await author.create(coreEvents, { ...named('old'), ...older });
    await clause('CHANGED-EVENT-06/core', async () => {
      must('it needs nothing more', created, match.created, match.field('count', 3));
    });
    for (const write of CHANGES) {
      await clause(`CHANGED-EVENT-06/${write}`, async () => {
        must(`${write} is taken`, await labelled(author, write), match.status(200));
        const seen = await author.get(coreEvents, 'old');
        must('it is labelled', seen, match.field('metadata.labels', match.including({ step: write })));
        for (const [name, value] of Object.entries(older)) {
          const expected = typeof value === 'object' ? match.including(value) : value;
          must(`it keeps its ${name}`, seen, match.field(name, expected));
        }
      });
    }
    for (const [place, write] of CHANGES.entries()) {
      await clause(`CHANGED-EVENT-06/older-field/${write}`, async () => {
        const count = 4 + place;
        must(`${write} is taken`, await counted(author, write, count), match.status(200), match.field('count', count));
        must('it is stored', await author.get(coreEvents, 'old'), match.field('count', count));
        must('the events group tells it', await author.get(events, 'old'), match.field('deprecatedCount', count));
      });
    }
  },
);

check(
  'CHANGED-EVENT-07.1',
  'the author changes the type of an event in the events group in every way to one that there is not → refused, and nothing changes',
  clausesOf('CHANGED-EVENT-07'),
  async ({ author }) => {
    const { metadata: _, ...sound } = await event(author);
    await author.given(events, { ...named('doc'), ...sound });
    await author.prepare(() => author.apply(events, { ...named('applied'), ...sound }));
    for (const write of CHANGES) {
      await clause(`CHANGED-EVENT-07/${write}`, () =>
        areRefused(
          author,
          events,
          write,
          ['Odd', 'normal', 'Error'].map((type) => [`the type ${type}`, { ...sound, type }] as const),
        ),
      );
    }
  },
);

/** Any write that gives the event `old` another count, in the core group. */
async function counted(author: Actor, write: (typeof CHANGES)[number], count: number) {
  switch (write) {
    case 'put':
      return author.update(coreEvents, { ...((await author.get(coreEvents, 'old')).json as ApiObject), count });
    case 'json':
      return author.patch(coreEvents, 'old', 'json', [{ op: 'replace', path: '/count', value: count }]);
    case 'merge':
    case 'strategic':
      return author.patch(coreEvents, 'old', write, { count });
    case 'apply':
      return author.apply(coreEvents, { ...named('old'), count }, { force: true });
  }
}

/** Any write that gives an event a label, in the events group unless told. */
async function labelled(
  author: Actor,
  write: (typeof CHANGES)[number],
  kind: Kind = events,
  name = 'old',
  query: Query = {},
) {
  const metadata = { labels: { step: write } };
  switch (write) {
    case 'put': {
      const live = (await author.get(kind, name)).json as ApiObject;
      return author.update(kind, { ...live, metadata: { ...live.metadata, ...metadata } }, query);
    }
    case 'json':
      return author.patch(kind, name, 'json', [{ op: 'add', path: '/metadata/labels/step', value: write }], query);
    case 'merge':
    case 'strategic':
      return author.patch(kind, name, write, { metadata }, query);
    case 'apply':
      return author.apply(kind, { metadata: { name, ...metadata } }, { force: true, ...query });
  }
}

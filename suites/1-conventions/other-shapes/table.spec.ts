import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  check,
  chunksAfter,
  clause,
  clausesOf,
  clusterRoles,
  customResourceDefinitions,
  defineType,
  isRecord,
  type Kind,
  listIn,
  match,
  must,
  named,
  namespaces,
  ought,
  pathOf,
  type Query,
  queryText,
  roles,
  should,
  unsupported,
} from '../../harness/index.ts';

const asTable = (dialect: Dialect) => `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1`;
const table = (dialect: Dialect) =>
  match.both(
    match.status(200),
    match.field('kind', 'Table'),
    match.field('apiVersion', `meta.${dialect.apiDomain}/v1`),
    match.field('columnDefinitions', match.every(match.including({ name: match.aString, type: match.aString }))),
  );
const columns = (body: unknown): Record<string, unknown>[] =>
  isRecord(body) && Array.isArray(body.columnDefinitions) ? body.columnDefinitions.filter(isRecord) : [];
/** The cells of the column of this name, a row at a time. */
function cellsOf(body: unknown, column: string): unknown[] {
  const at = columns(body).findIndex(({ name }) => name === column);
  const rows = isRecord(body) && Array.isArray(body.rows) ? body.rows : [];
  return rows.map((row: unknown) => (isRecord(row) && Array.isArray(row.cells) ? row.cells[at] : undefined));
}
const names = (body: unknown) => cellsOf(body, 'Name');
async function five(author: Actor) {
  const labels = { mine: 'yes' };
  for (const name of ['a', 'b', 'c', 'd', 'e']) await author.given(roles, { metadata: { name, labels } });
}

for (const kind of [roles, namespaces] as readonly Kind[]) {
  check(
    `TABLE-SHAPE-01.1/${kind.plural}`,
    `the author gets and lists ${kind.plural} as Tables → a row an object, a cell a column`,
    ['TABLE-SHAPE-01'],
    async ({ author, dialect }) => {
      const live = await author.given(kind, named('doc'));
      const options = { headers: { accept: asTable(dialect) } };
      const single = await author.get(kind, 'doc', {}, options);
      const query = { fieldSelector: `metadata.name=${live.metadata.name}` };
      for (const answer of [single, await author.list(kind, query, options)]) {
        must('it is a Table', answer, table(dialect));
        const cells = match.at('cells', match.size(columns(answer.json).length));
        must('one row', answer, match.field('rows', match.size(1)), match.field('rows', match.every(cells)));
      }
    },
  );
}

check(
  'TABLE-DEFAULT-01.1',
  'the author reads roles as a Table → Name and Created At',
  ['TABLE-DEFAULT-01'],
  async ({ author, dialect }) => {
    await author.given(roles, named('doc'));
    const options = { headers: { accept: asTable(dialect) } };
    const answer = await author.list(roles, {}, options);
    const both = [
      { name: 'Name', type: 'string' },
      { name: 'Created At', type: 'date' },
    ];
    for (const each of [
      answer,
      await author.get(roles, 'doc', {}, options),
      await author.list(roles, { fieldSelector: 'metadata.name=none' }, options),
      await author.elsewhere().list(roles, {}, options),
    ]) {
      const all = columns(must('it is a Table', each, table(dialect)).json);
      const shown = all.map(({ name, type }) => ({ name, type }));
      // A type may have a table of its own, with more columns than two.
      if (shown.length <= 2) must('it has the default columns', shown, match.equal(both));
    }
    must('and names its object', names(answer.json), match.containing('doc'));
  },
);

check(
  'TABLE-DEFAULT-01.2',
  'the author reads roles of a namespace and of all, and cluster roles, as Tables in every way → Name and Created At',
  clausesOf('TABLE-DEFAULT-01', ['roles', 'clusterroles', 'everywhere']),
  async ({ author, dialect, space }) => {
    const options = { headers: { accept: asTable(dialect) } };
    const both = [
      { name: 'Name', type: 'string' },
      { name: 'Created At', type: 'date' },
    ];
    const shown = (body: unknown) => columns(body).map(({ name, type }) => ({ name, type }));
    for (const kind of [roles, clusterRoles] as readonly Kind[]) {
      const labels = { tabled: space.prefix };
      for (const name of ['doc', 'more']) await author.given(kind, { metadata: { name, labels } });
      const labelSelector = `tabled=${space.prefix}`;
      const own = shown((await author.list(kind, { labelSelector, limit: 1 }, options)).json);
      // A type may have a table of its own, with more columns than two.
      if (own.length > 2) unsupported(`${kind.plural} have columns of their own`);
      const here = await author.pathOf(kind);
      const wide = pathOf(kind, dialect, '');
      for (const [place, path] of kind.namespaced
        ? ([
            [kind.plural, here],
            ['everywhere', wide],
          ] as const)
        : ([[kind.plural, here]] as const)) {
        const ways: Readonly<Record<string, Query>> = {
          list: {},
          none: { fieldSelector: 'metadata.name=none' },
          selected: { labelSelector },
          chunk: { labelSelector, limit: 1 },
        };
        for (const [way, query] of Object.entries(ways)) {
          await clause(clausesOf('TABLE-DEFAULT-01', way, place), async () => {
            const answer = must(
              'it is a Table',
              await author.request('GET', path + queryText(query), options),
              table(dialect),
            );
            must('it has the default columns', shown(answer.json), match.equal(both));
            // Where there are none, a server may leave the rows out.
            const none = way === 'none' ? [match.empty] : [];
            const each = match.every(match.at('cells', match.size(2)));
            must('and a cell for each', answer, match.field('rows', match.either(each, ...none)));
          });
        }
        await clause(clausesOf('TABLE-DEFAULT-01', 'watch', place), async () => {
          const stream = await author.watchAt(`the author watches ${path}`, path, { labelSelector }, options);
          must('it is open, or there are none', stream.opening, match.status(200, 406));
          if (stream.opening.status !== 200) return;
          for (const first of [true, false]) {
            const { object } = must('an event comes', await stream.until(match.event('ADDED')));
            // The heads may stand in the first event alone.
            if (first || columns(object).length > 0)
              must('it has the default columns', shown(object), match.equal(both));
            const cells = match.at('cells', match.size(2));
            must('and a cell for each', object as never, match.at('rows', match.every(cells)));
          }
        });
      }
      await clause(clausesOf('TABLE-DEFAULT-01', 'get', kind.plural), async () => {
        const answer = must('it is a Table', await author.get(kind, 'doc', {}, options), table(dialect));
        must('it has the default columns', shown(answer.json), match.equal(both));
      });
    }
  },
);

check(
  'TABLE-DEFAULT-01.3',
  'the author changes a role later than it was created, and reads Tables → its name, and when it was created',
  clausesOf('TABLE-DEFAULT-01', 'cells'),
  async ({ author, dialect }) => {
    const options = { headers: { accept: asTable(dialect) } };
    const live = await author.given(roles, named('doc'));
    // Timestamps are of whole seconds, and the change is to be told from the creation.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await author.prepare((each) => each.patch(roles, 'doc', 'merge', { metadata: { labels: { later: 'yes' } } }));
    const moment = Date.parse(String(live.metadata.creationTimestamp));
    const judge = (body: unknown) => {
      must('the name', names(body), match.equal(['doc']));
      const [cell] = cellsOf(body, 'Created At');
      // A type may have a table of its own, and a date may be told as an age.
      if (!/^\d{4}-\d\d-\d\dT/.test(String(cell))) unsupported('a Table of roles tells no time of creation');
      must('and when it was created', Date.parse(String(cell)), match.equal(moment));
    };
    await clause('TABLE-DEFAULT-01/cells/get', async () => {
      judge(must('it is a Table', await author.get(roles, 'doc', {}, options), table(dialect)).json);
    });
    await clause('TABLE-DEFAULT-01/cells/list', async () => {
      judge(must('it is a Table', await author.list(roles, {}, options), table(dialect)).json);
    });
    await clause('TABLE-DEFAULT-01/cells/watch', async () => {
      const stream = await author.watch(roles, {}, options);
      must('it is open, or there are none', stream.opening, match.status(200, 406));
      if (stream.opening.status !== 200) return;
      judge(must('an event comes', await stream.until(match.event('ADDED'))).object);
    });
  },
);

check(
  'TABLE-SHAPE-01.4',
  'the author names the parameters of a Table in every order, with spaces and without → a Table each time',
  clausesOf('TABLE-SHAPE-01', 'orders'),
  async ({ author, dialect }) => {
    const live = await author.given(roles, named('doc'));
    const [as, group, version] = ['as=Table', `g=meta.${dialect.apiDomain}`, 'v=v1'];
    const orders = [
      [as, group, version],
      [as, version, group],
      [group, as, version],
      [group, version, as],
      [version, as, group],
      [version, group, as],
    ];
    const accepts = orders.flatMap((order) =>
      [';', '; '].flatMap((mark) => {
        const type = ['application/json', ...order].join(mark);
        return [type, `${type}, application/json`];
      }),
    );
    const fieldSelector = `metadata.name=${live.metadata.name}`;
    for (const accept of accepts) {
      const options = { headers: { accept } };
      await clause('TABLE-SHAPE-01/orders/get', async () => {
        must(`${accept} is a Table`, await author.get(roles, 'doc', {}, options), table(dialect));
      });
      await clause('TABLE-SHAPE-01/orders/list', async () => {
        must(`${accept} is a Table`, await author.list(roles, { fieldSelector }, options), table(dialect));
      });
    }
    await clause('TABLE-SHAPE-01/orders/watch', async () => {
      const usual = await author.watch(roles, { fieldSelector }, { headers: { accept: asTable(dialect) } });
      must('it is open, or there are none', usual.opening, match.status(200, 406));
      if (usual.opening.status !== 200) return;
      for (const order of orders) {
        const accept = ['application/json', ...order].join(';');
        const stream = await author.watch(roles, { fieldSelector }, { headers: { accept } });
        must(`${accept} is open`, stream.opening, match.status(200));
        const { object } = must('an event comes', await stream.until(match.event('ADDED')));
        must('of a Table', object as never, match.at('kind', 'Table'));
      }
    });
  },
);

check(
  'TABLE-DEFAULT-02.1',
  'the author reads a custom type that names columns → Name and these',
  ['TABLE-DEFAULT-02'],
  async ({ author, dialect }) => {
    const size = { type: 'integer' };
    const things = await defineType(author, dialect, () => ({ type: 'object', properties: { size } }));
    await author.given(things, { metadata: { name: 'doc' }, size: 3 });
    const column = { name: 'Size', type: 'integer', jsonPath: '.size' };
    const patch = [{ op: 'add', path: '/spec/versions/0/additionalPrinterColumns', value: [column] }];
    const definition = `${things.plural}.${things.group}`;
    await author.prepare((actor) => actor.patch(customResourceDefinitions, definition, 'json', patch));
    const look = async (query: Query = {}) => {
      const answer = await author.list(things, query, { headers: { accept: asTable(dialect) } });
      return columns(answer.json).map(({ name }) => name);
    };
    const own = match.both(match.containing('Name'), match.containing('Size'));
    // What a definition says may take a moment to be served.
    ought('it has Name and its own', await should(() => look(), own));
    ought('where there are no objects too', await look({ fieldSelector: 'metadata.name=none' }), own);
  },
);

/** Columns of every type that a definition may name, of which an object may have each or none. */
const COLUMNS = [
  { name: 'Title', type: 'string', jsonPath: '.spec.title' },
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio' },
  { name: 'Ready', type: 'boolean', jsonPath: '.spec.ready' },
  { name: 'Since', type: 'date', jsonPath: '.spec.since' },
  { name: 'Last', type: 'string', jsonPath: '.spec.last' },
];
const SPEC = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    size: { type: 'integer' },
    ratio: { type: 'number' },
    ready: { type: 'boolean' },
    since: { type: 'string', format: 'date-time' },
    last: { type: 'string' },
  },
};
/** What the objects have of them, by the names of the objects. */
const SPECS: Readonly<Record<string, object>> = {
  all: { title: 'a', size: 3, ratio: 1.5, ready: true, since: '2020-01-01T00:00:00Z', last: 'z' },
  'last-alone': { last: 'z' },
  'size-alone': { size: 3 },
  none: {},
};
/** A Table in which every row has a cell for each of these columns. */
const cellsFor = (heads: readonly unknown[]) =>
  match.at('rows', match.every(match.at('cells', match.size(heads.length))));

check(
  'TABLE-SHAPE-01.3',
  'the author reads objects that lack what columns of their definition show, as Tables → a cell a column in every row',
  [...clausesOf('TABLE-SHAPE-01', 'absent'), 'TABLE-DEFAULT-02'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const things = await defineType(author, dialect, () => ({ type: 'object', properties: { spec: SPEC } }), true, {
      additionalPrinterColumns: COLUMNS,
    });
    for (const [name, spec] of Object.entries(SPECS)) await author.given(things, { metadata: { name }, spec });
    const options = { headers: { accept: asTable(dialect) } };
    const own = match.field('columnDefinitions', match.size(COLUMNS.length + 1));
    // What a definition says may take a moment to be served.
    await should(() => author.list(things, {}, options), own);
    /** What stands below a column of one object; `undefined` where there is no such column. */
    const below = (body: unknown, column: string, name: string): unknown => {
      const rows = isRecord(body) && Array.isArray(body.rows) ? body.rows.filter(isRecord) : [];
      const cells = rows[names(body).indexOf(name)]?.cells;
      const at = columns(body).findIndex((each) => each.name === column);
      return at < 0 || !Array.isArray(cells) ? undefined : cells[at];
    };
    await clause('TABLE-SHAPE-01/absent/list', async () => {
      const count = Object.keys(SPECS).length;
      for (const each of [await author.list(things, {}, options), await author.list(things, { limit: 500 }, options)]) {
        must('a row an object', each, table(dialect), match.field('rows', match.size(count)));
        must('a cell a column', each.json, cellsFor(columns(each.json)));
      }
    });
    await clause('TABLE-SHAPE-01/absent/get', async () => {
      for (const name of Object.keys(SPECS)) {
        const each = await author.get(things, name, {}, options);
        must('one row', each, table(dialect), match.field('rows', match.size(1)));
        must('a cell a column', each.json, cellsFor(columns(each.json)));
      }
    });
    await clause('TABLE-SHAPE-01/absent/watch', async () => {
      const stream = await author.watch(things, {}, options);
      must('it is open, or there are none', stream.opening, match.status(200, 406));
      if (stream.opening.status !== 200) return;
      let heads: readonly unknown[] = [];
      for (const _ of Object.keys(SPECS)) {
        const { object } = must('an event comes', await stream.until(match.event('ADDED')));
        // The heads may stand in the first event alone.
        if (columns(object).length > 0) heads = columns(object);
        must('a cell a column', object as never, match.at('rows', match.size(1)), cellsFor(heads));
      }
    });
    const { json } = await author.list(things, {}, options);
    for (const [column, name, value] of [
      ['Size', 'size-alone', 3],
      ['Size', 'all', 3],
      ['Last', 'last-alone', 'z'],
      ['Last', 'all', 'z'],
    ] as const)
      ought(`${column} of ${name} stands below it`, below(json, column, name) ?? value, match.equal(value));
  },
);

check(
  'TABLE-FALLBACK-01.1',
  'the author asks for a Table or JSON → a Table, or the plain list',
  ['TABLE-FALLBACK-01'],
  async ({ author, dialect }) => {
    await author.given(roles, named('doc'));
    for (const kind of [roles, namespaces]) {
      const headers = { accept: `${asTable(dialect)}, application/json` };
      const answer = await author.list(kind, { limit: 1 }, { headers });
      const plain = match.both(match.status(200), match.field('kind', `${kind.kind}List`));
      must('it is answered', answer, match.either(table(dialect), plain));
    }
  },
);

check(
  'TABLE-CONSISTENT-01.1',
  'the author reads a Table in chunks and by selector → what the list shows',
  ['TABLE-CONSISTENT-01'],
  async ({ author, dialect }) => {
    await five(author);
    await author.given(roles, named('other'));
    const headers = { accept: asTable(dialect) };
    const query = { labelSelector: 'mine=yes', limit: 2 };
    const plain = listIn(await author.list(roles, query));
    const { resourceVersion } = plain.metadata;
    const first = await author.list(roles, { ...query, resourceVersion, resourceVersionMatch: 'Exact' }, { headers });
    const atMostTwo = match.valueMatcher(
      'an array of 1 or 2 rows',
      (rows) => Array.isArray(rows) && [1, 2].includes(rows.length),
    );
    must('the limit and the version hold', first, table(dialect), match.field('rows', atMostTwo));
    must('it carries the version', first, match.field('metadata.resourceVersion', resourceVersion ?? null));
    const next = (token: string) => author.list(roles, { ...query, continue: token }, { headers });
    const rest = await chunksAfter(first, next);
    for (const page of rest) {
      must('the token works', page, table(dialect));
      must('at the version of the first', page, match.field('metadata.resourceVersion', resourceVersion ?? null));
    }
    const seen = [first, ...rest].flatMap(({ json }) => names(json));
    must('what is selected is there once', seen, match.sameItems(['a', 'b', 'c', 'd', 'e']));
  },
);

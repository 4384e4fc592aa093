import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  check,
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
  type Query,
  roles,
  should,
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
/** The cells of the column `Name`, a row at a time. */
function names(body: unknown): unknown[] {
  const at = columns(body).findIndex(({ name }) => name === 'Name');
  const rows = isRecord(body) && Array.isArray(body.rows) ? body.rows : [];
  return rows.map((row: unknown) => (isRecord(row) && Array.isArray(row.cells) ? row.cells[at] : undefined));
}
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
    must('and names its object', names(answer.json), match.equal(['doc']));
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
    const token = (first.json as { metadata: { continue?: string } }).metadata.continue;
    const rest = await author.list(roles, { ...query, limit: 9, continue: token }, { headers });
    must('the token works', rest, table(dialect), match.field('metadata.continue', match.empty));
    must('at the version of the first', rest, match.field('metadata.resourceVersion', resourceVersion ?? null));
    const seen = [...names(first.json), ...names(rest.json)];
    must('what is selected is there once', seen, match.sameItems(['a', 'b', 'c', 'd', 'e']));
  },
);

import { encode } from 'cbor-x';
import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import { type Actor, check, defineType, match, must, named } from '../../harness/index.ts';
import { warningsNaming } from './warnings.ts';

type Dialect = Parameters<typeof extensionName>[0];
/** A type with a part that is pruned and one that is not. */
const things = (author: Actor, dialect: Dialect) =>
  defineType(author, dialect, () => ({
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a: { type: 'string' } } },
      open: { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true },
    },
  }));
const DRAFT = { spec: { a: '1', unknown: 'x' }, open: { unknown: 'x' } };
const STRICT = { fieldValidation: 'Strict' };

check(
  'FIELDS-UNKNOWN-02.1',
  'the author writes unknown fields of a custom object → pruned, but not where the schema opts out',
  ['FIELDS-UNKNOWN-02'],
  async ({ author, dialect }) => {
    const kind = await things(author, dialect);
    const created = await author.create(kind, named('thing', DRAFT));
    must('they are pruned', created, match.created, match.field('spec', { a: '1' }));
    must('but not where the schema keeps them', created, match.field('open', { unknown: 'x' }));
    const kept = named('kept', { spec: { a: '1' }, open: { unknown: 'x' } });
    must('what is kept is no offence', await author.create(kind, kept, STRICT), match.created);
    must('what is pruned is one', await author.create(kind, named('strict', DRAFT), STRICT), match.status(400));
  },
);

check(
  'FIELDS-CBOR-01.1',
  'the author writes unknown fields of a custom object in CBOR → as in JSON',
  ['FIELDS-CBOR-01'],
  async ({ author, dialect }) => {
    const kind = await things(author, dialect);
    const path = await author.pathOf(kind);
    const headers = { 'content-type': 'application/cbor' };
    const send = async (name: string, query: string) => {
      const body = encode(JSON.parse(JSON.stringify(await author.fill(kind, named(name, DRAFT)))));
      return author.request('POST', path + query, { headers, body });
    };
    must('Strict refuses', await send('strict', '?fieldValidation=Strict'), match.status(400));
    must('nothing is stored', await author.get(kind, 'strict'), match.status(404));
    const warned = must('else it is stored without', await send('thing', ''), match.created);
    must('with a warning', warningsNaming(warned, 'unknown'), match.size(1));
    must('the unknown one is gone', await author.get(kind, 'thing'), match.field('spec', { a: '1' }));
  },
);

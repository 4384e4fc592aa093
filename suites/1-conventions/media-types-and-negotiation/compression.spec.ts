import { gunzipSync } from 'node:zlib';
import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  configMaps,
  type Exchange,
  type JsonObject,
  load,
  match,
  must,
  named,
  type Setup,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

/** The JSON in a compressed body; undefined where there is none. */
function inflated(bytes: Uint8Array): JsonObject | undefined {
  try {
    return JSON.parse(gunzipSync(bytes).toString('utf8')) as JsonObject;
  } catch {
    return undefined;
  }
}

/** What an answer says, compressed or not, as JSON; of Protobuf its bytes as a text that holds the texts among them. */
function said({ headers, received }: Exchange, accept: string): string {
  const bytes = received?.bytes ?? new Uint8Array();
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : Buffer.from(bytes)).toString('utf8');
  if (accept.includes('protobuf')) return text;
  return JSON.stringify(accept.includes('yaml') ? load(text) : JSON.parse(text));
}

/** Twice what is small enough for services to send it as it is. */
const LARGE = { data: { text: 'all work and no play makes a dull object; '.repeat(7_000) } };
const gzip = { headers: { 'accept-encoding': 'gzip' } };

for (const read of ['get', 'list'] as const) {
  check(
    `GZIP-ACCEPT-01.1/${read}`,
    `the author accepts gzip of a large ${read} → the same, compressed; else nothing is`,
    ['GZIP-ACCEPT-01'],
    async ({ author }) => {
      await author.given(configMaps, named('large', LARGE));
      const query = { fieldSelector: 'metadata.name=large' };
      const ask = (options = {}) =>
        read === 'get' ? author.get(configMaps, 'large', {}, options) : author.list(configMaps, query, options);
      const plain = must('it is not compressed unasked', await ask(), match.header('content-encoding', match.absent));
      const packed = must('it is when asked', await ask(gzip), match.header('content-encoding', 'gzip'));
      const text = inflated(packed.received?.bytes ?? new Uint8Array());
      // Between the two answers of a list its version may have moved on; its items have not.
      const content = (body: unknown) => (read === 'get' ? body : (body as { items: unknown }).items);
      const object = must('it can be inflated', text, match.anObject);
      must('and inflates to the same', content(object), match.equal(content(plain.json)));
      const inYaml = await ask({ headers: { ...gzip.headers, accept: 'application/yaml' } });
      must('so is YAML', inYaml, match.mediaType('application/yaml'), match.header('content-encoding', 'gzip'));
    },
  );
}

for (const [accepted, coding] of [
  ['br, gzip', 'gzip'],
  ['br, gzip;q=0.5', 'gzip'],
  ['gzip;q=1.0, identity;q=0.5', 'gzip'],
  ['gzip;q=0', match.absent],
  ['br, gzip;q=0.0', match.absent],
  ['br, pigzip', match.absent],
] as const) {
  check(
    `GZIP-ACCEPT-02.1/${accepted}`,
    `the author accepts "${accepted}" of a large object → ${coding === 'gzip' ? 'gzip' : 'nothing is compressed'}`,
    ['GZIP-ACCEPT-02'],
    async ({ author }) => {
      await author.given(configMaps, named('large', LARGE));
      const read = await author.get(configMaps, 'large', {}, { headers: { 'accept-encoding': accepted } });
      must('it is as it was asked for', read, match.status(200), match.header('content-encoding', coding));
    },
  );
}

check(
  'GZIP-GATE-01.1',
  'the author accepts gzip while the feature is off → nothing is compressed',
  ['GZIP-GATE-01', 'GATE-STAGE-02'],
  { flags: ['--feature-gates=APIResponseCompression=false'] },
  async ({ author }) => {
    await author.given(configMaps, named('large', LARGE));
    const none = match.header('content-encoding', match.absent);
    must('no object is', await author.get(configMaps, 'large', {}, gzip), match.status(200), none);
    must('no list is', await author.list(configMaps, {}, gzip), match.status(200), none);
  },
);

/** Switched off between other gates. */
const amongOthers: Setup = {
  flags: [
    '--feature-gates=CBORServingAndStorage=false,APIResponseCompression=false,AllowUnsafeMalformedObjectDeletion=false',
  ],
  unshown: 'a release that does not have the other gates refuses them',
};
check(
  'GZIP-GATE-01.2',
  'the author accepts gzip while the feature is off among others that are → nothing is compressed',
  ['GZIP-GATE-01'],
  { setup: amongOthers },
  async ({ author }) => {
    await author.given(configMaps, named('large', LARGE));
    const none = match.header('content-encoding', match.absent);
    must('no object is', await author.get(configMaps, 'large', {}, gzip), match.status(200), none);
    must('no list is', await author.list(configMaps, {}, gzip), match.status(200), none);
  },
);

for (const name of COLLECTIONS) {
  check(
    `GZIP-ACCEPT-01.2/${name}`,
    `the author accepts gzip of ${name} with a large object, in JSON, YAML and Protobuf and as a Table → each is compressed, and shows what was written since`,
    [...clausesOf('GZIP-ACCEPT-01', name), `LIST-RV-01/${name}`, `LIST-RV-04/${name}`],
    needsOfCollection(name),
    async ({ author, dialect }) => {
      const collection = await collectionOf(author, name);
      // Annotations take less than data does.
      const annotations = { text: LARGE.data.text.slice(0, 200_000) };
      for (const word of ['a', 'bb']) await collection.add(word, {}, { annotations });
      const packed = match.header('content-encoding', 'gzip');
      const protobuf = protobufMediaType(dialect);
      for (const [accept, type] of [
        ['application/json', 'application/json'],
        ['application/yaml', 'application/yaml'],
        [`application/json;as=Table;g=meta.${dialect.apiDomain};v=v1`, 'application/json'],
        ...(name.startsWith('custom') ? [] : [[protobuf, protobuf] as const]),
      ] as const) {
        const headers = { 'accept-encoding': 'gzip', accept };
        await clause(`GZIP-ACCEPT-01/list/${name}`, async () => {
          must('the list is', await collection.list({}, undefined, headers), match.mediaType(type), packed);
          must('and a chunk', await collection.list({ limit: 1 }, undefined, headers), match.mediaType(type), packed);
        });
        await clause(`GZIP-ACCEPT-01/get/${name}`, async () => {
          must('so is an object', await collection.get('a', headers), match.mediaType(type), packed);
        });
        // What was read before a write is not what there is after it. What a Table shows of an object is left open.
        if (accept.includes('as=Table')) continue;
        const since = `since-${type.split('/').at(-1)}`;
        const codings = ['gzip', 'identity'];
        const reads = (coding: string) => {
          const asked = { accept, 'accept-encoding': coding };
          return {
            list: () => collection.list({}, undefined, asked),
            chunk: () => collection.list({ limit: 9 }, undefined, asked),
            object: () => collection.get('a', asked),
          };
        };
        for (const coding of codings) for (const read of Object.values(reads(coding))) await read();
        await collection.mark('a', since);
        const shows = (answer: Exchange) => said(answer, accept).includes(since);
        for (const coding of codings) {
          const { list, chunk, object } = reads(coding);
          await clause([`GZIP-ACCEPT-01/list/${name}`, `LIST-RV-01/${name}`], async () => {
            must('the list shows what was written since', shows(await list()), match.equal(true));
          });
          await clause([`GZIP-ACCEPT-01/list/${name}`, `LIST-RV-04/${name}`], async () => {
            must('so does one with a limit', shows(await chunk()), match.equal(true));
          });
          await clause(`GZIP-ACCEPT-01/get/${name}`, async () => {
            must('and an object', shows(await object()), match.equal(true));
          });
        }
      }
    },
  );
}

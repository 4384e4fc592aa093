import { extensionName, protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { ENCODINGS, type EncodedValue, type Encoding } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  cborBody,
  check,
  clause,
  clausesOf,
  configMaps,
  defineType,
  type Exchange,
  type JsonObject,
  type Kind,
  load,
  match,
  must,
  named,
  objectInCbor,
  objectInProtobuf,
  protobufBody,
  yamlText,
} from '../../harness/index.ts';
import { TEXTS } from '../texts.ts';

/** Where binary encodings go over to more bytes: what is counted or measured is one less, just that, and one more. */
const EDGES = [24, 128, 256, 16_384, 65_536];
const AROUND_EDGES = [0, 1, ...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1])];
const LARGE = [2 ** 31, 2 ** 32].flatMap((edge) => [edge - 1, edge, edge + 1]);
/** Lists and maps that long are a lot to write. */
const FEW = AROUND_EDGES.filter((count) => count < 300);

const natural = [...AROUND_EDGES, ...LARGE, Number.MAX_SAFE_INTEGER];
const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index % 7);
/** Texts that are easily read as something else, as names of members too. */
const KEYS = Object.values(TEXTS).filter((text) => text.length < 100);
/** Values of each kind in every size that encodings tell apart; fractions by how many bits hold them. */
const VALUES: Readonly<Record<EncodedValue, JsonObject>> = {
  integers: { natural, negative: natural.slice(1).map((each) => -each) },
  fractions: {
    sixteen: [0.5, -0.25, 1.5, 1_024.5, 2 ** -14, 2 ** -24, -(2 ** -15)],
    thirtyTwo: [2 ** -25, 1 + 2 ** -11, 65_536.5, -(2 ** -100), 1.5 * 2 ** 100],
    sixtyFour: [0.1, -3.3, 1 + 2 ** -40, 1.7e300, -4.9e-300],
  },
  texts: {
    ...Object.fromEntries(AROUND_EDGES.map((size) => [`of-${size}`, 'abcdefg'.repeat(size / 7 + 1).slice(0, size)])),
    ...TEXTS,
    listed: Object.values(TEXTS),
    keys: Object.fromEntries(KEYS.map((text) => [text, text])),
    within: [KEYS, ...KEYS.map((text) => ({ [text]: [text] }))],
  },
  lists: Object.fromEntries(FEW.map((count) => [`of-${count}`, numbered(count)])),
  maps: Object.fromEntries(
    FEW.map((count) => [`of-${count}`, Object.fromEntries(numbered(count).map((value, at) => [`m${at}`, value]))]),
  ),
};
/** The same as a config map can have it. */
const DATA: Readonly<Partial<Record<EncodedValue, JsonObject>>> = {
  texts: Object.fromEntries(Object.entries(VALUES.texts).filter(([, value]) => typeof value === 'string')),
  maps: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, `${index}`])),
};

interface Spoken {
  readonly mediaType: string;
  readonly write: (object: JsonObject) => string | Uint8Array;
  readonly read: (answer: Exchange) => unknown;
}
const bytesOf = ({ received }: Exchange): Uint8Array => received?.bytes ?? new Uint8Array();

function spoken(encoding: Encoding, kind: Kind, { dialect }: Actor): Spoken {
  const ways: Readonly<Record<Encoding, Spoken>> = {
    json: { mediaType: 'application/json', write: (object) => JSON.stringify(object), read: ({ json }) => json },
    yaml: { mediaType: 'application/yaml', write: yamlText, read: ({ text }) => load(text) },
    cbor: { mediaType: 'application/cbor', write: cborBody, read: (answer) => objectInCbor(bytesOf(answer)) },
    protobuf: {
      mediaType: protobufMediaType(dialect),
      write: (object) => protobufBody('v1', kind.kind, object),
      read: (answer) => objectInProtobuf(bytesOf(answer)),
    },
  };
  return ways[encoding];
}

/** A type whose objects may have anything in their `data`; Protobuf knows no such type. */
async function anyType(author: Actor): Promise<Kind> {
  return defineType(author, author.dialect, (dialect) => ({
    type: 'object',
    properties: { data: { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true } },
  }));
}

for (const encoding of ENCODINGS) {
  check(
    `ENCODE-VALUE-01.1/${encoding}`,
    `the author writes and reads values of every size in ${encoding} → as they are in JSON`,
    clausesOf('ENCODE-VALUE-01', encoding),
    encoding === 'protobuf' ? [] : encoding === 'cbor' ? ['custom-types', 'cbor'] : ['custom-types'],
    async ({ author }) => {
      const kind = encoding === 'protobuf' ? configMaps : await anyType(author);
      const { mediaType, write, read } = spoken(encoding, kind, author);
      const rows = encoding === 'protobuf' ? DATA : VALUES;
      for (const [what, data] of Object.entries(rows) as [EncodedValue, JsonObject][]) {
        await clause(`ENCODE-VALUE-01/read/${encoding}/${what}`, async () => {
          await author.given(kind, named(what, { data }));
          const answer = await author.get(kind, what, {}, { headers: { accept: mediaType } });
          must('it is answered so', answer, match.status(200), match.mediaType(mediaType));
          must('with the same values', (read(answer) as { data?: unknown } | undefined)?.data, match.equal(data));
        });
        await clause(`ENCODE-VALUE-01/written/${encoding}/${what}`, async () => {
          const name = `${what}-written`;
          const body = write((await author.fill(kind, named(name, { data }))) as JsonObject);
          author.space.note(kind, author.space.nameOf(kind, name));
          const headers = { 'content-type': mediaType };
          must(
            'it is taken',
            await author.request('POST', await author.pathOf(kind), { headers, body }),
            match.created,
          );
          must('with the same values', await author.get(kind, name), match.field('data', data));
        });
      }
    },
  );
}

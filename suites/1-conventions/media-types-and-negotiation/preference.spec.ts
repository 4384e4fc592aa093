import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  envelopeIn,
  isRecord,
  load,
  match,
  must,
  named,
  ought,
} from '../../harness/index.ts';

const PREFERENCES = [
  ['application/yaml, application/json', 'application/yaml'],
  ['application/json, application/yaml', 'application/json'],
  ['application/json;q=0.5, application/yaml;q=0.9', 'application/yaml'],
  ['application/yaml;q=0.1, application/json', 'application/json'],
  ['text/x-none, application/yaml;q=0.4, */*;q=0.1', 'application/yaml'],
] as const;
for (const [accept, preferred] of PREFERENCES) {
  check(
    `NEGOTIATE-ACCEPT-04.1/${accept}/${preferred}`,
    `the author accepts "${accept}" → ${preferred}`,
    ['NEGOTIATE-ACCEPT-04'],
    async ({ author }) => {
      await author.given(configMaps, named('doc'));
      const read = await author.get(configMaps, 'doc', {}, { headers: { accept } });
      ought('the one it prefers is used', read, match.status(200), match.mediaType(preferred));
    },
  );
}

check(
  'NEGOTIATE-ACCEPT-04.2',
  'the author gives qualities with more digits and fewer, with blanks and among many → the one that they prefer',
  ['NEGOTIATE-ACCEPT-04'],
  async ({ author }) => {
    await author.given(configMaps, named('doc'));
    for (const [accept, preferred] of [
      ['application/json;q=0.51, application/yaml;q=0.52', 'application/yaml'],
      ['application/json;q=0.502, application/yaml;q=0.501', 'application/json'],
      ['application/json; q=0.1, application/yaml; q=0.9', 'application/yaml'],
      ['application/json ; q=0.1 , application/yaml', 'application/yaml'],
      ['application/json;q=0.900, application/yaml;q=1.0', 'application/yaml'],
      // The smaller one has more digits, or digits that make a larger number by themselves.
      ['application/json;q=0.85, application/yaml;q=0.9', 'application/yaml'],
      ['application/yaml;q=0.125, application/json;q=0.5', 'application/json'],
      ['application/json;q=0.09, application/yaml;q=0.1', 'application/yaml'],
      ['application/json;q=0.099, application/yaml;q=0.1, text/x-none;q=0.999', 'application/yaml'],
      ['application/json;q=0.999, application/yaml;q=1', 'application/yaml'],
      ['application/json;q=0.001, application/yaml;q=0.01', 'application/yaml'],
      // The same in other digits, so that the order counts.
      ['application/yaml;q=0.5, application/json;q=0.500', 'application/yaml'],
      ['application/json;q=0.50, application/yaml;q=0.5', 'application/json'],
      ['application/yaml;q=1.000, application/json', 'application/yaml'],
      ['text/x-a, text/x-b;q=0.9, text/x-c;q=0.8, application/json;q=0.1, application/yaml;q=0.2', 'application/yaml'],
      ['application/yaml;charset=utf-8, application/json;q=0.9', 'application/yaml'],
    ] as const) {
      for (const read of [
        await author.get(configMaps, 'doc', {}, { headers: { accept } }),
        await author.list(configMaps, {}, { headers: { accept } }),
      ])
        ought(`of ${accept}`, read, match.status(200), match.mediaType(preferred));
    }
  },
);

check(
  'NEGOTIATE-ACCEPT-03.1',
  'the author lists many media types, forms that there are not and parameters before the one that is served → that one',
  ['NEGOTIATE-ACCEPT-03', 'NEGOTIATE-ACCEPT-01'],
  async ({ author, dialect }) => {
    await author.given(configMaps, named('doc'));
    const meta = `meta.${dialect.apiDomain}`;
    const unknown = Array.from({ length: 12 }, (_, at) => `application/x-touchstone-${at}`).join(', ');
    for (const accept of [
      `${unknown}, application/json`,
      'text/x-a, text/x-b, application/json',
      `application/json;as=Touchstone;g=${meta};v=v1, application/json`,
      `application/json;as=Table;g=${meta};v=v9, application/json`,
      'application/json;as=Table;g=touchstone.example;v=v1, application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8, text/x-none',
    ])
      for (const read of [
        await author.get(configMaps, 'doc', {}, { headers: { accept } }),
        await author.list(configMaps, {}, { headers: { accept } }),
      ]) {
        const plain = match.field('kind', match.oneOf('ConfigMap', 'ConfigMapList'));
        must(`of ${accept}`, read, match.status(200), match.mediaType('application/json'), plain);
      }
  },
);

/** Every way to write a quality of 0. */
const NONE = [
  ['one-digit', 'q=0'],
  ['point', 'q=0.'],
  ['two-digits', 'q=0.0'],
  ['three-digits', 'q=0.00'],
  ['four-digits', 'q=0.000'],
  ['blanks', ' q=0.0 '],
] as const;

for (const read of ['get', 'list'] as const) {
  const ask = (author: Actor, accept: string) =>
    read === 'get'
      ? author.get(configMaps, 'doc', {}, { headers: { accept } })
      : author.list(configMaps, {}, { headers: { accept } });
  check(
    `NEGOTIATE-ACCEPT-05.1/${read}`,
    `the author accepts application/* of a ${read} → one of them`,
    ['NEGOTIATE-ACCEPT-05'],
    async ({ author }) => {
      await author.given(configMaps, named('doc'));
      for (const accept of ['application/*', 'text/x-none, application/*;q=0.3']) {
        const answer = await ask(author, accept);
        must(
          'there is such a type',
          answer,
          match.status(200),
          match.header('content-type', match.text('a type below application', /^application\//i)),
        );
      }
    },
  );
  check(
    `NEGOTIATE-ACCEPT-06.1/${read}`,
    `the author gives JSON the quality 0 for a ${read}, in more digits and fewer → another one that is named, else 406`,
    clausesOf('NEGOTIATE-ACCEPT-06', read),
    async ({ author }) => {
      await author.given(configMaps, named('doc'));
      for (const [written, none] of NONE)
        await clause(`NEGOTIATE-ACCEPT-06/${read}/${written}`, async () => {
          const other = await ask(author, `application/json;${none}, application/yaml;q=0.1`);
          must('the other is used', other, match.status(200), match.mediaType('application/yaml'));
          must('no other is requested', await ask(author, `application/json;${none}`), match.status(406));
        });
    },
  );
}

/** Whether a body can be read as what its Content-Type says; text may say anything. */
function isHonest(type: string, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    if (type === 'application/json') return isRecord(JSON.parse(text));
    if (type === 'application/yaml') return isRecord(load(text));
  } catch {
    return false;
  }
  return type.endsWith('.protobuf') ? envelopeIn(bytes) !== undefined : type.startsWith('text/');
}

check(
  'NEGOTIATE-ERROR-01.1',
  'the author meets errors while it accepts this and that → bodies are what they say they are',
  ['NEGOTIATE-ERROR-01'],
  async ({ author, dialect }) => {
    for (const accept of ['application/json', 'application/yaml', protobufMediaType(dialect), 'text/x-none']) {
      const error = await author.get(configMaps, 'missing', {}, { headers: { accept } });
      must('it is an error', error, match.error, match.header('content-type', match.aString));
      const type = error.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      const honest = isHonest(type, error.received?.bytes ?? new Uint8Array());
      must(`its body is ${type}`, honest, match.equal(true));
    }
  },
);

import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import { YAML_DOCUMENTS, YAML_FORMS, type YamlDocument, type YamlForm } from '../../../fixtures/ledger/index.ts';
import {
  apiVersionOf,
  check,
  clause,
  clausesOf,
  configMaps,
  defineType,
  type Json,
  match,
  must,
  named,
} from '../../harness/index.ts';

/** Members of a map as YAML writes them, and what they mean in every version of YAML. */
const FORMS: Readonly<Record<YamlForm, { readonly written: readonly string[]; readonly meant: Json }>> = {
  literal: {
    written: [
      'kept: |',
      '  one',
      '  two',
      '   deep',
      '',
      '  three',
      'cut: |-',
      '  one',
      '  two',
      'more: |+',
      '  one',
      '',
      '',
    ],
    meant: { kept: 'one\ntwo\n deep\n\nthree\n', cut: 'one\ntwo', more: 'one\n\n\n' },
  },
  folded: {
    written: ['folded: >', '  one', '  two', '', '  three', 'cut: >-', '  one', '  two'],
    meant: { folded: 'one two\nthree\n', cut: 'one two' },
  },
  plain: {
    written: ['lines: one', '  two', 'signs: a#b -c:d', 'quotes: it\'s "so"', 'url: https://a.example/?b=c&d'],
    meant: { lines: 'one two', signs: 'a#b -c:d', quotes: 'it\'s "so"', url: 'https://a.example/?b=c&d' },
  },
  'single-quoted': {
    written: ["quote: 'it''s'", "escape: 'a\\nb'", "colon: 'a: b # c'", "lines: 'one", "  two'"],
    meant: { quote: "it's", escape: 'a\\nb', colon: 'a: b # c', lines: 'one two' },
  },
  'double-quoted': {
    written: ['escapes: "a\\tb\\nc\\\\\\"\\x41\\u00e9\\U0001F600"', 'joined: "one\\', '  two"'],
    meant: { escapes: 'a\tb\nc\\"A\u00e9\u{1f600}', joined: 'onetwo' },
  },
  'texts-like-others': {
    written: ['int: "1"', "bool: 'true'", 'none: "null"', "float: '1.5'", 'empty: ""', "tilde: '~'", '"2": "02"'],
    meant: { int: '1', bool: 'true', none: 'null', float: '1.5', empty: '', tilde: '~', 2: '02' },
  },
  flow: {
    written: ['list: [a, "b", \'c\', [], {d: 1}]', 'map: {a: 1, "b": [2,', '  3], c: {}}'],
    meant: { list: ['a', 'b', 'c', [], { d: 1 }], map: { a: 1, b: [2, 3], c: {} } },
  },
  blocks: {
    written: ['list:', '- a', '- - b', '  - c', '- d: 1', '  e: 2', 'map:', '    deep:', '      er: true'],
    meant: { list: ['a', ['b', 'c'], { d: 1, e: 2 }], map: { deep: { er: true } } },
  },
  aliases: {
    written: ['one: &text same', 'two: *text', 'three: &map {a: 1}', 'four: *map', 'five: [*text, *map]'],
    meant: { one: 'same', two: 'same', three: { a: 1 }, four: { a: 1 }, five: ['same', { a: 1 }] },
  },
  comments: {
    written: ['# before', 'one: 1 # behind', '', '  # between', 'two: # of what follows', '  three: 3'],
    meant: { one: 1, two: { three: 3 } },
  },
  tags: {
    written: ['text: !!str 1', 'number: !!int "2"', 'half: !!float "0.5"', 'truth: !!bool "true"', 'map: !!map {a: 1}'],
    meant: { text: '1', number: 2, half: 0.5, truth: true, map: { a: 1 } },
  },
  numbers: {
    written: ['plus: +5', 'minus: -5', 'hex: 0x1F', 'half: .5', 'whole: 2.0', 'large: 1.5e+3', 'small: -2.5e-1'],
    meant: { plus: 5, minus: -5, hex: 31, half: 0.5, whole: 2, large: 1500, small: -0.25 },
  },
};

check(
  'YAML-TEXT-01.1',
  'the author creates and applies in every form of YAML → the values that it means',
  clausesOf('YAML-TEXT-01', YAML_FORMS),
  ['custom-types'],
  async ({ author, dialect }) => {
    const kind = await defineType(author, dialect, () => ({
      type: 'object',
      properties: { data: { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true } },
    }));
    for (const form of YAML_FORMS) {
      const { written, meant } = FORMS[form];
      const bodyOf = (name: string) =>
        [
          `apiVersion: ${apiVersionOf(kind, dialect)}`,
          `kind: ${kind.kind}`,
          'metadata:',
          `  name: ${name}`,
          'data:',
          ...written.map((line) => `  ${line}`),
          '',
        ].join('\n');
      await clause(`YAML-TEXT-01/post/${form}`, async () => {
        const headers = { 'content-type': 'application/yaml' };
        const made = await author.request('POST', await author.pathOf(kind), { headers, body: bodyOf(`${form}-post`) });
        must('it is taken', made, match.created, match.field('data', meant));
        must('so it is stored', await author.get(kind, `${form}-post`), match.field('data', meant));
      });
      await clause(`YAML-TEXT-01/apply/${form}`, async () => {
        const headers = { 'content-type': 'application/apply-patch+yaml' };
        const path = `${await author.pathOf(kind, `${form}-apply`)}?fieldManager=author`;
        const made = await author.request('PATCH', path, { headers, body: bodyOf(`${form}-apply`) });
        must('it is taken', made, match.created, match.field('data', meant));
        must('so it is stored', await author.get(kind, `${form}-apply`), match.field('data', meant));
      });
    }
  },
);

interface Written {
  readonly name: string;
  /** Absent: the body creates. */
  readonly resourceVersion?: string | undefined;
}
/** Texts of more lines than one, and signs that stand for ends of lines. */
const LINES = [
  ...['literal: |', '  one', '  two', ''],
  ...['cut: |-', '  one', '  two'],
  ...['folded: >', '  one', '  two', '', '  three'],
  ...['plain: one', '  two'],
  ...["single: 'one", '', "  two'"],
  ...['double: "one', '  two"'],
  ...['joined: "one\\', '  two"'],
  ...['signs: "one\\r\\ntwo"', '# the end'],
];
const LINES_MEAN = {
  literal: 'one\ntwo\n',
  cut: 'one\ntwo',
  folded: 'one two\nthree\n',
  plain: 'one two',
  single: 'one\ntwo',
  double: 'one two',
  joined: 'onetwo',
  signs: 'one\r\ntwo',
};
const inBlocks = ({ name, resourceVersion }: Written): string[] => [
  ...['apiVersion: v1', 'kind: ConfigMap', 'metadata:', `  name: ${name}`],
  ...(resourceVersion === undefined ? [] : [`  resourceVersion: '${resourceVersion}'`]),
  ...['data:', ...LINES.map((line) => `  ${line}`), ''],
];
const inBraces = ({ name, resourceVersion }: Written): string[] => [
  ...['{apiVersion: v1, kind: ConfigMap, # in braces', `  metadata: {name: ${name}`],
  ...(resourceVersion === undefined ? [] : [`    , resourceVersion: '${resourceVersion}'`]),
  ...["  }, data: {plain: one two, single: 'it''s', \"double\": \"\\x41\", number: '1', none: ''},", '}', ''],
];
const BRACES_MEAN = { plain: 'one two', single: "it's", double: 'A', number: '1', none: '' };

/** Documents of a config map, and the data that it has by them. */
const DOCUMENTS: Readonly<Record<YamlDocument, { of(written: Written): string; readonly meant: Json }>> = {
  crlf: { of: (written) => inBlocks(written).join('\r\n'), meant: LINES_MEAN },
  braces: { of: (written) => inBraces(written).join('\n'), meant: BRACES_MEAN },
  'braces-later': { of: (written) => ['# first', '', ...inBraces(written)].join('\r\n'), meant: BRACES_MEAN },
  markers: { of: (written) => ['# first', '---', ...inBlocks(written), '...', ''].join('\n'), meant: LINES_MEAN },
  'byte-order-mark': { of: (written) => `\ufeff${inBlocks(written).join('\n')}`, meant: LINES_MEAN },
};

check(
  'YAML-TEXT-01.2',
  'the author writes config maps with other ends of lines, in braces, between markers and behind a byte order mark → the texts that it means',
  clausesOf('YAML-TEXT-01', YAML_DOCUMENTS),
  async ({ author }) => {
    const send = async (way: 'post' | 'put' | 'apply', name: string, body: string) => {
      const [method, path, type] = {
        post: ['POST', await author.pathOf(configMaps), 'yaml'] as const,
        put: ['PUT', await author.pathOf(configMaps, name), 'yaml'] as const,
        apply: ['PATCH', `${await author.pathOf(configMaps, name)}?fieldManager=author`, 'apply-patch+yaml'] as const,
      }[way];
      return author.request(method, path, { headers: { 'content-type': `application/${type}` }, body });
    };
    for (const document of YAML_DOCUMENTS) {
      const { of, meant } = DOCUMENTS[document];
      for (const way of ['post', 'put', 'apply'] as const)
        await clause(`YAML-TEXT-01/${way}/${document}`, async () => {
          const name = `${document}-${way}`;
          const live = way === 'put' ? await author.given(configMaps, named(name)) : undefined;
          const body = of({ name, resourceVersion: live?.metadata.resourceVersion });
          must('it is taken', await send(way, name, body), match.success, match.field('data', meant));
          must('so it is stored', await author.get(configMaps, name), match.field('data', meant));
        });
    }
  },
);

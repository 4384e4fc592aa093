import { SUBJECTS } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, configMaps, match, must, objectIn, PATCH_TYPES } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

/** What is written in a body, and the text that it means. */
const WAYS = {
  'hex-lower': ['\\u00e9\\u00af\\u20ac\\u00bd\\u0fdc', 'é¯€½\u0fdc'],
  'hex-upper': ['\\u00E9\\u00AF\\u20AC\\u00BD\\u0FDC', 'é¯€½\u0fdc'],
  short: ['a\\tb\\nc\\"d\\\\e\\/f\\r\\b\\f', 'a\tb\nc"d\\e/f\r\b\f'],
  surrogates: ['\\ud83d\\ude00\\uD834\\uDD1E', '\u{1f600}\u{1d11e}'],
  plain: ['é€ \u{1f600} \u007f', 'é€ \u{1f600} \u007f'],
} as const;

check(
  'JSON-TEXT-01.1',
  'the author writes text in every way of JSON, and patches it so → the text that it means',
  clausesOf('JSON-TEXT-01', Object.keys(WAYS)),
  async ({ author }) => {
    const headers = { 'content-type': 'application/json' };
    const path = `/api/v1/namespaces/${await author.namespace()}/configmaps`;
    for (const [way, [written, meant]] of Object.entries(WAYS)) {
      await clause(`JSON-TEXT-01/${way as keyof typeof WAYS}`, async () => {
        const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${way}"},"data":{"text":"${written}"}}`;
        const made = await author.request('POST', path, { body, headers });
        must('it is taken', made, match.created, match.field('data.text', meant));
        must('it means the same', await author.get(configMaps, way), match.field('data.text', meant));
        const patch = { 'content-type': 'application/merge-patch+json' };
        const changed = { body: `{"data":{"text":"${written}${written}"}}`, headers: patch };
        must('in a patch too', await author.request('PATCH', `${path}/${way}`, changed), match.status(200, 201));
        must('it is twice that', await author.get(configMaps, way), match.field('data.text', `${meant}${meant}`));
      });
    }
  },
);

check(
  'JSON-TEXT-01.2',
  'the author writes names of members with escapes, and patches by such names → the members that they name',
  clausesOf('JSON-TEXT-01', 'names'),
  async ({ author }) => {
    const path = `/api/v1/namespaces/${await author.namespace()}/configmaps`;
    const strict = '?fieldValidation=Strict';
    const text = (word: string) => `"d\\u0061ta":{"t\\u0065X\\u0054":"${word}"}`;
    const head = (version = '') =>
      `"\\u0061piVersion":"v1","kin\\u0064":"ConfigMap","met\\u0061data":{"n\\u0061me":"names"${version}}`;
    const holds = (word: string) => match.field('data', match.equal({ teXT: word }));
    await clause('JSON-TEXT-01/names', async () => {
      const headers = { 'content-type': 'application/json' };
      const made = await author.request('POST', path + strict, { body: `{${head()},${text('post')}}`, headers });
      must('it is taken', made, match.created, holds('post'));
      const version = `,"resourc\\u0065Version":"${objectIn(made).metadata.resourceVersion}"`;
      const whole = { body: `{${head(version)},${text('put')}}`, headers };
      must(
        'by a PUT too',
        await author.request('PUT', `${path}/names${strict}`, whole),
        match.status(200),
        holds('put'),
      );
      for (const [type, body] of [
        ['merge', `{${text('merge')}}`],
        ['strategic', `{${text('strategic')}}`],
        ['json', '[{"o\\u0070":"replace","p\\u0061th":"/d\\u0061ta/teXT","v\\u0061lue":"json"}]'],
      ] as const) {
        const patch = { body, headers: { 'content-type': PATCH_TYPES[type] } };
        const patched = await author.request('PATCH', `${path}/names${strict}`, patch);
        must(`by a ${type} patch`, patched, match.status(200), holds(type));
      }
      must('so it is stored', await author.get(configMaps, 'names'), match.status(200), holds('json'));
    });
  },
);

/** What may stand behind the one value that JSON is, and is no blank. */
const BEHIND = ['{}', '\n{}\n', '[]', '"x"', '1', 'null', '}', ']', ',', 'x', ';', '// remark', '/* remark */', '---'];

for (const type of SUBJECTS)
  check(
    `JSON-INVALID-01.3/${type}`,
    `the author writes ${type} in every way with something behind the JSON, and with JSON that is cut off → 4xx, and nothing is stored`,
    clausesOf('JSON-INVALID-01', type),
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const rewritings = [
        ...BEHIND.map((behind) => (text: string) => text + behind),
        (text: string) => text.slice(0, -1),
      ];
      for (const write of ['post', 'put', 'json', 'merge', 'strategic'] as const) {
        if (!writer.writes.includes(write)) continue;
        await clause(clausesOf('JSON-INVALID-01', write, type), async () => {
          for (const rewrite of rewritings)
            must('it is no JSON', await writer.send(write, { name: nameOf(write), rewrite }), match.refusal);
          const stays = write === 'post' ? match.status(404) : match.body(live);
          must('nothing is stored', await writer.get(nameOf(write)), stays);
          const query = { dryRun: 'All' };
          const blank = await writer.send(write, { name: nameOf(write), query, rewrite: (text) => ` ${text} \n\t` });
          must('blanks are none of it', blank, match.success);
        });
      }
      await clause(`JSON-INVALID-01/delete/${type}`, async () => {
        const path = await author.pathOf(writer.kind, 'doc');
        for (const rewrite of rewritings) {
          const headers = { 'content-type': 'application/json' };
          const options = rewrite('{"propagationPolicy":"Background"}');
          must('it is no JSON', await author.request('DELETE', path, { headers, body: options }), match.refusal);
        }
        must('nothing is deleted', await writer.get('doc'), match.body(live));
      });
    },
  );

const nameOf = (write: string): string => (write === 'post' ? 'made' : 'doc');

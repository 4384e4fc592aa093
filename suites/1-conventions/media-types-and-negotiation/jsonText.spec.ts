import { check, clause, clausesOf, configMaps, match, must } from '../../harness/index.ts';

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
  clausesOf('JSON-TEXT-01'),
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

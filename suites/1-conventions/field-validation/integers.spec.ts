import { type Actor, check, configMaps, defineType, type Kind, match, must, yamlText } from '../../harness/index.ts';

const podTemplates: Kind = { ...configMaps, kind: 'PodTemplate', plural: 'podtemplates' };
/** The first integers that a double cannot tell from their neighbours, and the last that 64 bits can. */
const BIG = ['9007199254740993', '9223372036854775807'];

/** The same in the lines of YAML: a member in each, one within another further in. */
function linesOf(text: string): string {
  // As texts, digits go through this client as they are.
  const value: unknown = JSON.parse(text.replace(/:(-?\d{16,})/g, ':"=$1"'));
  return yamlText(value as object).replace(/(['"]?)=(-?\d{16,})\1/g, '$2');
}

/** Bodies are text here: this client's own numbers are doubles. */
async function writtenAndRead(author: Actor, kind: Kind, body: string, change: string) {
  const path = await author.pathOf(kind);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const created = await author.request('POST', path, { body });
  const patched = await author.request('PATCH', `${path}/big`, { headers, body: change });
  const read = await author.get(kind, 'big');
  // The same digits by every other way: as they were first, and back again.
  const [one = '', other = ''] = BIG;
  const first = (text: string) => text.replaceAll(other, one);
  const yaml = { 'content-type': 'application/yaml' };
  const put = await author.request('PUT', `${path}/big`, { body: first(read.text) });
  const inYaml = await author.request('PUT', `${path}/big`, { headers: yaml, body: put.text.replaceAll(one, other) });
  const called = (name: string) => body.replace('"big"}', `"${name}"}`);
  const posted = await author.request('POST', path, { headers: yaml, body: called('big-in-yaml') });
  const inLines = await author.request('POST', path, { headers: yaml, body: linesOf(called('big-in-lines')) });
  const applying = { 'content-type': 'application/apply-patch+yaml' };
  const apply = (text: string) =>
    author.request('PATCH', `${path}/big-applied?fieldManager=one&force=true`, { headers: applying, body: text });
  const others = [
    [put, one],
    [inYaml, other],
    [posted, one],
    [await author.get(kind, 'big-in-yaml'), one],
    [inLines, one],
    [await author.get(kind, 'big-in-lines'), one],
    [await apply(called('big-applied')), one],
    [await apply(linesOf(called('big-applied').replace(one, other))), other],
    [await author.get(kind, 'big-applied'), other],
  ] as const;
  return { answers: [created, patched, read] as const, others };
}
function mustKeep(
  { answers, others }: Awaited<ReturnType<typeof writtenAndRead>>,
  member: string,
  values: readonly string[],
) {
  for (const [answer, kept] of [...answers.map((each, index) => [each, values[index]] as const), ...others]) {
    must('it is answered', answer, match.success);
    const value = new RegExp(`"${member}"\\s*:\\s*(-?[\\d.eE+]+)`).exec(answer.text)?.[1];
    must('every digit is kept', value, match.equal(kept));
  }
}

check(
  'FIELDS-TYPE-02.1',
  'the author writes 64-bit integers → every digit is kept',
  ['FIELDS-TYPE-02'],
  async ({ author }) => {
    const [first = '', second = ''] = BIG;
    const spec = `"spec":{"containers":[{"name":"c","image":"i"}],"terminationGracePeriodSeconds":${first}}`;
    const body = `{"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"big"},"template":{${spec}}}`;
    const change = `{"template":{"spec":{"terminationGracePeriodSeconds":${second}}}}`;
    const answers = await writtenAndRead(author, podTemplates, body, change);
    mustKeep(answers, 'terminationGracePeriodSeconds', [first, second, second]);
  },
);

check(
  'FIELDS-TYPE-02.2',
  'the author writes 64-bit integers to a custom object → every digit is kept',
  ['FIELDS-TYPE-02'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const [first = '', second = ''] = BIG;
    const things = await defineType(author, dialect, () => ({
      type: 'object',
      properties: { big: { type: 'integer', format: 'int64' } },
    }));
    const type = `"apiVersion":"${things.group}/v1","kind":"${things.kind}"`;
    const body = `{${type},"metadata":{"name":"big"},"big":${first}}`;
    const answers = await writtenAndRead(author, things, body, `{"big":${second}}`);
    mustKeep(answers, 'big', [first, second, second]);
  },
);

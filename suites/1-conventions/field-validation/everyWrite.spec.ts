import { SUBJECTS, type SubjectName, UPDATES, type Write } from '../../../fixtures/ledger/index.ts';
import type { Exchange, JsonObject } from '../../harness/index.ts';
import { type ClauseName, check, clause, clausesOf, isRecord, match, must, objectIn } from '../../harness/index.ts';
import { type Content, SUBJECT } from '../testedTypes.ts';
import { type Sending, type Writer, writerOf } from '../writing.ts';
import { warningsOf } from './warnings.ts';

const UNKNOWN: Sending = { content: { touchstoneUnknown: 'x' }, metadata: { touchstoneDeep: 1 } };
const TWICE: Sending = { twice: true };
/** More than fit where a few are told. */
const MANY: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`touchstone${String(at).padStart(2, '0')}`, 1])),
  [`touchstone${'Long'.repeat(30)}`]: 1,
};
/** One of each. */
const BOTH: Sending = { twice: true, metadata: { touchstoneDeep: 1 } };
const OFFENCES = { unknown: UNKNOWN, duplicate: TWICE } as const;
type Offence = keyof typeof OFFENCES;
const sendingOf = (write: Write, offence: Offence): Sending => ({
  ...OFFENCES[offence],
  word: `${write}-${offence}-tried`,
  ...(write === 'post' ? { name: `${offence}-tried` } : {}),
});
const NAMES = ['touchstoneUnknown', 'touchstoneDeep'];

const WRONG_TYPES = [
  [undefined, { labels: { word: 7 } }],
  ['Ignore', { annotations: ['a'] }],
  ['Warn', { finalizers: 'a' }],
  ['Strict', { labels: { word: 7 } }],
] as const;

/** Values that are no text, no list of texts, no number, no truth. Digits in quotes are a text, and no number. */
const NO_TEXTS = [7, true, ['a'], { a: 'a' }];
const NO_LISTS = ['none', 7, true, { a: 'a' }];
const NO_NUMBERS = ['many', '7', '', 1.5, true, [7], { a: 7 }];
const NO_TRUTHS = ['true', 1, [true]];
/** What metadata may not hold. */
const WRONG_METADATA: readonly JsonObject[] = [
  ...['labels', 'annotations'].flatMap((map) => NO_TEXTS.map((word) => ({ [map]: { sound: 'a', word } }))),
  ...['a', 7, ['a']].map((annotations) => ({ annotations })),
  ...['a', { a: 'a' }, [7], ['touchstone.example/a', true]].map((finalizers) => ({ finalizers })),
];
/** What each type may not hold: at each place that it has a value of another type, one of each. */
const WRONG_CONTENT: Readonly<Record<SubjectName, (content: Content) => Content[]>> = {
  configmaps: () => [
    ...NO_TEXTS.map((word) => ({ data: { word } })),
    ...NO_TRUTHS.map((immutable) => ({ immutable })),
    ...['none', 7, ['a']].map((data) => ({ data })),
  ],
  clusterroles: ({ rules }) => [
    ...NO_LISTS.map((wrong) => ({ rules: wrong })),
    ...['none', 7, ['a']].map((rule) => ({ rules: [rule] })),
    ...['verbs', 'apiGroups', 'resources', 'resourceNames'].flatMap((member) =>
      ['none', 7, [7], [['a']]].map((wrong) => ({ rules: withinFirst(rules, { [member]: wrong }) })),
    ),
  ],
  clusterrolebindings: ({ subjects }) => [
    ...NO_LISTS.map((wrong) => ({ subjects: wrong })),
    ...['none', 7].map((subject) => ({ subjects: [subject] })),
    ...NO_TEXTS.map((name) => ({ subjects: withinFirst(subjects, { name }) })),
  ],
  validatingwebhookconfigurations: ({ webhooks }) => [
    ...NO_LISTS.map((wrong) => ({ webhooks: wrong })),
    ...NO_NUMBERS.map((timeoutSeconds) => ({ webhooks: withinFirst(webhooks, { timeoutSeconds }) })),
    ...NO_TEXTS.map((failurePolicy) => ({ webhooks: withinFirst(webhooks, { failurePolicy }) })),
    ...NO_LISTS.map((rules) => ({ webhooks: withinFirst(webhooks, { rules }) })),
  ],
  custom: () => [
    ...NO_NUMBERS.map((count) => ({ count })),
    ...NO_TEXTS.map((word) => ({ spec: { word } })),
    ...NO_LISTS.map((parts) => ({ parts })),
    ...[7, true].flatMap((name) =>
      [{ name }, { inner: { name } }, { items: [{ name: 'a' }, { name }] }, { byName: { a: { name } } }].flatMap(
        (part) => [{ parts: [part] }, { parts: [{ name: 'first' }, part] }],
      ),
    ),
  ],
};
/** A list with other members in its first item. */
function withinFirst(list: unknown, changed: Content): Content[] {
  const [first] = list as Content[];
  return [{ ...first, ...changed }];
}

/** Members of which {@link TWICE} gives one twice: of the object, or of an operation of a patch. */
function twiceIn(writer: Writer, write: Write): string[] {
  if (write === 'json') return ['value'];
  const members = Object.keys(writer.content('new'));
  // A PUT sends members in the order in which they were read, so that any may be the last.
  return write === 'put' ? [...members, 'apiVersion', 'kind'] : members;
}
/** A body in which the first member of the content, or of a patch the value of its last operation, says null before. */
function saidBefore(content: Content, write: Write): (text: string) => string {
  const [member] = Object.keys(content);
  return (text) =>
    write === 'json'
      ? text.replace(/"value":(?!.*"value":)/s, '"value":null,"value":')
      : `{"${member}":null,${text.slice(1)}`;
}
/** A body in which a key of a map of texts stands twice, with different values. */
const KEY_TWICE: Sending = {
  metadata: { labels: { touchstoneTwice: '1' } },
  rewrite: (text) => text.replace('"touchstoneTwice":"1"', '"touchstoneTwice":"2","touchstoneTwice":"1"'),
};
/** The name of a member with an escape for its second letter, which is another way to write the same name. */
const spelled = (member: string): string =>
  `${member.charAt(0)}\\u${member.charCodeAt(1).toString(16).padStart(4, '0')}${member.slice(2)}`;
/** Bodies in which a name stands twice, spelled in two ways: of a member of the content or an operation, and of a label. */
function spelledTwice(content: Content, write: Write): Sending[] {
  const entries = Object.entries(content);
  const [member = '', value] = write === 'json' ? ['value', entries.at(-1)?.[1]] : (entries[0] ?? []);
  const last = write === 'json' ? '(?!.*"value":)' : '';
  const [plain, escaped] = [`"${member}":`, `"${spelled(member)}":`];
  return [
    ...[escaped + JSON.stringify(value), `${plain}${JSON.stringify(value)}`].map((first, at): Sending => {
      const said = `${first},${at === 0 ? plain : escaped}`;
      return { rewrite: (text) => text.replace(new RegExp(plain + last, 's'), () => said) };
    }),
    {
      metadata: { labels: { touchstoneTwice: '1' } },
      rewrite: (text) => text.replace('"touchstoneTwice":"1"', `"${spelled('touchstoneTwice')}":"2",$&`),
    },
  ];
}
/** Content with its first member under a name in another case beside it. */
function inAnotherCase(content: Content): Content {
  const [[member = '', value] = []] = Object.entries(content);
  return { ...content, [member.charAt(0).toUpperCase() + member.slice(1)]: value };
}

/** What a refusal says in words, without what it is. */
function toldIn({ json }: Exchange): string {
  const { message, details } = isRecord(json) ? json : {};
  return JSON.stringify([message, isRecord(details) ? details.causes : []]);
}
/** Whether a text names one of these fields, and not as a part of another word. */
const namesOneOf = (text: string, fields: readonly string[]): boolean =>
  fields.some((field) => new RegExp(`(?<![A-Za-z])${field}(?![A-Za-z])`).test(text));

/** Content with a field that nobody knows in each item of its lists; undefined where it has none. */
function withUnknownItems(content: Content): Content | undefined {
  const lists = Object.entries(content).filter((entry): entry is [string, object[]] => Array.isArray(entry[1]));
  if (lists.length === 0) return undefined;
  const changed = lists.map(([name, items]) => [name, items.map((item) => ({ ...item, touchstoneItem: 'x' }))]);
  return { ...content, ...Object.fromEntries(changed) };
}

/** Content with a field that nobody knows in the last item of one list, or in one object, at each place in turn. */
function withUnknownDeep(content: Content): Content[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const within = (changed: readonly unknown[]) => changed.map((each) => ({ ...content, [name]: each }));
    if (Array.isArray(value) && isRecord(value[0])) {
      const [first] = value as readonly Content[];
      // Items that have a name have one each.
      const next = (item: Content): Content =>
        item.name === undefined ? item : { ...item, name: `next-${item.name}` };
      const items = [{ ...first, touchstoneItem: 'x' }, ...withUnknownDeep(first as Content)];
      return within(items.map((item) => [first, next(item)]));
    }
    // What stands in a map of texts is known whatever its name.
    const isStruct = isRecord(value) && name === 'clientConfig';
    return isStruct ? within([{ ...value, touchstoneItem: 'x' }]) : [];
  });
}

/** That an answer and what is stored have none of the unknown fields. */
async function mustDrop(writer: Writer, write: Write, answer: Exchange, name: string): Promise<void> {
  const without = [
    match.field('touchstoneUnknown', match.absent),
    match.field('metadata.touchstoneDeep', match.absent),
  ] as const;
  must(`${write} drops the field`, answer, match.success, ...without);
  must('so it is stored', await writer.get(name), match.status(200), ...without);
}

for (const type of SUBJECTS) {
  check(
    `FIELDS-UNKNOWN-01.1/${type}`,
    `the author writes ${type} in every way with fields that are wrong → dropped, with a warning for each unless ignored`,
    [
      ...clausesOf('FIELDS-UNKNOWN-01', type),
      ...clausesOf('FIELDS-DUPLICATE-01', type),
      ...clausesOf('FIELDS-WARN-01', ['unknown', 'duplicate', 'spelled', 'same-name'], type),
      ...clausesOf('FIELDS-IGNORE-01', type),
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
        const sound = await writer.send(write, { name: write === 'post' ? 'sound' : 'doc', word: `${write}-sound` });
        for (const offence of ['unknown', 'duplicate'] as const) {
          const dropped: ClauseName =
            offence === 'unknown' ? `FIELDS-UNKNOWN-01/${write}/${type}` : `FIELDS-DUPLICATE-01/${write}/${type}`;
          const send = (fieldValidation?: string) => {
            const name = write === 'post' ? `${offence}-${(fieldValidation ?? 'usual').toLowerCase()}` : 'doc';
            const word = `${write}-${offence}-${fieldValidation ?? 'usual'}`.toLowerCase();
            const sending = { ...OFFENCES[offence], name, word, query: { fieldValidation } };
            return { name, answer: writer.send(write, sending) };
          };
          const usual = send();
          const answer = await usual.answer;
          await clause(dropped, () => mustDrop(writer, write, answer, usual.name));
          if (write === 'apply') continue;
          await clause(`FIELDS-WARN-01/${offence}/${write}/${type}`, async () => {
            for (const warned of [answer, await send('Warn').answer]) {
              must('it succeeds', warned, match.success);
              mustWarn(warned, offence, sound);
            }
            const tried = { ...sendingOf(write, offence), query: { dryRun: 'All' } };
            mustWarn(must('a dry run succeeds', await writer.send(write, tried), match.success), offence, sound);
            if (offence === 'unknown') {
              const name = write === 'post' ? 'many' : 'doc';
              const many = await writer.send(write, { name, word: `${write}-many`, content: MANY });
              const entries = warningsOf(must('many are dropped', many, match.success));
              const without = Object.keys(MANY).filter((each) => !entries.some((entry) => entry.includes(each)));
              must('with a warning for each', without, match.empty);
              return;
            }
            const name = write === 'post' ? 'both' : 'doc';
            const both = await writer.send(write, { ...BOTH, name, word: `${write}-both` });
            must('it succeeds beside one that nobody knows', both, match.success);
            must('with a warning for each', warningsOf(both, sound), match.size(2));
          });
          if (offence === 'duplicate')
            await clause(`FIELDS-WARN-01/spelled/${write}/${type}`, async () => {
              for (const [at, sending] of spelledTwice(writer.content('new'), write).entries()) {
                const name = write === 'post' ? `spelled-${at}` : 'doc';
                const warned = await writer.send(write, { ...sending, name, word: `${write}-spelled-${at}` });
                must('it succeeds', warned, match.success);
                mustWarn(warned, offence, sound);
              }
            });
          if (offence === 'unknown')
            await clause(`FIELDS-WARN-01/same-name/${write}/${type}`, async () => {
              const name = write === 'post' ? 'same-name' : 'doc';
              const unknown = { touchstoneSame: 'x' };
              const sending = { name, word: `${write}-same`, content: unknown, metadata: { ...unknown } };
              const warned = must('it succeeds', await writer.send(write, sending), match.success);
              const naming = warningsOf(warned).filter((entry) => entry.includes('touchstoneSame'));
              must('one warning for each place', naming, match.size(2));
            });
          await clause(`FIELDS-IGNORE-01/${offence}/${write}/${type}`, async () => {
            const { name, answer: ignored } = send('Ignore');
            await mustDrop(writer, write, await ignored, name);
            must('in silence', warningsOf(await ignored, sound), match.empty);
          });
        }
      }
    },
  );

  check(
    `FIELDS-STRICT-01.1/${type}`,
    `the author writes ${type} in every way under Strict with fields that are wrong → 400 that names them, and nothing is stored`,
    [
      ...clausesOf('FIELDS-STRICT-01', type),
      ...clausesOf('FIELDS-STRICT-02', type),
      ...clausesOf('FIELDS-STRICT-03', type),
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const query = { fieldValidation: 'Strict' };
      const nothingStored = async (write: Write) => {
        if (write === 'post') must('nothing is stored', await writer.get('made'), match.status(404));
        must('what is stored stays as it was', await writer.get('doc'), match.body(live));
      };
      const writes = writer.writes.filter((write) => (UPDATES as readonly Write[]).includes(write));
      for (const write of writes) {
        const id = write === 'post' || write === 'put' ? 'FIELDS-STRICT-01' : 'FIELDS-STRICT-02';
        await clause(`${id}/${write}/${type}`, async () => {
          const refused = must('it is refused', await writer.send(write, { ...UNKNOWN, query }), match.status(400));
          for (const name of NAMES) must('every offence is named', refused.text.includes(name), match.equal(true));
          const many = must('so are many', await writer.send(write, { content: MANY, query }), match.status(400));
          const unnamed = Object.keys(MANY).filter((name) => !many.text.includes(name));
          must('each by its name', unnamed, match.empty);
          const tried = await writer.send(write, { ...UNKNOWN, query: { ...query, dryRun: 'All' } });
          must('and in a dry run', tried, match.status(400));
          const content = withUnknownItems(writer.content('new'));
          if (content) must('so is one in a list', await writer.send(write, { content, query }), match.status(400));
          for (const deep of withUnknownDeep(writer.content('new')))
            must('wherever it stands', await writer.send(write, { content: deep, query }), match.status(400));
          const other = await writer.send(write, { content: inAnotherCase(writer.content('new')), query });
          must('so is one whose name has another case', other, match.status(400));
          if (write === 'post' || write === 'put') {
            const none = await writer.send(write, { content: { touchstoneNull: null }, query });
            must('and one that is null', none, match.status(400));
          }
          await nothingStored(write);
        });
        await clause(`FIELDS-STRICT-03/${write}/${type}`, async () => {
          must('it is refused', await writer.send(write, { ...TWICE, query }), match.status(400));
          const rewrite = saidBefore(writer.content('new'), write);
          must('with other values too', await writer.send(write, { rewrite, query }), match.status(400));
          must('and in a map of texts', await writer.send(write, { ...KEY_TWICE, query }), match.status(400));
          const both = await writer.send(write, { ...BOTH, query });
          must('so is it beside one that nobody knows', both, match.status(400));
          must('which is named', both.text.includes('touchstoneDeep'), match.equal(true));
          must('as is the one that stands twice', namesOneOf(toldIn(both), twiceIn(writer, write)), match.equal(true));
          await nothingStored(write);
        });
        await clause(`FIELDS-STRICT-03/spelled/${write}/${type}`, async () => {
          for (const sending of spelledTwice(writer.content('new'), write)) {
            must('it is refused', await writer.send(write, { ...sending, query }), match.status(400));
            const metadata = { ...sending.metadata, touchstoneDeep: 1 };
            const both = await writer.send(write, { ...sending, metadata, query });
            must('so is it beside one that nobody knows', both, match.status(400));
            must('which is named', both.text.includes('touchstoneDeep'), match.equal(true));
            const twice = sending.metadata ? ['touchstoneTwice'] : twiceIn(writer, write);
            must('as is the one that stands twice', namesOneOf(toldIn(both), twice), match.equal(true));
          }
          await nothingStored(write);
        });
      }
      for (const write of writes) {
        must('without offence it passes', await writer.send(write, { query }), match.success);
      }
    },
  );

  check(
    `FIELDS-APPLY-01.2/${type}`,
    `the author applies ${type} with fields that are wrong → as fieldValidation asks`,
    clausesOf('FIELDS-APPLY-01', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      const sound = await writer.send('apply', { word: 'sound' });
      const live = objectIn(await writer.get('doc'));
      for (const offence of ['unknown', 'duplicate'] as const) {
        await clause(`FIELDS-APPLY-01/${offence}/apply/${type}`, async () => {
          const apply = (fieldValidation?: string) =>
            writer.send('apply', {
              ...OFFENCES[offence],
              word: `${fieldValidation}`.toLowerCase(),
              query: { fieldValidation },
            });
          if (offence === 'unknown') {
            must('Strict refuses', await apply('Strict'), match.status(400));
            must('and stores nothing', await writer.get('doc'), match.body(live));
            const warned = await apply('Warn');
            await mustDrop(writer, 'apply', warned, 'doc');
            mustWarn(warned, offence, sound);
            mustWarn(await apply(), offence, sound);
          } else {
            // YAML itself has no mappings with equal keys: that may be a body that cannot be read, whatever is asked.
            must('Strict refuses', await apply('Strict'), match.refusal);
          }
          const ignored = await apply('Ignore');
          if (offence === 'unknown' || ignored.succeeded) {
            await mustDrop(writer, 'apply', ignored, 'doc');
            must('in silence', warningsOf(ignored, sound), match.empty);
          }
        });
      }
    },
  );

  check(
    `FIELDS-VALUE-01.1/${type}`,
    `the author writes ${type} in every way with a fieldValidation that there is not → 4xx, and nothing is stored`,
    [...clausesOf('FIELDS-VALUE-01', type), ...clausesOf('FIELDS-TYPE-01', type)],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const nothingStored = async (write: Write) => {
        if (write === 'post') must('nothing is stored', await writer.get('made'), match.status(404));
        must('what is stored stays as it was', await writer.get('doc'), match.body(live));
      };
      for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
        await clause(`FIELDS-VALUE-01/${write}/${type}`, async () => {
          for (const fieldValidation of ['Loose', 'strict']) {
            must('there is no such value', await writer.send(write, { query: { fieldValidation } }), match.refusal);
          }
          await nothingStored(write);
        });
        await clause(`FIELDS-TYPE-01/${write}/${type}`, async () => {
          for (const [fieldValidation, metadata] of WRONG_TYPES) {
            const answer = await writer.send(write, { metadata, query: { fieldValidation } });
            // Which status an apply is refused with is not shown.
            const refused = write === 'apply' ? match.either(match.refusal, match.status(500)) : match.refusal;
            must('a value of another type is refused', answer, refused);
          }
          for (const [at, metadata] of WRONG_METADATA.entries()) {
            const fieldValidation = [undefined, 'Ignore', 'Warn', 'Strict'][at % 4];
            const answer = await writer.send(write, { metadata, query: { fieldValidation } });
            const refused = write === 'apply' ? match.either(match.refusal, match.status(500)) : match.refusal;
            must(`so is ${JSON.stringify(metadata)}`, answer, refused);
          }
          for (const [at, content] of WRONG_CONTENT[type](writer.content('new')).entries()) {
            const fieldValidation = [undefined, 'Ignore', 'Warn', 'Strict'][at % 4];
            const answer = await writer.send(write, { content, query: { fieldValidation } });
            const refused = write === 'apply' ? match.either(match.refusal, match.status(500)) : match.refusal;
            must(`so is ${JSON.stringify(content)}`, answer, refused);
          }
          await nothingStored(write);
        });
      }
    },
  );
}

/** One entry for each field that offends, naming it. In a JSON patch the field that stands twice is one of the patch. */
function mustWarn(answer: Exchange, offence: Offence, sound: Exchange): void {
  const entries = warningsOf(answer, sound);
  if (offence === 'duplicate') {
    must('one warning', entries, match.size(1));
    return;
  }
  for (const name of NAMES) {
    must(
      'one warning for each field, naming it',
      entries.filter((entry) => entry.includes(name)),
      match.size(1),
    );
  }
}

import { SUBJECTS, type SubjectName } from '../../../fixtures/ledger/index.ts';
import type { ApiObject, Exchange, JsonObject } from '../../harness/index.ts';
import { check, clause, clausesOf, isRecord, match, must } from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { type Sending, type Writer, writerOf } from '../writing.ts';
import { warningsOf } from './warnings.ts';

/** Gives the members that stand beside the known ones at the next place. */
type Beside = () => JsonObject;
/** Some items, each with what is beside. */
const items = (beside: Beside, ...each: readonly JsonObject[]) => each.map((item) => ({ ...item, ...beside() }));
const named = (name: string): JsonObject => ({ name });

/** What an object of each type holds at every place where a struct may stand: in lists, in structs, in maps. */
const PLACES: Readonly<
  Record<SubjectName, (writer: Writer, beside: Beside, owners: readonly JsonObject[]) => Sending>
> = {
  configmaps: (_, beside, owners) => ({ metadata: { ownerReferences: items(beside, ...owners) } }),
  clusterroles: (_, beside) => {
    const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
    return { content: { rules: items(beside, rule('pods'), rule('secrets'), rule('services')) } };
  },
  clusterrolebindings: (writer, beside) => {
    const { roleRef, subjects } = writer.content('new') as { roleRef: JsonObject; subjects: JsonObject[] };
    const [subject = {}] = subjects;
    const others = ['a', 'b'].map((name) => ({ ...subject, name }));
    return { content: { roleRef: { ...roleRef, ...beside() }, subjects: items(beside, subject, ...others) } };
  },
  validatingwebhookconfigurations: (writer, beside) => {
    const [webhook] = (
      writer.content('new') as { webhooks: [JsonObject & { clientConfig: JsonObject; rules: JsonObject[] }] }
    ).webhooks;
    const [rule = {}] = webhook.rules;
    const expression = (key: string) => ({ key, operator: 'Exists' });
    const whole = (name: string) => ({
      ...webhook,
      name,
      clientConfig: { ...webhook.clientConfig, ...beside() },
      rules: items(beside, rule, { ...rule, resources: ['others'] }),
      matchConditions: items(beside, { name: 'a', expression: 'true' }, { name: 'b', expression: 'true' }),
      namespaceSelector: { matchExpressions: items(beside, expression('a'), expression('b')), ...beside() },
      ...beside(),
    });
    return { content: { webhooks: ['first', 'second'].map((word) => whole(`${word}.touchstone.example`)) } };
  },
  custom: (_, beside) => {
    const part = (name: string) => ({
      name,
      inner: { name, ...beside() },
      items: items(beside, named('a'), named('b')),
      byName: { a: { name, ...beside() }, b: { name, ...beside() } },
      ...beside(),
    });
    return { content: { parts: ['first', 'second'].map(part) } };
  },
};

/** Members that nobody knows, of another name at each place, and all of these names. */
function unknowns(): { readonly beside: Beside; readonly names: readonly string[] } {
  const names: string[] = [];
  const beside = () => {
    const name = `touchstonePlace${String(names.length).padStart(2, '0')}`;
    names.push(name);
    return { [name]: 1 };
  };
  return { beside, names };
}

/** Stands before the name of a member that is said once more. */
const AGAIN = 'again:';
/** Gives each struct that has one of these members the member once more. */
function withAgain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAgain);
  if (!isRecord(value)) return value;
  const all = Object.entries(value).map(([name, each]) => [name, withAgain(each)]);
  const member = ['name', 'verbs', 'key', 'operations'].find((name) => name in value);
  return Object.fromEntries(member ? [...all, [`${AGAIN}${member}`, value[member]]] : all);
}
/** The same with a member twice in each struct, and how many of these there are. */
function saidTwice(sending: Sending): { readonly twice: Sending; readonly count: number } {
  const doubled = withAgain(sending) as Sending;
  const count = JSON.stringify(doubled).split(AGAIN).length - 1;
  return { twice: { ...doubled, rewrite: (text) => text.replaceAll(AGAIN, '') }, count };
}

/** That none of these members is in an answer, nor in what is stored. */
async function mustDrop(writer: Writer, answer: Exchange, name: string): Promise<void> {
  must('it is done', answer, match.success);
  for (const each of [answer, must('it is stored', await writer.get(name), match.status(200))])
    must('without them', /touchstone(Place|Same)/.test(JSON.stringify(each.json)), match.equal(false));
}

for (const type of SUBJECTS) {
  check(
    `FIELDS-WARN-01.2/${type}`,
    `the author writes ${type} in every way with fields that are wrong in every item and struct → dropped and told one by one, or refused`,
    [
      ...clausesOf('FIELDS-UNKNOWN-01', type),
      ...clausesOf('FIELDS-WARN-01', 'places', type),
      ...clausesOf('FIELDS-STRICT-01', type),
      ...clausesOf('FIELDS-STRICT-02', type),
      ...clausesOf('FIELDS-STRICT-03', type).filter((name) => !name.includes('/spelled/')),
      `FIELDS-APPLY-01/unknown/apply/${type}`,
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      const owners = type === 'configmaps' ? [await writer.given('first'), await writer.given('second')] : [];
      const place = (beside: Beside) => PLACES[type](writer, beside, owners.map(referenceTo));
      const { beside, names } = unknowns();
      const unknown = place(beside);
      const same = place(() => ({ touchstoneSame: 1 }));
      const { twice, count } = saidTwice(place(() => ({})));
      for (const write of writer.writes) {
        if (write === 'delete' || write === 'deletecollection') continue;
        const send = (sending: Sending, name: string, fieldValidation?: string) =>
          writer.send(write, { ...sending, name: write === 'post' ? name : 'doc', query: { fieldValidation } });
        const usual = await send(unknown, 'usual');
        await clause(`FIELDS-UNKNOWN-01/${write}/${type}`, () =>
          mustDrop(writer, usual, write === 'post' ? 'usual' : 'doc'),
        );
        const warned = async () => {
          const times = (name: string) => warningsOf(usual).filter((entry) => entry.includes(name)).length;
          const others = names.filter((name) => times(name) !== 1);
          must('each is told once', others, match.empty);
          const alike = warningsOf(must('it is done', await send(same, 'same'), match.success));
          const naming = alike.filter((entry) => entry.includes('touchstoneSame'));
          must('of one name each place is', naming, match.size(names.length));
        };
        const strict = async () => {
          const refused = must('Strict refuses', await send(unknown, 'strict', 'Strict'), match.status(400));
          must(
            'and names each',
            names.filter((name) => !refused.text.includes(name)),
            match.empty,
          );
          if (write === 'post') must('nothing is stored', await writer.get('strict'), match.status(404));
        };
        if (write === 'apply') {
          await clause(`FIELDS-APPLY-01/unknown/apply/${type}`, async () => {
            await warned();
            await strict();
          });
          continue;
        }
        await clause(`FIELDS-WARN-01/places/${write}/${type}`, async () => {
          await warned();
          const sound = must(
            'it is done',
            await send(
              place(() => ({})),
              'sound',
            ),
            match.success,
          );
          const doubled = must('it is done', await send(twice, 'twice'), match.success);
          must('what stands twice is told each time', warningsOf(doubled, sound), match.size(count));
        });
        await clause(
          clausesOf(write === 'post' || write === 'put' ? 'FIELDS-STRICT-01' : 'FIELDS-STRICT-02', write, type),
          strict,
        );
        await clause(`FIELDS-STRICT-03/${write}/${type}`, async () => {
          must('so it is of what stands twice', await send(twice, 'strict', 'Strict'), match.status(400));
        });
      }
    },
  );
}

function referenceTo({ apiVersion, kind, metadata }: ApiObject): JsonObject {
  return { apiVersion: apiVersion ?? '', kind: kind ?? '', name: metadata.name, uid: metadata.uid ?? '' };
}

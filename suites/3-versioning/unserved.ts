import { groupName, protobufMediaType } from '../../fixtures/dialects/dialect.ts';
import { DISCOVERY, PROBING_VERBS, type ProbingVerb } from '../../fixtures/ledger/index.ts';
import { groupOf, type Lifecycle, lifecycles, onByDefault } from '../../fixtures/releases/lifecycles.ts';
import {
  type Actor,
  clause,
  type Exchange,
  isRecord,
  match,
  must,
  type RequirementId,
  unsupported,
} from '../harness/index.ts';
import { aggregated } from './aggregated.ts';

/** A type of a version that is not served. */
export interface Unserved {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Whether the version has nothing else in it, so that it is not there at all. */
  readonly whole: boolean;
}

/** Whether a version of a group is empty but for those of its types that some rule leaves out. */
export function isEmptyBut(
  { groupPrefix, version }: Pick<Lifecycle, 'groupPrefix' | 'version'>,
  leftOut: (row: Lifecycle) => boolean,
): boolean {
  return lifecycles().every((row) => row.groupPrefix !== groupPrefix || row.version !== version || leftOut(row));
}

/** A built-in type as one that is off by default at a release. */
export function offAt(release: number, row: Lifecycle, plural: string, { dialect }: Actor): Unserved {
  return {
    group: groupOf(row, dialect),
    version: row.version,
    plural,
    whole: isEmptyBut(row, (each) => !onByDefault(each, release)),
  };
}

/** How each verb asks. Whatever a server serves by mistake is not changed by it. */
const CALLS: Readonly<
  Record<ProbingVerb, { method: string; query: string; item?: true; type?: string; writes?: true }>
> = {
  list: { method: 'GET', query: 'limit=1' },
  watch: { method: 'GET', query: 'watch=true&timeoutSeconds=1' },
  post: { method: 'POST', query: 'dryRun=All', writes: true },
  apply: {
    method: 'PATCH',
    query: 'dryRun=All&fieldManager=touchstone',
    item: true,
    type: 'application/apply-patch+yaml',
    writes: true,
  },
  deletecollection: { method: 'DELETE', query: 'dryRun=All&labelSelector=touchstone.example%2Fnever%3Dthere' },
};

/** What else than JSON may be asked for; a target that has no such form may leave it unserved or answer in JSON. */
export function formsOf({ dialect }: Pick<Actor, 'dialect'>): string[] {
  const table = `application/json;as=Table;v=v1;g=${groupName(dialect, 'meta')}, application/json`;
  return [protobufMediaType(dialect), 'application/yaml']
    .map((form) => `${form}, application/json;q=0.5`)
    .concat(table);
}

/** Asks with a verb for a type, as one of namespaced objects and as one of the whole cluster. */
async function ask(actor: Actor, { group, version, plural }: Unserved, verb: ProbingVerb): Promise<Exchange[]> {
  const { method, query, item, type, writes } = CALLS[verb];
  const root = `/apis/${group}/${version}`;
  const name = `${actor.space.prefix}-nothing`;
  const body = { apiVersion: `${group}/${version}`, kind: 'Nothing', metadata: { name } };
  return Promise.all(
    [`${root}/${plural}`, `${root}/namespaces/${await actor.namespace()}/${plural}`].flatMap((collection) =>
      (verb === 'list' ? [undefined, ...formsOf(actor)] : [undefined]).map((accept) =>
        actor.request(method, `${collection}${item ? `/${name}` : ''}?${query}`, {
          headers: { ...(type === undefined ? {} : { 'content-type': type }), ...(accept ? { accept } : {}) },
          ...(writes ? { body } : {}),
        }),
      ),
    ),
  );
}

/** Judges that no document of discovery names some types, and that no verb finds them: each is a clause. */
export async function judgeUnserved(
  actor: Actor,
  id: RequirementId,
  types: readonly Unserved[],
  told: readonly (typeof DISCOVERY)[number][] = DISCOVERY,
): Promise<void> {
  const gone = new Set(types.filter(({ whole }) => whole).map(({ group, version }) => `${group}/${version}`));
  const unnamed = (found: readonly string[]) => found.filter((each) => gone.has(each));
  const documents: Readonly<Record<(typeof DISCOVERY)[number], () => Promise<unknown>>> = {
    groups: async () => {
      const { json } = await actor.request('GET', '/apis');
      const groups = isRecord(json) && Array.isArray(json.groups) ? json.groups : [];
      must('the list of groups names none', unnamed(groups.flatMap(versionsIn)), match.equal([]));
    },
    group: async () => {
      for (const group of new Set(types.map((each) => each.group))) {
        const { json } = await actor.request('GET', `/apis/${group}`);
        must(`the group ${group} names none`, unnamed(versionsIn(json)), match.equal([]));
      }
    },
    version: async () => {
      for (const name of new Set(types.map(({ group, version }) => `${group}/${version}`))) {
        const own = types.filter(({ group, version }) => `${group}/${version}` === name);
        const answer = await actor.request('GET', `/apis/${name}`);
        if (own.every(({ whole }) => whole)) must(`there is no ${name}`, answer, match.status(404));
        const { resources } = isRecord(answer.json) ? answer.json : {};
        const named = Array.isArray(resources) ? resources.map((each) => String(each.name).split('/')[0]) : [];
        const wrong = own.filter(({ plural }) => named.includes(plural)).map(({ plural }) => plural);
        must(`${name} names none`, wrong, match.equal([]));
      }
    },
    aggregated: async () => {
      const found = (await aggregated(actor)) ?? unsupported('it has no document of all groups with their types');
      must('the document of all groups names none', unnamed([...found.keys()]), match.equal([]));
      const wrong = types.filter(({ group, version, plural }) => found.get(`${group}/${version}`)?.includes(plural));
      must('nor their types', wrong, match.equal([]));
    },
  };
  await Promise.all([
    ...told.map((document) => clause(`${id}/${document}`, documents[document])),
    ...PROBING_VERBS.map((verb) =>
      clause(`${id}/${verb}`, async () => {
        for (const type of types) {
          for (const answer of await ask(actor, type, verb)) {
            must(`${verb} finds no ${type.group}/${type.version} ${type.plural}`, answer, match.status(404));
          }
        }
      }),
    ),
  ]);
}

function versionsIn(group: unknown): string[] {
  if (!isRecord(group) || !Array.isArray(group.versions)) return [];
  return group.versions.map(({ groupVersion }) => String(groupVersion));
}

import { DISCOVERY, PROBING_VERBS, type ProbingVerb } from '../../fixtures/ledger/index.ts';
import { groupOf, type Lifecycle, lifecycles, onByDefault } from '../../fixtures/releases/lifecycles.ts';
import { type Actor, clause, isRecord, match, must, type RequirementId, unsupported } from '../harness/index.ts';
import { aggregated } from './aggregated.ts';
import { callOf, callsOf } from './versionCalls.ts';

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

/** The clause that a verb is of where a requirement has none of its own for it. */
const NEAREST: Readonly<Record<string, ProbingVerb>> = {
  get: 'list',
  put: 'post',
  json: 'apply',
  merge: 'apply',
  strategic: 'apply',
  delete: 'deletecollection',
};

/**
 * Judges that no document of discovery names some types, and that no verb finds them: each is a clause. By which code a
 * path is told to be served no more is open.
 */
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
        if (own.every(({ whole }) => whole)) must(`there is no ${name}`, answer, match.status(404, 410));
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
        for (const [place, { group, version, plural }] of types.entries()) {
          const called = { apiVersion: `${group}/${version}`, plural, name: `${actor.space.prefix}-nothing` };
          for (const row of callsOf(place, types.length).filter((each) => clauseOf(each.verb) === verb)) {
            const { method, path, options } = await callOf(actor, called, row);
            const answer = await actor.request(method, path, options);
            must(`${row.verb} finds no ${group}/${version} ${plural}`, answer, match.status(404, 410));
          }
        }
      }),
    ),
  ]);
}

const clauseOf = (verb = ''): string => NEAREST[verb] ?? verb;

function versionsIn(group: unknown): string[] {
  if (!isRecord(group) || !Array.isArray(group.versions)) return [];
  return group.versions.map(({ groupVersion }) => String(groupVersion));
}

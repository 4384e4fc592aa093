import { SHARED_TYPES } from '../../../fixtures/ledger/index.ts';
import { covering, type Row } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import {
  type Actor,
  apiVersionOf,
  type ClauseName,
  check,
  clause,
  clausesOf,
  type JsonObject,
  match,
} from '../../harness/index.ts';
import { judgeEvents, watchVersions } from './crossedEvents.ts';
import { type CrossedSubject, type Judgements, judgeRow, ROW } from './crossedRow.ts';
import { type SharedType, TYPES } from './sharedTypes.ts';
import { CROSSED_READS, type CrossedVersionsOf, versionsCrossed, withReads } from './versionsCrossed.ts';

type Shared = (typeof SHARED_TYPES)[number];
const NAMED = (names: readonly string[]): readonly ClauseName[] => names as readonly ClauseName[];

/** What each type has that is crossed. */
const CROSSED: Readonly<Record<Shared, Omit<CrossedVersionsOf, 'name'>>> = {
  autoscalers: { versions: 2, counts: true, reports: true, scales: false, builtIn: true },
  events: { versions: 2, counts: false, reports: false, scales: false, builtIn: true },
  custom: { versions: 3, counts: true, reports: true, scales: true, builtIn: false },
};

/** The write of GROUP-ALIKE-01 that an act is; none of a removal or a scale. */
const WRITES: Readonly<Record<string, string>> = {
  update: 'put',
  json: 'json',
  merge: 'merge',
  strategic: 'strategic',
  apply: 'apply',
  'status-update': 'status',
  'status-json': 'status',
  'status-merge': 'status',
  'status-apply': 'status',
};
/** The clause of GROUP-ALIKE-02 that a way of reading belongs to, where it is not called so. */
const READS: Readonly<Record<string, string>> = {
  partial: 'list',
  protobuf: 'list',
  'everywhere-table': 'everywhere',
  'everywhere-yaml': 'everywhere',
  'everywhere-partial': 'everywhere',
};
/** The rule of GROUP-ALIKE-03 that a row is about. */
function ruleOf({ act = '', version, dryRun }: Row): string {
  if (dryRun === 'All') return 'dry-run';
  if (version === 'stale') return 'stale';
  if (act === 'deletecollection') return 'collection';
  if (act === 'delete') return 'removed';
  return act === 'apply' ? 'manager' : 'fresh';
}
/** The word of a call of a deprecated version that an act or a way of reading is, where it is not called so. */
const CALLS: Readonly<Record<string, string>> = {
  'status-update': 'status-put',
  'scale-update': 'scale-put',
  chunks: 'list-chunk',
  labels: 'list-selected',
  fields: 'list-by-field',
  yaml: 'list-yaml',
  table: 'list-table',
  partial: 'list-metadata',
  everywhere: 'list-everywhere',
  'everywhere-table': 'list-everywhere',
  'everywhere-yaml': 'list-everywhere',
  'everywhere-partial': 'list-everywhere',
};

/** The group of clauses of GROUP-VERSION-01 that speak of a type. */
function groupOf(type: Shared): 'core' | 'named' | 'custom' {
  return type === 'autoscalers' ? 'named' : type === 'events' ? 'core' : 'custom';
}

/** Which clauses the parts of a row of one of {@link SHARED_TYPES} are about. */
function judgementsOf(type: Shared, row: Row): Judgements {
  const { act = '', read = '', written = '', acted = '' } = row;
  // Whatever stands between is seen from the older one.
  const by = acted === 'newer' ? 'newer' : 'older';
  const write = WRITES[act];
  const of = groupOf(type);
  const rule = `GROUP-ALIKE-03/${ruleOf(row)}/${type}/${written}`;
  const own = write === undefined ? [] : [`GROUP-ALIKE-01/${write}/${type}/${by}`];
  const kept =
    type === 'autoscalers' && write !== undefined && acted === 'older' ? [`GROUP-ROUNDTRIP-02/${write}`] : [];
  return {
    outcome: (part) => clause(NAMED([rule, ...own, ...kept, `GROUP-VERSION-01/answers/${of}`]), part),
    managers: (part) => clause(NAMED([...own, `GROUP-VERSION-01/managed/${of}`]), part),
    reading: (part) => clause(NAMED([`GROUP-ALIKE-02/${READS[read] ?? read}/${type}/${written}`]), part),
    warnings: async (call, deprecated, part) => {
      if (type !== 'custom') return;
      const asked = call === 'act' ? act : read;
      const word = deprecated ? (CALLS[asked] ?? asked) : 'another-call';
      await clause(NAMED([`DEPRECATED-WARNING-05/${word}`]), part);
    },
  };
}

/** The clauses that rows of a type judge. */
function clausesOfRows(type: Shared): readonly ClauseName[] {
  const of = groupOf(type);
  const calls = [...Object.keys(WRITES), 'scale-merge', 'scale-update', 'delete', 'deletecollection', ...CROSSED_READS];
  const words = new Set(
    calls.filter((each) => each !== 'strategic' && each !== 'protobuf').map((each) => CALLS[each] ?? each),
  );
  return [
    ...clausesOf('GROUP-ALIKE-01', type).filter((name) => !/\/(post|yaml)\//.test(name)),
    ...clausesOf('GROUP-ALIKE-02', type).filter((name) => !/\/(initial|resumed)\//.test(name)),
    ...clausesOf('GROUP-ALIKE-03', type).filter((name) => RULES.test(name)),
    ...(type === 'autoscalers'
      ? clausesOf('GROUP-ROUNDTRIP-02').filter((name) => !/\/(at-its-least|conditions)\//.test(name))
      : []),
    ...clausesOf('GROUP-SHARED-01', type === 'custom' ? 'custom' : 'built-in').filter(
      (name) => !name.includes('/listed/'),
    ),
    ...NAMED(['answers', 'managed', 'events'].map((word) => `GROUP-VERSION-01/${word}/${of}`)),
    ...(type === 'custom' ? NAMED([...words, 'another-call'].map((word) => `DEPRECATED-WARNING-05/${word}`)) : []),
  ];
}
const RULES = /\/(dry-run|stale|collection|removed|manager|fresh)\//;

/** What each version shows of what an autoscaler, an event and a custom object say. */
const CPU = 61;
const resource = (name: string, averageUtilization: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});
const METRICS = [resource('memory', 60), resource('cpu', 70)];
const behavior = { scaleDown: { selectPolicy: 'Disabled' } };
const EVENT = { reason: 'Looked', type: 'Normal', action: 'Looking', reportingInstance: 'looker-1' };
const KEPT: Readonly<Record<Shared, NonNullable<CrossedSubject['kept']>>> = {
  autoscalers: (written, shown) => {
    const target = written === 0 ? CPU : 70;
    if (shown === 0) return { spec: match.including({ targetCPUUtilizationPercentage: target }) };
    if (written === 0) return { spec: match.including({ metrics: match.equal([resource('cpu', CPU)]) }) };
    const scaleDown = match.including(behavior.scaleDown);
    return { spec: match.including({ metrics: match.equal(METRICS), behavior: match.including({ scaleDown }) }) };
  },
  events: (_, shown) => {
    const about = match.including({ kind: 'ConfigMap', name: 'seen' });
    return { ...EVENT, [shown === 0 ? 'involvedObject' : 'regarding']: about };
  },
  custom: () => ({ free: match.equal({ form: 'any', parts: [{ deep: 1 }] }) }),
};

async function subjectOf(author: Actor, type: Shared): Promise<CrossedSubject> {
  const own: SharedType = await TYPES[type](author);
  const versions = await Promise.all(
    own.versions.map(async (version, place) => {
      const path = await author.pathOf(version);
      return {
        apiVersion: apiVersionOf(version, author.dialect),
        path,
        everywhere: path.replace(/\/namespaces\/[^/]+\//, '/'),
        deprecated: type === 'custom' ? place === 0 : false,
      };
    }),
  );
  return {
    kind: own.versions[0].kind,
    versions,
    draft: async (place) => {
      const draft = own.draft(own.versions[place] ?? own.versions[0]) as { spec?: JsonObject };
      if (type === 'custom') return { ...draft, spec: { replicas: 1 } } as JsonObject;
      if (type === 'events') return draft as JsonObject;
      const more = place === 0 ? { targetCPUUtilizationPercentage: CPU } : { metrics: METRICS, behavior };
      return { spec: { ...draft.spec, ...more } };
    },
    counting: own.counting,
    reporting: own.reporting,
    kept: KEPT[type],
  };
}

for (const type of SHARED_TYPES) {
  check(
    `GROUP-ALIKE-03.2/${type}`,
    `the author makes each of ${type} in one version, and another one writes or removes it in every pair of ways → every version shows, lists, tells and records the same`,
    clausesOfRows(type) as [ClauseName, ...ClauseName[]],
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, seed, space }) => {
      const subject = await subjectOf(author, type);
      const all = covering(versionsCrossed([{ name: type, ...CROSSED[type] }]), new Dice(String(seed), 31));
      const rows = withReads(all, () => CROSSED[type].builtIn);
      const watched = await watchVersions(author, subject.versions);
      const names = new Map<string, 'older' | 'newer'>();
      for (const [place, row] of rows.entries()) {
        const name = `${space.prefix}-x${place}`;
        names.set(name, row.written as 'older' | 'newer');
        await judgeRow(author, subject, row, name, judgementsOf(type, row));
      }
      const fence = `${space.prefix}-fence`;
      await author.prepare(async () => {
        const [{ apiVersion = '', path = '' } = {}] = subject.versions;
        const metadata = { name: fence, labels: { [ROW]: fence } };
        return author.request('POST', path, {
          body: { apiVersion, kind: subject.kind, ...(await subject.draft(0)), metadata },
        });
      });
      await judgeEvents(watched, names, fence, type === 'custom' ? 'custom' : 'built-in', groupOf(type));
    },
  );
}

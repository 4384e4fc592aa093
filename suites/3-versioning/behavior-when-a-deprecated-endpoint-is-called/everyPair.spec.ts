import { apiVersionIn } from '../../../fixtures/releases/removedVersion.ts';
import type { Row } from '../../covering/covering.ts';
import {
  type Actor,
  type ClauseName,
  check,
  clause,
  clausesOf,
  type Exchange,
  match,
  must,
  type SetupOf,
  should,
} from '../../harness/index.ts';
import { metricsOf, sample } from '../metrics.ts';
import { drafts, NAMESPACED } from '../removed-api-versions-by-release/drafts.ts';
import { isReview, type Removal, removals } from '../removed-api-versions-by-release/rows.ts';
import { callOf, callsOf } from '../versionCalls.ts';
import { notWarned, warned } from '../warnings.ts';
import { audited, eventsIn } from './auditLog.ts';

const at124: SetupOf = async (services, dialect) => ({ ...(await audited(services, dialect)), release: '1.24' });

/** The verb of roles that a call is, an apply apart. */
const VERBS: Readonly<Record<string, string>> = {
  post: 'create',
  put: 'update',
  json: 'patch',
  merge: 'patch',
  strategic: 'patch',
};
/** Subresources of what release 1.25 removes; others have none. */
const WITH_STATUS = ['cronjobs', 'poddisruptionbudgets', 'horizontalpodautoscalers'];
/** So many types that follow each other are called in all ways together. */
const TYPES_OF_ALL = 3;
const ACTED_AS = { 'impersonate-user': 'touchstone-ada', 'impersonate-group': 'system:masters' };

/** One call, and what became of it. */
interface Made {
  readonly mark: string;
  readonly row: Row;
  readonly answer: Exchange;
}

/** Calls a version of a type in its share of all ways, every third time as somebody else. */
async function callAll(
  admin: Actor,
  removal: Removal,
  apiVersion: string,
  rows: readonly Row[],
  word: string,
): Promise<readonly Made[]> {
  const namespace = await admin.namespace();
  const draft = drafts[removal.kind]?.({ namespace, dialect: admin.dialect }) ?? {};
  const made: Made[] = [];
  for (const [place, row] of rows.entries()) {
    const mark = `${word}-${place}`;
    const name = `touchstone-${place % 2 === 0 ? 'there' : 'none'}`;
    const body = { apiVersion, kind: removal.kind, ...draft, metadata: { name } };
    const scope = NAMESPACED.has(removal.kind) && row.verb !== 'list' && row.verb !== 'watch' ? 'namespace' : row.scope;
    const within = NAMESPACED.has(removal.kind) ? scope : 'cluster';
    const sub = WITH_STATUS.includes(removal.plural) && row.sub !== 'none' ? 'status' : 'none';
    const call = await callOf(
      admin,
      { apiVersion, plural: removal.plural, name, body, mark },
      { ...row, scope: within ?? '', sub },
    );
    const headers = { ...call.options.headers, ...(place % 3 === 0 ? ACTED_AS : {}) };
    if (row.verb === 'watch') {
      const stream = await admin.openStream(`${admin.name} watches ${apiVersion}`, call.path, { headers });
      stream.close();
      made.push({ mark, row: { ...row, sub }, answer: stream.opening });
    } else {
      const answer = await admin.request(call.method, call.path, { ...call.options, headers });
      made.push({ mark, row: { ...row, sub }, answer });
    }
  }
  return made;
}

const EVERY_VERB = [
  'create',
  'get',
  'list',
  'patch',
  'update',
  'apply',
  'watch',
  'delete',
  'deletecollection',
] as const;

check(
  'DEPRECATED-AUDIT-01.3',
  'the admin calls at release 1.24 all that 1.25 removes and what replaces it in every pair of ways, now and then as somebody else → each answer and each event tells what is deprecated, the gauge too, and of nothing else',
  [
    ...clausesOf('DEPRECATED-AUDIT-01'),
    ...clausesOf('DEPRECATED-WARNING-01', EVERY_VERB),
    ...clausesOf('DEPRECATED-METRIC-01', ['every-type', 'subresource']),
    'DEPRECATED-WARNING-02',
  ],
  ['releases', 'impersonation'],
  async ({ start, space, dialect }) => {
    const server = await start(at124);
    const namespace = `${space.prefix}-audited`;
    const admin = server.as('admin').in(namespace);
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
    const types = removals.filter((each) => each.release === '1.25' && !isReview(each));
    const calls: { readonly removal: Removal; readonly old: readonly Made[]; readonly other: readonly Made[] }[] = [];
    for (const [place, removal] of types.entries()) {
      const rows = callsOf(place, TYPES_OF_ALL);
      const { version, replacement } = removal;
      const old = await callAll(admin, removal, apiVersionIn(dialect, version), rows, `old-${place}`);
      const newer = replacement?.version;
      // What replaces it may be deprecated as well.
      const stable = newer !== undefined && /^v\d+$/.test(newer.version);
      const other = stable
        ? await callAll(admin, removal, apiVersionIn(dialect, newer), callsOf(place, types.length), `new-${place}`)
        : [];
      calls.push({ removal, old, other });
    }
    const last = calls.at(-1)?.old.at(-1)?.mark ?? '';
    const read = () => eventsIn(server.read('audit.log'));
    const of = (events: readonly Record<string, unknown>[], mark: string) =>
      events.filter(
        ({ requestURI, stage }) =>
          stage === 'ResponseComplete' && new RegExp(`[?&]asked=${mark}(&|$)`).test(String(requestURI)),
      );
    await should(async () => of(read(), last), match.not(match.size(0)));
    const events = read();
    const annotation = match.at(['annotations', `${dialect.apiDomain}/deprecated`], 'true');
    for (const verb of EVERY_VERB) {
      const own = (made: readonly Made[]) => made.filter(({ row }) => (VERBS[row.verb ?? ''] ?? row.verb) === verb);
      await clause(`DEPRECATED-WARNING-01/${verb}` as ClauseName, async () => {
        for (const { old } of calls) for (const { answer } of own(old)) must(`${verb} warns`, answer, warned);
      });
      await clause(`DEPRECATED-AUDIT-01/${verb}` as ClauseName, async () => {
        for (const { old } of calls) {
          for (const { mark } of own(old)) {
            const told = must('it is written', of(events, mark), match.not(match.size(0)));
            must(`${verb} is annotated`, told, match.every(annotation));
          }
        }
      });
    }
    await clause('DEPRECATED-AUDIT-01/another-call', async () => {
      for (const { other } of calls)
        for (const { mark } of other)
          must('the other version is not annotated', of(events, mark), match.every(match.not(annotation)));
    });
    const gauge = (await metricsOf(admin)).samples('apiserver_requested_deprecated_apis');
    for (const [part, holds] of [
      ['every-type', ({ sub }: Row) => sub === 'none'],
      ['subresource', ({ sub }: Row) => sub !== 'none'],
    ] as const) {
      await clause(`DEPRECATED-METRIC-01/${part}`, async () => {
        for (const { removal, old, other } of calls) {
          const group = groupOf(apiVersionIn(dialect, removal.version));
          for (const { row } of old.filter((each) => holds(each.row))) {
            const labels = {
              ...group,
              resource: removal.plural,
              subresource: row.sub === 'none' ? '' : (row.sub ?? ''),
            };
            must(`the gauge tells of ${row.verb}`, gauge, sample({ ...labels, removed_release: '1.25' }, 1));
          }
          if (other.length === 0 || removal.replacement === undefined) continue;
          const newer = groupOf(apiVersionIn(dialect, removal.replacement.version));
          must('it tells of no other', gauge, match.not(sample({ ...newer, resource: removal.plural })));
        }
      });
    }
    for (const { other } of calls) {
      for (const { answer, row } of other) must(`${row.verb} of the other version is silent`, answer, notWarned);
    }
  },
);

function groupOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version };
}

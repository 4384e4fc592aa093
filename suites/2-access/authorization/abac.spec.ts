import { type Actor, check, configMaps, leases, match, must, secrets } from '../../harness/index.ts';
import { byModes, known, NOWHERE } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

/** The records of the file, by what a check shows of them. */
const RECORDS = {
  'a user and a type': { user: 'abac-user', namespace: '*', resource: 'configmaps' },
  'a group': { group: 'abac-group', namespace: '*', resource: 'configmaps' },
  'one namespace': { user: 'abac-here', namespace: 'default', resource: 'configmaps' },
  'reading only': { user: 'abac-reader', namespace: '*', resource: 'configmaps', readonly: true },
  'every type of every group': { user: 'abac-all', namespace: '*', resource: '*', apiGroup: '*' },
  'a path and all below': { user: 'abac-path', nonResourcePath: '/touchstone/*' },
} as const;

/** The text names the file and does not show the records in it (2/rbac-objects/p4): these are the service's. */
const unshown = 'the text does not show the format of the policy file, and the target does not start with ours';

const abac = byModes('ABAC', (_, dialect) => ({
  unshown,
  flags: ['--authorization-policy-file={policy.jsonl}'],
  files: {
    'policy.jsonl': Object.values(RECORDS)
      .map((spec) =>
        JSON.stringify({ apiVersion: `abac.authorization.${dialect.labelDomain}/v1beta1`, kind: 'Policy', spec }),
      )
      .join('\n'),
  },
}));

type Asks = (actor: Actor) => ReturnType<Actor['request']>;
const listed: Asks = (actor) => actor.list(configMaps);
const created: Asks = (actor) => actor.create(configMaps);

/** Who shows what a record gives, what they may, and what they may not. */
const CASES: readonly {
  readonly record: keyof typeof RECORDS;
  readonly user: string;
  readonly groups?: readonly string[];
  readonly may: Readonly<Record<string, Asks>>;
  readonly mayNot: Readonly<Record<string, Asks>>;
}[] = [
  {
    record: 'a user and a type',
    user: 'abac-user',
    may: { 'reading it': listed },
    mayNot: {
      'another type': (actor) => actor.list(secrets),
      'a type of another group': (actor) => actor.list(leases),
      'a path': (actor) => actor.request('GET', NOWHERE),
    },
  },
  {
    record: 'a group',
    user: 'abac-member',
    groups: ['abac-group'],
    may: { 'reading as a member': listed },
    mayNot: { 'another type': (actor) => actor.list(secrets) },
  },
  {
    record: 'one namespace',
    user: 'abac-here',
    may: { 'reading there': (actor) => actor.in('default').list(configMaps) },
    mayNot: { 'reading elsewhere': listed, 'reading everywhere': (actor) => actor.listEverywhere(configMaps) },
  },
  { record: 'reading only', user: 'abac-reader', may: { 'reading it': listed }, mayNot: { 'writing it': created } },
  {
    record: 'every type of every group',
    user: 'abac-all',
    may: { 'one type': listed, 'one of another group': (actor) => actor.list(leases) },
    mayNot: { 'a path': (actor) => actor.request('GET', NOWHERE) },
  },
  {
    record: 'a path and all below',
    user: 'abac-path',
    may: { 'a path below': (actor) => actor.request('GET', NOWHERE) },
    mayNot: { 'a path beside': (actor) => actor.request('GET', '/other'), 'a resource': listed },
  },
];

for (const { record, user, groups, may, mayNot } of CASES) {
  check(
    `AUTHZ-MODE-03.1/${record}`,
    `a record of the policy file names ${record} → that is allowed and nothing beside`,
    ['AUTHZ-MODE-03'],
    { setup: abac },
    async ({ someone, services }) => {
      const ada = await known({ someone, services }, user, groups);
      for (const [what, ask] of Object.entries(may)) must(`${what} is allowed`, await ask(ada), match.status(200, 404));
      for (const [what, ask] of Object.entries(mayNot)) must(`${what} is not`, await ask(ada), forbidden);
    },
  );
}

check(
  'AUTHZ-MODE-03.2',
  'somebody whom no record names asks → denied',
  ['AUTHZ-MODE-03'],
  { setup: abac },
  async ({ someone, services }) => {
    const eve = await known({ someone, services }, 'abac-nobody');
    must('nothing is allowed', await eve.list(configMaps), forbidden);
  },
);

check(
  'AUTHZ-MODE-03.3',
  'mode ABAC comes without its file → the server does not start',
  ['AUTHZ-MODE-03'],
  ['launch'],
  async ({ start }) => {
    must('the file is needed', await start({ flags: ['--authorization-mode=ABAC'] }), match.refusesToStart);
  },
);

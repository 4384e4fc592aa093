import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { RequirementId } from '../../../fixtures/ledger/index.ts';
import type { JsonObject } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  type GrantedRule,
  groupOf,
  must,
  named,
  roleBindings,
  roles,
  should,
} from '../../harness/index.ts';
import { type AccessRequest, granted } from '../rbac-behavior/random/grants.ts';
import { mayThey, no, type ReviewedAttributes, reviewsPaths, yes } from '../reviews.ts';

const COORDINATION = 'coordination';
/** Groups that the domain of the dialect follows. */
const BUILT_IN: readonly string[] = [COORDINATION];
const rule = (verbs: string, groups: string, resources: string, names = ''): GrantedRule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : group)),
  resources: resources.split(' '),
  ...(names === '' ? {} : { resourceNames: names.split(' ') }),
});
const paths = (verbs: string, urls: string): GrantedRule => ({
  verbs: verbs.split(' '),
  nonResourceURLs: urls.split(' '),
});

/** `get secrets`, `get secrets x`, `list coordination/leases`, `get configmaps:status x`. */
function resourceAsked(text: string): AccessRequest {
  const [verb = '', what = '', name = ''] = text.split(' ');
  const [group, type = ''] = what.includes('/') ? what.split('/') : ['', what];
  const [resource = '', subresource = ''] = type.split(':');
  return { verb, group: group ?? '', resource, subresource, place: 'here', name };
}
const pathAsked = (text: string): AccessRequest => {
  const [verb = '', path = ''] = text.split(' ');
  return { verb, path };
};

/** The beginning of names and paths that differ far behind it. */
const LONG = 'x'.repeat(250);
/** More types than few. */
const MANY = Array.from({ length: 200 }, (_, at) => `things-${at}`);

/** Rules, and what is asked of somebody who has just one of them. What is granted is said by the model. */
const MATCHING: Readonly<
  Record<
    string,
    {
      readonly ids: readonly RequirementId[];
      readonly rules: readonly GrantedRule[];
      readonly asked: readonly AccessRequest[];
    }
  >
> = {
  'verbs, groups and types': {
    ids: ['RBAC-RULE-01', 'RBAC-RULE-04'],
    rules: [
      rule('get', 'core', 'secrets'),
      rule('get list', 'core', 'secrets configmaps'),
      rule('*', 'core', 'secrets'),
      rule('get', '*', 'secrets'),
      rule('get', 'core', '*'),
      rule('*', COORDINATION, '*'),
      rule('get', COORDINATION, 'leases'),
      rule('get', 'core', 'leases'),
      rule('get', COORDINATION, 'secrets'),
      rule('get', 'core coordination', 'secrets leases'),
      rule('g*', 'core', 'secrets'),
      rule('*t', 'core', 'secrets'),
      rule('ge', 'core', 'secrets'),
      rule('GET', 'core', 'secrets'),
      rule('get', 'core', 'sec*'),
      rule('get', 'core', '*s'),
      rule('get', 'core', 'secret'),
      rule('get', 'core', 'Secrets'),
      rule('get', 'coord* *', 'leases'),
      rule('get', 'coord*', 'leases'),
      rule('get', 'coordination', 'leases'),
      rule('**', 'core', 'secrets'),
      rule('list *', 'core', 'secrets'),
      rule('get', 'core', 'configmaps *'),
      rule('* watch', 'core *', '* services'),
      rule('delete', 'core', 'secrets'),
      rule('list', 'core', 'secrets'),
      rule('update', 'core', 'secrets'),
    ],
    asked: [
      'get secrets x',
      'list secrets',
      'watch secrets',
      'create secrets',
      'update secrets x',
      'patch secrets x',
      'delete secrets x',
      'deletecollection secrets',
      'get configmaps x',
      'list configmaps',
      'get coordination/leases x',
      'delete coordination/leases x',
      'get coordination/secrets x',
      'get services x',
      'bind secrets x',
      'escalate coordination/leases x',
      'impersonate configmaps x',
    ].map(resourceAsked),
  },
  groups: {
    ids: ['RBAC-RULE-01', 'RBAC-RULE-04'],
    rules: [
      rule('get', 'core', 'things'),
      rule('get', '*', 'things'),
      rule('get', 'apps', 'things'),
      rule('get', 'touchstone.example', 'things'),
      rule('get', 'core touchstone.example', 'things'),
      rule('get', COORDINATION, 'things'),
      rule('get', '*.example', 'things'),
      rule('get', 'touchstone', 'things'),
      rule('get', 'core', MANY.join(' ')),
      rule('get', MANY.map((each) => `${each}.example`).join(' '), 'things'),
    ],
    asked: [
      'get things x',
      'get apps/things x',
      'get touchstone.example/things x',
      'get more.touchstone.example/things x',
      'get example/things x',
      'get coordination/things x',
      'list touchstone.example/things',
      'get touchstone.example/others x',
      `get ${MANY.at(-1)} x`,
      `get ${MANY.at(-1)}.example/things x`,
    ].map(resourceAsked),
  },
  subresources: {
    ids: ['RBAC-RULE-02', 'RBAC-RULE-04'],
    rules: [
      rule('get', 'core', 'pods'),
      rule('get', 'core', 'pods/log'),
      rule('get', 'core', 'pods pods/status'),
      rule('get', 'core', '*'),
      rule('get', 'core', 'pods/l*'),
      rule('get', 'core', 'pods/*'),
      rule('get', 'core', '/log'),
      rule('get', 'core', 'pods/'),
      rule('get', 'core', 'log'),
      rule('get', 'core', 'pod*/log'),
      rule('get', 'core', 'pods/log', 'x'),
    ],
    asked: [
      'get pods x',
      'get pods:log x',
      'get pods:log y',
      'get pods:status x',
      'get services:log x',
      'get services x',
      'update pods:log x',
    ].map(resourceAsked),
  },
  names: {
    ids: ['RBAC-RULE-03'],
    rules: [
      rule('*', 'core', 'secrets', 'x'),
      rule('get list create delete deletecollection watch', 'core', 'secrets', 'x'),
      rule('get', 'core', 'secrets', 'x y'),
      rule('get', 'core', 'secrets', 'x*'),
      rule('get', 'core', 'secrets', '*'),
      rule('get', 'core', 'secrets', 'X'),
      rule('get', 'core', 'secrets', 'a b c d e f g h i x:y A_b~c x'),
      { ...rule('*', 'core', 'secrets'), resourceNames: [] },
      rule('get delete', 'core', 'secrets', `${LONG}-a`),
    ],
    asked: [
      `get secrets ${LONG}-a`,
      `get secrets ${LONG}-b`,
      `delete secrets ${LONG}`,
      'get secrets x',
      'get secrets y',
      'get secrets xy',
      'get secrets x:y',
      'get secrets x%3Ay',
      'get secrets A_b~c',
      'get secrets a_b~c',
      'get secrets i',
      'get secrets',
      'update secrets x',
      'patch secrets y',
      'delete secrets x',
      'delete secrets y',
      'list secrets',
      'watch secrets',
      'watch secrets x',
      'create secrets',
      'deletecollection secrets',
    ].map(resourceAsked),
  },
  'names of subresources': {
    ids: ['RBAC-RULE-03'],
    rules: [
      rule('get update patch delete', 'core', 'pods/log', 'x'),
      rule('*', 'core', 'pods/log', 'x'),
      rule('*', 'core', 'pods pods/status', 'x y'),
      rule('*', 'core', 'pods', 'x'),
      rule('update', 'apps', 'deployments/scale', 'z x'),
      rule('patch', 'apps', 'deployments deployments/scale', 'x'),
      rule('*', '*', '*', 'x'),
      { ...rule('patch', 'core', 'pods/status'), resourceNames: [] },
    ],
    asked: [
      'get pods:log x',
      'update pods:log x',
      'patch pods:log x',
      'delete pods:log x',
      'get pods:log y',
      'update pods:log y',
      'patch pods:log y',
      'delete pods:log y',
      'patch pods:status x',
      'patch pods:status y',
      'update pods:status xy',
      'patch pods x',
      'patch pods y',
      'get apps/deployments:scale x',
      'update apps/deployments:scale x',
      'patch apps/deployments:scale x',
      'update apps/deployments:scale y',
      'patch apps/deployments:scale y',
      'patch apps/deployments x',
    ].map(resourceAsked),
  },
  paths: {
    ids: ['RBAC-RULE-05'],
    rules: [
      paths('get', '/touchstone/x'),
      paths('get', '/touchstone/x/*'),
      paths('get', '/touchstone/x*'),
      paths('get', '/touchstone/x/'),
      paths('*', '/touchstone/x'),
      paths('get', '*'),
      paths('get post', '/touchstone/x /touchstone/y/*'),
      paths('g*', '/touchstone/x'),
      paths('get', '/*'),
      paths('get', '/touchstone'),
      paths('get', `/touchstone/${LONG}/${LONG}/a`),
    ],
    asked: [
      `get /touchstone/${LONG}/${LONG}/a`,
      `get /touchstone/${LONG}/${LONG}/b`,
      'get /touchstone/x',
      'get /touchstone/x/',
      'get /touchstone/x/y',
      'get /touchstone/x/y/z',
      'get /touchstone/xy',
      'get /touchstone/X',
      'get /touchstone',
      'get /touchstone/y',
      'get /touchstone/y/z',
      'post /touchstone/x',
      'put /touchstone/x',
      'get /other',
    ].map(pathAsked),
  },
};

for (const [what, { ids, rules, asked }] of Object.entries(MATCHING)) {
  check(
    `RBAC-RULE-01.2/${what}`,
    `somebody has one rule, for each of a table of ${what} → they may what it says and nothing that is almost that`,
    ids as [RequirementId, ...RequirementId[]],
    async ({ admin, space }) => {
      const narrow = asked.every((each) => 'resource' in each);
      if (!narrow) await reviewsPaths(admin);
      const here = await admin.namespace();
      const bound = await Promise.all(rules.map((each, index) => bind(admin, each, `${what.length}-${index}`, narrow)));
      for (const [index, rule] of rules.entries()) {
        // A server may refuse a rule that no request matches.
        if (!bound[index]) continue;
        const user = `${space.prefix}-${what.length}-${index}`;
        const words = JSON.stringify(Object.values(rule));
        const ask = (each: AccessRequest) => mayThey(admin, { user }, questionOf(each, admin, here));
        must(`${words} is followed`, await should(() => mayThey(admin, { user }, fence(here, narrow)), yes));
        const answers = await Promise.all(asked.map(async (each) => [each, await ask(each)] as const));
        for (const [each, answer] of answers) {
          const is = grantedBy(rule, narrow, each);
          must(`${words} ${is ? 'grants' : 'does not grant'} ${wordsOf(each)}`, answer, is ? yes : no);
        }
      }
    },
  );
}

check(
  'RBAC-RULE-01.4',
  'roles of the cluster and of a namespace have 300 rules → each grants what it says, and nothing beside',
  ['RBAC-RULE-01'],
  async ({ admin, space, dialect }) => {
    const [here, apiGroup] = [await admin.namespace(), groupOf(roles, dialect)];
    const rules = Array.from({ length: 300 }, (_, at) =>
      rule('get', 'core', `things-${at}`),
    ) as unknown as JsonObject[];
    for (const kind of [clusterRoles, roles]) {
      const user = `${space.prefix}-${kind.plural}`;
      await admin.given(kind, named('many', { rules }));
      const roleRef = { apiGroup, kind: kind.kind, name: space.nameOf(kind, 'many') };
      await admin.given(roleBindings, {
        ...named(kind.plural),
        roleRef,
        subjects: [{ kind: 'User', name: user, apiGroup }],
      });
      const mayGet = (resource: string) =>
        mayThey(admin, { user }, { verb: 'get', group: '', resource, namespace: here, name: 'x' });
      must('the last is followed', await should(() => mayGet('things-299'), yes));
      for (const at of [0, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 298])
        must(`so is that at ${at}`, await mayGet(`things-${at}`), yes);
      must('and none that there is not', await mayGet('things-300'), no);
    }
  },
);

/** Whether a rule grants what is asked, by the model of the text. */
function grantedBy(rule: GrantedRule, narrow: boolean, asked: AccessRequest): boolean {
  const scope = narrow ? 'here' : 'cluster';
  const role = { scope, name: 'r', rules: [rule] } as const;
  const binding = {
    scope,
    role: { kind: narrow ? 'Role' : 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: 'ada' }],
  } as const;
  return granted({ roles: [role], bindings: [binding] }, { user: 'ada', groups: [] }, asked);
}

const FENCE = '/touchstone/fence';
const fence = (namespace: string, narrow: boolean): ReviewedAttributes =>
  narrow ? { verb: 'get', group: '', resource: 'fences', namespace, name: 'fence' } : { verb: 'get', path: FENCE };

/** Binds a rule and a fence to somebody of this name; `false` where the server refuses the rule. */
async function bind(admin: Actor, one: GrantedRule, name: string, narrow: boolean): Promise<boolean> {
  const { dialect, space } = admin;
  const full = (group: string) => (group.startsWith(COORDINATION) ? groupName(dialect, group) : group);
  const written = { ...one, ...(one.apiGroups ? { apiGroups: one.apiGroups.map(full) } : {}) };
  const beside = narrow ? rule('get', 'core', 'fences', 'fence') : paths('get', FENCE);
  const rules = [written, beside] as unknown as JsonObject[];
  const [kind, binding] = narrow ? [roles, roleBindings] : [clusterRoles, clusterRoleBindings];
  const made = await admin.create(kind, named(name, { rules }));
  if (made.status >= 400 && made.status < 500) return false;
  const apiGroup = groupOf(roles, dialect);
  await admin.given(binding, {
    ...named(name),
    roleRef: { apiGroup, kind: kind.kind, name: space.nameOf(kind, name) },
    subjects: [{ kind: 'User', name: `${space.prefix}-${name}`, apiGroup }],
  });
  return true;
}

function questionOf(asked: AccessRequest, { dialect }: Actor, namespace: string): ReviewedAttributes {
  if ('path' in asked) return asked;
  const { place: _, group, ...rest } = asked;
  return { ...rest, group: BUILT_IN.includes(group) ? groupName(dialect, group) : group, namespace };
}
const wordsOf = (asked: AccessRequest): string =>
  'path' in asked
    ? `${asked.verb} ${asked.path}`
    : `${asked.verb} ${[asked.group, asked.resource, asked.subresource, asked.name].filter((part) => part !== '').join(' ')}`;

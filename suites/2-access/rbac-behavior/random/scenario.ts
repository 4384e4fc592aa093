import fc from 'fast-check';
import type { GrantedRule } from '../../../harness/index.ts';
import type { AccessRequest, BindingOf, Grants, RoleOf, SubjectOf, Who } from './grants.ts';

/** Roles and bindings, one more rule, and what is asked before and after it is added. */
export interface GrantScenario {
  readonly grants: Grants;
  readonly added: Addition;
  readonly questions: readonly { readonly who: Who; readonly asked: AccessRequest }[];
}

/** A rule that is put into one of the roles. */
export class Addition {
  readonly rule: GrantedRule;
  readonly at: number;
  constructor(rule: GrantedRule, at: number) {
    this.rule = rule;
    this.at = at;
  }
  /** The role that it goes into. */
  role({ roles }: Grants): RoleOf {
    return roles[this.at % roles.length] as RoleOf;
  }
  to(grants: Grants): Grants {
    const changed = this.role(grants);
    const more = (role: RoleOf) => (role === changed ? { ...role, rules: [...role.rules, this.rule] } : role);
    return { ...grants, roles: grants.roles.map(more) };
  }
}

/** Group and plural of the types that are asked about; the group is the first part of its name, or empty. */
export const TYPES = [
  { prefix: '', resource: 'configmaps' },
  { prefix: '', resource: 'secrets' },
  { prefix: 'coordination', resource: 'leases' },
] as const;
const PREFIXES = ['', 'coordination'];
const RESOURCES = [...TYPES.map(({ resource }) => resource), 'configmaps/status'];
const PATHS = ['/touchstone/a', '/touchstone/a/b', '/touchstone/ab', '/touchstone/c'];

const some = <T>(...items: readonly T[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 2 });

const resourceRule: fc.Arbitrary<GrantedRule> = fc.record({
  verbs: some('get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'),
  apiGroups: some(...PREFIXES, '*'),
  resources: some(...RESOURCES, '*'),
  resourceNames: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some('x', 'y', 'xy') }),
});
const pathRule: fc.Arbitrary<GrantedRule> = fc.record({
  verbs: some('get', 'post', '*'),
  nonResourceURLs: some('/touchstone/a', '/touchstone/a*', '/touchstone/a/*', '/touchstone/*'),
});

/** Paths are for roles of the cluster only: a Role with them may be refused. */
const roleOf = (scope: RoleOf['scope'], name: string): fc.Arbitrary<RoleOf> =>
  fc
    .array(scope === 'cluster' ? fc.oneof(resourceRule, pathRule) : resourceRule, { maxLength: 2 })
    .map((rules) => ({ scope, name, rules }));
const roles = fc.tuple(
  roleOf('here', 'a'),
  roleOf('there', 'a'),
  roleOf('cluster', 'a'),
  roleOf('cluster', 'b'),
) satisfies fc.Arbitrary<readonly RoleOf[]>;

const subject: fc.Arbitrary<SubjectOf> = fc.constantFrom<SubjectOf>(
  { kind: 'User', name: 'ada' },
  { kind: 'User', name: 'bea' },
  { kind: 'Group', name: 'staff' },
  { kind: 'Group', name: 'guests' },
  { kind: 'ServiceAccount', name: 'robot' },
);
const binding: fc.Arbitrary<BindingOf> = fc
  .record({
    scope: fc.constantFrom('here', 'there', 'cluster'),
    kind: fc.constantFrom('Role', 'ClusterRole'),
    name: fc.constantFrom('a', 'b'),
    subjects: fc.uniqueArray(subject, { minLength: 1, maxLength: 2 }),
  })
  .map(({ scope, kind, name, subjects }) => ({
    scope,
    role: { kind: scope === 'cluster' ? 'ClusterRole' : kind, name },
    subjects,
  })) as fc.Arbitrary<BindingOf>;

const who: fc.Arbitrary<Who> = fc.record({
  user: fc.constantFrom('ada', 'bea', 'robot'),
  groups: fc.subarray(['staff', 'guests']),
});
const type = fc.constantFrom(...TYPES).map(({ prefix, resource }) => ({ group: prefix as string, resource }));
const place = fc.constantFrom('here' as const, 'there' as const);
const name = fc.constantFrom('x', 'y', 'xy');
/** Requests that can be sent: of one object, of a collection, of a subresource, of a path. */
const asked: fc.Arbitrary<AccessRequest> = fc.oneof(
  fc
    .record({ type, place, name, verb: fc.constantFrom('get', 'update', 'patch', 'delete') })
    .map(({ type: each, ...rest }) => ({ ...each, ...rest, subresource: '' })),
  fc
    .oneof(
      fc.record({ type, place: fc.constantFrom('here', 'there', ''), verb: fc.constant('list') }),
      // Over all namespaces nothing is deleted, not even for trial: there is more than the check's own.
      fc.record({ type, place, verb: fc.constant('deletecollection') }),
    )
    .map(({ type: each, ...rest }) => ({ ...each, ...rest, subresource: '', name: '' })),
  fc
    .record({ type, place, verb: fc.constant('create') })
    .map(({ type: each, ...rest }) => ({ ...each, ...rest, subresource: '', name: '' })),
  fc.record({ place, name }).map((rest) => ({
    ...rest,
    group: '',
    resource: 'configmaps',
    subresource: 'status',
    verb: 'get',
  })),
  fc.record({ verb: fc.constantFrom('get', 'post'), path: fc.constantFrom(...PATHS) }),
) as fc.Arbitrary<AccessRequest>;

/** Scenarios by chance. */
export const scenarios: fc.Arbitrary<GrantScenario> = fc
  .record({
    grants: fc.record({ roles, bindings: fc.array(binding, { minLength: 1, maxLength: 4 }) }),
    rule: resourceRule,
    at: fc.nat({ max: 3 }),
    questions: fc.uniqueArray(fc.record({ who, asked }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ grants, rule, at, questions }) => ({ grants, added: new Addition(rule, at), questions }));

import { type Dialect, groupName } from '../../../../fixtures/dialects/dialect.ts';
import type { Exchange, JsonObject } from '../../../harness/index.ts';
import {
  type Actor,
  clusterRoleBindings,
  clusterRoles,
  type GrantedRule,
  groupOf,
  must,
  named,
  roleBindings,
  roles,
  should,
} from '../../../harness/index.ts';
import { mayThey, type ReviewedAttributes, yes } from '../../reviews.ts';
import type { AccessRequest, BindingOf, Grants, NamespaceChoice, RoleOf, SubjectOf, Who } from './grants.ts';

/** The methods of verbs that change something, all of which are sent as dry runs. */
const METHODS: Readonly<Partial<Record<string, string>>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Where a scenario is played: its names are its own, so that what others left behind says nothing here. */
export class GrantScenarioRun {
  readonly #admin: Actor;
  readonly #name: string;
  readonly #places: Readonly<Record<NamespaceChoice, string>>;
  readonly #dialect: Dialect;
  #fences = 0;

  private constructor(admin: Actor, name: string, places: Readonly<Record<NamespaceChoice, string>>) {
    this.#admin = admin;
    this.#name = name;
    this.#places = places;
    this.#dialect = admin.dialect;
  }
  static async of(admin: Actor, name: string): Promise<GrantScenarioRun> {
    const places = { here: await admin.namespace(), there: await admin.elsewhere().namespace() };
    return new GrantScenarioRun(admin, name, places);
  }

  /** Creates roles and bindings, and returns when they are followed. */
  async set({ roles: all, bindings }: Grants): Promise<void> {
    for (const role of all) await this.#give(role);
    for (const [index, binding] of bindings.entries()) {
      const subjects = binding.subjects.map((subject) => this.#subject(subject));
      await this.#bind(binding, subjects, `binding-${index}`);
    }
    await this.#fence();
  }
  /** Adds a rule to a role, and returns when that is followed. */
  async add(rule: GrantedRule, role: RoleOf): Promise<void> {
    const rules = [...role.rules, rule].map((each) => this.#written(each));
    const kind = role.scope === 'cluster' ? clusterRoles : roles;
    await this.#at(role.scope).prepare((actor) => actor.patch(kind, this.#own(role.name), 'merge', { rules }));
    await this.#fence();
  }

  /** Asks by a review whether somebody may do something. */
  review(who: Who, asked: AccessRequest): Promise<Exchange> {
    return mayThey(this.#admin, this.#asSubject(who), this.#question(asked));
  }
  /** Does it, as that somebody, in a way that changes nothing. */
  request(who: Who, asked: AccessRequest): Promise<Exchange> {
    const { user, groups } = this.#asSubject(who);
    const [method, path] = this.#line(asked);
    return this.#admin.request(method, path, {
      words: `${who.user} of ${who.groups.join(' and ') || 'no group'} sends ${method} ${path}`,
      headers: { 'impersonate-user': user, ...(groups.length > 0 ? { 'impersonate-group': groups } : {}) },
      ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body: {} } : {}),
    });
  }

  #own(name: string): string {
    return `${this.#name}-${name}`;
  }
  #at(scope: RoleOf['scope']): Actor {
    return scope === 'there' ? this.#admin.in(this.#places.there) : this.#admin;
  }
  #give({ scope, name, rules }: RoleOf) {
    const draft = named(this.#own(name), { rules: rules.map((rule) => this.#written(rule)) });
    return this.#at(scope).given(scope === 'cluster' ? clusterRoles : roles, draft);
  }
  #bind({ scope, role }: Pick<BindingOf, 'scope' | 'role'>, subjects: readonly JsonObject[], name: string) {
    const own = this.#own(role.name);
    const full = role.kind === 'ClusterRole' ? this.#admin.space.nameOf(clusterRoles, own) : own;
    const roleRef = { apiGroup: groupOf(roles, this.#dialect), kind: role.kind, name: full };
    const kind = scope === 'cluster' ? clusterRoleBindings : roleBindings;
    return this.#at(scope).given(kind, named(this.#own(name), { roleRef, subjects: [...subjects] }));
  }
  #subject({ kind, name }: SubjectOf): JsonObject {
    if (kind === 'ServiceAccount') return { kind, name: this.#own(name), namespace: this.#places.here };
    return { kind, name: this.#person(name), apiGroup: groupOf(roles, this.#dialect) };
  }
  #person(name: string): string {
    return `${this.#admin.space.prefix}-${this.#own(name)}`;
  }
  #asSubject({ user, groups }: Who) {
    const account = `system:serviceaccount:${this.#places.here}:${this.#own('robot')}`;
    return {
      user: user === 'robot' ? account : this.#person(user),
      groups: groups.map((group) => this.#person(group)),
    };
  }
  #group(prefix: string): string {
    return prefix === '' || prefix === '*' ? prefix : groupName(this.#dialect, prefix);
  }
  #written(rule: GrantedRule): JsonObject {
    const { apiGroups, ...rest } = rule as unknown as JsonObject & { apiGroups?: string[] };
    return apiGroups === undefined ? rest : { ...rest, apiGroups: apiGroups.map((prefix) => this.#group(prefix)) };
  }
  #question(asked: AccessRequest): ReviewedAttributes {
    if ('path' in asked) return asked;
    const { place, group, ...rest } = asked;
    return { ...rest, group: this.#group(group), namespace: place === '' ? '' : this.#places[place] };
  }
  #line(asked: AccessRequest): readonly [string, string] {
    if ('path' in asked) return [asked.verb.toUpperCase(), asked.path];
    const { verb, group, resource, subresource, place, name } = asked;
    const root = group === '' ? '/api/v1' : `/apis/${this.#group(group)}/v1`;
    const within = place === '' ? '' : `/namespaces/${this.#places[place]}`;
    const item = [resource, name, subresource].filter((part) => part !== '').join('/');
    const method = METHODS[verb] ?? 'GET';
    return [method, `${root}${within}/${item}${method === 'GET' ? '' : '?dryRun=All'}`];
  }

  /**
   * Writes one of each kind and waits until that is followed. A server may keep each kind by itself, and sees the
   * writes to one kind in their order.
   */
  async #fence(): Promise<void> {
    this.#fences += 1;
    const name = `fence-${this.#fences}`;
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['fences'] }];
    await this.#give({ scope: 'here', name, rules });
    await this.#give({ scope: 'cluster', name, rules: [{ verbs: ['get'], nonResourceURLs: [`/touchstone/${name}`] }] });
    const user = this.#person(name);
    const subjects = [{ kind: 'User', name: user, apiGroup: groupOf(roles, this.#dialect) }];
    await this.#bind({ scope: 'here', role: { kind: 'Role', name } }, subjects, name);
    await this.#bind({ scope: 'cluster', role: { kind: 'ClusterRole', name } }, subjects, name);
    const narrow = { verb: 'get', group: '', resource: 'fences', namespace: this.#places.here };
    const wide = { verb: 'get', path: `/touchstone/${name}` };
    for (const question of [narrow, wide]) {
      must('a later grant is followed', await should(() => mayThey(this.#admin, { user }, question), yes));
    }
  }
}

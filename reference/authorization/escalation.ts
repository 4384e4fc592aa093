import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import type { User } from '../api/identity.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import { inTurns } from '../api/staged.ts';
import { forbidden, notFound } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Authorizer, PolicyRule, ResourceAttributes } from '../contracts/authorizer.ts';
import { bindingOf } from '../contracts/rbacObjects.ts';
import { rulesOf } from '../contracts/rbacRules.ts';
import { compactRules, describeRule, uncoveredRules } from './covering.ts';
import type { RbacAuthorizer } from './rbac.ts';

const ROLES: ReadonlySet<string> = new Set(['roles', 'clusterroles']);
const BINDINGS: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

export interface EscalationDependencies {
  readonly authorizer: Authorizer;
  readonly rbac: RbacAuthorizer;
  readonly dialect: Dialect;
}

/**
 * Nobody gives away more than they hold (2/rbac-behavior/2): writing a role needs its permissions at the same scope or
 * the verb `escalate`; writing a binding needs those of the role it names, at the binding's scope, or the verb `bind`.
 * Stands before validation, behind every plugin that changes objects.
 */
export class EscalationCheck implements Admission {
  readonly name = 'rbacEscalation';
  readonly #dependencies: EscalationDependencies;
  readonly #group: string;

  constructor(dependencies: EscalationDependencies) {
    this.#dependencies = dependencies;
    this.#group = groupName(dependencies.dialect, 'rbac.authorization');
  }

  concerns({ group }: GroupResource): boolean {
    return group === this.#group;
  }

  /** @throws ApiError 403 with the permissions that are missing; 404 for a binding to a role that is not there */
  async mutate({ operation, endpoint, namespace, object, oldObject, exchange }: AdmissionAttributes): Promise<void> {
    const { group, resource } = endpoint.type;
    if (group !== this.#group || !object || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
    const { user, info } = exchange;
    if (user.groups.includes('system:masters')) return;
    if (oldObject && onlyDeletionChanges(object, oldObject)) return;
    if (ROLES.has(resource)) {
      const name = info.isResource ? info.name : '';
      if (await this.#may(user, 'escalate', resource, name, namespace)) return;
      await this.#checkRole(resource, namespace, object, oldObject, exchange);
    } else if (BINDINGS.has(resource)) await this.#checkBinding(resource, namespace, object, exchange);
  }

  async #checkRole(
    resource: string,
    namespace: string,
    role: ApiObject,
    old: ApiObject | undefined,
    exchange: Exchange,
  ): Promise<void> {
    const { user } = exchange;
    const name = role.metadata.name ?? '';
    await this.#checkHeld(resource, name, namespace, rulesOf(role), exchange);
    if (!isObject(role.aggregationRule) && !isObject(old?.aggregationRule)) return;
    // An aggregate may come to hold anything that somebody labels for it.
    const { rules } = this.#dependencies.rbac.heldRules(user, '');
    if ((await inTurns(uncoveredRules(rules, EVERYTHING), exchange)).length > 0) {
      throw forbidden(
        { group: this.#group, resource },
        name,
        'must have cluster-admin privileges to use the aggregationRule',
      );
    }
  }

  async #checkBinding(resource: string, namespace: string, object: ApiObject, exchange: Exchange): Promise<void> {
    const { user } = exchange;
    const binding = { ...bindingOf(object), namespace };
    const { kind, name: role } = binding.role;
    const roles = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    if (await this.#may(user, 'bind', roles, role, namespace)) return;
    const rules = this.#dependencies.rbac.rulesOfRole(binding);
    if (!rules) throw notFound({ group: this.#group, resource }, role);
    await this.#checkHeld(resource, binding.name, namespace, rules, exchange);
  }

  async #checkHeld(
    resource: string,
    name: string,
    namespace: string,
    wanted: readonly PolicyRule[],
    exchange: Exchange,
  ): Promise<void> {
    const { user } = exchange;
    const { rules, faults } = this.#dependencies.rbac.heldRules(user, namespace);
    const missing = await inTurns(uncoveredRules(rules, wanted), exchange);
    if (missing.length === 0) return;
    const lines = [...new Set(compactRules(missing).map(describeRule))].sort();
    const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
    const unresolved = faults.length > 0 ? `; resolution errors: [${faults.join(' ')}]` : '';
    throw forbidden(
      { group: this.#group, resource },
      name,
      `user ${JSON.stringify(user.username)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`,
    );
  }

  async #may(user: User, verb: string, resource: string, name: string, namespace: string): Promise<boolean> {
    const asked: ResourceAttributes = {
      isResource: true,
      user,
      verb,
      group: this.#group,
      version: '*',
      resource,
      subresource: '',
      namespace,
      name,
    };
    return (await this.#dependencies.authorizer.authorize(asked)).decision === 'allow';
  }
}

/** A write that changes nothing but finalizers and owners gives nobody anything: deletion must always be possible. */
function onlyDeletionChanges(object: ApiObject, old: ApiObject): boolean {
  return equalJson(withoutDeletionFields(object), withoutDeletionFields(old));
}
function withoutDeletionFields(object: ApiObject): Json {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...asJson(object), metadata: metadata as unknown as JsonObject };
}

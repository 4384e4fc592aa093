import type { Awaitable } from '../api/awaitable.ts';
import type { User } from '../api/identity.ts';
import type { SelectorRequirement } from '../selectors/labelRequirement.ts';
import type { RbacBinding, Subject } from './rbacObjects.ts';

/** The only attributes of a request that authorizers see (2/authorization/3). */
export type Attributes = ResourceAttributes | NonResourceAttributes;
export interface ResourceAttributes {
  readonly isResource: true;
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Selectors of list, watch and deletecollection requests, parsed; undefined where there are none. */
  readonly fieldSelector?: readonly SelectorRequirement[];
  readonly labelSelector?: readonly SelectorRequirement[];
}
export interface NonResourceAttributes {
  readonly isResource: false;
  readonly user: User;
  readonly verb: string;
  readonly path: string;
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  /** Why, in words: which binding and rule said yes, or what stood against it. May be empty. */
  readonly reason: string;
  /** Name of the authorizer that decided. */
  readonly by: string;
  /** An error met on the way; reported in access reviews (`evaluationError`). */
  readonly error?: string;
  /** What said yes, where a role did. */
  readonly grant?: RoleGrant;
}
/** A binding that names the user, with the subject by which it does, and the rule of its role that allows. */
export interface RoleGrant {
  readonly binding: RbacBinding;
  readonly subject: Subject;
  readonly rule: PolicyRule;
}

export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): Awaitable<AuthorizationResult>;
}

/** What a user may do in a namespace, for SelfSubjectRulesReview; `incomplete` when an authorizer cannot tell. */
export interface RuleResolver {
  rulesFor(user: User, namespace: string): Awaitable<ResolvedRules>;
}
export interface ResolvedRules {
  readonly resourceRules: readonly {
    verbs: readonly string[];
    apiGroups: readonly string[];
    resources: readonly string[];
    resourceNames: readonly string[];
  }[];
  readonly nonResourceRules: readonly { verbs: readonly string[]; nonResourceURLs: readonly string[] }[];
  readonly incomplete: boolean;
  readonly error: string;
}

const NODE_PREFIX = 'system:node:';

/** The node that a user is, `undefined` for users that are none (2/node-authorization/1). */
export function nodeOf(user: Attributes['user']): string | undefined {
  return user.username.startsWith(NODE_PREFIX) && user.groups.includes('system:nodes')
    ? user.username.slice(NODE_PREFIX.length)
    : undefined;
}

/** One rule of a role (2/rbac-objects/p1): what it allows. Rules only ever add. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: any name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

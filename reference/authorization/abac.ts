import type { User } from '../api/identity.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  ResolvedRules,
  RuleResolver,
} from '../contracts/authorizer.ts';
import { pathMatches } from '../contracts/rbacRules.ts';
import type { AbacPolicy } from '../contracts/serverOptions.ts';

const READS: readonly string[] = ['get', 'list', 'watch'];

/** The policy file of mode ABAC (2/rbac-objects/p4): allows what any line allows. */
export class AbacAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  readonly #policies: readonly AbacPolicy[];

  constructor(policies: readonly AbacPolicy[], name = 'abac') {
    this.#policies = policies;
    this.name = name;
  }

  authorize(asked: Attributes): AuthorizationResult {
    const allowed = this.#policies.some(
      (policy) => concerns(policy, asked.user) && allowsVerb(policy, asked.verb) && allowsTarget(policy, asked),
    );
    return {
      decision: allowed ? 'allow' : 'noOpinion',
      reason: allowed ? '' : 'No policy matched.',
      by: this.name,
    };
  }

  rulesFor(user: User, namespace: string): ResolvedRules {
    const held = this.#policies.filter(
      (policy) => concerns(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
    );
    const verbs = (policy: AbacPolicy) => (policy.readonly ? READS : ['*']);
    return {
      resourceRules: held
        .filter((policy) => policy.resource !== '')
        .map((policy) => ({
          verbs: verbs(policy),
          apiGroups: [policy.apiGroup],
          resources: [policy.resource],
          resourceNames: [],
        })),
      nonResourceRules: held
        .filter((policy) => policy.nonResourcePath !== '')
        .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
      incomplete: false,
      error: '',
    };
  }
}

/** A line with both a user and a group wants both; one with neither concerns nobody. */
function concerns({ user, group }: AbacPolicy, who: User): boolean {
  if (user === '' && group === '') return false;
  return (
    (user === '' || user === '*' || user === who.username) &&
    (group === '' || group === '*' || who.groups.includes(group))
  );
}
function allowsVerb(policy: AbacPolicy, verb: string): boolean {
  return !policy.readonly || READS.includes(verb);
}
/** A rule for a resource covers its subresources; resource and path never match the same request. */
function allowsTarget(policy: AbacPolicy, asked: Attributes): boolean {
  if (!asked.isResource) return policy.nonResourcePath !== '' && pathMatches(policy.nonResourcePath, asked.path);
  const matches = (pattern: string, value: string) => pattern === '*' || pattern === value;
  return (
    matches(policy.namespace, asked.namespace) &&
    matches(policy.resource, asked.resource) &&
    matches(policy.apiGroup, asked.group)
  );
}

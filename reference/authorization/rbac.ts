import { formatGroupResource } from '../api/groupVersion.ts';
import type { User } from '../api/identity.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  PolicyRule,
  ResolvedRules,
  RuleResolver,
} from '../contracts/authorizer.ts';
import { describeGrant, type RbacBinding } from '../contracts/rbacObjects.ts';
import { ruleAllows } from '../contracts/rbacRules.ts';
import type { RbacIndex } from './rbacIndex.ts';

/**
 * Role-based access (2/rbac-behavior, 2/rbac-objects): allows what any rule of any role allows that a binding
 * gives the user; has no opinion on the rest.
 */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  readonly #index: RbacIndex;
  readonly #group: string;

  /**
   * @param group name of the API group of roles, for messages
   * @param name what it is called in the configuration (2/authorization-configuration-file/t1.2)
   */
  constructor(index: RbacIndex, group: string, name = 'rbac') {
    this.#index = index;
    this.#group = group;
    this.name = name;
  }

  authorize(asked: Attributes): AuthorizationResult {
    const namespace = asked.isResource ? asked.namespace : '';
    const missing: string[] = [];
    for (const { binding, subject } of this.#index.grants(asked.user, namespace)) {
      const rules = this.#index.rules(binding);
      if (!rules) {
        missing.push(this.#missing(binding));
        continue;
      }
      const rule = rules.find((one) => ruleAllows(one, asked));
      if (rule) {
        return {
          decision: 'allow',
          reason: `RBAC: allowed by ${describeGrant(binding, subject)}`,
          by: this.name,
          grant: { binding, subject, rule },
        };
      }
    }
    const faults = [...missing, ...this.#faults(asked.user, namespace)];
    return { decision: 'noOpinion', reason: faults.length > 0 ? `RBAC: ${joinFaults(faults)}` : '', by: this.name };
  }

  /** Every rule that holds for a user in a namespace (cluster-wide ones when it is empty), and what is missing. */
  heldRules(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly faults: readonly string[] } {
    const rules: PolicyRule[] = [];
    const faults: string[] = [];
    for (const { binding } of this.#index.grants(user, namespace)) {
      const found = this.#index.rules(binding);
      if (found) for (const rule of found) rules.push(rule);
      else faults.push(this.#missing(binding));
    }
    faults.push(...this.#faults(user, namespace));
    return { rules, faults };
  }

  /** The rules of the role that a binding names; undefined when there is none of that name. */
  rulesOfRole(binding: RbacBinding): readonly PolicyRule[] | undefined {
    return this.#index.rules(binding);
  }

  rulesFor(user: User, namespace: string): ResolvedRules {
    const { rules, faults } = this.heldRules(user, namespace);
    return {
      resourceRules: rules.filter((rule) => rule.resources.length > 0),
      nonResourceRules: rules.filter((rule) => rule.nonResourceURLs.length > 0),
      incomplete: false,
      error: faults.length > 0 ? joinFaults(faults) : '',
    };
  }

  #missing({ role }: RbacBinding): string {
    const kind = formatGroupResource({ group: this.#group, resource: role.kind.toLowerCase() });
    return `${kind} ${JSON.stringify(role.name)} not found`;
  }
  #faults(user: User, namespace: string): string[] {
    return [...this.#index.faults(user, namespace)].map(
      ({ binding, subject }) =>
        `subject ${JSON.stringify(subject.name)} of binding ${JSON.stringify(binding.name)} has a namespace, which a ${subject.kind} may not have`,
    );
  }
}

/** Several faults as one text: bare when there is one, in brackets when there are more. */
export function joinFaults(faults: readonly string[]): string {
  const distinct = [...new Set(faults)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
}

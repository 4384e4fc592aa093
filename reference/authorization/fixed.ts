import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  ResolvedRules,
  RuleResolver,
} from '../contracts/authorizer.ts';

const NO_RULES: ResolvedRules = { resourceRules: [], nonResourceRules: [], incomplete: false, error: '' };

/** Mode AlwaysAllow (2/authorization/p3): for tests only. */
export class AlwaysAllowAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  constructor(name = 'alwaysallow') {
    this.name = name;
  }
  authorize(): AuthorizationResult {
    return { decision: 'allow', reason: '', by: this.name };
  }
  rulesFor(): ResolvedRules {
    return {
      ...NO_RULES,
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    };
  }
}

/** Mode AlwaysDeny (2/authorization/p3): has no opinion on anything, and so refuses what nobody else allows. */
export class AlwaysDenyAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  constructor(name = 'alwaysdeny') {
    this.name = name;
  }
  authorize(): AuthorizationResult {
    return { decision: 'noOpinion', reason: 'Everything is forbidden.', by: this.name };
  }
  rulesFor(): ResolvedRules {
    return NO_RULES;
  }
}

/** Group `system:masters` may do everything, whatever the other authorizers say (2/authorization/p5). */
export class MastersAuthorizer implements Authorizer {
  readonly name = 'masters';
  authorize(asked: Attributes): AuthorizationResult {
    const allow = asked.user.groups.includes('system:masters');
    return { decision: allow ? 'allow' : 'noOpinion', reason: '', by: this.name };
  }
}

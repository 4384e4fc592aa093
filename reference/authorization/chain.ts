import type { Awaitable } from '../api/awaitable.ts';
import type { User } from '../api/identity.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  ResolvedRules,
  RuleResolver,
} from '../contracts/authorizer.ts';
import { isPending } from '../contracts/store.ts';

/**
 * Authorizers one after the other (2/authorization/2): the first that allows or denies decides, and those behind
 * it are not asked. When none has an opinion, their reasons stand in the verdict, in order.
 */
export class AuthorizerChain implements Authorizer, RuleResolver {
  readonly name = 'chain';
  #members: readonly Authorizer[];

  constructor(members: readonly Authorizer[]) {
    this.#members = members;
  }

  /** From now on these are asked; questions that are under way keep to the former ones. */
  replace(members: readonly Authorizer[]): void {
    this.#members = members;
  }

  authorize(asked: Attributes): Awaitable<AuthorizationResult> {
    const members = this.#members;
    const silent: AuthorizationResult[] = [];
    for (let i = 0; i < members.length; i++) {
      const verdict = (members[i] as Authorizer).authorize(asked);
      if (isPending(verdict)) return askRest(members, i, verdict, asked, silent);
      if (verdict.decision !== 'noOpinion') return withErrors(verdict, silent);
      silent.push(verdict);
    }
    return nobody(silent);
  }

  /** What the members can tell together; incomplete as soon as one of them cannot tell. */
  async rulesFor(user: User, namespace: string): Promise<ResolvedRules> {
    const resourceRules: ResolvedRules['resourceRules'][number][] = [];
    const nonResourceRules: ResolvedRules['nonResourceRules'][number][] = [];
    const errors: string[] = [];
    let incomplete = false;
    for (const member of this.#members) {
      if (!resolvesRules(member)) continue;
      const rules = await member.rulesFor(user, namespace);
      for (const rule of rules.resourceRules) resourceRules.push(rule);
      for (const rule of rules.nonResourceRules) nonResourceRules.push(rule);
      incomplete ||= rules.incomplete;
      if (rules.error) errors.push(rules.error);
    }
    return {
      resourceRules,
      nonResourceRules,
      incomplete,
      error: errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? ''),
    };
  }
}

/** Goes on behind a member whose answer was still to come. */
async function askRest(
  members: readonly Authorizer[],
  at: number,
  pending: Promise<AuthorizationResult>,
  asked: Attributes,
  silent: AuthorizationResult[],
): Promise<AuthorizationResult> {
  let verdict = await pending;
  for (let i = at; ; ) {
    if (verdict.decision !== 'noOpinion') return withErrors(verdict, silent);
    silent.push(verdict);
    const member = members[++i];
    if (!member) return nobody(silent);
    verdict = await member.authorize(asked);
  }
}

function resolvesRules(member: Authorizer): member is Authorizer & RuleResolver {
  return 'rulesFor' in member;
}

function errorsOf(verdicts: readonly AuthorizationResult[]): string | undefined {
  const errors = [...new Set(verdicts.flatMap((verdict) => verdict.error ?? []))];
  return errors.length > 1 ? `[${errors.join(', ')}]` : errors[0];
}
function withErrors(verdict: AuthorizationResult, before: readonly AuthorizationResult[]): AuthorizationResult {
  if (verdict.error === undefined && before.length === 0) return verdict;
  const error = errorsOf([...before, verdict]);
  return error === undefined ? verdict : { ...verdict, error };
}
function nobody(silent: readonly AuthorizationResult[]): AuthorizationResult {
  const reasons = silent.map((verdict) => verdict.reason).filter((reason) => reason !== '');
  const error = errorsOf(silent);
  return {
    decision: 'noOpinion',
    reason: reasons.join('\n'),
    by: silent.map((verdict) => verdict.by).join(','),
    ...(error === undefined ? {} : { error }),
  };
}

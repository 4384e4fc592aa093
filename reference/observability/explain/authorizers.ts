import type { Awaitable } from '../../api/awaitable.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  RoleGrant,
  RuleResolver,
} from '../../contracts/authorizer.ts';
import { isPending } from '../../contracts/store.ts';
import { currentTrace } from './currentTrace.ts';

/** Why an authorizer decided as it did, where it gives no reason of its own. */
const UNSAID: Readonly<Record<string, string>> = {
  'masters allow': 'the user is in group system:masters',
  'masters noOpinion': 'the user is not in group system:masters',
  'node noOpinion': 'the user is no node, or asks for what no node needs',
  'node allow': 'nodes may do this',
  'rbac noOpinion': 'no rule of a role that is bound to the user allows it',
  'alwaysallow allow': 'this mode allows everything',
  'abac allow': 'a line of the policy file allows it',
};

/** The same authorizer; tells the trace of the request what it decided about what. */
export function toldAuthorizer(member: Authorizer): Authorizer {
  const around: Authorizer = {
    name: member.name,
    authorize: (asked) => told(asked, member.authorize(asked)),
  };
  // Who can list rules is asked for them by that method alone.
  if (!('rulesFor' in member)) return around;
  const resolver = member as Authorizer & RuleResolver;
  return Object.assign(around, { rulesFor: resolver.rulesFor.bind(resolver) });
}

function told(asked: Attributes, answer: Awaitable<AuthorizationResult>): Awaitable<AuthorizationResult> {
  if (isPending(answer)) return answer.then((later) => told(asked, later) as AuthorizationResult);
  const { by, decision, reason, error, grant } = answer;
  currentTrace()?.note({
    stage: 'authorization',
    by,
    outcome: decision,
    because: reason || error || (UNSAID[`${by} ${decision}`] ?? 'it gives no reason'),
    details: () => ({ asked: askedOf(asked), ...(grant ? { grant: grantOf(grant) } : {}) }),
  });
  return answer;
}

/** What was asked, without the parts that are empty. */
export function askedOf(asked: Attributes): Readonly<Record<string, unknown>> {
  const { user, isResource: _, ...rest } = asked;
  const parts = Object.entries({ username: user.username, ...rest }).filter(([, value]) => value !== '');
  return Object.fromEntries(parts);
}

function grantOf({ binding, subject, rule }: RoleGrant): Readonly<Record<string, unknown>> {
  const { namespace, name, role } = binding;
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const parts = Object.entries(rule).filter(([, values]) => values.length > 0);
  return {
    binding: { kind, ...(namespace === '' ? {} : { namespace }), name },
    role,
    subject: Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== '')),
    rule: Object.fromEntries(parts),
  };
}

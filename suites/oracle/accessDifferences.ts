import { isRecord } from '../harness/json.ts';
import { compare, type SeenDifference } from '../sequences/compare.ts';
import type { Seen } from '../sequences/normal.ts';
import type { Step } from '../sequences/step.ts';

/**
 * Where two servers differ in what is decided of requests: whether they are done, by which code where the text names
 * one, what reviews say, as whom somebody is known, and what is stored then.
 * @param first what the one was seen to do after these steps, of which only those that are asked about count
 */
export function accessDifferences(
  steps: readonly Step[],
  first: readonly Seen[],
  second: readonly Seen[],
): SeenDifference[] {
  return compare(first.map(decided), second.map(decided)).filter((difference) => counts(steps, difference));
}

/** Codes that say who asks, or that they may not. */
const NAMED: ReadonlySet<number> = new Set([401, 403]);

function counts(steps: readonly Step[], { step, what, path, first, second }: SeenDifference): boolean {
  if (path !== 'status') return path === 'body' || path.startsWith('told.');
  const [a, b] = [Number(first), Number(second)];
  if (what !== 'answer') return true;
  return a < 300 !== b < 300 || NAMED.has(a) || NAMED.has(b) || isFound(steps[step], a, b);
}
/** Whether one finds what the other does not, which the text tells by a code for reads. */
const isFound = (step: Step | undefined, a: number, b: number): boolean =>
  step?.method === 'GET' && (a === 404) !== (b === 404);

/** What counts of a body: what a review says, who somebody is, and of what is stored what clients wrote. */
function decided(seen: Seen): Seen {
  const { what, body, status } = seen;
  // A refusal is told by its code; what else it says is left to the server.
  const told = status >= 300 ? {} : what === 'answer' ? answered(body) : what === 'object' ? stored(body) : {};
  return { ...seen, headers: {}, warnings: [], body: { told } };
}

function answered(body: unknown): Record<string, unknown> {
  if (!isRecord(body) || !isRecord(body.status)) return {};
  const { allowed, denied, userInfo, authenticated, user } = body.status;
  // A request that is not allowed is denied, whether an authorizer says so or none has an opinion.
  if (typeof allowed === 'boolean') return { allowed, denied: allowed && denied === true };
  // Of a token that is nobody's a user may be told that is empty, or none.
  if (typeof authenticated === 'boolean' || isRecord(user))
    return authenticated === true ? { authenticated, ...who(user) } : { authenticated: false };
  return who(userInfo);
}

/** A user, with the groups in one order. Uids, and extra under a name of a domain, are what a server makes of them. */
function who(user: unknown): Record<string, unknown> {
  if (!isRecord(user)) return {};
  const { username, uid = '', groups, extra = {} } = user;
  const own = Object.entries(isRecord(extra) ? extra : {}).filter(([key]) => !key.includes('/'));
  return {
    username,
    hasUid: uid !== '',
    groups: Array.isArray(groups) ? groups.map(String).sort().join(' ') : '',
    extra: Object.fromEntries(own),
  };
}

function stored(body: unknown): Record<string, unknown> {
  if (!isRecord(body) || !isRecord(body.metadata)) return {};
  const { labels, deletionTimestamp } = body.metadata;
  const { rules, roleRef, subjects, data, aggregationRule } = body;
  return { labels, isLeaving: deletionTimestamp !== undefined, rules, roleRef, subjects, data, aggregationRule };
}

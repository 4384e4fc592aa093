import type { Exchange, Matcher, Patience, Sighting } from '../harness/index.ts';
import { type Actor, inconclusive, match, must, should } from '../harness/index.ts';
import { canBeTold, sendsSelfReview, whoAmI } from './whoAmI.ts';

/** A server may fetch keys and read files in the background: so long it may take until it knows a credential. */
const PATIENCE = { within: 20_000 };
/** What an answer says of a credential that authenticates nobody (2/errors/t1.1). */
export const refused = match.status(401);
/** What an answer says of one that authenticates somebody, whoever that is: they are answered, or may not ask. */
const taken: Matcher<Exchange> = match.either(match.created, match.status(403, 404, 405));

/** The answer says that the user is called so. */
export const calls = (name: string): Matcher<Exchange> => match.field('status.userInfo.username', name);
/** The answer says that the user is in all of these groups. */
export const inGroups = (...groups: readonly string[]): Matcher<Exchange> =>
  match.field('status.userInfo.groups', match.both(...groups.map((group) => match.containing(group))));
/** The answer says that the user is in no such group. */
export const notInGroup = (group: string): Matcher<Exchange> =>
  match.field('status.userInfo.groups', match.not(match.containing(group)));

/** The answer says who it is, whoever that is: for checks that look at it themselves. */
export const told: Matcher<Exchange> = match.field('status.userInfo', match.anObject);

/** The actor asks who they are until they are known, for `must`. */
export function known(actor: Actor, ...as: readonly Matcher<Exchange>[]): Promise<Sighting<Exchange>> {
  if (as.length === 0 && !canBeTold(actor)) return should(() => sendsSelfReview(actor), taken, PATIENCE);
  return should(() => whoAmI(actor), match.both(match.created, ...as), PATIENCE);
}
/** The actor asks who they are until they are refused, for `must`: a server may keep what it knew for a while. */
export function refusedSoon(actor: Actor, patience: Patience = PATIENCE): Promise<Sighting<Exchange>> {
  return should(() => sendsSelfReview(actor), refused, patience);
}

/** What a credential that authenticates nobody is refused for beside a review of oneself; nothing is changed by any. */
const REFUSED_REQUESTS: readonly (readonly [string, string])[] = [
  ['GET', '/api/v1/namespaces'],
  ['GET', '/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=1'],
  ['HEAD', '/api/v1/namespaces/default'],
  ['POST', '/api/v1/namespaces/default/configmaps?dryRun=All'],
  ['PATCH', '/api/v1/namespaces/default?dryRun=All'],
  ['DELETE', '/api/v1/namespaces/default/configmaps/touchstone-none'],
  ['GET', '/api'],
  ['GET', '/apis/authorization.{domain}/v1'],
  ['GET', '/openapi/v3'],
  ['GET', '/metrics'],
];

/** Of a credential that was never good nothing can be kept. */
export const NEVER_GOOD: Patience = { within: 0 };

/**
 * Judges that a credential is refused, whatever is asked by it: reads, watches, writes, discovery and paths. Of several
 * servers behind one address each may keep for a while that it was good.
 */
export async function refusedWhateverIsAsked(actor: Actor, patience: Patience = PATIENCE): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const answers = REFUSED_REQUESTS.map(async ([method, path]) => {
    const to = path.replace('{domain}', actor.dialect.apiDomain);
    const patching = method === 'PATCH' ? { headers } : {};
    const ask = () => actor.request(method, to, /^(POST|PATCH)$/.test(method) ? { ...patching, body: {} } : {});
    return [method, to, await should(ask, refused, patience)] as const;
  });
  for (const [method, path, seen] of await Promise.all(answers)) must(`${method} ${path} by it`, seen);
}

/**
 * Prepares a refusal: until the sound credential of this actor is taken, that another one is refused tells nothing.
 */
export async function knownBefore(actor: Actor): Promise<void> {
  const { differences } = await known(actor);
  if (differences.length > 0) inconclusive('even a sound credential is refused, so that a refusal tells nothing');
}

import type { Exchange, Matcher, Sighting } from '../harness/index.ts';
import { type Actor, inconclusive, match, should } from '../harness/index.ts';
import { whoAmI } from './whoAmI.ts';

/** A server may fetch keys and read files in the background: so long it may take until it knows a credential. */
const PATIENCE = { within: 20_000 };
/** What an answer says of a credential that authenticates nobody (2/errors/t1.1). */
export const refused = match.status(401);

/** The answer says that the user is called so. */
export const calls = (name: string): Matcher<Exchange> => match.field('status.userInfo.username', name);
/** The answer says that the user is in all of these groups. */
export const inGroups = (...groups: readonly string[]): Matcher<Exchange> =>
  match.field('status.userInfo.groups', match.both(...groups.map((group) => match.containing(group))));
/** The answer says that the user is in no such group. */
export const notInGroup = (group: string): Matcher<Exchange> =>
  match.field('status.userInfo.groups', match.not(match.containing(group)));

/** The actor asks who they are until they are known, for `must`. */
export function known(actor: Actor, ...as: readonly Matcher<Exchange>[]): Promise<Sighting<Exchange>> {
  return should(() => whoAmI(actor), match.both(match.created, ...as), PATIENCE);
}
/** The actor asks who they are until they are refused, for `must`: a server may keep what it knew for a while. */
export function refusedSoon(actor: Actor): Promise<Sighting<Exchange>> {
  return should(() => whoAmI(actor), refused, PATIENCE);
}

/**
 * Prepares a refusal: until the sound credential of this actor is taken, that another one is refused tells nothing.
 */
export async function knownBefore(actor: Actor): Promise<void> {
  const { differences } = await known(actor);
  if (differences.length > 0) inconclusive('even a sound credential is refused, so that a refusal tells nothing');
}

import type { Awaitable } from '../api/awaitable.ts';
import { ANONYMOUS, type User } from '../api/identity.ts';
import type { IncomingRequest } from '../api/request.ts';
import type { Authenticated, Authenticator, Rejection } from '../contracts/authenticator.ts';
import { isPending } from '../contracts/store.ts';

const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

/**
 * All methods together (2/general/3): the first success decides, so that a bad credential of one method beside a
 * good one of another does no harm. Only when no method succeeded and none refused is the request anonymous.
 */
export class UnionAuthenticator implements Authenticator {
  readonly name = 'union';
  readonly #methods: readonly Authenticator[];
  readonly #anonymous: Authenticator;

  constructor(methods: readonly Authenticator[], anonymous: Authenticator) {
    this.#methods = methods;
    this.#anonymous = anonymous;
  }

  authenticate(request: IncomingRequest): Awaitable<Authenticated | Rejection | undefined> {
    const faults: string[] = [];
    for (let i = 0; i < this.#methods.length; i++) {
      const answer = (this.#methods[i] as Authenticator).authenticate(request);
      if (isPending(answer)) return this.#rest(i, answer, request, faults);
      if (answer && 'user' in answer) return withAuthenticatedGroup(answer);
      if (answer) faults.push(answer.rejected);
    }
    return this.#nobody(request, faults);
  }

  async #rest(
    at: number,
    pending: Promise<Authenticated | Rejection | undefined>,
    request: IncomingRequest,
    faults: string[],
  ): Promise<Authenticated | Rejection | undefined> {
    let answer = await pending;
    for (let i = at; ; ) {
      if (answer && 'user' in answer) return withAuthenticatedGroup(answer);
      if (answer) faults.push(answer.rejected);
      const method = this.#methods[++i];
      if (!method) return this.#nobody(request, faults);
      answer = await method.authenticate(request);
    }
  }

  #nobody(request: IncomingRequest, faults: readonly string[]): Awaitable<Authenticated | Rejection | undefined> {
    return faults.length > 0 ? { rejected: faults.join('; ') } : this.#anonymous.authenticate(request);
  }
}

const grouped = new WeakMap<User, User>();

/** Adds the group that every authenticated user is in (2/identity-attributes/p1). */
export function withAuthenticatedGroup(answer: Authenticated): Authenticated {
  return { ...answer, user: authenticatedUser(answer.user) };
}

/** The user with the group of all authenticated users; the same value each time for the same user. */
export function authenticatedUser(user: User): User {
  // Whoever is called so by some method stays a stranger.
  if (user.username === ANONYMOUS.username) return user;
  if (user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)) return user;
  let member = grouped.get(user);
  if (!member) {
    member = { ...user, groups: [...user.groups, AUTHENTICATED] };
    grouped.set(user, member);
  }
  return member;
}

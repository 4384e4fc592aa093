import type { User } from '../../api/identity.ts';
import { type ApiError, badRequest } from '../../api/status.ts';
import type { ImpersonatedUser, Impersonator } from './impersonator.ts';
import { MODES, type Wish } from './modes.ts';
import { readWanted, wantsMore } from './wanted.ts';
import { type ConstrainedDependencies, constrainedWay, unconstrainedWay, type Way } from './ways.ts';

const list = (values: readonly string[]): string =>
  `[]string${values.length > 0 ? `{${values.map((value) => JSON.stringify(value)).join(', ')}}` : '(nil)'}`;

/** Whom headers describe, as the service prints a user when it has no better words. */
function wantedText({ username, uid, groups, extra }: User): string {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const map = `map[string][]string${members.length > 0 ? `{${members.join(', ')}}` : '(nil)'}`;
  return `&user.DefaultInfo{Name:${JSON.stringify(username)}, UID:${JSON.stringify(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}

const MOST = 10_000;

/** What each user was let through by last; users who were not seen for long are forgotten when there are too many. */
class LastModes<T> {
  readonly #byUser = new Map<string, T>();

  get(username: string): T | undefined {
    const found = this.#byUser.get(username);
    if (found !== undefined) this.set(username, found);
    return found;
  }
  set(username: string, mode: T): void {
    this.#byUser.delete(username);
    this.#byUser.set(username, mode);
    if (this.#byUser.size > MOST) {
      const [oldest] = this.#byUser.keys();
      this.#byUser.delete(oldest as string);
    }
  }
}

/**
 * Impersonation for certain requests only (feature gate ConstrainedImpersonation): who asks must be permitted both what
 * the request is for and whom it acts as, in one of several modes; the verb `impersonate` comes last and is for all
 * requests, as ever. The mode that let a user through last is tried first, and the first refusal is the answer.
 */
export function constrained(dependencies: ConstrainedDependencies): Impersonator {
  const { clock, heard } = dependencies;
  const ways = [...MODES.map((mode) => constrainedWay(mode, dependencies)), unconstrainedWay(dependencies)];
  const last = new LastModes<Way>();

  async function firstThatTakes(
    wish: Wish,
  ): Promise<{ readonly by?: Way; readonly found: ImpersonatedUser | ApiError }> {
    const { username } = wish.attributes.user;
    const before = last.get(username);
    let refusal: ApiError | undefined;
    for (const way of before ? [before, ...ways.filter((one) => one !== before)] : ways) {
      const found = await way.take(wish);
      if (found && 'user' in found) {
        last.set(username, way);
        return { by: way, found };
      }
      refusal ??= found;
    }
    // The last way is for every wish, so there is a refusal by now.
    return { found: refusal as ApiError };
  }

  return async (request, attributes) => {
    const wanted = readWanted(request);
    if (wanted.username === '') {
      if (!wantsMore(wanted)) return undefined;
      throw badRequest(`requested ${wantedText(wanted)} without impersonating a user name`);
    }
    const started = clock.elapsed();
    const { by, found } = await firstThatTakes({ wanted, attributes });
    heard.tried(by?.name, clock.elapsed() - started);
    if (!('user' in found)) throw found;
    return found;
  };
}

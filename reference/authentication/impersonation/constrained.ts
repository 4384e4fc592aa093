import { type ApiError, badRequest } from '../../api/status.ts';
import type { Acting, Impersonator } from './impersonator.ts';
import { LastModes } from './lastModes.ts';
import { MODES, type Wish } from './modes.ts';
import { readWanted, wantsMore } from './wanted.ts';
import { wantedText } from './wantedText.ts';
import { type ConstrainedDependencies, constrainedWay, unconstrainedWay, type Way } from './ways.ts';

/**
 * Impersonation for certain requests only (feature gate ConstrainedImpersonation): who asks must be permitted both what
 * the request is for and whom it acts as, in one of several modes; the verb `impersonate` comes last and is for all
 * requests, as ever. The mode that let a user through last is tried first, and the first refusal is the answer.
 */
export function constrained(dependencies: ConstrainedDependencies): Impersonator {
  const { clock, heard } = dependencies;
  const ways = [...MODES.map((mode) => constrainedWay(mode, dependencies)), unconstrainedWay(dependencies)];
  const last = new LastModes<Way>();

  async function firstThatTakes(wish: Wish): Promise<{ readonly by?: Way; readonly found: Acting | ApiError }> {
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

import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { ApiError } from '../../api/status.ts';
import { ExpiringCache } from '../../collections/expiringCache.ts';
import type { Attributes } from '../../contracts/authorizer.ts';
import { forbiddenAttributes } from '../../contracts/forbidden.ts';
import type { ImpersonationMetrics } from '../../contracts/requestObserver.ts';
import { digest } from '../../ports/hash.ts';
import type { Clock } from '../../time.ts';
import type { ImpersonatedUser, ImpersonationDependencies } from './impersonator.ts';
import type { Mode, Wish } from './modes.ts';
import { groupsOf } from './names.ts';
import { constrainedParts, type ImpersonatedPart, plainParts } from './parts.ts';

/** How long what was permitted is not asked about again, in milliseconds. */
const KEPT = 10_000;
/** The name of the way of the verb `impersonate`. */
const LEGACY = 'legacy';

/** What constrained impersonation works with. */
export interface ConstrainedDependencies extends ImpersonationDependencies {
  readonly clock: Clock;
  readonly heard: ImpersonationMetrics;
}

/** Asks for a permission: its refusal, or undefined when there is none. */
type Ask = (asked: Attributes) => Promise<ApiError | undefined>;
/** One way tried: whom the request acts as, why not, or undefined when the way is not for such a wish. */
export type Way = {
  readonly name: string;
  readonly take: (wish: Wish) => Promise<ImpersonatedUser | ApiError | undefined>;
};

/** A constrained mode. What it permitted is kept for a while, for the same request and for the same user. */
export function constrainedWay(mode: Mode, dependencies: ConstrainedDependencies): Way {
  const { dialect, clock } = dependencies;
  const verb = `impersonate:${mode.name}`;
  const group = groupName(dialect, 'authentication');
  const ask = asking(mode.name, dependencies);
  const requests = new ExpiringCache<true>(clock);
  const users = new ExpiringCache<true>(clock);

  async function refused({ wanted, attributes }: Wish): Promise<ApiError | undefined> {
    const actor = attributes.user;
    const whole = keyOf(wanted, attributes);
    if (requests.get(whole)) return undefined;
    const refusal = await ask({ ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` });
    if (refusal) return refusal;
    const whom = keyOf(wanted, actor);
    if (!users.get(whom)) {
      const refusal = await askAll(constrainedParts({ actor, verb, group, dialect }, wanted, mode.node), ask);
      if (refusal) return refusal;
      users.set(whom, true, KEPT);
    }
    requests.set(whole, true, KEPT);
    return undefined;
  }

  return {
    name: mode.name,
    async take(wish) {
      if (!mode.fits(wish, dialect)) return undefined;
      const refusal = await refused(mode.shown?.(wish, dialect) ?? wish);
      return refusal ?? { user: { ...wish.wanted, groups: mode.groups(wish.wanted) }, constraint: verb };
    },
  };
}

/** The verb `impersonate`, of which nothing is kept. */
export function unconstrainedWay(dependencies: ConstrainedDependencies): Way {
  const ask = asking(LEGACY, dependencies);
  return {
    name: LEGACY,
    async take({ wanted, attributes: { user: actor } }) {
      const right = { actor, verb: 'impersonate', group: '', dialect: dependencies.dialect };
      const refusal = await askAll(plainParts(right, wanted), ask);
      return refusal ?? { user: { ...wanted, groups: groupsOf(wanted.username, wanted.groups) } };
    },
  };
}

function asking(mode: string, { authorizer, clock, heard }: ConstrainedDependencies): Ask {
  return async (asked) => {
    const started = clock.elapsed();
    const { decision, error, reason } = await authorizer.authorize(asked);
    const allowed = decision === 'allow';
    heard.asked(mode, allowed, clock.elapsed() - started);
    return allowed ? undefined : forbiddenAttributes(asked, [error, reason].filter(Boolean).join(': '));
  };
}

/** The first refusal of a permission that the parts take. */
async function askAll(parts: readonly ImpersonatedPart[], ask: Ask): Promise<ApiError | undefined> {
  for (const { fault, all, each } of parts) {
    if (fault) return fault;
    if (all && !(await ask(all))) continue;
    for (const asked of each) {
      const refusal = await ask(asked);
      if (refusal) return refusal;
    }
  }
  return undefined;
}

/** A short key, however long the headers were. */
function keyOf(...parts: readonly object[]): string {
  return digest('sha256', JSON.stringify(parts)).toString('base64');
}

import type { Authorizer, Verdict } from '../contracts/authorizer.ts';
import { isPending } from '../contracts/store.ts';

/** The same authorizer, with every verdict of it told to `count`. */
export function counted(authorizer: Authorizer, count: (verdict: Verdict) => void): Authorizer {
  const told = (verdict: Verdict): Verdict => {
    count(verdict);
    return verdict;
  };
  return {
    name: authorizer.name,
    authorize(asked) {
      const verdict = authorizer.authorize(asked);
      return isPending(verdict) ? verdict.then(told) : told(verdict);
    },
  };
}

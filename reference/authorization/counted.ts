import type { AuthorizationResult, Authorizer } from '../contracts/authorizer.ts';
import { isPending } from '../contracts/store.ts';

/** The same authorizer, with every verdict of it told to `count`. */
export function counted(authorizer: Authorizer, count: (verdict: AuthorizationResult) => void): Authorizer {
  const told = (verdict: AuthorizationResult): AuthorizationResult => {
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

import type { Exchange } from '../harness/index.ts';
import { difference, type Matcher, match } from '../harness/index.ts';

/**
 * The request was authorized, whatever came of it then. What it asks for may be missing, or be refused for another
 * reason: that is for other checks to judge.
 */
export const authorized: Matcher<Exchange> = {
  allows: 'an answer that is neither 401 nor 403',
  differences: ({ status, failure }) =>
    [0, 401, 403].includes(status) ? [difference('status', 'any but 401 and 403', failure ?? status)] : [],
};
export const forbidden: Matcher<Exchange> = match.status(403);

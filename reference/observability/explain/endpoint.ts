import { ApiError, forbidden } from '../../api/status.ts';
import type { DocumentSource } from '../../contracts/requestObserver.ts';
import type { Explanations } from './explanations.ts';

/** Where the account of a request is told: this path, and behind it the audit id that its answer carried. */
export const EXPLAIN_PATH = '/debug/explain/';

/**
 * Tells why a request was answered as it was. Whoever asks must be known and allowed to `get` the path, which by the
 * default roles only `system:masters` is.
 */
export function explainEndpoint(explanations: Explanations): DocumentSource {
  return ({ info, user, request }) => {
    if (info.isResource || !info.path.startsWith(EXPLAIN_PATH)) return undefined;
    if (user.groups.includes('system:unauthenticated')) {
      throw forbidden({ group: '', resource: '' }, '', 'accounts of requests are told to nobody who is not known');
    }
    if (request.method !== 'GET') throw new ApiError(405, 'MethodNotAllowed', 'an account can only be read');
    const explanation = explanations.get(info.path.slice(EXPLAIN_PATH.length));
    if (!explanation) throw new ApiError(404, 'NotFound', 'no request of this audit id is remembered');
    return { kind: 'document', code: 200, body: explanation.toJSON(), jsonOnly: true };
  };
}

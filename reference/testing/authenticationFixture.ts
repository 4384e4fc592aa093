import { EMPTY_QUERY } from '../api/query.ts';
import type { IncomingRequest } from '../api/request.ts';

/** A request that never was on a wire, for tests. */
export function requestWith(
  headers: IncomingRequest['headers'] = {},
  chain: readonly Uint8Array[] = [],
  path = '/api',
): IncomingRequest {
  return {
    method: 'GET',
    path,
    target: path,
    query: EMPTY_QUERY,
    headers,
    remoteAddress: '127.0.0.1',
    headerLines: undefined,
    secure: true,
    peerCertificate: chain.length > 0 ? { chain } : undefined,
    signal: new AbortController().signal,
    body: async () => new Uint8Array(),
  };
}

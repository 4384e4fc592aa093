/** What a client says of an answer's status, where the answer itself says nothing that it could use. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  415: 'the server was unable to respond with a content type that the client supports',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
/** Characters of a remote body that go into a message. */
const MOST = 200;

/** A failed status in words. `body` is the trimmed text of the answer. */
export function statusFault(code: number, body: string): string {
  const said = body.slice(0, MOST);
  if (code === 403) return said || 'the server does not allow access to the requested resource';
  if (Object.hasOwn(BY_STATUS, code)) return BY_STATUS[code] as string;
  if (code >= 500) return `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

/** A connection that failed, in words. */
export function connectionFault(error: Error): string {
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'ECONNREFUSED') return `dial tcp ${address}:${port}: connect: connection refused`;
  if (code === 'ENOTFOUND') return 'dial tcp: lookup of the host failed: no such host';
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || code === 'SELF_SIGNED_CERT_IN_CHAIN') {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  if (error.name === 'TimeoutError' || code.endsWith('_TIMEOUT')) return 'context deadline exceeded';
  return error.message;
}

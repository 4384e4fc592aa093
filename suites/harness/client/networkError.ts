/** Why no answer came, in plain words: the outermost code that says something, with its own text. */
export function explainNetworkError(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors.length > 0) return explainNetworkError(at.errors[0]);
    const code = (at as { code?: unknown }).code;
    if (at.name === 'TimeoutError') return 'no whole answer came in time (TIMEOUT)';
    if (typeof code === 'string') return `${PLAIN[code] ?? at.message} (${code})`;
  }
  return error instanceof Error ? error.message : String(error);
}

/**
 * The code of a network error, by which it is told what has been sent of a request. An error without one is a
 * timeout of ours (`TIMEOUT`) or a handshake that was broken off (`HANDSHAKE`) where its text says so.
 */
export function networkErrorCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors.length > 0) return networkErrorCode(at.errors[0]);
    if (at.name === 'TimeoutError') return 'TIMEOUT';
    if (/before secure TLS connection/.test(at.message)) return 'HANDSHAKE';
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string') return code;
  }
  return '';
}

const PLAIN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_ABORTED: 'the request was given up',
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by an authority we were not told to trust",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed and not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is signed by an authority we were not told to trust",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is signed by an authority we were not told to trust",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host name",
  EPROTO: 'the two sides do not speak the same protocol (is it http and not https?)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there (is it http and not https?)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS there (is it http and not https?)',
};

/** Codes that mean the server is there but TLS did not come about. */
export function isTlsMismatch(error: unknown): boolean {
  return /CERT|TLS|SSL|EPROTO|ISSUER|LEAF_SIGNATURE/.test(explainNetworkError(error));
}

import { connectionFault } from '../../remote/faultTexts.ts';

const BY_CODE: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'EOF',
  ECONNRESET: 'EOF',
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
  EPROTO: 'remote error: tls: handshake failure',
  CERT_HAS_EXPIRED: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
};
/** Codes for a certificate that nobody vouches for. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

/** Why a hook could not be reached, in the words of the service. */
export function callFault(error: unknown): string {
  const failed = innermost(error);
  const {
    code = '',
    address,
    port,
    hostname,
  } = failed as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] as string;
  if (UNKNOWN_AUTHORITY.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: no such host`;
  if (code === 'EHOSTUNREACH') return `dial tcp ${address}:${port}: connect: no route to host`;
  if (code === 'ENETUNREACH') return `dial tcp ${address}:${port}: connect: network is unreachable`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'dial tcp: i/o timeout';
  return connectionFault(failed);
}

/** Of several addresses that were tried, the fault of the last one. */
function innermost(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors.at(-1));
  return error instanceof Error ? error : new Error(String(error));
}

import { isIP } from '../../ports/addresses.ts';
import { X509Certificate } from '../../ports/keys.ts';
import { checkServerIdentity, type PeerCertificate } from '../../ports/tls.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** The authorities of a bundle cannot be used; the message is as the client is told. */
export class TrustFault extends Error {}

/**
 * The authorities by which a hook's certificate is judged, as PEM; what is no certificate is left out.
 * @param bundle PEM; empty: those that the machine trusts
 * @returns undefined for those of the machine
 * @throws TrustFault when the bundle holds no certificate
 */
export function rootsOf(bundle: string): string[] | undefined {
  if (bundle === '') return undefined;
  const blocks = [...bundle.matchAll(BLOCK)];
  const certificates = blocks.filter(([, label]) => label === 'CERTIFICATE').map(([pem]) => pem);
  const roots = certificates.filter(isCertificate);
  if (roots.length > 0) return roots;
  const why =
    blocks.length === 0
      ? 'unable to parse bytes as PEM block'
      : certificates.length > 0
        ? 'failed to parse certificate: x509: malformed certificate'
        : 'no valid certificate authority data seen';
  throw new TrustFault(`unable to load root certificates: ${why}`);
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** A certificate of somebody else; the message is as the client is told. */
class IdentityFault extends Error {}

/**
 * Whether a certificate is that of a host. A common name alone is not looked at.
 * @param host name or address that was asked for
 */
export function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const names = alternativeNames(certificate);
  const fault = (why: string) => new IdentityFault(`tls: failed to verify certificate: x509: ${why}`);
  const address = isIP(host) > 0;
  const fitting = names.filter((name) => name.ip === address).map((name) => name.value);
  if (address && fitting.length === 0) {
    return fault(`cannot validate certificate for ${host} because it doesn't contain any IP SANs`);
  }
  if (names.length === 0) {
    return fault('certificate relies on legacy Common Name field, use SANs instead');
  }
  if (!checkServerIdentity(host, certificate)) return undefined;
  return fault(
    fitting.length === 0
      ? `certificate is not valid for any names, but wanted to match ${host}`
      : `certificate is valid for ${fitting.join(', ')}, not ${host}`,
  );
}

interface AlternativeName {
  readonly ip: boolean;
  readonly value: string;
}

function alternativeNames({ subjectaltname }: PeerCertificate): AlternativeName[] {
  const names: AlternativeName[] = [];
  for (const part of (subjectaltname ?? '').split(', ')) {
    if (part.startsWith('DNS:')) names.push({ ip: false, value: part.slice('DNS:'.length) });
    if (part.startsWith('IP Address:')) names.push({ ip: true, value: part.slice('IP Address:'.length) });
  }
  return names;
}

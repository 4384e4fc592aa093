import type { User } from '../api/identity.ts';
import type { IncomingRequest, PeerCertificate } from '../api/request.ts';
import type { Authenticated, Authenticator, Rejection } from '../contracts/authenticator.ts';
import { digest } from '../ports/hash.ts';
import { X509Certificate } from '../ports/keys.ts';
import type { Clock } from '../time.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';
/** Certificates between leaf and root, and certificates of a chain that are looked at: both bounded. */
const DEEPEST = 8;
const LONGEST_CHAIN = 16;

/** What is settled about a leaf once and for all; only the clock can change the verdict. */
interface Verified {
  readonly user: User | undefined;
  /** Of each path, while it is valid. */
  readonly times: readonly Time[];
}
/** While every certificate of a path is valid: milliseconds since the epoch, both included. */
interface Time {
  readonly from: number;
  readonly until: number;
}

/**
 * Client certificates (2/methods/t1.1): the common name is the user, each organization a group. The certificate
 * must lead to one of the client CAs, be valid now and be meant for client authentication.
 */
export class ClientCertificateAuthenticator implements Authenticator {
  readonly name = 'clientCertificate';
  readonly #roots: readonly X509Certificate[];
  readonly #clock: Clock;
  readonly #credentialKey: string;
  readonly #seen = new WeakMap<Uint8Array, Verified | Rejection>();

  /**
   * @param ca certificates of the client CAs (PEM)
   * @param credentialKey name of the extra that tells which credential was used
   */
  constructor(ca: readonly string[], clock: Clock, credentialKey: string) {
    this.#roots = ca.map((pem) => new X509Certificate(pem));
    this.#clock = clock;
    this.#credentialKey = credentialKey;
  }

  authenticate(request: IncomingRequest): Authenticated | Rejection | undefined {
    const leaf = request.peerCertificate?.chain[0];
    if (!leaf || !request.peerCertificate) return undefined;
    let verified = this.#seen.get(leaf);
    if (!verified) {
      verified = this.#verify(request.peerCertificate);
      this.#seen.set(leaf, verified);
    }
    if ('rejected' in verified) return verified;
    const now = this.#clock.now();
    if (verified.times.some(({ from, until }) => from <= now && now <= until))
      return verified.user && { user: verified.user };
    const expired = verified.times.every(({ until }) => until < now);
    return { rejected: `the client certificate ${expired ? 'has expired' : 'is not yet valid'}` };
  }

  #verify({ chain }: PeerCertificate): Verified | Rejection {
    let certificates: X509Certificate[];
    try {
      certificates = chain.slice(0, LONGEST_CHAIN).map((der) => new X509Certificate(der));
    } catch {
      return { rejected: 'the client certificate cannot be read' };
    }
    const [leaf, ...between] = certificates as [X509Certificate, ...X509Certificate[]];
    const paths = this.#pathsToRoots(leaf, between, DEEPEST);
    if (paths.length === 0) return { rejected: 'the client certificate was signed by an unknown authority' };
    const meant = paths.filter((path) => path.every(servesClients));
    if (meant.length === 0) return { rejected: 'the client certificate is not meant for client authentication' };
    return { user: this.#userOf(leaf), times: meant.map(timeOf) };
  }

  /**
   * Leaf first, root last; none when no client CA stands behind the leaf. There are several where a CA has several
   * certificates of one key, as after a renewal.
   */
  #pathsToRoots(
    certificate: X509Certificate,
    between: readonly X509Certificate[],
    depth: number,
  ): readonly X509Certificate[][] {
    const roots = this.#roots.filter((root) => root.raw.equals(certificate.raw) || signed(root, certificate));
    if (roots.length > 0) return roots.map((root) => [certificate, root]);
    if (depth === 0) return [];
    for (const next of between) {
      if (!next.ca || !signed(next, certificate)) continue;
      const others = between.filter((other) => other !== next);
      const rest = this.#pathsToRoots(next, others, depth - 1);
      if (rest.length > 0) return rest.map((path) => [certificate, ...path]);
    }
    return [];
  }

  /** Undefined when the certificate names nobody. */
  #userOf(leaf: X509Certificate): User | undefined {
    const subject = leaf.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
    const username = [subject.CN ?? []].flat().at(-1);
    if (!username) return undefined;
    const fingerprint = digest('sha256', leaf.raw).toString('hex');
    return {
      username,
      uid: '',
      groups: [subject.O ?? []].flat(),
      extra: { [this.#credentialKey]: [`X509SHA256=${fingerprint}`] },
    };
  }
}

/** A certificate without usages serves any; node calls the extended usages keyUsage. */
function servesClients({ keyUsage }: X509Certificate): boolean {
  return !keyUsage || keyUsage.includes(CLIENT_AUTH) || keyUsage.includes(ANY_USAGE);
}

function timeOf(path: readonly X509Certificate[]): Time {
  return {
    from: Math.max(...path.map(({ validFrom }) => Date.parse(validFrom))),
    until: Math.min(...path.map(({ validTo }) => Date.parse(validTo))),
  };
}

function signed(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Identity } from '../target/target.ts';
import type { ServiceKind, Services } from './services.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 24 * 60 * 60 * 1000;

/** A certificate and its private key, both PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}
/** Parts of a subject by their types, such as `{ OU: ['x'] }`. */
type SubjectParts = Record<string, string[]>[];

interface Certificate {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** What else stands in the subject, behind these. */
  readonly beside?: SubjectParts;
  /** Names and addresses of a server. */
  readonly hosts?: readonly string[];
  readonly usage: 'server' | 'client';
  /** Milliseconds since the epoch; a day from now unless told. A time gone by makes an expired certificate. */
  readonly until?: number;
  /** Milliseconds since the epoch; a day before now, or before its end, unless told. */
  readonly from?: number;
}

/** An authority of the harness: what it signs is trusted by a server that was given `pem`. */
export class CertificateAuthority {
  /** Its own certificate. */
  readonly pem: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
    this.pem = certificate.toString('pem');
  }

  /** What it had before its own certificate was renewed: one of the same key, which has ended. */
  async ended(): Promise<string> {
    const now = Date.now();
    const own = await ownCertificate(this.#certificate.subjectName, this.#keys, now - 2 * DAY, now - DAY);
    return own.toString('pem');
  }

  /** Credentials of a user: the common name is the name, the organizations are the groups (2/methods). */
  client(
    commonName: string,
    organizations: readonly string[] = [],
    more: Partial<Certificate> = {},
  ): Promise<Identity> {
    return this.issue({ commonName, organizations, usage: 'client', ...more });
  }

  /** Somebody with a sound certificate of this authority who signs others by it, which a leaf may not. */
  async leaf(): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: subjectOf('touchstone-leaf', []),
      issuer: this.#certificate.subject,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new CertificateAuthority(certificate, keys);
  }

  async issue({
    commonName,
    organizations = [],
    beside = [],
    hosts,
    usage,
    until = Date.now() + DAY,
    from = Math.min(Date.now(), until) - DAY,
  }: Certificate): Promise<Certified> {
    const keys = await newKeys();
    const purpose = usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
    const certificate = await x509.X509CertificateGenerator.create({
      subject: subjectOf(commonName, organizations, beside),
      issuer: this.#certificate.subject,
      notBefore: new Date(from),
      notAfter: new Date(until),
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([purpose]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#certificate.publicKey),
        ...(hosts ? [new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName))] : []),
      ],
    });
    return { certificate: certificate.toString('pem'), key: await privateKeyPem(keys) };
  }
}

/** Organizations and common name, as the subject of a certificate has them; without a name where that is empty. */
function subjectOf(commonName: string, organizations: readonly string[], beside: SubjectParts = []): x509.Name {
  return new x509.Name([
    ...organizations.map((name) => attribute('O', name)),
    ...(commonName === '' ? [] : [attribute('CN', commonName)]),
    ...beside,
  ]);
}
/** A text with #, quotes or a backslash would be read as bytes or an escape, were it not said that it is as it is. */
const attribute = (type: string, text: string): x509.JsonAttributeAndValue =>
  /[#"\\]/.test(text) ? { [type]: [{ utf8String: text }] } : { [type]: [text] };

/** A request for a certificate of a user, and the key that belongs to it, both PEM. */
export async function certificateRequest(
  commonName: string,
  organizations: readonly string[],
): Promise<{ readonly request: string; readonly key: string }> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subjectOf(commonName, organizations),
    keys,
    signingAlgorithm: ALGORITHM,
  });
  return { request: request.toString('pem'), key: await privateKeyPem(keys) };
}

/**
 * An authority of the worker; `services.get(authority, 'other')` is one that nobody was told to trust. Names that differ
 * behind a # are authorities of one subject, as there are two after a change of keys: `one#new` is called as `one` is.
 */
export const authority: ServiceKind<CertificateAuthority> = async (_, name) => {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const subject = new x509.Name([{ CN: [`touchstone-${name.split('#')[0]}`] }]);
  return new CertificateAuthority(await ownCertificate(subject, keys, Date.now() - DAY, Date.now() + 2 * DAY), keys);
};

/** What an authority signs for itself, good between these times. */
async function ownCertificate(
  name: x509.Name,
  keys: webcrypto.CryptoKeyPair,
  from: number,
  until: number,
): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.createSelfSigned({
    name: name.toJSON(),
    notBefore: new Date(from),
    notAfter: new Date(until),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

/**
 * PEM of several authorities, of which the one that signs the certificates of services stands behind another one,
 * between two that are called as it is, and behind what it had before its own certificate was renewed.
 */
export async function bundleOfAuthorities(services: Services): Promise<string> {
  const names = ['another', 'one#old', 'one', 'one#new'];
  const all = await Promise.all(names.map((name) => services.get(authority, name)));
  const ended = await (await services.get(authority)).ended();
  return [ended, ...all.map(({ pem }) => pem)].map((pem) => `${pem.trimEnd()}\n`).join('');
}

const alternativeName = (host: string): x509.JsonGeneralName => ({ type: isIP(host) ? 'ip' : 'dns', value: host });

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}
async function privateKeyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = der.toString('base64').match(/.{1,64}/g) as string[];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

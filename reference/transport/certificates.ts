import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const CURVE = 'P-256';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const YEAR = 365 * 24 * 60 * 60 * 1000;
/** How far the clocks of peers may lag behind. */
const LAG = 60_000;

/** A certificate authority of one's own, with what it needs to sign. */
export interface Authority {
  readonly name: Name;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The certificate as PEM. */
  readonly pem: string;
}
/** A certificate and its private key, both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}
export interface IssueRequest {
  readonly commonName: string;
  /** Become groups of a client (2/methods). */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  readonly usage: 'server' | 'client';
}

/**
 * Makes a self-signed authority, good for ten years.
 * @param now milliseconds since the epoch, on the clock by which peers will judge validity.
 * @param from since when it is good, where some of them have a clock that is behind
 */
export function createAuthority(commonName: string, now: number, from = now): Authority {
  const { publicKey, privateKey } = generateKeys();
  const name = nameOf([[COMMON_NAME, commonName]]);
  const pem = signed(
    { subject: name, issuer: name, publicKey, signingKey: privateKey, until: now + 10 * YEAR, now: from },
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature), true),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyId(publicKey))),
  );
  return { name, publicKey, privateKey, pem };
}

/** An authority that {@link exportAuthority} wrote. Throws Error when it is none. */
export function readAuthority({ certificate: pem, key }: Issued): Authority {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const { subject } = AsnConvert.parse(der, Certificate).tbsCertificate;
  const privateKey = createPrivateKey(key);
  return { name: subject, publicKey: createPublicKey(privateKey), privateKey, pem };
}

export function exportAuthority({ pem, privateKey }: Authority): Issued {
  return { certificate: pem, key: privateKeyPem(privateKey) };
}

/** Issues a certificate for a new key, valid one year from `now` (milliseconds since the epoch). */
export function issue(authority: Authority, request: IssueRequest, now: number): Issued {
  const { publicKey, privateKey } = generateKeys();
  const { organizations = [], commonName, hosts } = request;
  const subject = nameOf([...organizations.map((name) => [ORGANIZATION, name] as const), [COMMON_NAME, commonName]]);
  const keyIdentifier = new KeyIdentifier(keyId(authority.publicKey));
  const certificate = signed(
    {
      subject,
      issuer: authority.name,
      publicKey,
      signingKey: authority.privateKey,
      until: now + YEAR,
      now,
    },
    extension(id_ce_basicConstraints, new BasicConstraints(), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(
      id_ce_extKeyUsage,
      new ExtendedKeyUsage([request.usage === 'server' ? id_kp_serverAuth : id_kp_clientAuth]),
    ),
    extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier })),
    ...(hosts ? [extension(id_ce_subjectAltName, new SubjectAlternativeName(hosts.map(alternativeName)))] : []),
  );
  return { certificate, key: privateKeyPem(privateKey) };
}

/** A key pair to sign service account tokens with; the private key as PEM. */
export function createSigningKey(): string {
  return privateKeyPem(generateKeys().privateKey);
}

interface Content {
  readonly subject: Name;
  readonly issuer: Name;
  /** Of the subject. */
  readonly publicKey: KeyObject;
  /** Of the issuer. */
  readonly signingKey: KeyObject;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly until: number;
}

/** A certificate of version 3 as PEM. */
function signed({ now, until, ...content }: Content, ...extensions: readonly Extension[]): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: content.issuer,
    validity: new Validity({ notBefore: new Date(now - LAG), notAfter: new Date(until) }),
    subject: content.subject,
    subjectPublicKeyInfo: publicKeyInfo(content.publicKey),
    extensions: new Extensions([...extensions]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), content.signingKey);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(signature),
  });
  return pemOf('CERTIFICATE', Buffer.from(AsnConvert.serialize(certificate)));
}

function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function nameOf(parts: readonly (readonly [type: string, value: string])[]): Name {
  const attribute = (type: string, utf8String: string) =>
    new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) });
  return new Name(parts.map(([type, value]) => new RelativeDistinguishedName([attribute(type, value)])));
}

const alternativeName = (host: string): GeneralName =>
  new GeneralName(isIP(host) ? { iPAddress: host } : { dNSName: host });

/** Positive, and with as much chance in it as peers ask for. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return bytesOf(bytes);
}

const generateKeys = () => generateKeyPairSync('ec', { namedCurve: CURVE });

const publicKeyInfo = (key: KeyObject): SubjectPublicKeyInfo =>
  AsnConvert.parse(key.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);

/** What a key is known by in other certificates. */
function keyId(key: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = publicKeyInfo(key);
  return bytesOf(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest());
}

const privateKeyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) as string[];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The bytes alone, without what else is in the memory that they are a part of. */
const bytesOf = (buffer: Buffer): ArrayBuffer => new Uint8Array(buffer).buffer;

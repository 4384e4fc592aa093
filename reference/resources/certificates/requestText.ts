import { createPublicKey } from '../../ports/keys.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]*)-----END \1-----/;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** What is wrong with a certificate signing request in PEM, in the words of the service; undefined when nothing is. */
export function requestFault(pem: string): string | undefined {
  const [, label, base64 = ''] = BLOCK.exec(pem) ?? [];
  if (label !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  return isRequest(Buffer.from(base64, 'base64')) ? undefined : 'asn1: structure error: not a certificate request';
}

/** Whether bytes have the outer form of PKCS #10: a version, a name, a public key, attributes; all of it signed. */
function isRequest(bytes: Buffer): boolean {
  const outer = read(bytes, 0);
  if (outer?.tag !== SEQUENCE || outer.end !== bytes.length) return false;
  const info = read(bytes, outer.start);
  if (info?.tag !== SEQUENCE) return false;
  const version = read(bytes, info.start);
  const name = version && read(bytes, version.end);
  const key = name && read(bytes, name.end);
  const algorithm = read(bytes, info.end);
  const signature = algorithm && read(bytes, algorithm.end);
  if (version?.tag !== INTEGER || name?.tag !== SEQUENCE || key?.tag !== SEQUENCE || signature?.end !== outer.end) {
    return false;
  }
  try {
    createPublicKey({ key: bytes.subarray(name.end, key.end), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

/** One value of DER: its tag, where its content starts and where it ends. */
function read(bytes: Buffer, at: number): { tag: number; start: number; end: number } | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return undefined;
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (extra > 4 || at + 2 + extra > bytes.length) return undefined;
  const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra);
  const start = at + 2 + extra;
  return start + length > bytes.length ? undefined : { tag, start, end: start + length };
}

import { X509Certificate } from '../../ports/keys.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/g;

/**
 * What keeps a text from being a chain of certificates in PEM (3/removed-api-versions-by-release/t1.18): blocks of other
 * kinds, headers inside a block, a certificate that cannot be read, none at all. Undefined when nothing does.
 */
export function certificateFault(text: string): string | undefined {
  let found = 0;
  for (const [block, label, body = ''] of text.matchAll(BLOCK)) {
    if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`;
    if (body.includes(':')) return 'no PEM block headers are permitted';
    if (!isCertificate(block)) return 'a CERTIFICATE PEM block holds no certificate';
    found++;
  }
  return found === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

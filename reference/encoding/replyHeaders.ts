import { departs, type Follow } from '../../fixtures/follow.ts';
import type { IncomingRequest, WarningSink } from '../api/request.ts';
import { gzip } from '../ports/compression.ts';

export type Headers = Readonly<Record<string, string | string[]>>;

/** Bodies longer than this are worth compressing. */
const GZIP_THRESHOLD = 128 * 1024;
/** Longest sum of warnings, and what is left of each where the sum is longer; in characters. */
const WARNINGS_LIMIT = 4096;
const WARNING_LIMIT = 256;

/**
 * Header values for warnings: code 299, no agent, the text quoted (1/field-validation/3). Texts that are not
 * fit for a header are left out; too many are cut.
 */
export function warningHeaders(warnings: WarningSink): string[] {
  const texts = warnings.list().filter((text) => text !== '' && !hasControl(text));
  return fitting(texts).map((text) => `299 - "${headerBytes(text.replace(/[\\"]/g, '\\$&'))}"`);
}

/** The warnings as they come until one is too much; then all are short, and more are taken only until the sum is full. */
function fitting(texts: readonly string[]): readonly string[] {
  const lengths = texts.map((text) => [...text].length);
  let sum = 0;
  const over = lengths.findIndex((length) => {
    sum += length;
    return sum > WARNINGS_LIMIT;
  });
  if (over < 0) return texts;
  const kept: string[] = [];
  let written = 0;
  for (const [index, text] of texts.entries()) {
    if (index > over && written >= WARNINGS_LIMIT) break;
    const short = [...text].slice(0, WARNING_LIMIT);
    written += short.length;
    kept.push(short.join(''));
  }
  return kept;
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Headers carry bytes: text beyond ASCII goes as its UTF-8 bytes. */
function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Whether a client takes gzip, by name; the service overlooks it where it has a quality. */
function acceptsGzip(request: IncomingRequest, follow: Follow): boolean {
  const accepted = request.headers['accept-encoding'];
  if (typeof accepted !== 'string') return false;
  const form = departs(follow, 'gzip-with-quality') ? /^gzip$/ : GZIP_WANTED;
  return accepted.split(',').some((coding) => form.test(coding.trim()));
}
/** gzip with any quality but 0. */
const GZIP_WANTED = /^gzip(\s*;\s*q=(?!0(\.0*)?$)[0-9.]+)?$/i;

/** Compresses a body worth it (1/media-types-and-negotiation/8); undefined where it stays as it is. */
export function compress(request: IncomingRequest, body: Uint8Array, follow: Follow): Promise<Uint8Array> | undefined {
  if (body.byteLength <= GZIP_THRESHOLD || !acceptsGzip(request, follow)) return undefined;
  return gzip(body, 1);
}

/** Whether the client asks for, or is of a kind that likes, indented JSON. */
export function wantsPretty(request: IncomingRequest): boolean {
  const asked = request.query.get('pretty');
  if (asked)
    return asked === '1' || asked === 't' || asked === 'T' || asked === 'true' || asked === 'TRUE' || asked === 'True';
  const agent = request.headers['user-agent'];
  return typeof agent === 'string' && /^(curl|Wget|Mozilla\/5\.0)/.test(agent);
}

import { isRecord } from '../json.ts';
import type { NoAnswer, Received, Sent } from './exchange.ts';

/** A failure of the network that a request met. */
export interface Failure {
  readonly words: string;
  readonly code: string;
}

/**
 * Tells what is an answer of an API server from what is none: nothing at all, what a gateway before it says, that
 * there are too many requests, and a body that cannot be read.
 *
 * @param own whether the request was sent with the credentials that the run was given.
 * @returns undefined where there is an answer.
 */
export function noAnswerIn(
  { method, path, headers }: Sent,
  received: Received | undefined,
  failure: Failure | undefined,
  own: boolean,
): NoAnswer | undefined {
  if (!received) return brokenOff(failure ?? { words: 'no answer came', code: '' });
  const { status } = received;
  const type = received.headers['content-type'] ?? '';
  if (status === 429) {
    const after = secondsOf(received.headers['retry-after']);
    const words = 'the target answers that there are too many requests (429)';
    return { kind: 'overload', words, unsent: true, ...(after === undefined ? {} : { after }) };
  }
  if (/^text\/html\b|^application\/xhtml/.test(type)) {
    const server = received.headers.server === undefined ? '' : ` of ${received.headers.server}`;
    return { kind: 'gateway', words: `the answer is a page in HTML${server} (${status})`, unsent: false };
  }
  if (GATEWAY.has(status) && !isRecord(received.json)) {
    return { kind: 'gateway', words: `a gateway answers in the place of the target (${status})`, unsent: false };
  }
  if (own && status === 401) {
    const words = 'the target refuses the credentials that the run was given (401)';
    return { kind: 'credentials', words, unsent: true };
  }
  const unreadable = status < 300 && asksForJson(method, path, headers) ? faultOfBody(received, type) : undefined;
  return unreadable === undefined ? undefined : { kind: 'body', words: unreadable, unsent: false };
}

/** What proxies answer by themselves. An API server that does has a Status for a body. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504, 521, 522, 523, 524]);

/** Codes of failures that come before anything of a request is sent. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EPROTO|HANDSHAKE|ERR_SSL_.*|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;
const TIMED_OUT = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|TIMEOUT|ETIMEDOUT)$/;

function brokenOff({ words, code }: Failure): NoAnswer {
  const kind = TIMED_OUT.test(code) ? 'time' : 'connection';
  return { kind, words, unsent: BEFORE_SENDING.test(code) };
}

/** Whether one JSON document, and nothing else, can be the answer, if it is a success. */
function asksForJson(method: string, path: string, headers: Sent['headers']): boolean {
  // Of a watch no event may come before it ends.
  if (/[?&]watch(=(1|true)?)?(&|$)/i.test(path) || /^\/apis?\/([^/]+\/){1,2}watch\//.test(path)) return false;
  if (method === 'HEAD' || headers.accept !== 'application/json' || headers['accept-encoding'] !== undefined)
    return false;
  const [place = ''] = path.split('?');
  return /^\/apis?\//.test(place) && !/\/(log|proxy|exec|attach|portforward)(\/|$)/.test(place);
}

function faultOfBody(received: Received, type: string): string | undefined {
  const encoding = received.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return `the body is in ${encoding}, which nobody asked for`;
  const { json } = received;
  if (json === undefined) return `the body is no JSON (${type || 'no type'}, ${received.bytes.byteLength} bytes)`;
  if (!isRecord(json)) return 'the body is no JSON object';
  const list = typeof json.kind === 'string' && json.kind.endsWith('List') && !('items' in json);
  return list && !WITHOUT_ITEMS.has(String(json.kind)) ? 'the body is a list without items' : undefined;
}
/** Kinds of discovery that are called lists and have other members. */
const WITHOUT_ITEMS: ReadonlySet<string> = new Set(['APIGroupList', 'APIResourceList']);

/** Milliseconds in a `Retry-After` of seconds; a date is not read. */
function secondsOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** Whether a request changes nothing however often it is sent: reads, dry runs and reviews. */
export function isHarmless(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  const [place = '', query = ''] = path.split('?');
  if (
    method === 'POST' &&
    /\/(self)?subject(access|rules)?reviews$|\/tokenreviews$|\/localsubjectaccessreviews$/.test(place)
  ) {
    return true;
  }
  return new URLSearchParams(query).getAll('dryRun').includes('All');
}

/** Path of the object that a request creates, by which it can be looked up whether it came to be. */
export function createdAt({ method, path, body }: Sent): string | undefined {
  const [place = ''] = path.split('?');
  // Paths of collections: what stands behind a name is a subresource.
  const collection = /^\/(api\/v1|apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[^/]+$/.test(place);
  if (method !== 'POST' || !collection || typeof body !== 'string') return undefined;
  try {
    const object: unknown = JSON.parse(body);
    const metadata = isRecord(object) ? object.metadata : undefined;
    return isRecord(metadata) && typeof metadata.name === 'string' ? `${place}/${metadata.name}` : undefined;
  } catch {
    return undefined;
  }
}

import { formatDuration } from '../../api/duration.ts';
import { isObject } from '../../api/json.ts';
import { readJson } from '../../codecs/json.ts';
import { statusFault } from '../../remote/faultTexts.ts';
import { type HttpAnswer, httpClient } from '../../remote/httpClient.ts';
import type { Clock } from '../../time.ts';
import { callFault } from './callFaults.ts';
import type { Connection } from './connections.ts';

/** Largest answer read, in bytes: a patch may make an object as large as the store takes. */
const LARGEST = 16 * 1024 * 1024;
/** How often a hook that asks for patience is asked again. */
const MOST_RETRIES = 10;
/** Characters of a failed answer's text that are looked at. */
const MOST_SHOWN = 2048;

/** The call failed; the message is as the client is told. */
export class CallFault extends Error {}

export interface HookPost {
  readonly connection: Connection;
  readonly body: string;
  readonly userAgent: string;
  /** Milliseconds on the clock, for the call with all its repetitions. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Aborted when nobody waits for the outcome any longer. */
  readonly signal: AbortSignal;
}

/** Posts a review to a hook and answers the text that came back. @throws CallFault */
export async function postToHook(post: HookPost): Promise<string> {
  const { clock, timeout, signal } = post;
  const ending = new AbortController();
  const gone = () => ending.abort(new CallFault('context canceled'));
  const timer = clock.after(timeout, () => ending.abort(new CallFault('context deadline exceeded')));
  signal.addEventListener('abort', gone, { once: true });
  if (signal.aborted) gone();
  try {
    for (let retry = 0; ; retry++) {
      const answer = await once(post, ending.signal);
      const wait = retry < MOST_RETRIES ? answer.retryAfter : undefined;
      if (wait === undefined) return textOf(answer);
      await passed(clock, wait, ending.signal);
    }
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', gone);
  }
}

interface Answered {
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
  /** Milliseconds after which the hook wants to be asked again. */
  readonly retryAfter: number | undefined;
}

async function once({ connection, body, userAgent, timeout }: HookPost, signal: AbortSignal): Promise<Answered> {
  const url = `${connection.url}?timeout=${formatDuration(timeout)}`;
  const { request } = await httpClient();
  let answer: HttpAnswer;
  try {
    answer = await request(url, {
      method: 'POST',
      dispatcher: connection.dispatcher,
      headers: { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': userAgent },
      body,
      signal,
    });
  } catch (error) {
    throw new CallFault(`Post ${JSON.stringify(url)}: ${reasonOf(error, signal)}`);
  }
  const { statusCode: code, headers } = answer;
  const text = await wholeText(answer.body, signal);
  const pause = code === 429 || code >= 500 ? headers['retry-after'] : undefined;
  const contentType = headers['content-type'];
  return {
    code,
    contentType: (Array.isArray(contentType) ? contentType[0] : contentType) ?? '',
    text,
    retryAfter: typeof pause === 'string' && /^\d{1,6}$/.test(pause) ? Number(pause) * 1000 : undefined,
  };
}

async function wholeText(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      size += part.length;
      if (size > LARGEST) break;
      parts.push(part);
    }
  } catch (error) {
    const why = reasonOf(error, signal);
    throw new CallFault(`unexpected error when reading response body. Please retry. Original error: ${why}`);
  }
  if (size > LARGEST) throw new CallFault(`the response is larger than ${LARGEST} bytes`);
  return Buffer.concat(parts).toString();
}

/** What became of the call when it was ended, else what the network said. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  return signal.aborted && signal.reason instanceof CallFault ? signal.reason.message : callFault(error);
}

function textOf({ code, contentType, text }: Answered): string {
  if (code < 200 || code > 206) throw new CallFault(failedStatus(code, contentType, text));
  if (text !== '') return text;
  const type = contentType || 'application/json';
  throw new CallFault(`0-length response with status code: ${code} and content type: ${type}`);
}

/** A failed answer that is a Status speaks for itself; of others only text is shown. */
function failedStatus(code: number, contentType: string, text: string): string {
  const said = statusMessage(text);
  if (said !== undefined) return said;
  const shown = contentType === '' || contentType.startsWith('text/') ? text.slice(0, MOST_SHOWN).trim() : 'unknown';
  return statusFault(code, shown);
}

function statusMessage(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const { value } = readJson(text);
    if (!isObject(value) || value.kind !== 'Status' || value.status !== 'Failure') return undefined;
    return typeof value.message === 'string' ? value.message : '';
  } catch {
    return undefined;
  }
}

function passed(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', ended);
      resolve();
    });
    const ended = () => {
      timer.cancel();
      reject(signal.reason);
    };
    if (signal.aborted) ended();
    else signal.addEventListener('abort', ended, { once: true });
  });
}

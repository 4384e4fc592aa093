import { isRecord, type JsonObject } from '../harness/json.ts';
import { fill, type Kept, type WireRequest } from './fill.ts';
import { decoded, Normalizer, type Seen } from './normal.ts';
import type { Answer, OpenAnswer, Side } from './side.ts';
import type { Step, Words } from './step.ts';

/** What a server made of a sequence. */
export interface Played {
  readonly seen: readonly Seen[];
  /** What was sent before the first step: the namespaces. */
  readonly prepared: readonly WireRequest[];
  /** What was sent, for whoever wants to send it again. */
  readonly sent: readonly WireRequest[];
  /** What was sent after the last step, to take away what was made. */
  readonly cleaned: readonly WireRequest[];
}

/** Whether a side gets more time after a step, by its place: some servers see a change later. */
export type Patience = (step: number) => boolean;
export const patient: Patience = () => true;
export const impatient: Patience = () => false;

/**
 * Plays steps on a server, looks at what each write left, and takes away what they made. Throws what the side throws.
 * @param id part of all names that are made; fresh for each time
 * @param webhook what steps may name as a webhook
 */
export async function play(
  side: Side,
  id: string,
  steps: readonly Step[],
  isPatient = impatient,
  webhook: Pick<Words, 'hook' | 'ca'> = {},
): Promise<Played> {
  const words: Words = { ...side.dialect, ...webhook, id, ns: `${id}-a`, ns2: `${id}-b` };
  const normal = new Normalizer(words, await adminOf(side));
  const kept = new Map<string, unknown>();
  const seen: Seen[] = [];
  const sent: WireRequest[] = [];
  const cleaned: WireRequest[] = [];
  const watches: { readonly step: number; readonly answer: OpenAnswer; readonly path: string }[] = [];
  const made = new Map<string, Holding>();
  const prepared = [words.ns, words.ns2].map((name) => namespace('POST', name));
  for (const request of prepared) await side.ask(request);
  await side.settle(isPatient(0));
  try {
    for (const [at, step] of steps.entries()) {
      const request = fill(step, words, kept);
      if (step.open) {
        sent.push(request);
        const answer = await side.open(request);
        if (answer.status === 200) watches.push({ step: at, answer, path: request.path });
        seen.push(normal.seen(at, 'answer', answer, request.path));
        continue;
      }
      const { request: last, answer: first } = await (step.current
        ? put(side, step, words, kept)
        : asked(side, request, step.until));
      sent.push(last);
      const answer = step.gathers === undefined ? first : await gathered(side, request, first, kept.get(step.gathers));
      const document = parsed(answer);
      if (step.keep !== undefined && answer.status < 300) kept.set(step.keep, document);
      seen.push(normal.seen(at, 'answer', answer, request.path, isPassing(request) || step.gathers !== undefined));
      if (!WRITES.has(request.method)) continue;
      const look = lookAt(request, document);
      if (look !== undefined) notice(made, look, request);
      const waits = isPatient(at);
      if (step.unseen && !waits) continue;
      if (waits || !step.prompt) await side.settle(waits || step.slow);
      if (look === undefined || step.unseen) continue;
      const state = await looked(side, reading(look));
      seen.push(normal.seen(at, look.endsWith('/') ? 'collection' : 'object', state, look));
    }
    if (watches.length > 0) await side.settle(true);
    for (const { step, answer, path } of watches) {
      const told: Answer = { status: 200, headers: answer.headers, bytes: answer.frames() };
      seen.push(normal.seen(step, 'events', told, path));
    }
  } finally {
    for (const { answer } of watches) answer.stop();
    for (const request of cleaning(words, made)) {
      cleaned.push(request);
      await side.ask(request);
    }
  }
  return { seen, prepared, sent, cleaned };
}

/** Whether something may hold an object when it is taken away. */
type Holding = 'nothing' | 'something';

/**
 * Keeps what a write made. What was only created, without a word of finalizers, goes at once when it is deleted; a
 * definition of a type is held by a server itself.
 */
function notice(made: Map<string, Holding>, look: string, { method, body }: WireRequest): void {
  const isCreation = method === 'POST' && !look.includes('?');
  if (!isCreation && !made.has(look)) return;
  const isFree = typeof body === 'string' && !/finalizers|CustomResourceDefinition/.test(body);
  made.set(look, isCreation && isFree && made.get(look) !== 'something' ? 'nothing' : 'something');
}

/** What a server calls whoever asks and may everything; undefined where it does not say. */
async function adminOf(side: Side): Promise<string | undefined> {
  const apiVersion = `authentication.${side.dialect.domain}/v1`;
  const answer = await side.ask({
    method: 'POST',
    path: `/apis/${apiVersion}/selfsubjectreviews`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion, kind: 'SelfSubjectReview' }),
    admin: true,
  });
  const review = parsed(answer);
  const status = isRecord(review) && isRecord(review.status) ? review.status : {};
  return isRecord(status.userInfo) && typeof status.userInfo.username === 'string'
    ? status.userInfo.username
    : undefined;
}

/** How often a step is asked again that waits for something, and how often of these soon. */
const MOST_TIMES = 24;
const SOON = 5;

/** What was sent last for a step, and what was answered to it. */
interface Asked {
  readonly request: WireRequest;
  readonly answer: Answer;
}

async function asked(side: Side, request: WireRequest, until: Step['until']): Promise<Asked> {
  let answer = await side.ask(request);
  for (let times = 1; until !== undefined && times < MOST_TIMES; times++) {
    if (answer.status < 300 === (until === 'allowed')) break;
    await side.settle(times > SOON);
    answer = await side.ask(request);
  }
  return { request, answer };
}

/** A PUT at the version that its object has, unless it names one itself: again where that has changed in between. */
async function put(side: Side, step: Step, words: Words, kept: Kept): Promise<Asked> {
  const { form: _, ...inJson } = step;
  const whole = fill(inJson, words, kept);
  const object = typeof whole.body === 'string' && step.text === undefined ? json(whole.body) : undefined;
  const item = lookAt(whole, undefined);
  const metadata = isRecord(object) ? object.metadata : undefined;
  if (!isRecord(metadata) || metadata.resourceVersion || item === undefined)
    return asked(side, fill(step, words, kept), step.until);
  const version = async () => versionIn(parsed(await side.ask(reading(item))));
  let before = await version();
  for (let times = 1; ; times++) {
    const body = { ...(object as JsonObject), metadata: { ...(metadata as JsonObject), resourceVersion: before } };
    const told = await asked(side, fill(before === undefined ? step : { ...step, body }, words, kept), step.until);
    if (told.answer.status !== 409 || before === undefined || times === MOST_TIMES) return told;
    const now = await version();
    if (now === before) return told;
    before = now;
  }
}

/** The version of an object; undefined of a collection, which a PUT may be sent to as well. */
function versionIn(object: unknown): string | undefined {
  const metadata = isRecord(object) && isRecord(object.metadata) && !('items' in object) ? object.metadata : {};
  return typeof metadata.resourceVersion === 'string' ? metadata.resourceVersion : undefined;
}

/** What a garbage collector takes away by itself, a moment after the deletion. */
const COLLECTED: readonly unknown[] = ['orphan', 'foregroundDeletion'];

/** How often an object is looked at that a server is about to take away. */
const LOOKS = 9;

/** An object, or a collection, as it is when a server has seen to the dependents of what was deleted. */
async function looked(side: Side, request: WireRequest): Promise<Answer> {
  let state = await side.ask(request);
  for (let times = 1; times < LOOKS && isCollected(parsed(state)); times++) {
    await side.settle(times > SOON);
    state = await side.ask(request);
  }
  return state;
}
function isCollected(document: unknown): boolean {
  if (!isRecord(document)) return false;
  if (Array.isArray(document.items)) return document.items.some(isCollected);
  const { deletionTimestamp, finalizers } = isRecord(document.metadata) ? document.metadata : {};
  return (
    typeof deletionTimestamp === 'string' &&
    Array.isArray(finalizers) &&
    finalizers.some((each) => COLLECTED.includes(each))
  );
}

/** Whether what is answered is not stored as it is shown: that of a trial, and what a DELETE leaves. */
function isPassing({ method, path, body }: WireRequest): boolean {
  return method === 'DELETE' || /[?&]dryRun/.test(path) || (typeof body === 'string' && body.includes('"dryRun"'));
}

/** Chunks that a list is gone on with at most. */
const MOST_CHUNKS = 40;

/** A list to its end: its last chunk, and under `gathered` what the first one and all that follow hold. */
async function gathered(side: Side, request: WireRequest, second: Answer, first: unknown): Promise<Answer> {
  const held = (list: unknown): readonly unknown[] =>
    isRecord(list) ? [list.items, list.rows].flatMap((all): unknown[] => (Array.isArray(all) ? all : [])) : [];
  const all = [...held(first)];
  let answer = second;
  for (let chunks = 1; answer.status === 200 && chunks < MOST_CHUNKS; chunks++) {
    const list = parsed(answer);
    all.push(...held(list));
    const token = isRecord(list) && isRecord(list.metadata) ? list.metadata.continue : undefined;
    if (typeof token !== 'string' || token === '') {
      const whole = { ...(list as Record<string, unknown>), items: undefined, rows: undefined, gathered: all };
      return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' }, bytes: written(whole) };
    }
    const path = request.path.replace(/continue=[^&]*/, `continue=${encodeURIComponent(token)}`);
    answer = await side.ask({ ...request, path });
  }
  return answer;
}
const written = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The object, or the collection, that a write was about; undefined where it leaves nothing behind. */
function lookAt({ path: whole, method, body }: WireRequest, answer: unknown): string | undefined {
  const [path = ''] = whole.split('?');
  const match = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+(?=\/[^/]+))?\/([^/]+)(?:\/([^/]+))?/.exec(
    path,
  );
  if (!match) return undefined;
  const [item, root = '', scope = '', resource = '', name] = match;
  if (resource.endsWith('reviews')) return undefined;
  if (name !== undefined) return item;
  if (method !== 'POST') return `${root}${scope}/${resource}`;
  const given = nameIn(answer) ?? nameIn(typeof body === 'string' ? json(body) : undefined);
  return given === undefined ? undefined : `${root}${scope}/${resource}/${encodeURIComponent(given)}`;
}

function nameIn(object: unknown): string | undefined {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : undefined;
  return typeof metadata?.name === 'string' && metadata.name !== '' ? metadata.name : undefined;
}

const parsed = ({ bytes, headers }: Answer): unknown => decoded(bytes, String(headers['content-type'] ?? ''));

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reading = (path: string): WireRequest => ({ method: 'GET', path, headers: {}, body: undefined, admin: true });

function namespace(method: 'POST' | 'DELETE', name: string): WireRequest {
  const post = method === 'POST';
  return {
    method,
    path: `/api/v1/namespaces${post ? '' : `/${name}`}`,
    headers: post ? { 'content-type': 'application/json' } : {},
    body: post ? JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }) : undefined,
    admin: true,
  };
}

/** Whatever lies outside of the namespaces is taken away by its name, and held up by nothing. */
function* cleaning({ id, ns, ns2 }: Words, made: ReadonlyMap<string, Holding>): Generator<WireRequest> {
  const free = { 'content-type': 'application/merge-patch+json' };
  const body = JSON.stringify({ metadata: { finalizers: null } });
  for (const [path, held] of made) {
    if (path.includes(`/namespaces/${ns}/`) || path.includes(`/namespaces/${ns2}/`) || !path.includes(id)) continue;
    yield { ...reading(path), method: 'DELETE' };
    if (held === 'something') yield { method: 'PATCH', path, headers: free, body, admin: true };
  }
  for (const name of [ns, ns2]) yield namespace('DELETE', name);
}

import type { EventEntry, OperationEntry } from '../../history/format.ts';
import { type Scope, scopeOf } from '../../history/scope.ts';
import { type ApiObject, isRecord } from '../harness/index.ts';

/** One request and its answer, as a client saw them. Times are milliseconds since the check began. */
export interface Operation {
  readonly client: string;
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly method: string;
  /** Where it went; `undefined` for paths that are no collection, object or subresource. */
  readonly scope: Scope | undefined;
  readonly query: URLSearchParams;
  /** The JSON that was sent, if it was JSON. */
  readonly body: unknown;
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  /** The JSON that was answered, if it was JSON. */
  readonly answer: unknown;
}
export interface StreamEvent {
  readonly type: string;
  readonly object: ApiObject;
}
/** A watch: the request that opened it, and all that came, in order. */
export interface Stream {
  readonly opening: Operation & { readonly scope: Scope };
  readonly events: readonly StreamEvent[];
}
/** What the clients of one check did and saw. */
export interface History {
  readonly operations: readonly Operation[];
  readonly streams: readonly Stream[];
}

/** Understands what was written down of one check. Events of streams whose opening is missing are left out. */
export function historyOf(recorded: readonly OperationEntry[], events: readonly EventEntry[]): History {
  const operations = recorded.map(understand);
  const streams = operations.flatMap((opening): Stream[] => {
    const { scope } = opening;
    if (!scope || !isWatch(opening) || opening.status !== 200) return [];
    const own = events.filter(({ number }) => number === opening.number).map(({ event }) => parse(event));
    return [{ opening: { ...opening, scope }, events: own.filter(isEvent) }];
  });
  return { operations, streams };
}

function understand(recorded: OperationEntry): Operation {
  const url = new URL(recorded.path, 'http://target');
  return {
    client: recorded.client,
    number: recorded.number,
    start: recorded.start,
    end: recorded.end ?? Number.POSITIVE_INFINITY,
    method: recorded.method,
    scope: scopeOf(url.pathname),
    query: url.searchParams,
    body: parse(recorded.body),
    status: recorded.status,
    answer: parse(recorded.answer),
  };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
function isEvent(value: unknown): value is StreamEvent {
  if (!isRecord(value) || typeof value.type !== 'string' || !isRecord(value.object)) return false;
  return value.type === 'ERROR' || isRecord(value.object.metadata);
}

/** Whether a request asks for a stream: `watch` is there, and neither `0` nor `false`. */
function isWatch({ method, query }: Operation): boolean {
  const watch = query.get('watch');
  return method === 'GET' && watch !== null && !['0', 'false'].includes(watch.toLowerCase());
}

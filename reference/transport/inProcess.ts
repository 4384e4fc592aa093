import { parseQuery } from '../api/query.ts';
import type { IncomingRequest } from '../api/request.ts';
import type { StreamReply } from '../contracts/reply.ts';

export interface InProcessRequest {
  readonly method?: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A request that never crossed a network, for a reference that runs in this process. */
export function inProcessRequest({
  method = 'GET',
  target,
  headers = {},
  body = '',
}: InProcessRequest): IncomingRequest {
  const mark = target.indexOf('?');
  let signal: AbortSignal | undefined;
  return {
    method,
    target,
    path: decodeURIComponent(mark < 0 ? target : target.slice(0, mark)),
    query: parseQuery(mark < 0 ? '' : target.slice(mark + 1)),
    headers,
    remoteAddress: '127.0.0.1',
    secure: true,
    peerCertificate: undefined,
    headerLines: undefined,
    // Made when somebody listens; nobody ever goes away.
    get signal() {
      signal ??= new AbortController().signal;
      return signal;
    },
    body: async () => (typeof body === 'string' ? Buffer.from(body) : body),
  };
}

/** Collects what a stream writes, as one text. */
export function collect(reply: StreamReply): { readonly text: () => string; readonly stop: () => void } {
  const frames: string[] = [];
  const running = reply.start({
    write: (frame) => {
      frames.push(Buffer.from(frame).toString('utf8'));
      return true;
    },
    pending: 0,
    whenReady: undefined,
    end: () => undefined,
  });
  return { text: () => frames.join(''), stop: () => running.stop() };
}

import { parseQuery } from '../reference/api/query.ts';
import type { IncomingRequest, Query } from '../reference/api/request.ts';
import { badRequest } from '../reference/api/status.ts';
import type { Reply, StreamReply, Wire } from '../reference/contracts/reply.ts';

const LOOPBACK = '127.0.0.1';
/** Answers that `Response` takes no body for. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** A request of the Fetch API, which never crosses a network, as the server sees it. */
export class FetchRequest implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines = undefined;
  readonly remoteAddress = LOOPBACK;
  readonly secure = true;
  readonly peerCertificate = undefined;
  readonly signal: AbortSignal;
  readonly #request: Request;

  /** @throws ApiError 400 when the path's percent-encoding is broken */
  constructor(request: Request) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.target = pathname + search;
    this.path = decoded(pathname);
    this.query = parseQuery(search.slice(1));
    this.headers = Object.fromEntries(request.headers);
    this.signal = request.signal;
    this.#request = request;
  }

  async body(): Promise<Uint8Array> {
    return new Uint8Array(await this.#request.arrayBuffer());
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(path)}`);
  }
}

/** A reply as the Fetch API has it. A stream runs until it is cancelled, the signal is aborted, or it ends by itself. */
export function responseOf(reply: Reply, signal: AbortSignal): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  if (reply.kind === 'stream') return new Response(streamOf(reply, signal), { status: reply.code, headers });
  return new Response(WITHOUT_BODY.has(reply.code) ? null : Uint8Array.from(reply.body), {
    status: reply.code,
    headers,
  });
}

function streamOf(reply: StreamReply, signal: AbortSignal): ReadableStream<Uint8Array> {
  let running: { stop(): void } | undefined;
  const stop = () => {
    running?.stop();
    running = undefined;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let ended = false;
      const wire: Wire = {
        write(frame) {
          if (!ended) controller.enqueue(Uint8Array.from(frame));
          return true;
        },
        pending: 0,
        whenReady: undefined,
        end() {
          if (!ended) controller.close();
          ended = true;
        },
      };
      running = reply.start(wire);
      signal.addEventListener('abort', () => {
        stop();
        if (!ended) controller.error(signal.reason);
        ended = true;
      });
    },
    cancel: stop,
  });
}

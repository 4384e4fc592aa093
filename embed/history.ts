import type { IncomingRequest } from '../reference/api/request.ts';
import type { Reply } from '../reference/contracts/reply.ts';
import type { Explanations } from '../reference/observability/explain/explanations.ts';
import { DelegatedRequest } from './delegatedRequest.ts';

/** What a stage of the server decided on a request, and why. */
export interface ToldDecision {
  /** `authentication`, `authorization`, `decoding`, `merge`, `admission`, `validation` or `storage`. */
  readonly stage: string;
  /** The part of the stage: an authenticator, an authorizer, a plugin, a rule. */
  readonly by: string;
  readonly outcome: string;
  readonly because: string;
  /** JSON; what the change was, which fields had which owner, and the like. */
  readonly details?: unknown;
}

/** A request that reached a server, and what came of it. */
export interface RecordedRequest {
  /** Counts the requests of a server from 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Name of whoever asked, impersonation included; empty where nobody was known. */
  readonly user: string;
  /** On the server's clock. */
  readonly at: Date;
  readonly requestType: string;
  /** As text; empty while it was not read. */
  readonly requestBody: string;
  /** Undefined while it is not answered. */
  readonly status: number | undefined;
  readonly responseType: string;
  /** As text; of a watch the frames sent so far. */
  readonly responseBody: string;
  /** Whether the answer is a stream that has not ended. */
  readonly open: boolean;
  readonly auditId: string;
  /** In the order in which they were made. */
  readonly decisions: readonly ToldDecision[];
}

/** The last requests of a server. */
export class History {
  readonly #kept: number;
  #requests: Recording[] = [];
  #count = 0;

  /** @param kept how many are remembered */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** @param at milliseconds since the epoch */
  begin(request: IncomingRequest, at: number, explanations: Explanations | undefined): Recording {
    const recording = new Recording(++this.#count, request, at, explanations);
    this.#requests.push(recording);
    // Taking away the first moves all others: rarely, and several at once.
    if (this.#requests.length > 2 * this.#kept) this.#requests = this.#requests.slice(-this.#kept);
    return recording;
  }

  list(): RecordedRequest[] {
    return this.#requests.slice(-this.#kept);
  }

  clear(): void {
    this.#requests = [];
    this.#count = 0;
  }
}

/** A request on its way to the server, of which is noted what matters. */
export class Recording implements RecordedRequest {
  readonly number: number;
  /** What the server is to be given. */
  readonly request: IncomingRequest;
  readonly #at: number;
  readonly #explanations: Explanations | undefined;
  #sent: Uint8Array | undefined;
  #reply: Reply | undefined;
  readonly #frames: Uint8Array[] = [];
  #open = false;

  constructor(number: number, request: IncomingRequest, at: number, explanations: Explanations | undefined) {
    this.number = number;
    this.request = new ReadRequest(request, (body) => {
      this.#sent = body;
    });
    this.#at = at;
    this.#explanations = explanations;
  }

  /** The reply to hand on. */
  answered(reply: Reply): Reply {
    this.#reply = reply;
    if (reply.kind === 'whole') return reply;
    this.#open = true;
    const ended = () => {
      this.#open = false;
    };
    return {
      ...reply,
      start: (wire) => {
        const running = reply.start({
          write: (frame) => {
            this.#frames.push(frame);
            return wire.write(frame);
          },
          get pending() {
            return wire.pending;
          },
          whenReady: wire.whenReady && ((resume) => wire.whenReady?.(resume)),
          end: () => {
            ended();
            wire.end();
          },
        });
        return {
          stop: () => {
            ended();
            running.stop();
          },
        };
      },
    };
  }

  get method(): string {
    return this.request.method;
  }
  get path(): string {
    return this.request.target;
  }
  get at(): Date {
    return new Date(this.#at);
  }
  get user(): string {
    const { user } = this.#account();
    return typeof user?.username === 'string' ? user.username : '';
  }
  get requestType(): string {
    return String(this.request.headers['content-type'] ?? '');
  }
  get requestBody(): string {
    return text(this.#sent);
  }
  get status(): number | undefined {
    return this.#reply?.code;
  }
  get responseType(): string {
    return String(this.#reply?.headers['content-type'] ?? '');
  }
  get responseBody(): string {
    if (this.#reply?.kind === 'whole') return text(this.#reply.body);
    return this.#frames.map(text).join('');
  }
  get open(): boolean {
    return this.#open;
  }
  get auditId(): string {
    return String(this.#reply?.headers['audit-id'] ?? '');
  }
  get decisions(): readonly ToldDecision[] {
    return this.#account().decisions ?? [];
  }
  #account(): { readonly user?: { readonly username?: unknown }; readonly decisions?: readonly ToldDecision[] } {
    return this.#explanations?.get(this.auditId)?.toJSON() ?? {};
  }
  toJSON(): RecordedRequest {
    const { number, method, path, user, at, requestType, requestBody, status, responseType } = this;
    const { responseBody, open, auditId, decisions } = this;
    return {
      ...{ number, method, path, user, at, requestType, requestBody, status, responseType },
      ...{ responseBody, open, auditId, decisions },
    };
  }
}

/** Tells the body that is read of it. */
class ReadRequest extends DelegatedRequest {
  readonly #read: (body: Uint8Array) => void;

  constructor(request: IncomingRequest, read: (body: Uint8Array) => void) {
    super(request);
    this.#read = read;
  }
  override async body(): Promise<Uint8Array> {
    const body = await this.request.body();
    this.#read(body);
    return body;
  }
}

function text(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : '';
}

import { appendFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { ClauseName, RequirementId } from '../fixtures/ledger/index.ts';
import type { EventChanges } from '../proxy/events.ts';
import { Exchange } from '../proxy/exchange.ts';
import { intercept } from '../proxy/interceptor.ts';
import { type Headers, Request, Response } from '../proxy/message.ts';
import { committing } from '../proxy/violation.ts';
import type { NamedViolation } from '../proxy/violationsFile.ts';
import type { PutReview } from '../reference/admission/webhooks/caller.ts';
import type { Awaitable } from '../reference/api/awaitable.ts';
import type { User } from '../reference/api/identity.ts';
import { isObject, type JsonObject } from '../reference/api/json.ts';
import { parseQuery } from '../reference/api/query.ts';
import type { IncomingRequest, PeerCertificate, Query } from '../reference/api/request.ts';
import type { Authenticated, Rejection } from '../reference/contracts/authenticator.ts';
import type { Handler, Reply, StreamReply, Wire } from '../reference/contracts/reply.ts';
import { inProcessRequest } from '../reference/transport/inProcess.ts';
import type { Defect, Mutant, Start } from './mutant.ts';
import { type Around, allowed, onChain, onMember } from './onAuthorizers.ts';
import { combined } from './permissive/twin.ts';

/** Names the file that what violations throw is written to, a line of JSON each; absent: standard error. */
export const VIOLATION_ERRORS = 'TOUCHSTONE_VIOLATION_ERRORS';

/** As whom a violation asks the server in which it stands; authorizers know it by this object and no name. */
const ASKING: User = { username: 'touchstone:violation', uid: '', groups: ['system:masters'], extra: {} };

/** What all violations of a file together go by, in place of the name of one. */
export const ALL = 'all';

/** The mutant that commits a violation at the edge of the server, where a proxy in front of it would stand. */
export function violating(violation: NamedViolation): Mutant {
  const { name, statement, expected } = violation;
  return {
    id: name,
    breaks: expected as readonly (RequirementId | ClauseName)[],
    sentence: statement,
    defect: () => violated([violation]),
  };
}

/** The mutant that commits several: the first stands nearest to the server, and the next sees what it left. */
export function violatingTogether(id: string, violations: readonly NamedViolation[]): Mutant {
  return {
    id,
    breaks: [],
    sentence: violations.map(({ statement }) => statement).join(' '),
    defect: () => violated(violations),
  };
}

function violated(violations: readonly NamedViolation[]): Defect {
  const asking = new WeakSet<IncomingRequest>();
  const exchanges = new WeakMap<IncomingRequest, Exchange>();
  const memory = new Map<string, unknown>();
  return combined([
    ...violations.map((violation) => within(violation, memory)),
    {
      ...onChain(async (asked, ask) => (asked.user === ASKING ? allowed('violation') : ask(asked))),
      authenticator: (authenticator) => ({
        name: authenticator.name,
        authenticate: async (request) => {
          if (asking.has(request)) return { user: ASKING };
          let answer = await authenticator.authenticate(request);
          const exchange = exchanges.get(request);
          for (const { user } of exchange ? violations : []) {
            if (user && exchange) answer = await takenFor(answer, (who) => user(who, exchange));
          }
          return answer;
        },
      }),
      handler: (handler) => around(handler, violations, { asking, exchanges, memory }),
    },
  ]);
}

/** What a violation does inside of a server. */
function within(violation: NamedViolation, memory: Map<string, unknown>): Defect {
  const { name, review, admission, authorize } = violation;
  return {
    start: starting(violation),
    ...(review ? { reviews: (inner) => ({ ask: async (asked) => review(asked, (other) => inner.ask(other)) }) } : {}),
    ...(admission ? { hookReviews: (put) => admitting(name, admission, put, memory) } : {}),
    ...(authorize ? onMember(undefined, deciding(name, authorize, memory)) : {}),
  };
}

/** What an authorizer says where a violation has another opinion. */
function deciding(
  name: string,
  authorize: NonNullable<NamedViolation['authorize']>,
  memory: Map<string, unknown>,
): Around {
  return async (asked, ask, member) => {
    try {
      const said = await authorize(asked, ask, { name: member, memory });
      if (typeof said === 'string') return { decision: said, reason: '', by: member };
      return said ?? (await ask(asked));
    } catch (error) {
      tellError(name, `the question ${JSON.stringify(asked)} to ${member}`, error);
      return ask(asked);
    }
  };
}

/** What a webhook is sent and says where a violation stands between. */
function admitting(
  violation: string,
  admission: NonNullable<NamedViolation['admission']>,
  put: PutReview,
  memory: Map<string, unknown>,
): PutReview {
  return async (review, hook, signal) => {
    const { name, configuration } = hook;
    // What the webhook itself came to, faults and texts that are no JSON, is the violation's only where that returns.
    let own: { readonly fault: unknown } | { readonly text: string } | undefined;
    const ask = async (asked: JsonObject): Promise<JsonObject> => {
      let text: string;
      try {
        text = await put(JSON.stringify(asked), hook, signal);
      } catch (fault) {
        own = { fault };
        throw fault;
      }
      own = { text };
      const answer = JSON.parse(text) as JsonObject;
      own = undefined;
      return answer;
    };
    try {
      const said = await admission(JSON.parse(review) as JsonObject, ask, { name, configuration, memory });
      if (said !== undefined) return JSON.stringify(said);
    } catch (error) {
      if (own && 'fault' in own) throw own.fault;
      if (own) return own.text;
      tellError(violation, `the review that ${name} is asked for`, error);
    }
    return put(review, hook, signal);
  };
}

/** What a server is started with, as a violation makes it. */
function starting({ name, flags, file, text }: NamedViolation): Start {
  const read = (path: string, before: string) => {
    const after = text?.(before, path) ?? before;
    return file ? rewritten(after, (object) => file(object, path)) : after;
  };
  return {
    ...(flags ? { flags: (argv) => attempt(name, 'the start', argv, () => flags(argv)) } : {}),
    files: (files) => ({
      read: (path) => {
        const before = files.read(path);
        return attempt(name, path, before, () => read(path, before));
      },
    }),
  };
}

/** A text that holds an object of a kind, with that object as it is after a change; any other as it is. */
function rewritten(text: string, change: (object: JsonObject) => unknown): string {
  let value: unknown;
  try {
    value = load(text);
  } catch {
    return text;
  }
  if (!isObject(value) || typeof value.kind !== 'string') return text;
  const before = JSON.stringify(value);
  change(value);
  const after = JSON.stringify(value);
  // What is not changed stays as it was written, faults and all.
  return after === before ? text : after;
}

function attempt<T>(violation: string, at: string, otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    tellError(violation, at, error);
    return otherwise;
  }
}

async function takenFor(
  answer: Authenticated | Rejection | undefined,
  change: (user: User | undefined) => Awaitable<User | null | undefined>,
): Promise<Authenticated | Rejection | undefined> {
  const before = answer && 'user' in answer ? answer : undefined;
  const after = await change(before && structuredClone(before.user));
  if (after === undefined) return answer;
  if (after === null) return { rejected: 'the violation refuses' };
  return { ...before, user: after };
}

/** A handler with violations before it. */
function around(
  handler: Handler,
  violations: readonly NamedViolation[],
  {
    asking,
    exchanges,
    memory,
  }: {
    readonly asking: WeakSet<IncomingRequest>;
    readonly exchanges: WeakMap<IncomingRequest, Exchange>;
    readonly memory: Map<string, unknown>;
  },
): Handler {
  const name = violations.map((violation) => violation.name).join(', ');
  return async (incoming) => {
    const streams = new WeakMap<Response, StreamReply>();
    const exchange: Exchange = new Exchange({
      request: requestOf(incoming),
      send: async (request) => {
        const changed = new ChangedRequest(incoming, request);
        exchanges.set(changed, exchange);
        return responseOf(await handler(changed), streams);
      },
      sendAsAdmin: async (request) => {
        const own = await asRequest(request);
        asking.add(own);
        return responseOf(await handler(own), streams);
      },
      memory,
      client: undefined,
    });
    try {
      await intercept(violations.map(committing).toReversed(), exchange);
    } catch (error) {
      tellError(name, askedIn(exchange), error);
      exchange.refuse(500, 'InternalError', `the violation ${name} failed`);
    }
    return replyOf(exchange, streams, (error) => tellError(name, askedIn(exchange), error));
  };
}

function requestOf(incoming: IncomingRequest): Request {
  const { method, target, headers } = incoming;
  let body: Promise<Uint8Array> | undefined;
  const bytes = () => {
    body ??= incoming.body();
    return body;
  };
  return new Request({ method, target, headers: { ...headers }, body: { bytes } });
}

async function asRequest(request: Request): Promise<IncomingRequest> {
  const { method, target, headers } = request;
  const single = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return inProcessRequest({ method, target, headers: Object.fromEntries(single), body: await request.bytes() });
}

/** A request as it goes on: what interceptors may change is theirs, the rest as it came in. */
class ChangedRequest implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: Query;
  readonly headers: Headers;
  readonly #incoming: IncomingRequest;
  readonly #request: Request;

  constructor(incoming: IncomingRequest, request: Request) {
    this.#incoming = incoming;
    this.#request = request;
    this.method = request.method;
    this.target = request.target;
    this.headers = request.headers;
    const same = request.target === incoming.target;
    this.path = same ? incoming.path : decodeURIComponent(request.path);
    this.query = same ? incoming.query : parseQuery(this.target.slice(request.path.length + 1));
  }
  headerLines(name: string): readonly string[] {
    const value = this.headers[name];
    if (value === this.#incoming.headers[name] && this.#incoming.headerLines) return this.#incoming.headerLines(name);
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  }
  get remoteAddress(): string {
    return this.#incoming.remoteAddress;
  }
  get secure(): boolean {
    return this.#incoming.secure;
  }
  get peerCertificate(): PeerCertificate | undefined {
    return this.#incoming.peerCertificate;
  }
  get signal(): AbortSignal {
    return this.#incoming.signal;
  }
  async body(): Promise<Uint8Array> {
    const body = this.#request.take();
    if (body instanceof Uint8Array) return body;
    return 'bytes' in body ? body.bytes() : this.#request.bytes();
  }
}

function responseOf(reply: Reply, streams: WeakMap<Response, StreamReply>): Response {
  const live = reply.kind === 'stream';
  const body = live ? new Uint8Array() : reply.body;
  const response = new Response({ status: reply.code, headers: { ...reply.headers }, body, live });
  if (live) streams.set(response, reply);
  return response;
}

async function replyOf(
  exchange: Exchange,
  streams: WeakMap<Response, StreamReply>,
  tell: (error: unknown) => void,
): Promise<Reply> {
  const { response, events } = exchange;
  const stream = streams.get(response);
  // The body first: writing what was changed of it changes headers.
  const body = stream ? undefined : await response.bytes();
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(response.headers)) if (value !== undefined) headers[name] = value;
  const code = response.status;
  if (!stream) return { kind: 'whole', code, headers, body: body ?? new Uint8Array() };
  const start = events ? (wire: Wire) => stream.start(new ChangingWire(wire, events, tell)) : stream.start;
  return { kind: 'stream', code, headers, start };
}

/** Lets frames wait for what becomes of them, in order; who writes them is behind as long as one waits. */
class ChangingWire implements Wire {
  readonly #wire: Wire;
  readonly #changes: EventChanges;
  readonly #tell: (error: unknown) => void;
  #done: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Whether the reader kept up with what was written last. */
  #keepsUp = true;
  #resume: (() => void) | undefined;

  constructor(wire: Wire, changes: EventChanges, tell: (error: unknown) => void) {
    this.#wire = wire;
    this.#changes = changes;
    this.#tell = tell;
  }
  write(frame: Uint8Array): boolean {
    this.#waiting += frame.byteLength;
    this.#done = this.#done.then(async () => {
      try {
        for (const each of await this.#changes.frame(frame)) this.#keepsUp = this.#wire.write(each);
      } catch (error) {
        this.#tell(error);
      }
      this.#waiting -= frame.byteLength;
      if (this.#waiting === 0) this.#caughtUp();
    });
    return this.pending < HIGH_WATER;
  }
  get pending(): number {
    return this.#waiting + this.#wire.pending;
  }
  whenReady(resume: () => void): void {
    this.#resume = resume;
    if (this.#waiting === 0) this.#caughtUp();
  }
  end(): void {
    void this.#done.then(() => this.#wire.end());
  }
  #caughtUp(): void {
    const resume = this.#resume;
    if (!resume) return;
    this.#resume = undefined;
    // Bytes may wait with which the reader keeps up: nobody would tell when they are gone.
    if (!this.#keepsUp && this.#wire.whenReady) this.#wire.whenReady(resume);
    else resume();
  }
}

/** Beyond this many waiting bytes the reader counts as behind. */
const HIGH_WATER = 64 * 1024;

/** A violation that throws is a mistake of its author, and must not pass for one that was caught. */
function tellError(violation: string, asked: string, error: unknown): void {
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const file = process.env[VIOLATION_ERRORS];
  if (file === undefined) console.error(`The violation ${violation} failed at ${asked}: ${said}`);
  else appendFileSync(file, `${JSON.stringify({ violation, asked, said })}\n`);
}

const askedIn = ({ request }: Exchange) => `${request.method} ${request.target}`;

import type { User } from '../reference/api/identity.ts';
import type { JsonObject } from '../reference/api/json.ts';
import { parseQuery } from '../reference/api/query.ts';
import type { IncomingRequest, Query } from '../reference/api/request.ts';
import type { AdmissionAttributes } from '../reference/contracts/admission.ts';
import type { Answer, WatchEvent, WatchSink } from '../reference/contracts/answer.ts';
import type { Call, VerbTable } from '../reference/contracts/call.ts';
import type { Reply, WholeReply } from '../reference/contracts/reply.ts';
import type { Store, StoreWrite } from '../reference/contracts/store.ts';
import { delegate } from '../reference/contracts/store.ts';
import type { Seams } from '../reference/seams.ts';

/** Puts something between a verb and its caller. */
export function onVerbs(
  names: readonly (keyof VerbTable)[],
  around: (call: Call, serve: (call: Call) => Promise<Answer>) => Promise<Answer>,
): Seams {
  return {
    verbs: (table) => {
      const changed: Record<string, VerbTable[keyof VerbTable]> = { ...table };
      for (const name of names) changed[name] = (call) => around(rereadable(call), table[name]);
      return changed as unknown as VerbTable;
    },
  };
}

/** The same call with a body that can be read more than once. */
export function rereadable(call: Call): Call {
  const { request } = call.exchange;
  let body: Promise<Uint8Array> | undefined;
  return withRequest(call, {
    body: () => {
      body ??= request.body();
      return body;
    },
  });
}

/** The same call with other query parameters. */
export function withQuery(call: Call, change: (parameters: URLSearchParams) => void): Call {
  const { request } = call.exchange;
  const parameters = new URLSearchParams();
  for (const name of request.query.names()) for (const value of request.query.all(name)) parameters.append(name, value);
  change(parameters);
  return withRequest(call, { query: parseQuery(parameters.toString()) });
}

/** The same call with another JSON body; a body that is no JSON object stays as it is. */
export function withBody(call: Call, change: (body: JsonObject) => void): Call {
  const { request } = call.exchange;
  return withRequest(call, {
    body: async () => {
      const bytes = await request.body();
      try {
        const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonObject;
        change(body);
        return Buffer.from(JSON.stringify(body));
      } catch {
        return bytes;
      }
    },
  });
}

/** The same call with another text as its body. */
export function withText(call: Call, change: (text: string) => string): Call {
  const { request } = call.exchange;
  return withRequest(call, {
    body: async () => Buffer.from(change(Buffer.from(await request.body()).toString('utf8'))),
  });
}

/** The same call with another media type of its body. */
export function withContentType(call: Call, contentType: string): Call {
  const { headers } = call.exchange.request;
  return withRequest(call, { headers: { ...headers, 'content-type': contentType } });
}

interface Changed {
  readonly path?: string;
  readonly query?: Query;
  readonly body?: () => Promise<Uint8Array>;
  readonly headers?: IncomingRequest['headers'];
}

function withRequest(call: Call, changed: Changed): Call {
  const { exchange } = call;
  // Members that are made when they are first asked for do not come along by themselves.
  const { warnings, audit } = exchange;
  return { ...call, exchange: { ...exchange, warnings, audit, request: changedRequest(exchange.request, changed) } };
}

/** The same request in other words. A request has parts that it makes when asked, so that a spread would lose them. */
export function changedRequest(request: IncomingRequest, changed: Changed): IncomingRequest {
  return {
    method: request.method,
    path: changed.path ?? request.path,
    target: request.target,
    query: changed.query ?? request.query,
    headers: changed.headers ?? request.headers,
    headerLines: request.headerLines && ((name) => request.headerLines?.(name) ?? []),
    remoteAddress: request.remoteAddress,
    secure: request.secure,
    peerCertificate: request.peerCertificate,
    get signal() {
      return request.signal;
    },
    body: changed.body ?? (() => request.body()),
  };
}

/** Puts something between a watch and its reader: each event becomes the events returned. */
export function onWatchEvents(change: () => (event: WatchEvent) => readonly WatchEvent[]): Seams {
  return onVerbs(['watch'], async (call, serve) => {
    const answer = await serve(call);
    if (answer.kind !== 'watch') return answer;
    return {
      ...answer,
      open: (sink) => {
        const changed = change();
        return answer.open({ ...handedOn(sink), event: (event) => changed(event).every((one) => sink.event(one)) });
      },
    };
  });
}

/** Puts something between the server and its store: other changes are committed than the ones asked for. */
export function onCommit(change: (change: StoreWrite, store: Store) => StoreWrite): Seams {
  return {
    store: (store) => ({ ...delegate(store), commit: (asked) => store.commit(change(asked, store)) }),
  };
}

/** Puts something between the server and the connection, for replies that are no streams. */
export function onReplies(change: (reply: WholeReply, request: IncomingRequest) => WholeReply): Seams {
  return { reply: (reply: Reply, request) => (reply.kind === 'whole' ? change(reply, request) : reply) };
}

export type Serve = (call: Call) => Promise<Answer>;

/** Puts something between applies and the verb. */
export const onApplies = (around: (call: Call, serve: Serve) => Promise<Answer>) =>
  onVerbs(['patch'], (call, serve) => (isApply(call) ? around(call, serve) : serve(call)));

export function isApply({ exchange }: Call): boolean {
  return String(exchange.request.headers['content-type']).startsWith('application/apply-patch');
}

/** Admission judges another request than the one that was made; `undefined` lets it pass. */
export function judging(change: (attributes: AdmissionAttributes) => AdmissionAttributes | undefined): Seams {
  return {
    admission: (chain) => ({
      ...chain,
      validate: async (attributes) => {
        const changed = change(attributes);
        if (changed) await chain.validate(changed);
      },
    }),
  };
}

/** Everything of a sink but its events. */
export function handedOn(sink: WatchSink): Omit<WatchSink, 'event'> {
  return {
    whenReady: sink.whenReady && ((resume) => sink.whenReady?.(resume)),
    end: () => sink.end(),
  };
}

/** The same call by somebody else. */
export function asUser(call: Call, change: (user: User) => User): Call {
  const altered = withRequest(call, {});
  return { ...altered, exchange: { ...altered.exchange, user: change(altered.exchange.user) } };
}

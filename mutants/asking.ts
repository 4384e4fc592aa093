import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject, type JsonObject } from '../reference/api/json.ts';
import type { IncomingRequest } from '../reference/api/request.ts';
import { readJson } from '../reference/codecs/json.ts';
import { stringify } from '../reference/codecs/jsonText.ts';
import { readYaml } from '../reference/codecs/yaml.ts';
import { yamlText } from '../reference/codecs/yamlText.ts';
import type { WatchAnswer, WatchSink } from '../reference/contracts/answer.ts';
import type { Call, VerbTable } from '../reference/contracts/call.ts';
import type { StreamReply, WholeReply } from '../reference/contracts/reply.ts';
import type { Seams } from '../reference/seams.ts';
import { onReplies, onVerbs, withQuery } from './alter.ts';

/** Reads another query than the one that was sent. */
export function asking(
  names: readonly (keyof VerbTable)[],
  change: (query: URLSearchParams, call: Call) => void,
): Seams {
  return onVerbs(names, (call, serve) => serve(withQuery(call, (query) => change(query, call))));
}

/** Refuses, or fails at, what is as it should be. */
export function refusingWhere(names: readonly (keyof VerbTable)[], refusal: (call: Call) => Error | undefined): Seams {
  return onVerbs(names, async (call, serve) => {
    const error = refusal(call);
    if (error) throw error;
    return serve(call);
  });
}

/** Answers another code than the one that is meant. */
export function coding(code: (reply: WholeReply, request: IncomingRequest) => number): Seams {
  return onReplies((reply, request) => ({ ...reply, code: code(reply, request) }));
}

/** Announces another media type than the one of the body, in whole answers and streams. */
export function announcing(change: (type: string, code: number) => string): Seams {
  const announced = <Sent extends WholeReply | StreamReply>(reply: Sent): Sent => {
    const type = String(reply.headers['content-type'] ?? '');
    return { ...reply, headers: { ...reply.headers, 'content-type': change(type, reply.code) } };
  };
  return { reply: announced };
}

/** Alters the JSON of answers that are objects; all else goes out as it is. */
export function onJson(change: (body: JsonObject, request: IncomingRequest) => void): Seams {
  return onReplies((reply, request) => {
    if (!String(reply.headers['content-type']).startsWith('application/json')) return reply;
    if (reply.headers['content-encoding'] !== undefined) return reply;
    const body = parsed(reply.body);
    change(body, request);
    return { ...reply, body: Buffer.from(stringify(body)) };
  });
}

/** The same for answers in YAML too, and for those that are compressed. */
export function onValues(change: (body: JsonObject, request: IncomingRequest) => void): Seams {
  return onReplies((reply, request) => {
    const type = String(reply.headers['content-type']).toLowerCase();
    const [isJson, isYaml] = [type.startsWith('application/json'), type.startsWith('application/yaml')];
    const isCompressed = reply.headers['content-encoding'] === 'gzip';
    if (!isJson && !isYaml) return reply;
    const bytes = isCompressed ? gunzipSync(reply.body) : reply.body;
    const body = isJson ? parsed(bytes) : (readYaml(Buffer.from(bytes).toString('utf8')).value as JsonObject);
    change(body, request);
    const text = Buffer.from(isJson ? stringify(body) : yamlText(body));
    return { ...reply, body: isCompressed ? gzipSync(text) : text };
  });
}

/** Whole numbers of any size keep their digits. */
function parsed(bytes: Uint8Array): JsonObject {
  return readJson(Buffer.from(bytes).toString('utf8')).value as JsonObject;
}

/** Alters the JSON of the events of watches. */
export function onFrames(change: (event: JsonObject) => void): Seams {
  return {
    reply: (reply) => {
      const type = String(reply.headers['content-type']).toLowerCase();
      if (reply.kind !== 'stream' || !type.startsWith('application/json')) return reply;
      return {
        ...reply,
        start: (wire) =>
          reply.start({
            write: (frame) => {
              const event = parsed(frame);
              change(event);
              return wire.write(Buffer.from(`${stringify(event)}\n`));
            },
            get pending() {
              return wire.pending;
            },
            whenReady: wire.whenReady && ((resume) => wire.whenReady?.(resume)),
            end: () => wire.end(),
          }),
      };
    },
  };
}

/** Puts a sink of its own between a watch and its reader; `undefined` leaves the watch as it is. */
export function onSinks(change: (sink: WatchSink, call: Call) => WatchSink | undefined): Seams {
  return onVerbs(['watch'], async (call, serve) => {
    const answer = await serve(call);
    if (answer.kind !== 'watch') return answer;
    const altered: WatchAnswer = { ...answer, open: (sink) => answer.open(change(sink, call) ?? sink) };
    return altered;
  });
}

/** Alters each line of the metrics; a line that becomes empty is left out. */
export function onMetrics(change: (line: string) => string): Seams {
  return onReplies((reply, request) => {
    if (request.path !== '/metrics' || reply.headers['content-encoding'] !== undefined) return reply;
    const lines = Buffer.from(reply.body).toString('utf8').split('\n').map(change);
    return { ...reply, body: Buffer.from(`${lines.filter((line) => line !== '').join('\n')}\n`) };
  });
}

/** Answers below some paths that they are not found. */
export const hiding = (path: RegExp): Seams =>
  coding((reply: WholeReply, request: IncomingRequest) => (path.test(request.path) ? 404 : reply.code));

/** Shows another `spec` at some paths than the one that is meant. */
export function onSpec(path: RegExp, change: (spec: JsonObject) => void): Seams {
  return onJson(({ spec }, request) => {
    if (path.test(request.path) && isObject(spec)) change(spec);
  });
}

export function startsAtVersion({ exchange }: Call): boolean {
  const { query } = exchange.request;
  return !['', '0'].includes(query.get('resourceVersion') ?? '') && !query.has('sendInitialEvents');
}

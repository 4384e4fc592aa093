import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isObject, type Json, type JsonObject } from '../../reference/api/json.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import { readJson } from '../../reference/codecs/json.ts';
import { indentJson, stringify } from '../../reference/codecs/jsonText.ts';
import type { StreamReply, WholeReply } from '../../reference/contracts/reply.ts';
import type { Seams } from '../../reference/seams.ts';
import { onReplies } from '../alter.ts';
import { announcing, coding } from '../asking.ts';
import type { Twin } from './twin.ts';

/** How answers are written, as long as they say the same. */
export const ANSWERS: readonly Twin[] = [
  {
    id: 'more-headers',
    by: ['1/media-types-and-negotiation/5'],
    sentence: 'Every answer has headers beside those that the specification knows.',
    side: 'a',
    choice: () =>
      headed(() => ({
        server: 'twin',
        'x-request-id': randomBytes(8).toString('hex'),
        'strict-transport-security': 'max-age=31536000',
      })),
  },
  {
    id: 'entity-tags',
    by: ['1/media-types-and-negotiation/5'],
    sentence: 'Answers to reads have an ETag and a Last-Modified.',
    side: 'b',
    choice: () =>
      headed(({ method }) =>
        method === 'GET'
          ? { etag: `W/"${randomBytes(4).toString('hex')}"`, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
          : {},
      ),
  },
  {
    id: 'only-http-1',
    by: ['1/what-the-service-does/1'],
    sentence: 'HTTP/1.1 is served and nothing newer.',
    side: 'b',
    choice: () => ({ start: { flags: (argv) => [...argv, '--disable-http2-serving'] } }),
  },
  {
    id: 'always-pretty',
    by: ['1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/p2'],
    sentence: 'JSON is indented, whether or not that was asked for.',
    side: 'a',
    choice: () => jsonText((value) => `${indentJson(stringify(value))}\n`),
  },
  {
    id: 'members-turned',
    by: ['1/media-types-and-negotiation/1'],
    sentence: 'The members of JSON objects come in the opposite order.',
    side: 'b',
    choice: () => jsonText((value) => stringify(turned(value))),
  },
  {
    id: 'escaped-characters',
    by: ['1/media-types-and-negotiation/1'],
    sentence: 'JSON is plain ASCII: other characters, and slashes, are escaped.',
    side: 'b',
    choice: () => jsonText((value) => escaped(stringify(value))),
  },
  {
    id: 'families-answer-creations-with-200',
    by: ['1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.3'],
    sentence: 'Creating an object of the two families is answered with 200.',
    side: 'a',
    choice: () =>
      coding((reply, request) =>
        reply.code === 201 && isFamily(request) && request.method === 'POST' ? 200 : reply.code,
      ),
  },
  {
    id: 'families-answer-creations-with-202',
    by: ['1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.3'],
    sentence: 'Creating an object of the two families is answered with 202.',
    side: 'b',
    choice: () =>
      coding((reply, request) =>
        reply.code === 201 && isFamily(request) && request.method === 'POST' ? 202 : reply.code,
      ),
  },
  {
    id: 'families-answer-deletions-with-202',
    by: ['1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.6'],
    sentence: 'Deleting an object of the two families is answered with 202.',
    side: 'a',
    choice: () =>
      coding((reply, request) => {
        const one =
          request.method === 'DELETE' && isFamily(request) && /\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/.test(request.path);
        return reply.code === 200 && one && !/(bindings|configurations)$/.test(request.path) ? 202 : reply.code;
      }),
  },
  {
    id: 'charset-of-json',
    by: ['1/media-types-and-negotiation/5'],
    sentence: 'The media type of JSON says in which characters it is written.',
    side: 'a',
    choice: () => announcing((type) => (type === 'application/json' ? 'application/json; charset=utf-8' : type)),
  },
  {
    id: 'media-types-in-capitals',
    by: ['1/media-types-and-negotiation/5'],
    sentence: 'The media type of JSON is written with capitals, which media types do not tell apart.',
    side: 'b',
    choice: () => announcing((type) => (type === 'application/json' ? 'Application/JSON' : type)),
  },
  {
    id: 'gzip-for-writes',
    by: ['1/media-types-and-negotiation/8'],
    sentence: 'Answers to writes are compressed too, for clients that accept it.',
    side: 'a',
    choice: () =>
      onReplies((reply, { method, headers }) => {
        if (method === 'GET' || reply.headers['content-encoding'] !== undefined || reply.body.length === 0)
          return reply;
        if (!String(headers['accept-encoding'] ?? '').includes('gzip')) return reply;
        return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
      }),
  },
];

export function isFamily({ path }: Pick<IncomingRequest, 'path'>): boolean {
  return /\/v1\/(clusterrolebindings|validatingwebhookconfigurations)(\/|$)/.test(path);
}

function headed(more: (request: IncomingRequest) => WholeReply['headers']): Seams {
  const with_ = <Sent extends WholeReply | StreamReply>(reply: Sent, request: IncomingRequest): Sent => ({
    ...reply,
    headers: { ...reply.headers, ...more(request) },
  });
  return { reply: with_ };
}

/** Writes JSON answers anew. */
function jsonText(write: (value: Json) => string): Seams {
  return onReplies((reply) => {
    if (!String(reply.headers['content-type']).toLowerCase().startsWith('application/json')) return reply;
    if (reply.headers['content-encoding'] !== undefined) return reply;
    return { ...reply, body: Buffer.from(write(readJson(Buffer.from(reply.body).toString('utf8')).value)) };
  });
}

function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  const members: JsonObject = {};
  for (const [name, member] of Object.entries(value).reverse()) members[name] = turned(member);
  return members;
}

function escaped(text: string): string {
  const hex = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[^ -~]/g, hex).replaceAll('/', '\\/');
}

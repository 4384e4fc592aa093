import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { VerbTable } from '../../reference/contracts/call.ts';
import type { WholeReply } from '../../reference/contracts/reply.ts';
import type { Seams } from '../../reference/seams.ts';
import { onReplies, onVerbs } from '../alter.ts';
import { coding, onJson } from '../asking.ts';
import type { Twin } from './twin.ts';

const SHAPE = '1/errors/p1';

/** Errors with another code or shape, where none is named. */
export const ERRORS: readonly Twin[] = [
  {
    id: 'other-words',
    by: [SHAPE],
    sentence: 'Errors are told in other words, but for what a message has to name.',
    side: 'a',
    choice: () =>
      onStatus((status) => {
        // A strict refusal lists the fields, and a version ahead of time is named as such.
        if (status.code === 400 || status.code === 504) return;
        status.message = `this cannot be served (E${String(status.code)})`;
      }),
  },
  {
    id: 'more-in-a-status',
    by: [SHAPE],
    sentence: 'A Status has members beside those that are common, in its details too.',
    side: 'a',
    choice: () =>
      onStatus((status) => {
        status.trace = 'twin';
        status.details = { ...(isObject(status.details) ? status.details : {}), help: 'https://twin.example/help' };
      }),
  },
  {
    id: 'bare-status',
    by: [SHAPE],
    sentence: 'A Status of an error has no metadata, reason or details.',
    side: 'b',
    choice: () =>
      onStatus((status) => {
        delete status.metadata;
        delete status.reason;
        delete status.details;
      }),
  },
  {
    id: 'unauthorized-in-plain-text',
    by: [SHAPE],
    sentence: 'A 401 has a body of plain text.',
    side: 'b',
    choice: () => plain(401, 'who are you?\n'),
  },
  {
    id: 'forbidden-in-plain-text',
    by: ['2/errors/p1'],
    sentence: 'A 403 has a body of plain text.',
    side: 'b',
    choice: () => plain(403, 'no\n'),
  },
  {
    id: 'challenges',
    by: ['2/errors/t1.1'],
    sentence: 'A 401 says in a header by which schemes one may authenticate.',
    side: 'a',
    choice: () =>
      onReplies((reply) =>
        reply.code === 401
          ? { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="twin"' } }
          : reply,
      ),
  },
  {
    id: 'invalid-is-400',
    by: ['1/errors/t1.1'],
    sentence: 'An object that is not valid is refused with 400.',
    side: 'a',
    choice: () => recoding((code) => (code === 422 ? 400 : code)),
  },
  {
    id: 'unsupported-media-type-is-400',
    by: ['1/errors/t1.1'],
    sentence: 'A body of an unknown media type is refused with 400.',
    side: 'b',
    choice: () => recoding((code) => (code === 415 ? 400 : code)),
  },
  {
    id: 'unserved-method-is-404',
    by: ['1/url-shapes/p1'],
    sentence: 'A verb that a resource does not serve is answered with 404.',
    side: 'a',
    choice: () => recoding((code) => (code === 405 ? 404 : code)),
  },
  {
    id: 'ownership-conflict-is-422',
    by: [SHAPE],
    sentence: 'An apply that meets a field of another manager is refused with 422.',
    side: 'b',
    choice: () =>
      refusing(['patch'], 422, ({ details }) =>
        (details?.causes ?? []).some(({ reason }) => reason === 'FieldManagerConflict'),
      ),
  },
  {
    id: 'names-in-use-are-422',
    by: ['1/object-naming/1', '1/errors/t1.5'],
    sentence: 'A creation under a name in use is refused with 422.',
    side: 'b',
    choice: () => refusing(['create', 'update', 'patch'], 422, ({ reason }) => reason === 'AlreadyExists'),
  },
  {
    id: 'failed-preconditions-are-412',
    by: [
      '1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.6',
      '1/errors/t1.5',
    ],
    sentence: 'A deletion whose preconditions do not hold is refused with 412.',
    side: 'b',
    choice: () => refusing(['delete', 'deletecollection'], 412, ({ reason }) => reason === 'Conflict'),
  },
  {
    id: 'exact-version-ahead-is-410',
    by: ['1/reading-resource-version-semantics/b4'],
    sentence: 'A list of exactly a version that is still to come is answered with 410.',
    side: 'a',
    choice: () =>
      recoding((code, { query }) => (code === 504 && query.get('resourceVersionMatch') === 'Exact' ? 410 : code)),
  },
  {
    id: 'version-ahead-asks-to-retry',
    by: ['1/reading-resource-version-semantics/p6'],
    sentence: 'A version that is still to come is answered with 429 and Retry-After.',
    side: 'b',
    choice: () =>
      onReplies((reply, { query }) => {
        if (reply.code !== 504 || !query.has('resourceVersion')) return reply;
        return { ...recoded(reply, 429), headers: { ...reply.headers, 'retry-after': '1' } };
      }),
  },
  {
    id: 'failing-health-is-503',
    by: ['2/errors/p1'],
    sentence: 'A health check that fails is answered with 503.',
    side: 'b',
    choice: () =>
      coding((reply, { path }) => (reply.code === 500 && /^\/(healthz|livez|readyz)/.test(path) ? 503 : reply.code)),
  },
];

/** Alters each Status that is no success. */
function onStatus(change: (status: JsonObject) => void): Seams {
  return onJson((body) => {
    if (body.kind === 'Status' && body.status === 'Failure') change(body);
  });
}

/** Gives some of what verbs refuse another code, before it is encoded, so that it has that in every form. */
function refusing(verbs: readonly (keyof VerbTable)[], code: number, isMeant: (error: ApiError) => boolean): Seams {
  return onVerbs(verbs, async (call, serve) => {
    try {
      return await serve(call);
    } catch (error) {
      if (!(error instanceof ApiError) || !isMeant(error)) throw error;
      throw new ApiError(code, error.reason, error.message, error.details);
    }
  });
}

/** Gives errors another code, in the body too. */
function recoding(code: (code: number, request: IncomingRequest) => number): Seams {
  return onReplies((reply, request) => {
    if (reply.code < 400) return reply;
    const other = code(reply.code, request);
    return other === reply.code ? reply : recoded(reply, other);
  });
}

function recoded(reply: WholeReply, code: number): WholeReply {
  const status = statusIn(reply);
  return { ...reply, code, ...(status ? { body: Buffer.from(JSON.stringify({ ...status, code })) } : {}) };
}

function statusIn(reply: WholeReply): JsonObject | undefined {
  if (!String(reply.headers['content-type']).toLowerCase().startsWith('application/json')) return undefined;
  if (reply.headers['content-encoding'] !== undefined) return undefined;
  const body: unknown = JSON.parse(Buffer.from(reply.body).toString('utf8'));
  return isObject(body) && body.kind === 'Status' ? body : undefined;
}

function plain(code: number, text: string): Seams {
  return onReplies((reply) => {
    if (reply.code !== code || reply.headers['content-encoding'] !== undefined) return reply;
    return {
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(text),
    };
  });
}

import { groupName } from '../../fixtures/dialects/dialect.ts';
import { departs } from '../../fixtures/follow.ts';
import { isObject, type Json } from '../api/json.ts';
import { type ApiError, badRequest, expired } from '../api/status.ts';
import { JsonSyntaxError, readJson } from '../codecs/json.ts';
import { remembered } from '../collections/remembered.ts';
import type { Call } from '../contracts/call.ts';
import { digest } from '../ports/hash.ts';

/** Where a chunked list goes on (1/reading-chunked-lists). */
export interface Continuation {
  /** The state that all chunks show; undefined to go on in the newest state. */
  readonly revision: number | undefined;
  /** The key behind the collection's prefix after which the next chunk begins. */
  readonly after: string;
  /** When the first chunk was read, in milliseconds since the epoch. */
  readonly since: number;
}

/** In a token, stands for the newest state whatever it is. */
const NEWEST = -1;
/**
 * Milliseconds that instants in tokens are told by, rounded down: who asks for the same chunk in the same moment gets the
 * same answer. Not where history is so short that it matters.
 */
const GRAIN = 100;
/** What a key is followed by so that reading from there leaves it out. */
const NEXT = '\0';

/** The token that goes on there. Opaque to clients; names its form, so that a later form can be told apart. */
export function encodeContinuation(call: Call, { revision, after, since }: Continuation): string {
  const token = {
    v: formOf(call),
    rv: revision ?? NEWEST,
    start: `${after}${NEXT}`,
    at: momentOf(call, since),
    for: fingerprint(call),
  };
  return encoded(JSON.stringify(token));
}
/** Who asks for the same chunk is given the same token for a while. */
const encoded = remembered((text) =>
  Buffer.from(text.replace(/[\u0080-\uffff]/g, escapeUnit), 'latin1').toString('base64url'),
);

function momentOf({ services }: Call, time: number): number {
  const { historyWindow = Number.POSITIVE_INFINITY } = services.store;
  return historyWindow < 100 * GRAIN ? time : time - (time % GRAIN);
}

/**
 * Reads a token (1/reading-chunked-lists/4). A token goes on with the query it was given for, and with no other.
 * Throws ApiError 400 for a token that was never given out.
 */
export function decodeContinuation(call: Call, text: string): Continuation {
  const token = fieldsOf(parse(decodeBase64(text)));
  const form = formOf(call);
  if (token.v !== form) throw refuse(`server does not recognize this encoded version ${token.v}`);
  if (token.rv === 0) throw refuse(`incorrect encoded start resourceVersion (version ${form})`);
  if (token.start === '') throw refuse(`encoded start key empty (version ${form})`);
  // Nobody may climb out of the collection: every part of the key must be a name.
  const parts = token.start.replace(/^\//, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) throw refuse(token.start);
  if (token.for !== fingerprint(call) && !departs(call.services.follow, 'continue-token-query')) {
    throw refuse('it was given for another query');
  }
  const after = parts.join('/');
  return {
    revision: token.rv < 0 ? undefined : token.rv,
    after: after.endsWith(NEXT) ? after.slice(0, -NEXT.length) : after,
    since: token.at ?? call.services.clock.now(),
  };
}

/** The answer to a token whose state is no longer kept, with a token to go on in the newest state. */
export function continuationExpired(call: Call, continuation: Continuation): ApiError {
  const { clock } = call.services;
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinuation(call, { revision: undefined, after: continuation.after, since: clock.now() }),
  );
}

function formOf({ services }: Call): string {
  return `${groupName(services.dialect, 'meta')}/v1`;
}

/** Tells queries apart: the collection and its selectors. The limit may change from chunk to chunk. */
function fingerprint({ exchange }: Call): string {
  const { group, resource, namespace } = exchange.info;
  const { query } = exchange.request;
  const parts = [group, resource, namespace, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  return fingerprintOf(JSON.stringify(parts));
}
const fingerprintOf = remembered((text) => digest('sha256', text).toString('base64url').slice(0, 12));

function refuse(why: string): ApiError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** Bytes as a text of one character each: what is no plain token must still be told as the bytes it has. */
function decodeBase64(text: string): string {
  const clean = text.replace(/[\r\n]/g, '');
  const wrong = clean.search(/[^A-Za-z0-9_-]/);
  if (wrong >= 0) throw refuse(`illegal base64 data at input byte ${wrong}`);
  if (clean.length % 4 === 1) throw refuse(`illegal base64 data at input byte ${clean.length - 1}`);
  return Buffer.from(clean, 'base64url').toString('latin1');
}

function parse(text: string): Json {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refuse(error.message);
    throw error;
  }
}

interface Fields {
  v: string;
  rv: number;
  start: string;
  at: number | undefined;
  for: string;
}
function fieldsOf(value: Json): Fields {
  const fields: Fields = { v: '', rv: 0, start: '', at: undefined, for: '' };
  if (value === null) return fields;
  if (!isObject(value))
    throw refuse(`json: cannot unmarshal ${kindOf(value)} into Go value of type storage.continueToken`);
  const wrong = (name: string, found: Json, type: string) =>
    refuse(`json: cannot unmarshal ${kindOf(found)} into Go struct field continueToken.${name} of type ${type}`);
  for (const name of ['v', 'start'] as const) {
    const found = value[name] ?? null;
    if (typeof found === 'string') fields[name] = found;
    else if (found !== null) throw wrong(name, found, 'string');
  }
  const revision = value.rv ?? null;
  if (typeof revision === 'bigint' || Number.isInteger(revision)) fields.rv = Number(revision);
  else if (revision !== null) throw wrong('rv', revision, 'int64');
  if (typeof value.at === 'number') fields.at = value.at;
  if (typeof value.for === 'string') fields.for = value.for;
  return fields;
}
function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value;
}
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

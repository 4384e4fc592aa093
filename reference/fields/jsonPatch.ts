import { departs, type Follow } from '../../fixtures/follow.ts';
import { isObject, isTooDeep, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { atOnce, Pace, type Staged } from '../api/staged.ts';
import { ApiError, badRequest, tooLarge } from '../api/status.ts';
import { stringify } from '../codecs/jsonText.ts';
import { nameOfValue } from '../schema/decodeScalar.ts';
import { sameValue } from './compare.ts';
import { copyOf } from './merge.ts';

/** Operations that one patch may have. */
export const MAX_OPERATIONS = 10_000;
/** Bytes of JSON that the copies of one patch may make. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/** Entries that long work passes in the time that an operation may take, at the head of a long list. */
const OF_AN_OPERATION = 32;
/** Bytes of JSON that are copied in the time of an entry. */
const OF_AN_ENTRY = 8;

/** Why a patch does not apply. Clients are told only that it does not. */
class Inapplicable extends Error {}

/**
 * Applies a JSON patch (RFC 6902): every operation or none (1/updating-and-patching/t1.2). An array index may be
 * negative and then counts from the end.
 *
 * In: the document, which is left alone, and the patch as read. Out: the patched document.
 * @throws ApiError 400 when the patch is no list of operations, 413 past MAX_OPERATIONS, 422 when one does not apply
 */
export function jsonPatch(document: JsonObject, patch: Json, follow: Follow = 'spec'): JsonObject {
  return atOnce(jsonPatchInParts(document, patch, follow));
}

/** The same, with turns for others meanwhile. @throws as it does */
export function* jsonPatchInParts(document: JsonObject, patch: Json, follow: Follow = 'spec'): Staged<JsonObject> {
  const operations = operationsOf(patch);
  let result: Json = document;
  const limits: Limits = {
    copied: 0,
    own: new Set(),
    setsAbsent: departs(follow, 'json-patch-replace-absent'),
    lenient: departs(follow, 'json-patch-lenient'),
    nullIsAbsent: departs(follow, 'json-patch-test-absent'),
  };
  try {
    const pace = new Pace();
    for (const operation of operations) {
      const { copied } = limits;
      result = applyOperation(result, operation, limits);
      if (pace.due(OF_AN_OPERATION + (limits.copied - copied) / OF_AN_ENTRY)) yield;
    }
    if (!isObject(result)) throw new Inapplicable('the patched document is no object');
    if (isTooDeep(result)) throw new Inapplicable('the patched document is nested too deeply');
  } catch (error) {
    if (!(error instanceof Inapplicable)) throw error;
    throw unprocessable();
  }
  return result;
}

/** The answer to a patch that does not apply; it says no more. */
export function unprocessable(): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

const OPERATION = 'handlers.jsonPatchOp';

function operationsOf(patch: Json): readonly JsonObject[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw undecodable(nameOfValue(patch), `Go value of type []${OPERATION}`);
  for (const operation of patch) {
    if (!isObject(operation)) throw undecodable(nameOfValue(operation), `Go value of type ${OPERATION}`);
    for (const name of ['op', 'from', 'path']) {
      const text = member(operation, name);
      if (text === undefined || text === null || typeof text === 'string') continue;
      throw undecodable(nameOfValue(text), `Go struct field jsonPatchOp.${name} of type string`);
    }
  }
  if (patch.length > MAX_OPERATIONS) {
    throw tooLarge(
      `Request entity is too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  return patch as JsonObject[];
}

const MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** One text a member that no operation of a patch has, as field validation words it: `unknown field "[0].by"`. */
export function unknownMembers(patch: Json): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((name) => !MEMBERS.has(name))
      .map((name) => `unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  );
}

function undecodable(found: string, wanted: string): ApiError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${found} into ${wanted}`);
}

/** What one patch has used up, and what it may do. */
interface Limits {
  /** Bytes of JSON copied so far. */
  copied: number;
  /** Containers that this patch made: they are changed where they are, so that each is copied once a patch. */
  readonly own: Set<object>;
  /** A replace sets a member that is absent. */
  readonly setsAbsent: boolean;
  /** Pointers may begin with anything, and no value counts as null; the document itself is only replaced and tested. */
  readonly lenient: boolean;
  /** A test for null passes where a member is absent. */
  readonly nullIsAbsent: boolean;
}

function applyOperation(document: Json, operation: JsonObject, limits: Limits): Json {
  const { lenient } = limits;
  const path = pointerOf(operation, 'path', lenient);
  switch (member(operation, 'op')) {
    case 'add':
      if (lenient && path.length === 0) throw new Inapplicable('the document itself');
      return add(document, path, valueIn(operation, lenient), limits.own);
    case 'remove':
      return remove(document, path, limits.own);
    case 'replace':
      return replace(document, path, valueIn(operation, lenient), limits);
    case 'test':
      test(document, path, valueIn(operation, lenient), limits.nullIsAbsent);
      return document;
    case 'move': {
      const from = pointerOf(operation, 'from', lenient);
      if (lenient && (path.length === 0 || from.length === 0)) throw new Inapplicable('the document itself');
      const moved = read(document, from);
      if (moved === undefined) throw new Inapplicable('nothing to move');
      if (isAbove(from, path)) throw new Inapplicable('a value cannot move into itself');
      return add(remove(document, from, limits.own), path, moved, limits.own);
    }
    case 'copy': {
      const from = pointerOf(operation, 'from', lenient);
      if (lenient && (path.length === 0 || from.length === 0)) throw new Inapplicable('the document itself');
      const copied = read(document, from) ?? absentMember(document, from, lenient);
      if (copied === undefined) throw new Inapplicable('nothing to copy');
      limits.copied += Buffer.byteLength(stringify(copied));
      if (limits.copied > MAX_COPIED_BYTES) throw new Inapplicable('copies make the document too large');
      // What now stands in two places is changed in neither.
      disown(copied, limits.own);
      return add(document, path, copied, limits.own);
    }
    default:
      throw new Inapplicable('unknown operation');
  }
}

type Pointer = readonly string[];

/** Reads a JSON pointer (RFC 6901). A lenient reader passes over what stands in front of the first slash. */
function pointerOf(operation: JsonObject, name: string, lenient: boolean): Pointer {
  const text = member(operation, name);
  if (typeof text !== 'string') throw new Inapplicable(`no ${name}`);
  if (text === '') return [];
  const start = text.indexOf('/');
  if (lenient ? start < 0 : start !== 0) throw new Inapplicable('a pointer begins with a slash');
  return text
    .slice(start + 1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueIn(operation: JsonObject, lenient: boolean): Json {
  const value = member(operation, 'value');
  if (value !== undefined) return value;
  if (lenient) return null;
  throw new Inapplicable('no value');
}

/** What a lenient copy takes for a member that an object lacks: null. */
function absentMember(document: Json, path: Pointer, lenient: boolean): Json | undefined {
  return lenient && isObject(read(document, path.slice(0, -1))) ? null : undefined;
}

function isAbove(from: Pointer, path: Pointer): boolean {
  return from.length < path.length && from.every((step, index) => step === path[index]);
}

/** What a pointer leads to; undefined when that is nothing. */
function read(document: Json, path: Pointer): Json | undefined {
  let at: Json | undefined = document;
  for (const step of path) {
    if (Array.isArray(at)) at = at[indexOf(step, at.length) ?? -1];
    else if (isObject(at)) at = member(at, step);
    else return undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** An index as a step writes it, negative ones from the end; undefined when it is none of the `length` ones. */
function indexOf(step: string, length: number): number | undefined {
  if (!/^[+-]?\d{1,15}$/.test(step)) return undefined;
  const index = Number(step) < 0 ? Number(step) + length : Number(step);
  return index >= 0 && index < length ? index : undefined;
}

function disown(value: Json, own: Set<object>): void {
  const open = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    own.delete(at);
    for (const inner of Array.isArray(at) ? at : Object.values(at)) open.push(inner);
  }
}

/**
 * The document with one container changed. What lies on the way is copied unless the patch made it; everything else
 * is shared.
 */
function change(
  document: Json,
  path: Pointer,
  own: Set<object>,
  edit: (container: Json[] | JsonObject, step: string) => void,
): Json {
  // A loop and not a recursion, so that deep paths are no danger.
  const root = opened(document, own);
  let at = root;
  for (const step of path.slice(0, -1)) {
    if (Array.isArray(at)) {
      const index = indexOf(step, at.length);
      if (index === undefined) throw new Inapplicable('no such item');
      const inner = opened(at[index], own);
      at[index] = inner;
      at = inner;
    } else {
      const inner = opened(member(at, step), own);
      setMember(at, step, inner);
      at = inner;
    }
  }
  edit(at, path.at(-1) as string);
  return root;
}

/** A container that may be changed: itself where the patch made it, else a copy. */
function opened(value: Json | undefined, own: Set<object>): Json[] | JsonObject {
  if (typeof value !== 'object' || value === null) throw new Inapplicable('no such path');
  if (own.has(value)) return value;
  const copy = Array.isArray(value) ? [...value] : copyOf(value);
  own.add(copy);
  return copy;
}

function add(document: Json, path: Pointer, value: Json, own: Set<object>): Json {
  if (path.length === 0) return value;
  return change(document, path, own, (container, step) => {
    if (!Array.isArray(container)) {
      setMember(container, step, value);
      return;
    }
    const index = step === '-' ? container.length : indexOf(step, container.length + 1);
    if (index === undefined) throw new Inapplicable('no such index');
    container.splice(index, 0, value);
  });
}

function remove(document: Json, path: Pointer, own: Set<object>): Json {
  if (path.length === 0) throw new Inapplicable('the document itself cannot be removed');
  return change(document, path, own, (container, step) => {
    if (Array.isArray(container)) {
      const index = indexOf(step, container.length);
      if (index === undefined) throw new Inapplicable('no such index');
      container.splice(index, 1);
    } else {
      if (!Object.hasOwn(container, step)) throw new Inapplicable('no such member');
      delete container[step];
    }
  });
}

function replace(document: Json, path: Pointer, value: Json, { own, setsAbsent }: Limits): Json {
  if (path.length === 0) return value;
  return change(document, path, own, (container, step) => {
    if (Array.isArray(container)) {
      const index = indexOf(step, container.length);
      if (index === undefined) throw new Inapplicable('no such index');
      container[index] = value;
    } else {
      if (!setsAbsent && !Object.hasOwn(container, step)) throw new Inapplicable('no such member');
      setMember(container, step, value);
    }
  });
}

function test(document: Json, path: Pointer, expected: Json, nullIsAbsent: boolean): void {
  const found = read(document, path);
  if (found === undefined) {
    if (nullIsAbsent && expected === null && isObject(read(document, path.slice(0, -1)))) return;
    throw new Inapplicable('nothing to test');
  }
  if (!sameValue(found, expected)) throw new Inapplicable('the test fails');
}

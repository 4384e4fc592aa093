import { type ClauseName, clausesOf, type RequirementId, type Write } from '../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../reference/api/json.ts';
import type { ApiObject } from '../reference/api/object.ts';
import { ApiError } from '../reference/api/status.ts';
import type { Answer } from '../reference/contracts/answer.ts';
import type { Call, VerbTable } from '../reference/contracts/call.ts';
import type { Seams } from '../reference/seams.ts';
import { onVerbs, withBody } from './alter.ts';
import type { Mutant } from './mutant.ts';

export type Serve = (call: Call) => Promise<Answer>;

/** The verb that each way of writing comes to. */
const VERB: Readonly<Record<Write, keyof VerbTable>> = {
  post: 'create',
  put: 'update',
  json: 'patch',
  merge: 'patch',
  strategic: 'patch',
  apply: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};
const PATCHES: Readonly<Partial<Record<Write, string>>> = {
  json: 'json-patch',
  merge: '/merge-patch',
  strategic: 'strategic-merge-patch',
  apply: 'apply-patch',
};
const WORDS: Readonly<Record<Write, string>> = {
  post: 'a POST',
  put: 'a PUT',
  json: 'a JSON patch',
  merge: 'a merge patch',
  strategic: 'a strategic merge patch',
  apply: 'an apply',
  delete: 'a DELETE',
  deletecollection: 'a DELETE of a collection',
};

/** As {@link onVerbs} for one way of writing. */
export function onWrite(write: Write, around: (call: Call, serve: Serve) => Promise<Answer>): Seams {
  return onVerbs([VERB[write]], (call, serve) => (isWrite(write, call) ? around(call, serve) : serve(call)));
}

/**
 * One mutant for each way of writing: the same rule broken for that one alone, of all types.
 *
 * @param name of the mutants, before the write: `any-dry-run-is-all` gives `any-dry-run-is-all-put`.
 * @param tell what is wrong, of `a PUT`.
 */
export function everyWrite(
  name: string,
  breaks: RequirementId | ((write: Write) => readonly ClauseName[]),
  writes: readonly Write[],
  tell: (write: string) => string,
  around: (call: Call, serve: Serve, write: Write) => Promise<Answer>,
): Mutant[] {
  return writes.map((write) => ({
    id: `${name}-${write}`,
    breaks: typeof breaks === 'string' ? clausesOf(breaks, write) : breaks(write),
    sentence: tell(WORDS[write]),
    defect: () => onWrite(write, (call, serve) => around(call, serve, write)),
  }));
}

/**
 * One mutant for all these ways of writing, where what it gets wrong in one is not in the way of looking at another:
 * each clause has to fail by itself.
 *
 * @param tell what is wrong, of `a write`.
 */
export function anyWrite(
  id: string,
  breaks: RequirementId | ((write: Write) => readonly ClauseName[]),
  writes: readonly Write[],
  tell: (write: string) => string,
  around: (call: Call, serve: Serve, write: Write) => Promise<Answer>,
): Mutant {
  const verbs = [...new Set(writes.map((write) => VERB[write]))];
  return {
    id,
    breaks: writes.flatMap((write) => (typeof breaks === 'string' ? clausesOf(breaks, write) : breaks(write))),
    sentence: tell(writes.every((write) => VERB[write] === 'patch') ? 'a patch' : 'a write'),
    defect: () =>
      onVerbs(verbs, (call, serve) => {
        const write = writes.find((each) => isWrite(each, call));
        return write === undefined ? serve(call) : around(call, serve, write);
      }),
  };
}

/** Whether a call is of this way of writing. */
function isWrite(write: Write, { exchange: { info, request } }: Call): boolean {
  const patch = PATCHES[write];
  if (info.verb !== VERB[write]) return false;
  return patch === undefined || String(request.headers['content-type'] ?? '').includes(patch);
}

/**
 * The same call with other members of the object that its body carries, or that its patch makes of one.
 *
 * @param change of the members at `path`, such as `['metadata']`; it may take some away.
 */
export function withMembers(call: Call, path: readonly string[], change: (members: JsonObject) => void): Call {
  return withBody(call, (body) => {
    if (!Array.isArray(body)) {
      const members = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), body);
      if (isObject(members)) change(members);
      return;
    }
    const prefix = `${path.map((name) => `/${name}`).join('')}/`;
    const operations = (body as JsonObject[]).filter((operation) => {
      const name = String(operation.path);
      if (!name.startsWith(prefix) || name.includes('/', prefix.length)) return true;
      const members: JsonObject = { [name.slice(prefix.length)]: operation.value ?? null };
      change(members);
      Object.assign(operation, { value: members[name.slice(prefix.length)] ?? null });
      return Object.keys(members).length > 0;
    });
    body.splice(0, body.length, ...operations);
  });
}

/** What the body of a call gives for a member of metadata; undefined where it gives none. */
export async function metadataIn(call: Call, member: string): Promise<unknown> {
  let found: unknown;
  await withMembers(call, ['metadata'], (members) => {
    found ??= members[member];
  }).exchange.request.body();
  return found;
}

/** The answer with another object; what is stored stays as it is. */
export function answering(answer: Answer, change: (object: ApiObject) => ApiObject): Answer {
  if (answer.kind === 'entry') {
    const { code, endpoint, entry } = answer;
    return { kind: 'object', code, endpoint, object: change(entry.object) };
  }
  return answer.kind === 'object' ? { ...answer, object: change(answer.object) } : answer;
}

/** Answers an object where a call is refused for `fault`. */
export async function passing(
  call: Call,
  serve: Serve,
  fault: (error: ApiError) => boolean = () => true,
): Promise<Answer> {
  try {
    return await serve(call);
  } catch (error) {
    if (!(error instanceof ApiError) || !fault(error)) throw error;
    const { endpoint, exchange } = call;
    const code = exchange.request.method === 'POST' ? 201 : 200;
    const { type, version } = endpoint;
    const apiVersion = type.group === '' ? version.version : `${type.group}/${version.version}`;
    const object: ApiObject = { apiVersion, kind: type.kind, metadata: { name: exchange.info.name || 'passed' } };
    return { kind: 'object', code, endpoint, object };
  }
}

import { isRecord, type Json, type JsonObject } from '../harness/json.ts';
import type { Step } from './step.ts';

/**
 * A request with all taken out of it that does not matter: as long as something still holds, it loses a parameter, a
 * header, its encoding, who asks, a member of its body. What is left is what the difference is about.
 * @param holds is asked of requests that say less than the given one
 * @param most how often it may be asked
 */
export async function simplest(step: Step, holds: (step: Step) => Promise<boolean>, most: number): Promise<Step> {
  let best = step;
  let asked = 0;
  for (let smaller = true; smaller && asked < most; ) {
    smaller = false;
    for (const simpler of simplerThan(best)) {
      if (asked >= most) break;
      asked += 1;
      if (!(await holds(simpler))) continue;
      best = simpler;
      smaller = true;
      break;
    }
  }
  return best;
}

/** Requests that say one thing less. What a request cannot be without stays: the manager of an apply, that it watches. */
export function* simplerThan(step: Step): Generator<Step> {
  yield* withoutParameters(step);
  const { accept: _, ...headers } = step.headers ?? {};
  if (step.headers?.accept !== undefined) yield { ...step, headers };
  if (step.as !== 'admin') yield { ...step, as: 'admin' };
  if (step.form !== undefined) {
    const { form: __, ...inJson } = step;
    const type = step.headers?.['content-type'];
    yield type?.includes('cbor') === true
      ? { ...inJson, headers: { ...step.headers, 'content-type': type.replace('+cbor', '+yaml') } }
      : inJson;
  }
  for (const body of smallerBodies(step.body)) yield { ...step, body };
  if (step.method === 'DELETE' && step.body !== undefined) {
    const { body: __, form: ___, ...bare } = step;
    yield bare;
  }
}

function* withoutParameters(step: Step): Generator<Step> {
  const [path = '', query = ''] = step.path.split('?');
  const parts = query === '' ? [] : query.split('&');
  for (const [at, part] of parts.entries()) {
    const apply = step.headers?.['content-type']?.includes('apply') === true && part.startsWith('fieldManager=');
    // A token goes with the limit that it came of.
    if (part.startsWith('limit=') && query.includes('continue=')) continue;
    const [own, ...more] = part.split(',');
    const shorter = part.startsWith('labelSelector=') && more.length > 0 ? [own as string] : [];
    if (apply || part.startsWith('watch=') || (part.startsWith('labelSelector=') && shorter.length === 0)) continue;
    const rest = [...parts.slice(0, at), ...shorter, ...parts.slice(at + 1)];
    yield { ...step, path: rest.length === 0 ? path : `${path}?${rest.join('&')}` };
  }
}

/** Members without which a body is no body of its kind. */
const NEEDED: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'name', '$of']);

function* smallerBodies(body: Json | undefined): Generator<Json> {
  if (Array.isArray(body)) {
    for (const at of body.keys()) if (body.length > 1) yield [...body.slice(0, at), ...body.slice(at + 1)] as Json[];
    return;
  }
  if (!isRecord(body)) return;
  for (const smaller of without(body as JsonObject)) yield smaller;
  const { metadata } = body as JsonObject;
  if (isRecord(metadata))
    for (const less of without(metadata as JsonObject)) yield { ...(body as JsonObject), metadata: less };
  for (const [name, list] of Object.entries(body as JsonObject)) {
    if (Array.isArray(list)) for (const less of shorterLists(list)) yield { ...(body as JsonObject), [name]: less };
  }
}

/** A list without one of its items, or with one of them without one of its members. */
function* shorterLists(list: readonly Json[]): Generator<Json[]> {
  const saying = (at: number, ...items: readonly Json[]) => [...list.slice(0, at), ...items, ...list.slice(at + 1)];
  for (const at of list.keys()) if (list.length > 1) yield saying(at);
  for (const [at, item] of list.entries()) {
    if (isRecord(item)) for (const less of without(item as JsonObject)) yield saying(at, less);
  }
}
function* without(object: JsonObject): Generator<JsonObject> {
  for (const name of Object.keys(object)) {
    if (NEEDED.has(name)) continue;
    const { [name]: _, ...rest } = object;
    yield rest as JsonObject;
  }
}

import { isObject, type JsonObject } from '../reference/api/json.ts';
import type { ApiObject } from '../reference/api/object.ts';
import type { Answer } from '../reference/contracts/answer.ts';
import type { Call, VerbTable } from '../reference/contracts/call.ts';
import type { Entry } from '../reference/contracts/entry.ts';
import { delegate, type Store } from '../reference/contracts/store.ts';
import { objectKey } from '../reference/contracts/storeKeys.ts';
import type { Seams } from '../reference/seams.ts';
import { onCommit, onVerbs, withBody } from './alter.ts';
import { passing, withMembers } from './writes.ts';

type VerbName = keyof VerbTable;
type Serve = (call: Call) => Promise<Answer>;

/** As {@link onVerbs} for the objects of one resource; everything else is served as it should be. */
export function onType(
  resource: string,
  names: readonly VerbName[],
  around: (call: Call, serve: Serve) => Promise<Answer>,
): Seams {
  return onVerbs(names, (call, serve) => {
    const { type, subresource } = call.endpoint;
    return type.resource === resource && !subresource ? around(call, serve) : serve(call);
  });
}

/** Serves another body than the one that was sent, so that what it gets wrong passes. */
export function mending<Body extends object>(
  resource: string,
  names: readonly VerbName[],
  mend: (body: Body, call: Call) => void,
): Seams {
  return onType(resource, names, (call, serve) => serve(withBody(call, (body) => mend(body as unknown as Body, call))));
}

export interface Spec {
  spec?: { [field: string]: unknown };
}

/** Puts something into the `spec` of what is created, where nothing is. */
export function filling(resource: string, field: string, value: (spec: Record<string, unknown>) => unknown): Seams {
  return mending<Spec>(resource, ['create'], ({ spec }) => {
    if (spec && spec[field] === undefined) spec[field] = value(spec);
  });
}

/** Whatever writes an object of a type, its `spec` otherwise. */
export function mendingSpec(resource: string, mend: (spec: JsonObject) => void): Seams {
  return onType(resource, ['create', 'update', 'patch'], (call, serve) =>
    serve(
      withMembers(call, [], ({ spec }) => {
        if (isObject(spec)) mend(spec);
      }),
    ),
  );
}

/** Stores what is changed of an object of a type with other values in its `spec`. */
export function storingSpec(resource: string, change: (spec: JsonObject) => object): Seams {
  return onChange(resource, (before, after) => {
    if (!before || !after || !isObject(after.spec)) return after;
    return { ...after, spec: { ...after.spec, ...change(after.spec) } } as ApiObject;
  });
}

/** Answers writes that are refused as if they were done. */
export function passingRefusals(
  resource: string,
  verbs: readonly ('create' | 'update' | 'patch')[] = ['create', 'update', 'patch'],
  subresources = false,
): Seams {
  return onVerbs(verbs, (call, serve) => {
    const { type, subresource } = call.endpoint;
    return type.resource === resource && (!subresource || subresources) ? passing(call, serve) : serve(call);
  });
}

/** Refuses bodies that are as they should be. */
export function refusing<Body extends object>(
  resource: string,
  names: readonly VerbName[],
  refusal: (body: Body, call: Call) => Error | undefined,
): Seams {
  return onType(resource, names, async (call, serve) => {
    const body = await bodyOf<Body>(call);
    const error = body && refusal(body, call);
    if (error) throw error;
    return serve(call);
  });
}

/** Answers another object than the one that is meant; what is stored stays as it is. */
export function showing(resource: string, names: readonly VerbName[], change: (object: ApiObject) => ApiObject): Seams {
  return onType(resource, names, async (call, serve) => {
    const answer = await serve(call);
    if (answer.kind !== 'entry') return answer;
    const { code, endpoint, entry } = answer;
    return { kind: 'object', code, endpoint, object: change(entry.object) };
  });
}

/** As {@link onCommit} for a change that depends on how the object was before. */
export function onChange(
  resource: string | RegExp,
  change: (before: ApiObject | undefined, after: ApiObject | null) => ApiObject | null,
): Seams {
  return {
    store: (store) => ({
      ...delegate(store),
      commit: async (asked) => {
        const isMeant = typeof resource === 'string' ? asked.key.includes(`/${resource}/`) : resource.test(asked.key);
        if (!isMeant) return store.commit(asked);
        const before = await store.get(asked.key);
        return store.commit({ ...asked, object: change(before?.object, asked.object) });
      },
    }),
  };
}

/** Each object is stored with the time that the first one under its key was given. */
export function timeOfTheFirst(member: 'creationTimestamp' | 'deletionTimestamp'): Seams {
  const first = new Map<string, string>();
  return onCommit((change) => {
    const given = change.object?.metadata[member];
    if (!change.object || !given) return change;
    const time = first.get(change.key) ?? given;
    first.set(change.key, time);
    return { ...change, object: withMetadata(change.object, { [member]: time }) };
  });
}

/** The JSON body of a call; undefined where it has none. */
export async function bodyOf<Body extends object = JsonObject>(call: Call): Promise<Body | undefined> {
  try {
    return JSON.parse(Buffer.from(await call.exchange.request.body()).toString('utf8')) as Body;
  } catch {
    return undefined;
  }
}

/** What is stored under the name of a call, or under another. */
export async function storedOf(call: Call, name = call.exchange.info.name): Promise<Entry | undefined> {
  return call.services.store.get(keyOf(call, name));
}
export function keyOf({ endpoint, exchange }: Call, name = exchange.info.name): string {
  return objectKey(endpoint.type, endpoint.type.namespaced ? exchange.info.namespace : '', name);
}

/** Writes an object past every stage. Answers the entry, or the one that was there where somebody was faster. */
export async function recommit(store: Store, entry: Entry, change: (object: ApiObject) => ApiObject): Promise<Entry> {
  const { resourceVersion: _, ...metadata } = entry.object.metadata;
  const object = change({ ...entry.object, metadata });
  const result = await store.commit({ key: entry.key, expected: entry.modRevision, object });
  return result.committed ? result.entry : entry;
}

/** As {@link recommit} with what a verb answered. */
export async function rewritten(
  call: Call,
  answer: Answer,
  change: (object: ApiObject) => ApiObject = (object) => object,
): Promise<Answer> {
  if (answer.kind !== 'entry') return answer;
  return { ...answer, entry: await recommit(call.services.store, answer.entry, change) };
}

export function withMetadata(object: ApiObject, changed: Partial<ApiObject['metadata']>): ApiObject {
  return { ...object, metadata: { ...object.metadata, ...changed } };
}

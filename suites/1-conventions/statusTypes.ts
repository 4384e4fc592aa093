import type { CHANGES, StatusType } from '../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  defineType,
  type Exchange,
  type JsonObject,
  type Kind,
  namespaces,
  objectIn,
  PATCH_TYPES,
} from '../harness/index.ts';
import { condition, services } from './server-side-apply-rules/services.ts';

/** Types whose status is written apart, each with a status that differs for each word. */
export const STATUS: Readonly<
  Record<StatusType, { kind: (author: Actor) => Promise<Kind>; status: (word: string) => object }>
> = {
  services: { kind: async () => services, status: conditions },
  namespaces: { kind: async () => namespaces, status: conditions },
  custom: {
    kind: (author) =>
      defineType(
        author,
        author.dialect,
        () => ({
          type: 'object',
          properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
        }),
        true,
        { subresources: { status: {} } },
      ),
    status: (phase) => ({ phase }),
  },
};

interface StatusChangeOptions {
  readonly query?: string;
  readonly manager?: string;
  /** Of the object; `doc` unless told. */
  readonly name?: string;
  /** Members that a PUT has in the place of those of the object, and a patch beside the status. */
  readonly metadata?: JsonObject;
}

/** A change of a status that was sent, and the object as it was before. */
export interface StatusChange {
  readonly answer: Exchange;
  readonly before: ApiObject;
}

/** Writes a status in the place of the one that an object has, by a PUT or a patch; an apply is that of `manager`. */
export async function changeStatus(
  author: Actor,
  kind: Kind,
  write: (typeof CHANGES)[number],
  status: object,
  { query = '', manager = 'tried', name = 'doc', metadata = {} }: StatusChangeOptions = {},
): Promise<StatusChange> {
  const before = objectIn(await author.get(kind, name));
  const apiVersion = apiVersionOf(kind, author.dialect);
  const change = { metadata, status };
  const body = {
    put: { ...before, status, metadata: { ...before.metadata, ...metadata } },
    json: [
      ...Object.entries(metadata).map(([member, value]) => ({ op: 'add', path: `/metadata/${member}`, value })),
      { op: 'add', path: '/status', value: status },
    ],
    merge: change,
    strategic: change,
    apply: { apiVersion, kind: kind.kind, metadata: { name: before.metadata.name, ...metadata }, status },
  }[write];
  const [method, type] = write === 'put' ? ['PUT', 'application/json'] : ['PATCH', PATCH_TYPES[write]];
  const asked = write === 'apply' ? `${query}&fieldManager=${manager}&force=true` : query;
  const path = `${await author.pathOf(kind, name, 'status')}?${asked}`;
  return { answer: await author.request(method, path, { headers: { 'content-type': type }, body }), before };
}

function conditions(word: string): object {
  // Of an empty message types differ in whether it is there once it is stored.
  return { conditions: [{ ...condition('Touched'), reason: word, message: 'touched' }] };
}

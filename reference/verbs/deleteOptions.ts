import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs } from '../../fixtures/follow.ts';
import { type FieldError, invalid, notSupported, quoteValue } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asApiObject } from '../api/object.ts';
import { ApiError, badRequest } from '../api/status.ts';
import { stringify } from '../codecs/jsonText.ts';
import { readBody } from '../codecs/readBody.ts';
import type { Call } from '../contracts/call.ts';
import type { Propagation } from '../contracts/client.ts';
import { bodyOf, reasonOf } from '../objects/body.ts';
import { dryRunOf, invalidOptions, isTrue, validateDryRun } from '../objects/writeOptions.ts';
import { decodeTyped } from '../schema/decode.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';

/** The options of a DELETE. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string } | undefined;
  readonly propagationPolicy?: Propagation | undefined;
  readonly orphanDependents?: boolean | undefined;
  /** ignoreStoreReadErrorWithClusterBreakingPotential; never set without its feature gate. */
  readonly ignoreStoreReadError: boolean;
  /** The options as admission sees them, with kind and apiVersion. */
  readonly document: ApiObject;
}

const KIND = 'DeleteOptions';
export const FORCE = 'ignoreStoreReadErrorWithClusterBreakingPotential';
export const FORCE_GATE = 'AllowUnsafeMalformedObjectDeletion';
const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];
/** With force these must be unset (1/deletion-and-force-deletion/2). */
const NOT_WITH_FORCE = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];

const STRING: Schema = { kind: 'scalar', type: 'string' };
const BOOLEAN: Schema = { kind: 'scalar', type: 'boolean' };
const INT64: Schema = { kind: 'scalar', type: 'int64' };
const STRINGS: Schema = { kind: 'list', items: STRING, listType: 'atomic', keys: [] };

/** Fields in wire order; what stands there is kept, so that `0` and `false` differ from absent. */
function shape(name: string, fields: readonly (readonly [string, Schema, number | undefined])[]): ObjectSchema {
  const map = new Map<string, Field>();
  for (const [field, schema, number] of fields) {
    const presence = schema.kind === 'list' || number === undefined ? 'nonEmpty' : 'explicit';
    map.set(field, { name: field, schema, required: false, presence, number });
  }
  return { kind: 'object', name, mapType: 'granular', fields: map };
}

const PRECONDITIONS = shape('meta.v1.Preconditions', [
  ['uid', STRING, 1],
  ['resourceVersion', STRING, 2],
]);

/** The body of a DELETE (1/other-shapes/b2). */
const DELETE_OPTIONS = shape('meta.v1.DeleteOptions', [
  ['kind', STRING, undefined],
  ['apiVersion', STRING, undefined],
  ['gracePeriodSeconds', INT64, 1],
  ['preconditions', PRECONDITIONS, 2],
  ['orphanDependents', BOOLEAN, 3],
  ['propagationPolicy', STRING, 4],
  ['dryRun', STRINGS, 5],
  [FORCE, BOOLEAN, 6],
]);

/** The options of a deletion that the service itself asks for. */
export function internalDeleteOptions(
  dialect: Dialect,
  options: Partial<Omit<DeleteOptions, 'document'>>,
): DeleteOptions {
  const document: JsonObject = { kind: KIND, apiVersion: `${groupName(dialect, 'meta')}/v1` };
  const { propagationPolicy, preconditions } = options;
  if (propagationPolicy) document.propagationPolicy = propagationPolicy;
  if (preconditions) {
    const { uid, resourceVersion } = preconditions;
    document.preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  }
  return { dryRun: false, ignoreStoreReadError: false, ...options, document: asApiObject(document) };
}

/**
 * Reads the options of a DELETE from its query and its body; both count (1/dry-run/1, 1/other-shapes/b2).
 * Throws ApiError 400 for a body or number that cannot be read and where query and body contradict each other, 415 for
 * the media type of the body, 422 for values.
 */
export async function readDeleteOptions(call: Call): Promise<DeleteOptions> {
  const bytes = await bodyOf(call);
  const given = bytes.length > 0 ? besideQuery(call, fromBody(call, bytes)) : fromQuery(call);
  if (!call.services.gate(FORCE_GATE)) delete given[FORCE];
  const errors = validate(given);
  if (errors.length > 0) throw invalidOptions(call.services.dialect, KIND, errors);
  const document = { kind: KIND, apiVersion: `${groupName(call.services.dialect, 'meta')}/v1`, ...given };
  if (bytes.length > 0) call.exchange.recorder?.sent(undefined, () => stringify(document));
  return {
    dryRun: ((given.dryRun as string[] | undefined) ?? []).length > 0,
    gracePeriodSeconds: given.gracePeriodSeconds === undefined ? undefined : Number(given.gracePeriodSeconds),
    preconditions: given.preconditions as DeleteOptions['preconditions'],
    propagationPolicy: given.propagationPolicy as Propagation | undefined,
    orphanDependents: given.orphanDependents as boolean | undefined,
    ignoreStoreReadError: given[FORCE] === true,
    document: asApiObject(document),
  };
}

/** The options of a body together with those of the query. */
function besideQuery(call: Call, body: JsonObject): JsonObject {
  if (departs(call.services.follow, 'delete-options-of-body')) return body;
  const options = fromQuery(call);
  for (const [name, value] of Object.entries(body)) {
    // An empty list asks for nothing.
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const asked = options[name];
    if (isObject(asked) && isObject(value)) {
      for (const each of Object.keys(asked)) agree(`${name}.${each}`, asked[each], value[each]);
      options[name] = { ...asked, ...value };
    } else {
      agree(name, asked, value);
      options[name] = value;
    }
  }
  return options;
}

/** Throws ApiError 400 where query and body say different things of an option. */
function agree(option: string, query: Json | undefined, body: Json | undefined): void {
  if (query === undefined || body === undefined || equalJson(distinct(query), distinct(body))) return;
  throw badRequest(`${option} is ${stringify(query)} in the query and ${stringify(body)} in the body`);
}
/** A list that says each thing once, as a repeated parameter may. */
function distinct(value: Json): Json {
  return Array.isArray(value) ? [...new Set(value)] : value;
}

function fromBody(call: Call, bytes: Uint8Array): JsonObject {
  const { services, exchange } = call;
  const contentType = exchange.request.headers['content-type'];
  try {
    const { json } = readBody(bytes, typeof contentType === 'string' ? contentType : contentType?.[0], {
      dialect: services.dialect,
      kind: KIND,
      schema: DELETE_OPTIONS,
      custom: false,
      cbor: services.gate('CBORServingAndStorage'),
      firstDocument: departs(services.follow, 'yaml-several-documents'),
    });
    if (typeof json.kind === 'string' && json.kind && json.kind !== KIND) {
      throw badRequest(`no kind ${JSON.stringify(json.kind)} is registered for version ${quoteValue(json.apiVersion)}`);
    }
    const { kind: _, apiVersion: __, ...options } = decodeTyped(DELETE_OPTIONS, json).object;
    return options;
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) throw badRequest(bare(reasonOf(error)));
    throw error;
  }
}

/** A message about a body without the words around it that name the expected kind. */
function bare(message: string): string {
  const head = `the object provided is unrecognized (must be of type ${KIND}): `;
  if (!message.startsWith(head)) return message;
  const end = message.lastIndexOf(' (');
  return message.slice(head.length, end > head.length ? end : undefined);
}

function fromQuery(call: Call): JsonObject {
  const { query } = call.exchange.request;
  const options: JsonObject = {};
  const dryRun = dryRunOf(query, call.services.follow);
  if (dryRun.length > 0) options.dryRun = [...dryRun];
  const seconds = query.get('gracePeriodSeconds');
  if (seconds) {
    if (!/^[+-]?[0-9]+$/.test(seconds)) {
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`);
    }
    options.gracePeriodSeconds = Number(seconds);
  }
  const policy = query.get('propagationPolicy');
  if (policy !== undefined) options.propagationPolicy = policy;
  const uid = query.get('uid');
  if (uid) options.preconditions = { uid };
  for (const name of ['orphanDependents', FORCE]) {
    const value = query.get(name);
    if (value !== undefined) options[name] = isTrue(value);
  }
  return options;
}

function validate(options: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const policy = options.propagationPolicy;
  const path = FieldPath.of('propagationPolicy');
  if (options.orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !POLICIES.includes(policy as string)) {
    errors.push(notSupported(path, policy, [...POLICIES, 'nil']));
  }
  errors.push(...validateDryRun((options.dryRun as string[] | undefined) ?? []));
  if (options[FORCE] === true) {
    for (const other of NOT_WITH_FORCE) {
      if (options[other] === undefined) continue;
      errors.push(invalid(FieldPath.of(FORCE), true, `cannot be set together with .${other}`));
    }
  }
  return errors;
}

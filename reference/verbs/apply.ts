import { departs, type Follow } from '../../fixtures/follow.ts';
import { formatApiVersion } from '../api/groupVersion.ts';
import { cloneJson, isObject, type Json, type JsonObject } from '../api/json.ts';
import { cloneInParts } from '../api/longJson.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import type { WarningSink } from '../api/request.ts';
import { atOnce, LARGE_BODY, paced, type Staged } from '../api/staged.ts';
import { ApiError, badRequest, conflict, UnfitPatch } from '../api/status.ts';
import { CborSyntaxError, readCbor } from '../codecs/cborRead.ts';
import { stringify } from '../codecs/jsonText.ts';
import { SEVERAL_DOCUMENTS } from '../codecs/readBody.ts';
import { type ReadYaml, readYamlInParts, YamlSyntaxError } from '../codecs/yaml.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Applied, ApplyContext } from '../fields/applyConfiguration.ts';
import { OwnershipConflict } from '../fields/conflicts.ts';
import {
  decodeObject,
  type Expected,
  expectedOf,
  objectDecodedInParts,
  reasonOf,
  strictError,
  warnOf,
} from '../objects/body.ts';
import { noteMerge } from '../objects/decisions.ts';
import { settleEmpty } from '../objects/emptyLists.ts';
import type { FieldValidation } from '../objects/writeOptions.ts';
import { decodeTyped } from '../schema/decode.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';
import { dropUnknown } from '../schema/unknownFields.ts';
import { dropScaleTimes, ownershipContext, writerOf } from './ownership.ts';
import { settleAddress } from './systemMetadata.ts';
import { asRefused, invalidPatch } from './unfitPatch.ts';
import { write } from './write.ts';
import type { WriteRequest } from './writeRequest.ts';

export const APPLY_YAML = 'application/apply-patch+yaml';
export const APPLY_CBOR = 'application/apply-patch+cbor';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Server-side apply (1/server-side-apply-rules): merges a configuration into the object, or creates it. Answers 200,
 * or 201 where it created. Throws ApiError: 409 for owners that disagree, for a
 * stale version, for a uid without an object; 403 where it may not create; 400 for a body that is no configuration of
 * the endpoint's kind.
 */
export function apply(request: WriteRequest, sent: SentConfiguration): Promise<Answer> {
  const expected = expectedOf(request);
  let known: JsonObject | undefined;
  const config = (): JsonObject => {
    known ??= knownPart(request, expected, sent.read());
    return known;
  };
  const { exchange, endpoint } = request;
  return write(request, {
    large: sent.large,
    create: endpoint.subresource
      ? undefined
      : (long) => paced(applied(request, expected, undefined, { sent, config }, long), long, exchange),
    change: (live, long) => paced(applied(request, expected, live, { sent, config }, long), long, exchange),
    recorded: true,
  });
}

/** `config` is the part of what was sent that the schema knows; both are read when their turn comes, once. */
function* applied(
  request: WriteRequest,
  expected: Expected,
  live: ApiObject | undefined,
  { sent, config }: { readonly sent: SentConfiguration; readonly config: () => JsonObject },
  long: boolean,
): Staged<ApiObject> {
  if (long) {
    yield* sent.readInParts();
    yield;
    config();
    yield;
  }
  const object = yield* mergeConfiguration(request, expected, live, config(), long);
  const { uid } = object.metadata;
  if (!live && uid) {
    const message = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(request.endpoint.type, request.name, message);
  }
  settleAddress(object, request);
  return object;
}

/** The configuration as far as the schema goes; by the text what lies outside follows field validation. */
function knownPart({ services, exchange, options }: WriteRequest, expected: Expected, sent: JsonObject): JsonObject {
  if (departs(services.follow, 'apply-unknown-field')) return sent;
  const { known: kept, unknown } = dropUnknown(expected.schema, sent);
  if (unknown.length > 0 && options.fieldValidation === 'Strict') throw badRequest(strictError(unknown));
  if (options.fieldValidation === 'Warn') warnOf(unknown, exchange.warnings);
  return kept;
}

/** A configuration as it came. */
export interface SentConfiguration {
  /** Whether merging it is long work. */
  readonly large: boolean;
  /** Reads it, behind the question whether the object is there, and keeps it for further attempts. Throws ApiError 400. */
  readonly read: () => JsonObject;
  /** The same with turns for others meanwhile. */
  readonly readInParts: () => Staged<JsonObject>;
}

/** The configuration in a body. */
export function sentConfiguration(request: WriteRequest, bytes: Uint8Array, mediaType: string): SentConfiguration {
  const { services, options, exchange } = request;
  let sent: JsonObject | undefined;
  const readInParts = function* (): Staged<JsonObject> {
    sent ??= yield* readConfiguration(bytes, mediaType, options.fieldValidation, exchange.warnings, services.follow);
    return sent;
  };
  return { large: bytes.length > LARGE_BODY, read: () => sent ?? atOnce(readInParts()), readInParts };
}

/**
 * Reads the configuration of an apply: one YAML mapping, JSON included, or one CBOR map. Names that stand twice follow field
 * validation. Throws ApiError 400.
 */
function* readConfiguration(
  bytes: Uint8Array,
  mediaType: string,
  validation: FieldValidation,
  warnings: WarningSink,
  follow: Follow,
): Staged<JsonObject> {
  if (mediaType === APPLY_CBOR) return readCborConfiguration(bytes, validation, warnings);
  let read: ReadYaml;
  try {
    read = yield* readYamlInParts(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${converting(error.message)}`);
    throw error;
  }
  const { value, duplicates, more } = read;
  if (more && !departs(follow, 'yaml-several-documents')) throw badRequest(`error decoding YAML: ${SEVERAL_DOCUMENTS}`);
  if (validation === 'Strict' && duplicates.length > 0) {
    const lines = duplicates.map((one) => `  ${one}`).join('\n');
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`);
  }
  if (validation === 'Warn') warnOf(duplicates, warnings);
  if (value === null) return {};
  if (!isObject(value)) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${nameOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return value;
}

function readCborConfiguration(bytes: Uint8Array, validation: FieldValidation, warnings: WarningSink): JsonObject {
  let read: ReturnType<typeof readCbor>;
  try {
    read = readCbor(bytes, undefined);
  } catch (error) {
    if (error instanceof CborSyntaxError) throw badRequest(`error decoding CBOR: ${error.message}`);
    throw error;
  }
  if (read.fault) {
    if (validation === 'Strict') throw badRequest(`error strict decoding CBOR: ${read.fault}`);
    if (validation === 'Warn') warnOf([read.fault], warnings);
  }
  if (read.value === null) return {};
  if (!isObject(read.value)) {
    throw badRequest(
      `error decoding CBOR: cbor: cannot unmarshal ${nameOf(read.value)} into Go value of type map[string]interface {}`,
    );
  }
  return read.value;
}

/** The service turns YAML into JSON first, and says so unless the fault is already told in those words. */
function converting(message: string): string {
  return message.startsWith('yaml: ') ? `error converting YAML to JSON: ${message}` : message;
}

/** The kind of a value, as messages name it. */
function nameOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * The live object with a configuration merged into it, with its ownership records; in the version of the endpoint,
 * and a value that the write may change. `expected` is what the configuration must be. The work is staged, and
 * pauses where it is long. Throws what
 * applyConfiguration throws.
 */
export function* mergeConfiguration(
  request: WriteRequest,
  expected: Expected,
  live: ApiObject | undefined,
  config: JsonObject,
  long: boolean,
): Staged<ApiObject> {
  const context = Object.assign(ownershipContext(request, long), {
    kind: expected.kind.kind,
    complete: (merged: ApiObject) =>
      long ? completeInParts(request, merged, expected, config) : complete(request, merged, expected, config),
  });
  const { object, completed } = yield* explained(request, live, config, context);
  // The rules of types change objects in place, so that one is read anew that shares parts with the live one, and one that
  // the account of the merge looks at later.
  const kept = completed && !request.exchange.trace;
  const own = kept
    ? object
    : long
      ? yield* mergedInParts(request, object, expected)
      : readMerged(request, object, expected);
  if (long) yield;
  if (object.metadata.managedFields) own.metadata.managedFields = object.metadata.managedFields;
  settleEmpty(request.endpoint.version.schema, own);
  dropScaleTimes(request, own);
  return own;
}

/** Merges, and tells what that decided, also where it is refused. */
function* explained(
  request: WriteRequest,
  live: ApiObject | undefined,
  config: JsonObject,
  context: ApplyContext,
): Staged<Applied> {
  const { services, exchange, options } = request;
  try {
    const { manager, apiVersion } = writerOf(request);
    const applier = { manager, apiVersion, force: options.force };
    const applied = yield* services.ownership.apply(live, config, applier, context);
    noteMerge(exchange, 'apply', applied.changed ? 'changed' : 'unchanged', applied.trace);
    return applied;
  } catch (error) {
    if (error instanceof OwnershipConflict) noteMerge(exchange, 'apply', 'conflict', error.trace);
    throw asRefused(error, () => stringify(config), services.follow);
  }
}

/** Custom types take what was merged as it is: a null that the schema does not allow is a matter of validation. */
function readMerged({ services }: WriteRequest, object: ApiObject, expected: Expected): ApiObject {
  if (!expected.decode) {
    return decodeObject(asJson(object), expected, () => {}, departs(services.follow, 'integers-beyond-their-bits'));
  }
  return ownMerged(cloneJson(asJson(object)), expected);
}

/** Types the metadata of what was merged of a custom type, and fills defaults in, in place. */
function ownMerged(own: JsonObject, expected: Expected): ApiObject {
  const metadata = expected.schema.fields.get('metadata')?.schema;
  if (metadata?.kind === 'object' && isObject(own.metadata)) own.metadata = decodeTyped(metadata, own.metadata).object;
  applySchemaDefaults(expected.schema, own);
  return asApiObject(own);
}

/** The same with turns for others meanwhile. */
function* mergedInParts(request: WriteRequest, object: ApiObject, expected: Expected): Staged<ApiObject> {
  if (expected.decode) {
    const own = yield* cloneInParts(asJson(object));
    yield;
    return ownMerged(own, expected);
  }
  const converts = departs(request.services.follow, 'integers-beyond-their-bits');
  return yield* objectDecodedInParts(asJson(object), expected, () => {}, converts);
}

/**
 * The merged object as decoding leaves it. Throws ApiError for values that do not fit: 422 for integers beyond their
 * bits, UnfitPatch for others.
 */
function complete(request: WriteRequest, object: ApiObject, expected: Expected, config: JsonObject): ApiObject {
  try {
    return readMerged(request, object, expected);
  } catch (error) {
    throw unfit(error, expected, config);
  }
}

/** The same with turns for others meanwhile. */
function* completeInParts(
  request: WriteRequest,
  object: ApiObject,
  expected: Expected,
  config: JsonObject,
): Staged<ApiObject> {
  try {
    return yield* mergedInParts(request, object, expected);
  } catch (error) {
    throw unfit(error, expected, config);
  }
}

function unfit(error: unknown, expected: Expected, config: JsonObject): unknown {
  if (!(error instanceof ApiError) || error.code !== 400) return error;
  if (/cannot unmarshal number -?[0-9.e+]+ into .* of type int(32|64)$/.test(error.message)) {
    return invalidPatch(stringify(config), reasonOf(error));
  }
  const { namespace = '', name = '' } = isObject(config.metadata) ? config.metadata : {};
  const reason = reasonOf(error);
  const { kind, group, version } = expected.kind;
  const what = `${group}/${version}, Kind=${kind}`;
  return new UnfitPatch(
    `failed to convert new object (${namespace}/${name}; ${what}) to proper version: unable to convert unstructured object to ${group ? formatApiVersion(expected.kind) : `/${version}`}, Kind=${kind}: ${reason.startsWith('illegal base64') ? `error decoding from json: ${reason}` : reason}`,
  );
}

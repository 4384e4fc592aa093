import { departs } from '../../fixtures/follow.ts';
import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../api/groupVersion.ts';
import { cloneJson, isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asApiObject } from '../api/object.ts';
import type { WarningSink } from '../api/request.ts';
import { inTurns, isLong, LARGE_BODY, othersTurn, type Staged } from '../api/staged.ts';
import { type ApiError, badRequest, invalidObject } from '../api/status.ts';
import { stringify } from '../codecs/jsonText.ts';
import { CBOR_TYPE } from '../codecs/mediaType.ts';
import { readBody, readBodyInParts, unrecognized } from '../codecs/readBody.ts';
import type { Call } from '../contracts/call.ts';
import type { TypeVersion } from '../contracts/resourceType.ts';
import { type Decoded, type DecodeOptions, decodeInParts, decodeTyped } from '../schema/decode.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { noteDefaults } from './decisions.ts';
import { objectText, shapeOfAnswer } from './shape.ts';
import type { FieldValidation } from './writeOptions.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a body must be: the kind of the endpoint, in its version, and its shape. */
export interface Expected {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  /** Fills what defaults in the schema cannot say, in place. */
  readonly applyDefaults?: ((object: ApiObject) => void) | undefined;
  readonly custom: boolean;
  /** See TypeVersion.decode. */
  readonly decode?: TypeVersion['decode'];
  readonly decodeInParts?: TypeVersion['decodeInParts'];
}

/** What the endpoint itself takes; subresources with a kind of their own say otherwise. */
export function expectedOf({ endpoint }: Pick<Call, 'endpoint'>): Expected {
  const { type, version, subresource } = endpoint;
  if (subresource?.form === 'operation') {
    return { kind: subresource.kind, schema: subresource.schema, custom: false };
  }
  return {
    kind: { group: type.group, version: version.version, kind: type.kind },
    schema: version.schema,
    applyDefaults: version.applyDefaults,
    custom: type.custom,
    decode: version.decode,
    decodeInParts: version.decodeInParts,
  };
}

/** The bytes of the body, where they are many when there is room to work on them. Throws ApiError 400 and 413. */
export async function bodyOf({ services, exchange }: Pick<Call, 'services' | 'exchange'>): Promise<Uint8Array> {
  const bytes = await exchange.request.body();
  if (bytes.length > LARGE_BODY) await services.largeWork?.enter(exchange.origin ?? exchange.request, bytes.length);
  return bytes;
}

/**
 * Reads the body of a POST or PUT into a typed object with defaults, in the version of the endpoint. It belongs
 * to the caller. Throws ApiError 400, 413 and 415 (1/field-validation, 1/media-types-and-negotiation/5).
 */
export async function readObject(call: Call, expected: Expected, validation: FieldValidation): Promise<ApiObject> {
  const { services, exchange } = call;
  const bytes = await bodyOf(call);
  const contentType = exchange.request.headers['content-type'];
  const given = typeof contentType === 'string' ? contentType : contentType?.[0];
  const options = {
    dialect: services.dialect,
    kind: expected.kind.kind,
    schema: expected.schema,
    custom: expected.custom,
    cbor: services.gate('CBORServingAndStorage'),
    firstDocument: departs(services.follow, 'yaml-several-documents'),
  };
  const long = bytes.length > LARGE_BODY;
  const read = long ? await inTurns(readBodyInParts(bytes, given, options), exchange) : readBody(bytes, given, options);
  const { json, duplicates, strictFaults, faultsWith, numberTexts, mediaType } = read;
  if (expected.decode && !json.kind) {
    throw unrecognized(expected.kind.kind, missingKind(utf8.decode(bytes)), bytes);
  }
  checkKind(json, expected);
  if (long) await othersTurn(exchange);
  const { object, unknown } = long
    ? await inTurns(decodedInParts(json, expected, { numberTexts }), exchange)
    : decode(json, expected, { numberTexts });
  if (long) await othersTurn(exchange);
  const overlooked =
    expected.custom && mediaType === CBOR_TYPE && departs(services.follow, 'cbor-strict-unknown-field');
  if (overlooked) return completed(call, object, expected);
  if (validation === 'Strict') {
    const faults = faultsWith?.(unknown) ?? [...strictFaults, ...unknown];
    if (faults.length > 0) throw badRequest(`${cannotHandle(expected.kind)}: ${strictError(faults)}`);
  }
  if (validation === 'Warn') warnOf(faultsWith?.(unknown) ?? [...duplicates, ...unknown], exchange.warnings);
  return completed(call, object, expected);
}

/** Fills defaults in, and tells of the body whoever listens. */
function completed({ exchange, endpoint }: Call, json: JsonObject, expected: Expected): ApiObject {
  const sent = exchange.trace && cloneJson(json);
  const object = complete(json, expected);
  exchange.recorder?.sent(object.metadata, () => objectText(shapeOfAnswer(endpoint, object), object));
  if (sent) noteDefaults(exchange, sent, object);
  return object;
}

/**
 * Reads JSON that is no body, such as the result of a patch, like a body. Throws what decoding throws; faults of
 * field validation are handed to `faulty`. `converts` where the service does not read it as JSON: see DecodeOptions.
 */
export function decodeObject(
  json: JsonObject,
  expected: Expected,
  faulty: (unknown: readonly string[]) => void,
  converts = false,
): ApiObject {
  const { object, unknown } = decode(json, expected, { converts });
  if (unknown.length > 0) faulty([...unknown].sort());
  return complete(object, expected);
}

/** The same with turns for others meanwhile, where the JSON is large. */
export function* objectDecodedInParts(
  json: JsonObject,
  expected: Expected,
  faulty: (unknown: readonly string[]) => void,
  converts = false,
): Staged<ApiObject> {
  const { object, unknown } = yield* decodedInParts(json, expected, { converts });
  if (unknown.length > 0) faulty([...unknown].sort());
  return complete(object, expected);
}

/** How strict field validation names its faults, all of them in one sentence (1/field-validation/3). */
export function strictError(faults: readonly string[]): string {
  return `strict decoding error: ${faults.join(', ')}`;
}

/** One warning a fault, in the order given. */
export function warnOf(faults: readonly string[], warnings: WarningSink): void {
  for (const fault of faults) warnings.add(fault);
}

function decode(
  json: JsonObject,
  { kind, schema, decode: own }: Expected,
  { numberTexts, converts }: Pick<DecodeOptions, 'numberTexts' | 'converts'>,
): Decoded {
  const typeMeta = typeMetaOf(kind);
  if (!own) return decodeTyped(schema, json, { numberTexts, converts, typeMeta, keepEmpty: true });
  return withTypeMeta(own(json), typeMeta);
}

function* decodedInParts(
  json: JsonObject,
  expected: Expected,
  options: Pick<DecodeOptions, 'numberTexts' | 'converts'>,
): Staged<Decoded> {
  if (!isLong(json)) return decode(json, expected, options);
  const { numberTexts, converts } = options;
  const typeMeta = typeMetaOf(expected.kind);
  if (expected.decodeInParts) return withTypeMeta(yield* expected.decodeInParts(json), typeMeta);
  return yield* decodeInParts(expected.schema, json, { numberTexts, converts, typeMeta, keepEmpty: true });
}

function withTypeMeta(decoded: Decoded, typeMeta: TypeMeta): Decoded {
  return { ...decoded, object: { ...decoded.object, ...typeMeta } };
}

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

function typeMetaOf(kind: GroupVersionKind): TypeMeta {
  return { apiVersion: formatApiVersion(kind), kind: kind.kind };
}

/** Fills the defaults of a decoded object, in place. */
function complete(json: JsonObject, { schema, applyDefaults }: Expected): ApiObject {
  if (!isObject(json.metadata)) json.metadata = {};
  const object = asApiObject(json);
  applySchemaDefaults(schema, json);
  applyDefaults?.(object);
  return object;
}

const HEAD = /^\S+ in version "[^"]*" cannot be handled as a [^:]+: /;

/** Why a value could not be decoded, without the words around it that name the kind. */
export function reasonOf(error: ApiError): string {
  return error.message.replace(HEAD, '');
}

function cannotHandle({ version, kind }: GroupVersionKind): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
}

/** What is wrong with a body that does not say what it is, where the type itself does not tell. */
function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

/**
 * Throws ApiError unless apiVersion and kind are those of the endpoint: 400, or 422 for another kind of a custom type.
 * Built-in types need neither, custom ones both.
 */
export function checkKind(json: JsonObject, expectedObject: Expected): void {
  const { kind: expected, custom, decode: own } = expectedObject;
  if (own) {
    checkCustomKind(json, expected);
    return;
  }
  const givenKind = textOf(json, 'kind') || expected.kind;
  const apiVersion = textOf(json, 'apiVersion') || formatApiVersion(expected);
  if (givenKind === expected.kind && apiVersion === formatApiVersion(expected)) return;
  const given = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  if (given.group === expected.group && givenKind === expected.kind && (custom || given.group !== '')) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${formatApiVersion(expected)})`,
    );
  }
  const head = `${givenKind} in version ${JSON.stringify(given.version)} cannot be handled as a ${expected.kind}`;
  if (given.version === expected.version && givenKind !== expected.kind) {
    throw badRequest(
      `${head}: converting (${given.version}.${givenKind}) to (${expected.group || 'core'}.${expected.kind}): unknown conversion`,
    );
  }
  throw badRequest(
    `${head}: no kind ${JSON.stringify(givenKind)} is registered for version ${JSON.stringify(apiVersion)}`,
  );
}

/** Objects of custom types say what they are in the exact spelling. */
function checkCustomKind(json: JsonObject, expected: GroupVersionKind): void {
  const { kind, apiVersion } = json;
  if (typeof kind !== 'string' || !kind) throw badRequest(missingKind(stringify(json)));
  if (apiVersion !== formatApiVersion(expected)) {
    const given = typeof apiVersion === 'string' ? apiVersion : '';
    throw badRequest(
      `the API version in the data (${given}) does not match the expected API version (${formatApiVersion(expected)})`,
    );
  }
  checkTypeMeta(json, expected);
}

/** The same for the result of a patch. */
export function checkPatchedKind(json: JsonObject, expected: Expected): void {
  if (!expected.decode) checkKind(json, expected);
  else if (typeof json.kind !== 'string' || !json.kind) throw badRequest(missingKind(stringify(json)));
  else checkTypeMeta(json, expected.kind);
}

/** Throws ApiError 422 for an object of a custom type that says it is something else. */
function checkTypeMeta(json: JsonObject, expected: GroupVersionKind): void {
  const faults = Object.entries({ kind: expected.kind, apiVersion: formatApiVersion(expected) })
    .filter(([name, wanted]) => json[name] !== wanted)
    .map(([name, wanted]) => invalid(FieldPath.of(name), json[name] ?? '', `must be ${wanted}`));
  if (faults.length === 0) return;
  const name = isObject(json.metadata) && typeof json.metadata.name === 'string' ? json.metadata.name : '';
  throw invalidObject({ group: expected.group, kind: String(json.kind) }, name, faults);
}

/** apiVersion and kind are read in any spelling of their letters; the exact one counts where it is there. */
function textOf(json: JsonObject, name: string): string {
  const exact = json[name];
  if (typeof exact === 'string' && exact) return exact;
  for (const other of Object.keys(json)) {
    if (other.toLowerCase() === name.toLowerCase() && typeof json[other] === 'string') return json[other] as string;
  }
  return '';
}

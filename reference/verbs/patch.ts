import { departs, type Follow } from '../../fixtures/follow.ts';
import type { Json, JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { WarningSink } from '../api/request.ts';
import { atOnce, isStaged, LARGE_BODY, paced, type Staged } from '../api/staged.ts';
import { ApiError, badRequest, conflict, STALE_VERSION, unsupportedMediaType } from '../api/status.ts';
import { CborSyntaxError, readCbor } from '../codecs/cborRead.ts';
import { JsonSyntaxError, readJson } from '../codecs/json.ts';
import { stringify } from '../codecs/jsonText.ts';
import { readYaml, YamlSyntaxError } from '../codecs/yaml.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { goText } from '../fields/goText.ts';
import { jsonPatchInParts, unknownMembers } from '../fields/jsonPatch.ts';
import { mergePatchInParts } from '../fields/mergePatch.ts';
import { strategicMergeInParts } from '../fields/strategicMerge.ts';
import {
  bodyOf,
  checkPatchedKind,
  decodeObject,
  type Expected,
  expectedOf,
  objectDecodedInParts,
  reasonOf,
  strictError,
  warnOf,
} from '../objects/body.ts';
import { expectedScale } from '../objects/scale.ts';
import { readWriteOptions } from '../objects/writeOptions.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { APPLY_CBOR, APPLY_YAML, apply, sentConfiguration } from './apply.ts';
import { applyScale, changeScale } from './scaleWrites.ts';
import { settleAddress } from './systemMetadata.ts';
import { fitting, invalidPatch } from './unfitPatch.ts';
import { type Change, write } from './write.ts';
import { type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * PATCH in its four kinds, chosen by the Content-Type (1/updating-and-patching/2). Answers 200, or 201 where an apply
 * created. Throws ApiError: 415 for other types, 404 without an object, 422 for a patch that does not apply or whose
 * result is invalid, 409 for a version in the patch that is not the present one.
 */
export async function patch(call: Call): Promise<Answer> {
  const { kind, mediaType } = patchKindOf(call);
  const bytes = await bodyOf(call);
  call.exchange.recorder?.sent(undefined, () => sentPatch(kind, mediaType, bytes));
  const options = readWriteOptions(call, 'PatchOptions', kind === 'apply' ? 'apply' : 'other');
  const request = writeRequest(call, options);
  const scale = call.endpoint.subresource?.form === 'scale';
  if (kind === 'apply') {
    const sent = sentConfiguration(request, bytes, mediaType);
    return scale ? applyScale(request, sent) : apply(request, sent);
  }
  const change = patcher(request, kind, bytes, scale ? expectedScale(call.endpoint) : expectedOf(call));
  return scale ? changeScale(request, change) : write(request, { change, large: bytes.length > LARGE_BODY });
}

/** What a patch makes of an object, which is left alone; both are what is `expected`. */
function patcher(
  request: WriteRequest,
  kind: Exclude<PatchKind, 'apply'>,
  bytes: Uint8Array,
  expected: Expected,
): Change {
  // Read when its turn comes, behind the question whether the object is there, and kept for further attempts.
  let sent: Patch | undefined;
  const read = (): Patch => {
    sent ??= readPatch(kind, bytes, expected.schema, request.services.follow);
    return sent;
  };
  return (live, long) => paced(patched(request, expected, live, read, long), long, request.exchange);
}

function* patched(
  request: WriteRequest,
  expected: Expected,
  live: ApiObject,
  read: () => Patch,
  long: boolean,
): Staged<ApiObject> {
  checkMatch(request, live);
  const sent = read();
  if (long) yield;
  const applied = sent.apply(asJson(live));
  const result = !isStaged(applied) ? applied : long ? yield* applied : atOnce(applied);
  if (long) yield;
  const next = yield* decodePatched(request, sent, result, expected, long);
  settleAddress(next, request);
  return next;
}

/**
 * A patch may name the version that it is meant for in If-Match (1/updating-and-patching/p1). The text leaves open
 * what comes of it, and the real service does not look at it: no departure, but either may be had.
 */
function checkMatch({ exchange, services, endpoint, name }: WriteRequest, live: ApiObject): void {
  const header = exchange.request.headers['if-match'];
  if (header === undefined || services.follow === 'service') return;
  const tags = (Array.isArray(header) ? header.join(',') : header).split(',').map(tagOf);
  if (tags.includes('*') || tags.includes(live.metadata.resourceVersion ?? '')) return;
  throw conflict(endpoint.type, name, STALE_VERSION);
}

/** A version out of an entity tag, quoted or not. */
function tagOf(text: string): string {
  const tag = text.trim().replace(/^W\//, '');
  return tag.startsWith('"') && tag.endsWith('"') && tag.length > 1 ? tag.slice(1, -1) : tag;
}

type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

const KINDS: Readonly<Record<string, PatchKind>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  [APPLY_YAML]: 'apply',
  [APPLY_CBOR]: 'apply',
};

/** The kind of a patch by its Content-Type (1/updating-and-patching/t1). Throws ApiError 415. */
function patchKindOf({ exchange, endpoint, services }: Call): { kind: PatchKind; mediaType: string } {
  const header = exchange.request.headers['content-type'];
  const contentType = (typeof header === 'string' ? header : header?.[0]) ?? '';
  const end = contentType.indexOf(';');
  const mediaType = (end > 0 ? contentType.slice(0, end) : contentType).trim();
  const { custom } = endpoint.type;
  const accepted = Object.keys(KINDS).filter(
    (one) => (one !== APPLY_CBOR || services.gate('CBORServingAndStorage')) && (KINDS[one] !== 'strategic' || !custom),
  );
  if (accepted.includes(mediaType)) return { kind: KINDS[mediaType] as PatchKind, mediaType };
  if (custom) throw unsupportedMediaType(accepted);
  throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A patch that was read. */
interface Patch {
  /** Applies it to an object, which is left alone; may be staged. Throws ApiError where it does not apply. */
  readonly apply: (document: JsonObject) => JsonObject | Staged<JsonObject>;
  /** One text a name that stood twice or that no patch has, as warnings word it. */
  readonly faults: readonly string[];
  /** Set where the result is made an object as it is, without being JSON on the way: the patch as causes show it. */
  readonly shown?: () => string;
}

/** Reads a patch. Throws ApiError 400 for bytes that are none. */
function readPatch(kind: Exclude<PatchKind, 'apply'>, bytes: Uint8Array, schema: ObjectSchema, follow: Follow): Patch {
  const { value, duplicates } = parse(bytes, kind);
  const faults = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  if (value === null && kind === 'json' && !departs(follow, 'json-patch-null')) {
    throw badRequest('error decoding patch: null is no list of operations');
  }
  switch (kind) {
    case 'json':
      return {
        apply: (document) => jsonPatchInParts(document, value, follow),
        faults: [...unknownMembers(value), ...faults].map((fault) => `json patch ${fault}`),
      };
    case 'merge':
      return { apply: (document) => mergePatchInParts(document, value), faults };
    case 'strategic':
      return {
        apply: (document) => fitting(() => goText(value), strategicMergeInParts(document, value, schema), follow),
        faults,
        shown: () => goText(value),
      };
  }
}

function parse(bytes: Uint8Array, kind: PatchKind): { value: Json; duplicates: readonly string[] } {
  try {
    return readJson(utf8.decode(bytes));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(kind === 'strategic' ? error.message : `error decoding patch: ${error.message}`);
  }
}

/** A patch or a configuration as JSON text on one line, for the audit log; undefined for bytes that are none. */
function sentPatch(kind: PatchKind, mediaType: string, bytes: Uint8Array): string | undefined {
  try {
    if (kind !== 'apply') return stringify(readJson(utf8.decode(bytes)).value);
    if (mediaType === APPLY_CBOR) return stringify(readCbor(bytes, undefined).value);
    return stringify(readYaml(utf8.decode(bytes)).value);
  } catch (error) {
    const broken =
      error instanceof JsonSyntaxError || error instanceof YamlSyntaxError || error instanceof CborSyntaxError;
    if (broken) return undefined;
    throw error;
  }
}

/**
 * The result of a patch as an object of the endpoint's kind. Throws ApiError 422 with the cause `patch` where it is
 * none; unknown fields and the faults of the patch itself follow field validation (1/field-validation/3). A strategic
 * merge patch does not decide of what kind its result is.
 */
function* decodePatched(
  { exchange, services, options }: WriteRequest,
  patch: Patch,
  patched: JsonObject,
  expected: Expected,
  long: boolean,
): Staged<ApiObject> {
  const validation = options.fieldValidation;
  const unfit = (why: string): ApiError => invalidPatch(patch.shown?.() ?? stringify(patched), why);
  try {
    if (patch.shown === undefined) {
      if (!expected.decode && !patched.apiVersion && !patched.kind) {
        return nameless(patched, expected, exchange.warnings);
      }
      checkPatchedKind(patched, expected);
    }
    const faults = [...patch.faults];
    const converts = patch.shown !== undefined && departs(services.follow, 'integers-beyond-their-bits');
    const faulty = (unknown: readonly string[]): void => {
      for (const one of unknown) faults.push(one);
    };
    const object = long
      ? yield* objectDecodedInParts(patched, expected, faulty, converts)
      : decodeObject(patched, expected, faulty, converts);
    if (validation === 'Warn') warnOf(faults, exchange.warnings);
    if (validation === 'Strict' && faults.length > 0) {
      const message = strictError(faults);
      throw departs(services.follow, 'strict-patch-status') ? unfit(message) : new StrictRefusal(message);
    }
    return object;
  } catch (error) {
    if (error instanceof StrictRefusal) throw badRequest(error.message);
    if (error instanceof ApiError && error.code === 400) throw unfit(reasonOf(error));
    throw error;
  }
}

/** Keeps a refusal that is a 400 by itself from being worded as a patch that does not fit. */
class StrictRefusal extends Error {}

/** Without apiVersion and kind nothing says what the rest is: it reads as an object without content. */
function nameless(patched: JsonObject, expected: Expected, warnings: WarningSink): ApiObject {
  warnOf(
    Object.keys(patched)
      .sort()
      .map((name) => `unknown field ${JSON.stringify(name)}`),
    warnings,
  );
  return decodeObject({}, expected, () => {});
}

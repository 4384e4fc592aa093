import { parseApiVersion } from '../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { ApiError } from '../../api/status.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import { readYaml, YamlSyntaxError } from '../../codecs/yaml.ts';
import { reasonOf } from '../../objects/body.ts';
import { decodeTyped } from '../../schema/decode.ts';
import { metaV1 } from '../../schema/metaV1.ts';
import { TypeLibrary } from '../../schema/notation.ts';
import type { ObjectSchema } from '../../schema/schema.ts';
import type { HookKind } from './hook.ts';
import type { ReviewVersion } from './review.ts';

/** What is read of an AdmissionReview that a hook answers, in the notation of schema/notation.ts. */
const admission = `
AdmissionReview kind
  response 2 AdmissionResponse*
AdmissionResponse
  uid 1 string!
  allowed 2 boolean!
  status 3 meta.v1.Status*
  patch 4 bytes
  patchType 5 string*
  auditAnnotations 6 {}string
  warnings 7 []string
`;

const library = new TypeLibrary(
  new Map([
    ['meta.v1', metaV1],
    ['admission.v1', admission],
  ]),
  { release: Number.POSITIVE_INFINITY, vendor: '' },
);

/** The part of AdmissionReview that hooks fill; the same in both versions. */
const REVIEW_ANSWER: ObjectSchema = library.type('admission.v1.AdmissionReview');

/** What a hook decided. */
export interface HookAnswer {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** A JSON patch as text; empty where there is none. */
  readonly patch: string;
  /** How the patch is written; empty where there is none. */
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The answer is no AdmissionReview, or one that says nothing; the message is as the client is told. */
export class AnswerFault extends Error {}

/** What was asked, for the answer to be held against. */
export interface SentReview {
  readonly kind: HookKind;
  /** Group of AdmissionReview. */
  readonly group: string;
  readonly version: ReviewVersion;
  readonly uid: string;
}

/** Reads the body of an answer. @throws AnswerFault */
export function readAnswer(text: string, asked: SentReview): HookAnswer {
  try {
    return verified(decoded(text, asked), asked);
  } catch (error) {
    if (error instanceof Undecodable) throw new AnswerFault(`failed to call webhook: ${error.message}`);
    if (error instanceof Invalid) throw new AnswerFault(`received invalid webhook response: ${error.message}`);
    throw error;
  }
}

class Undecodable extends Error {}
class Invalid extends Error {}

/** How the service names what holds the type of an object, when text holds none. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function decoded(text: string, { group, version }: SentReview): JsonObject {
  const json = parsed(text);
  const apiVersion = typeText(json, 'apiVersion');
  const kind = typeText(json, 'kind') || 'AdmissionReview';
  const given = apiVersion === '' ? { group, version } : parseApiVersion(apiVersion);
  if (!given) throw new Undecodable(`unexpected GroupVersion string: ${apiVersion}`);
  const spoken = given.group === group && (given.version === 'v1' || given.version === 'v1beta1');
  if (!spoken || !(kind === 'AdmissionReview' || kind === 'Status')) {
    throw new Undecodable(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  if (given.version !== version || kind !== 'AdmissionReview') {
    const from = kind === 'Status' ? `v1.${kind}` : `${given.version}.${kind}`;
    throw new Undecodable(`converting (${from}) to (${version}.AdmissionReview): unknown conversion`);
  }
  try {
    return decodeTyped(REVIEW_ANSWER, json).object;
  } catch (error) {
    if (error instanceof ApiError) throw new Undecodable(reasonOf(error));
    throw error;
  }
}

/** Answers are JSON, or what only looks like YAML. */
function parsed(text: string): JsonObject {
  let value: Json;
  try {
    value = text.trimStart().startsWith('{') ? readJson(text).value : readYaml(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof YamlSyntaxError) {
      throw new Undecodable(`couldn't get version/kind; json parse error: ${error.message}`);
    }
    throw error;
  }
  if (value === null) return {};
  if (!isObject(value)) throw wrongType(wordOf(value), `value of type ${TYPE_META}`);
  return value;
}

function typeText(json: JsonObject, name: 'apiVersion' | 'kind'): string {
  const value = json[name];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw wrongType(wordOf(value), `struct field .${name} of type string`);
}

function wrongType(found: string, wanted: string): Undecodable {
  return new Undecodable(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go ${wanted}`,
  );
}

function wordOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Holds an answer against what was asked; answers of the beta version are looked at less closely. */
function verified(review: JsonObject, asked: SentReview): HookAnswer {
  const { response } = review;
  if (!isObject(response)) throw new Invalid('webhook response was absent');
  const patch = patchOf(response);
  let patchType = typeof response.patchType === 'string' ? response.patchType : undefined;
  if (asked.version === 'v1') {
    checkIdentity(review, response, asked);
    checkPatch(patch, patchType, asked.kind);
  } else patchType = patch === '' ? undefined : 'JSONPatch';
  return {
    allowed: response.allowed === true,
    status: isObject(response.status) ? response.status : undefined,
    patch,
    patchType: patchType ?? '',
    warnings: (response.warnings ?? []) as string[],
    auditAnnotations: (response.auditAnnotations ?? {}) as Record<string, string>,
  };
}

function checkIdentity(review: JsonObject, response: JsonObject, { group, version, uid }: SentReview): void {
  const given = typeof response.uid === 'string' ? response.uid : '';
  if (given !== uid) throw new Invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  const kind = typeof review.kind === 'string' ? review.kind : '';
  const apiVersion = typeof review.apiVersion === 'string' ? review.apiVersion : '';
  if (kind === 'AdmissionReview' && apiVersion === `${group}/${version}`) return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new Invalid(
    `expected webhook response of ${group}/${version}, Kind=AdmissionReview, got ${shown}, Kind=${kind}`,
  );
}

function checkPatch(patch: string, patchType: string | undefined, kind: HookKind): void {
  if (kind === 'validating') {
    if (patch !== '') throw new Invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new Invalid('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined) {
    throw new Invalid('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== undefined) {
    throw new Invalid('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new Invalid('webhook returned invalid response.patchType of ""');
}

function patchOf({ patch }: JsonObject): string {
  return typeof patch === 'string' ? Buffer.from(patch, 'base64').toString() : '';
}

import type { Follow } from '../../fixtures/departures.ts';
import type { Json, JsonObject } from '../api/json.ts';
import { ApiError, badRequest, unsupportedMediaType } from '../api/status.ts';
import { JsonSyntaxError, readJson } from '../codecs/json.ts';
import type { Call } from '../contracts/call.ts';
import { jsonPatch } from '../fields/jsonPatch.ts';
import { mergePatch } from '../fields/mergePatch.ts';
import { strategicMerge } from '../fields/strategicMerge.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { APPLY_CBOR, APPLY_YAML } from './applyBody.ts';

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

const KINDS: Readonly<Record<string, PatchKind>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  [APPLY_YAML]: 'apply',
  [APPLY_CBOR]: 'apply',
};

/** The kind of a patch by its Content-Type (1/updating-and-patching/t1). Throws ApiError 415. */
export function patchKindOf({ exchange, endpoint, services }: Call): { kind: PatchKind; mediaType: string } {
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
export interface Patch {
  /** Applies it to an object, which is left alone. Throws ApiError where it does not apply. */
  readonly apply: (document: JsonObject) => JsonObject;
  /** One text a name that stood twice, as warnings word it. */
  readonly faults: readonly string[];
}

/** Reads a patch. Throws ApiError 400 for bytes that are none. */
export function readPatch(
  kind: Exclude<PatchKind, 'apply'>,
  bytes: Uint8Array,
  schema: ObjectSchema,
  follow: Follow,
): Patch {
  const { value, duplicates } = parse(bytes, kind);
  const faults = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  switch (kind) {
    case 'json':
      return { apply: (document) => jsonPatch(document, value, follow), faults };
    case 'merge':
      return { apply: (document) => mergePatch(document, value), faults };
    case 'strategic':
      return { apply: (document) => strategicMerge(document, value, schema), faults };
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

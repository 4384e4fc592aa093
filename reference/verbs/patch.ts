import { type ApiObject, asJson } from '../api/object.ts';
import { conflict, notFound, STALE_VERSION } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { fromStorage } from '../objects/versions.ts';
import { applyBody } from './apply.ts';
import { expectedOf } from './body.ts';
import { decodePatched } from './patchedObject.ts';
import { type Patch, type PatchKind, patchKindOf, readPatch } from './patchKinds.ts';
import { expectedScale } from './scale.ts';
import { changeScale } from './scaleWrite.ts';
import { sentPatch } from './sentPatch.ts';
import { storeChange } from './storeChange.ts';
import { checkName, settleNamespace } from './systemMetadata.ts';
import { prepareChange } from './update.ts';
import { answerOf } from './writeAnswer.ts';
import { readWriteOptions, type WriteOptions } from './writeOptions.ts';
import { type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * PATCH in its four kinds, chosen by the Content-Type (1/updating-and-patching/2). Answers 200, or 201 where an apply
 * created. Throws ApiError: 415 for other types, 404 without an object, 422 for a patch that does not apply or whose
 * result is invalid, 409 for a version in the patch that is not the present one.
 */
export async function patch(call: Call): Promise<Answer> {
  const { kind, mediaType } = patchKindOf(call);
  const bytes = await call.exchange.request.body();
  call.exchange.recorder?.sent(undefined, () => sentPatch(kind, mediaType, bytes));
  const options = readWriteOptions(call, 'PatchOptions', kind === 'apply' ? 'apply' : 'other');
  if (kind === 'apply') return applyBody(call, bytes, mediaType, options);
  return patchBody(call, kind, bytes, options);
}

async function patchBody(call: Call, kind: Exclude<PatchKind, 'apply'>, bytes: Uint8Array, options: WriteOptions) {
  const { endpoint } = call;
  const request = writeRequest(call, options);
  const scale = endpoint.subresource?.form === 'scale';
  const expected = scale ? expectedScale(endpoint) : expectedOf(call);
  // Read when its turn comes, behind the question whether the object is there, and kept for further attempts.
  let change: Patch | undefined;
  const patched = (live: ApiObject): ApiObject => {
    change ??= readPatch(kind, bytes, expected.schema, call.services.follow);
    const next = decodePatched(call, change.apply(asJson(live)), change.faults, expected, options.fieldValidation);
    settleNamespace(next, request.namespace);
    checkName(next, request.name);
    return next;
  };
  if (scale) {
    return changeScale(request, (live) => {
      checkMatch(call, request, live);
      return patched(live);
    });
  }
  const written = await storeChange(request, {
    produce: (current) => {
      if (!current) throw notFound(endpoint.type, request.name);
      const live = fromStorage(endpoint, current);
      checkMatch(call, request, live);
      return prepareChange(request, current, patched(live));
    },
  });
  return answerOf(request, written);
}

/**
 * A patch may name the version that it is meant for in If-Match (1/updating-and-patching/p1). The text leaves open
 * what comes of it, and the real service does not look at it: no departure, but either may be had.
 */
function checkMatch({ exchange, services }: Call, { endpoint, name }: WriteRequest, live: ApiObject): void {
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

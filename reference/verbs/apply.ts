import { departs } from '../../fixtures/departures.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { badRequest, conflict } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import { readConfiguration } from './applyBody.ts';
import { mergeConfiguration } from './applyMerge.ts';
import { applyScale } from './applyScale.ts';
import { type Expected, expectedOf, strictError, warnOf } from './body.ts';
import { storeChange } from './storeChange.ts';
import { creationCheck } from './storeNew.ts';
import { checkName, clearSystemFields, settleNamespace } from './systemMetadata.ts';
import { dropUnknown } from './unknownFields.ts';
import { admitChange } from './update.ts';
import { answerOf } from './writeAnswer.ts';
import { optionsAs, type WriteOptions } from './writeOptions.ts';
import { admissionAttributes, type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * Server-side apply (1/server-side-apply-rules): merges a configuration into the object, or creates it. Answers 200,
 * or 201 where it created. Throws ApiError: 409 for owners that disagree, for a stale version, for a uid without an
 * object; 403 where it may not create; 400 for a body that is no configuration of the endpoint's kind.
 */
export async function applyBody(
  call: Call,
  bytes: Uint8Array,
  mediaType: string,
  options: WriteOptions,
): Promise<Answer> {
  const request = writeRequest(call, options);
  // Read when its turn comes, behind the question whether the object is there, and kept for further attempts.
  let sent: JsonObject | undefined;
  const read = () => {
    sent ??= readConfiguration(bytes, mediaType, options.fieldValidation, call.exchange.warnings);
    return sent;
  };
  if (call.endpoint.subresource?.form === 'scale') return applyScale(request, read);
  const expected = expectedOf(call);
  let config: JsonObject | undefined;
  const written = await storeChange(request, {
    create: call.endpoint.subresource === undefined,
    authorize: creationCheck(request),
    produce: (current) => {
      config ??= known(request, expected, read());
      return apply(request, expected, current, config);
    },
  });
  return answerOf(request, written);
}

/** The configuration as far as the schema goes; by the text what lies outside follows field validation. */
function known({ services, exchange, options }: WriteRequest, expected: Expected, sent: JsonObject): JsonObject {
  if (departs(services.follow, 'apply-unknown-field')) return sent;
  const { known: kept, unknown } = dropUnknown(expected.schema, sent);
  if (unknown.length > 0 && options.fieldValidation === 'Strict') throw badRequest(strictError(unknown));
  if (options.fieldValidation === 'Warn') warnOf(unknown, exchange.warnings);
  return kept;
}

/** Merges, and takes the result through mutating admission; in the storage version. */
async function apply(
  request: WriteRequest,
  expected: Expected,
  current: ApiObject | undefined,
  config: JsonObject,
): Promise<ApiObject> {
  const { endpoint, options, services, exchange } = request;
  const object = mergeConfiguration(request, expected, current && fromStorage(endpoint, current), config);
  if (!current && object.metadata.uid) {
    throw conflict(
      endpoint.type,
      request.name,
      `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`,
    );
  }
  settleNamespace(object, request.namespace);
  checkName(object, request.name);
  if (current) return admitChange(request, current, toStorage(endpoint, object));
  clearSystemFields(object);
  const stored = toStorage(endpoint, object);
  const creation = { ...request, options: optionsAs(options, 'CreateOptions') };
  await services.admission.mutate?.(admissionAttributes(creation, 'CREATE', stored, undefined));
  mergeOwnerReferences(stored, exchange.warnings, true);
  return stored;
}

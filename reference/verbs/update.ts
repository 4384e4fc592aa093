import type { Awaitable } from '../api/awaitable.ts';
import { cloneJson } from '../api/json.ts';
import { cloneInParts } from '../api/longJson.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { inTurns, isLong, LARGE_BODY } from '../api/staged.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { expectedOf, readObject } from '../objects/body.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { readWriteOptions } from '../objects/writeOptions.ts';
import { updateScale } from './scaleWrites.ts';
import { settleAddress } from './systemMetadata.ts';
import { write } from './write.ts';
import { writeRequest } from './writeRequest.ts';

/**
 * PUT: replaces an object, or creates it where the type allows that (1/updating-and-patching/1, 1/verbs/b3).
 * Answers 200, or 201 where it created. Throws ApiError.
 */
export async function update(call: Call): Promise<Answer> {
  const options = readWriteOptions(call, 'UpdateOptions');
  if (call.endpoint.subresource?.form === 'scale') return updateScale(call, options);
  const object = await readObject(call, expectedOf(call), options.fieldValidation);
  const request = writeRequest(call, options);
  settleAddress(object, request);
  mergeOwnerReferences(object, request.exchange.warnings, false);
  // A type's rules change the object in place, so that another attempt needs another copy.
  const sent = call.exchange.request.headers['content-length'];
  const large = sent === undefined ? isLong(asJson(object)) : Number(sent) > LARGE_BODY;
  const copy = (long: boolean): Awaitable<ApiObject> =>
    long
      ? inTurns(cloneInParts(asJson(object)), request.exchange).then(asApiObject)
      : asApiObject(cloneJson(asJson(object)));
  return write(request, {
    large,
    uid: object.metadata.uid,
    create: request.strategy.createOnUpdate ? copy : undefined,
    change: (_, long) => copy(long),
  });
}

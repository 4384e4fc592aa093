import type { Answer } from '../contracts/answer.ts';
import { fromStorage } from '../objects/versions.ts';
import { scaleOf } from './scale.ts';
import type { WriteRequest, Written } from './writeRequest.ts';

/** The answer of a write: 201 where it created something, else 200; the object in the version asked for. */
export function answerOf(request: WriteRequest, written: Written): Answer {
  const { endpoint } = request;
  const code = written.created ? 201 : 200;
  if (endpoint.subresource?.form === 'scale') {
    return { kind: 'object', code, endpoint, object: scaleOf(endpoint, fromStorage(endpoint, written.object)) };
  }
  if (written.entry) return { kind: 'entry', code, endpoint, entry: written.entry };
  return { kind: 'object', code, endpoint, object: fromStorage(endpoint, written.object) };
}

import type { Exchange } from './exchange.ts';
import type { ApiList, ApiObject } from './json.ts';
import { field } from './matching/answers.ts';
import { anArray, aString } from './matching/values.ts';
import { must } from './must.ts';

/** The object an answer carries. That it carries one is asserted, so that a check can read on without guarding. */
export function objectIn(exchange: Exchange): ApiObject {
  const whole = must('the answer carries an object', exchange, field('metadata.name', aString));
  return whole.json as ApiObject;
}
/** The list an answer carries; that it carries one is asserted. */
export function listIn(exchange: Exchange): ApiList {
  const whole = must('the answer carries a list', exchange, field('items', anArray));
  return whole.json as ApiList;
}

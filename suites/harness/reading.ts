import type { Exchange } from './client/exchange.ts';
import type { ApiList, ApiObject } from './json.ts';
import { field, status } from './matching/answers.ts';
import { valueAt } from './matching/paths.ts';
import { anArray, aString } from './matching/values.ts';
import { must } from './must.ts';

/** The object an answer carries. That it carries one is asserted, so that a check can read on without guarding. */
export function objectIn(exchange: Exchange): ApiObject {
  const whole = must('the answer carries an object', exchange, field('metadata.name', aString));
  return whole.json as ApiObject;
}
/** No check makes as many objects: a walk that goes on beyond that never ends. */
const MOST_CHUNKS = 100;

/**
 * The chunks behind a first one, until one holds the last object; that each is answered is asserted. Whoever goes on passes
 * the limit that it began with (1/reading-chunked-lists/1).
 * @param next asks for the chunk that a token stands for
 */
export async function chunksAfter(first: Exchange, next: (token: string) => Promise<Exchange>): Promise<Exchange[]> {
  const chunks: Exchange[] = [];
  for (let token = tokenIn(first); token !== '' && chunks.length < MOST_CHUNKS; ) {
    const chunk = must('the token goes on', await next(token), status(200));
    chunks.push(chunk);
    token = tokenIn(chunk);
  }
  return chunks;
}

function tokenIn({ json }: Exchange): string {
  const token = valueAt(json, ['metadata', 'continue']);
  return typeof token === 'string' ? token : '';
}

/** The list an answer carries; that it carries one is asserted. */
export function listIn(exchange: Exchange): ApiList {
  const whole = must('the answer carries a list', exchange, field('items', anArray));
  return whole.json as ApiList;
}

import { additionTo } from '../additions.ts';
import type { Exchange } from '../client/exchange.ts';
import { type ApiObject, isRecord } from '../json.ts';
import { difference, type Expectation, type Matcher } from './matcher.ts';
import { joinPath, type Path, segments, valueAt } from './paths.ts';
import { expectation } from './values.ts';

/** What a card shows of an answer's status: the number, or why there is none. */
function told(exchange: Exchange): number | string {
  return exchange.received ? exchange.status : `no answer: ${exchange.failure ?? 'unknown'}`;
}
function ofStatus(allows: string, holds: (status: number) => boolean): Matcher<Exchange> {
  return {
    allows,
    differences: (exchange) =>
      exchange.received && holds(exchange.status) ? [] : [difference('status', allows, told(exchange))],
  };
}

/** One of these statuses. */
export function status(...codes: readonly [number, ...number[]]): Matcher<Exchange> {
  return ofStatus(`status ${codes.join(' or ')}`, (code) => codes.includes(code));
}
/** What answers a creation: the specification lists these three for the two families, and none for other types. */
export const created: Matcher<Exchange> = status(200, 201, 202);
/** Any 2xx. */
export const success: Matcher<Exchange> = ofStatus('a status of 200 to 299', (code) => code >= 200 && code < 300);
/** Any 4xx: a refusal where the specification says that, but not with which status. */
export const refusal: Matcher<Exchange> = ofStatus('a status of 400 to 499', (code) => code >= 400 && code < 500);

/** What answers a creation under a name in use: the specification says that it is refused, and by which code it does not. */
export const nameInUse: Matcher<Exchange> = {
  allows: 'a refusal, since the name is in use: a status of 400 to 499',
  differences: refusal.differences,
};

/** Any 4xx or 5xx: something went wrong, and the specification leaves open whose fault it is called. */
export const error: Matcher<Exchange> = ofStatus('a status of 400 to 599', (code) => code >= 400 && code < 600);

/** The target kept the request waiting until we gave up: no answer, and no broken connection either. */
export const noAnswerInTime: Matcher<Exchange> = {
  allows: 'no answer for as long as we wait',
  differences: (exchange) =>
    exchange.noAnswer?.kind === 'time' ? [] : [difference('status', 'none yet', told(exchange))],
};

/** A header's values joined by `, `; absent is `undefined`. */
export function header(name: string, expected: Expectation): Matcher<Exchange> {
  const inner = expectation(expected);
  return {
    allows: `header ${name} is ${inner.allows}`,
    differences: (exchange) => inner.differences(exchange.headers[name.toLowerCase()], `header ${name}`),
  };
}
/** `Content-Type` without its parameters. */
export function mediaType(expected: string): Matcher<Exchange> {
  return {
    allows: `media type ${expected}`,
    differences: (exchange) => {
      const type = exchange.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
      return type === expected ? [] : [difference('header content-type', expected, exchange.headers['content-type'])];
    },
  };
}

/** The whole JSON body. */
export function body(expected: Expectation): Matcher<Exchange> {
  const inner = expectation(expected);
  return {
    allows: `a body that is ${inner.allows}`,
    differences: (exchange) => inner.differences(exchange.json, 'body'),
  };
}
/** The body is the object as it was created, beside what a target may have added to it by itself since. */
export function asCreated(made: ApiObject): Matcher<Exchange> {
  const whole = body(made as unknown as Expectation);
  const member = additionTo(made);
  if (member === undefined || member in made) return whole;
  const rest = ({ [member]: _, metadata, ...more }: Readonly<Record<string, unknown>>): Expectation => {
    const { resourceVersion, managedFields, ...own } = isRecord(metadata) ? metadata : {};
    return { ...more, metadata: own } as Expectation;
  };
  const beside = expectation(rest(made as unknown as Readonly<Record<string, unknown>>));
  return {
    allows: `${whole.allows}, or with ${member} beside it`,
    differences: (exchange, at) =>
      isRecord(exchange.json) && member in exchange.json
        ? beside.differences(rest(exchange.json), 'body')
        : whole.differences(exchange, at),
  };
}
/** What lies at a path of the JSON body: `field('metadata.name', 'a')`. */
export function field(path: Path, expected: Expectation): Matcher<Exchange> {
  const parts = segments(path);
  const inner = expectation(expected);
  return {
    allows: `${joinPath('', parts)} is ${inner.allows}`,
    differences: (exchange) => inner.differences(valueAt(exchange.json, parts), joinPath('body', parts)),
  };
}
/** Names of the items of a list answer, through a matcher on the array of names. */
export function names(expected: Expectation): Matcher<Exchange> {
  const inner = expectation(expected);
  return {
    allows: `the items' names are ${inner.allows}`,
    differences: (exchange) => inner.differences(itemNames(exchange), 'body.items[*].metadata.name'),
  };
}
/** The names of a list answer in its order; `undefined` when the answer is no list. */
export function itemNames(exchange: Exchange): unknown[] | undefined {
  const items = valueAt(exchange.json, ['items']);
  return Array.isArray(items) ? items.map((item) => valueAt(item, ['metadata', 'name'])) : undefined;
}

import type { WatchEvent } from '../client/watchStream.ts';
import { type Expectation, type Matcher, show } from './matcher.ts';
import { joinPath, type Path, segments, valueAt } from './paths.ts';
import { expectation, including, not, oneOf } from './values.ts';

/** A watch event of a type, and of an object's name where one is given. */
export function event(type: string, name?: string): Matcher<WatchEvent> {
  const inner = including(
    name === undefined ? { type } : { type, object: including({ metadata: including({ name }) }) },
  );
  return { allows: name === undefined ? `${type}` : `${type} of ${show(name)}`, differences: inner.differences };
}
/** The event of a removal of an object: what it is called is left open, and so it is one that is none of the others. */
export function removal(name: string): Matcher<WatchEvent> {
  const inner = including({
    type: not(oneOf('ADDED', 'MODIFIED', 'BOOKMARK', 'ERROR')),
    object: including({ metadata: including({ name }) }),
  });
  return { allows: `the removal of ${show(name)}`, differences: inner.differences };
}
/** What lies at a path of a watch event's object. */
export function eventField(path: Path, expected: Expectation): Matcher<WatchEvent> {
  const parts = segments(path);
  const inner = expectation(expected);
  return {
    allows: `object.${joinPath('', parts)} is ${inner.allows}`,
    differences: (seen) => inner.differences(valueAt(seen.object, parts), joinPath('object', parts)),
  };
}

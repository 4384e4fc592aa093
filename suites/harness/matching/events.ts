import type { WatchEvent } from '../watchStream.ts';
import { type Expectation, type Matcher, show } from './matcher.ts';
import { joinPath, type Path, segments, valueAt } from './paths.ts';
import { expectation, including } from './values.ts';

/** A watch event of a type, and of an object's name where one is given. */
export function event(type: string, name?: string): Matcher<WatchEvent> {
  const inner = including(
    name === undefined ? { type } : { type, object: including({ metadata: including({ name }) }) },
  );
  return { allows: name === undefined ? `${type}` : `${type} of ${show(name)}`, differences: inner.differences };
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

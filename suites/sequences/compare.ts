import { isRecord } from '../harness/json.ts';
import type { Seen } from './normal.ts';

/** One thing in which two servers differ. */
export interface SeenDifference {
  readonly step: number;
  readonly what: Seen['what'];
  /** `status`, `header content-type`, `warnings`, or where in the body: `metadata.labels.x`. */
  readonly path: string;
  readonly first: unknown;
  readonly second: unknown;
  /** Whether it is in a part that every text leaves to the server: messages for people. */
  readonly wording: boolean;
}

/** Members of a Status and of conditions that are for people. */
const WORDING = /(^|\.)(message|causes|description|humanReadable)(\.|$)/;

/** Everything in which two servers differ after the same steps, in the order in which it was seen. */
export function compare(first: readonly Seen[], second: readonly Seen[]): SeenDifference[] {
  const found: SeenDifference[] = [];
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    const [a, b] = [first[at], second[at]];
    if (a && b && a.step === b.step && a.what === b.what) found.push(...differences(a, b));
    // What is looked at after a step depends on its answer, of which a difference is told.
    else return found;
    if (a.status !== b.status && a.what === 'answer') return found;
  }
  return found;
}

function* differences(a: Seen, b: Seen): Generator<SeenDifference> {
  const { step, what } = a;
  const told = (path: string, first: unknown, second: unknown, wording = false) => {
    return { step, what, path, first, second, wording };
  };
  if (a.status !== b.status) {
    yield told('status', a.status, b.status);
    return;
  }
  for (const name of new Set([...Object.keys(a.headers), ...Object.keys(b.headers)])) {
    if (a.headers[name] !== b.headers[name]) yield told(`header ${name}`, a.headers[name], b.headers[name]);
  }
  if ((a.warnings.length === 0) !== (b.warnings.length === 0)) yield told('warnings', a.warnings, b.warnings);
  else if (a.warnings.join('\n') !== b.warnings.join('\n')) yield told('warnings', a.warnings, b.warnings, true);
  for (const [path, first, second] of inBodies(a.body, b.body, '')) {
    yield told(path === '' ? 'body' : path, first, second, WORDING.test(path) || isText(first, second, path));
  }
}

/** A body that is no document but a sentence. */
const isText = (first: unknown, second: unknown, path: string): boolean =>
  path === '' && typeof first === 'string' && typeof second === 'string' && first !== '' && second !== '';

type BodyDifference = readonly [path: string, first: unknown, second: unknown];

function inBodies(a: unknown, b: unknown, path: string, found: BodyDifference[] = []): readonly BodyDifference[] {
  if (a === b) return found;
  const inside = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) found.push([inside('length'), a.length, b.length]);
    for (let at = 0; at < Math.min(a.length, b.length); at++) inBodies(a[at], b[at], inside(at), found);
  } else if (isRecord(a) && isRecord(b)) {
    for (const name of Object.keys(a)) inBodies(a[name], b[name], inside(name), found);
    for (const name of Object.keys(b)) if (!Object.hasOwn(a, name)) inBodies(undefined, b[name], inside(name), found);
  } else found.push([path, a, b]);
  return found;
}

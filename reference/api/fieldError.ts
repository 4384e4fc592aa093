import type { FieldPath } from './fieldPath.ts';
import type { Json } from './json.ts';
import type { Staged } from './staged.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One fault of one field, as a cause of a 422 names it. `message` leaves the path out. */
export interface FieldError {
  reason: FieldErrorReason;
  field: string;
  readonly message: string;
}

/** A value inside a message: strings quoted, numbers and booleans bare, the rest as JSON. */
export function quoteValue(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
}

/** Errors after which an object is judged no further, and how many of them are kept then. */
const MOST_ERRORS = 20_000;
const KEPT_ERRORS = 1_000;

/** The errors that the judging which is under way has made. */
interface Made {
  count: number;
  readonly first: FieldError[];
}
let made: Made | undefined;

/** There are more errors than anybody would read. */
class TooManyErrors extends Error {}

/** What judging an object found. */
export interface FoundErrors {
  readonly errors: readonly FieldError[];
  /** The object was judged no further: there may be more errors, and they may stand before these. */
  readonly endedEarly: boolean;
}

/**
 * Judges an object, which ends early when it has far too many errors: a body of a million empty items must not take a
 * million times the time and memory of one. `judge` must be synchronous.
 */
export function findErrors(judge: () => readonly FieldError[]): FoundErrors {
  const outer = made;
  const own: Made = { count: 0, first: [] };
  made = own;
  try {
    return { errors: judge(), endedEarly: false };
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
    return { errors: own.first, endedEarly: true };
  } finally {
    made = outer;
  }
}

/** What {@link findErrors} finds, by judging in stages: errors that others make in between are not counted. */
export function* findErrorsInParts(judging: Staged<readonly FieldError[]>): Staged<FoundErrors> {
  const own: Made = { count: 0, first: [] };
  for (;;) {
    const outer = made;
    made = own;
    let step: IteratorResult<undefined, readonly FieldError[]>;
    try {
      step = judging.next();
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error;
      return { errors: own.first, endedEarly: true };
    } finally {
      made = outer;
    }
    if (step.done) return { errors: step.value, endedEarly: false };
    yield;
  }
}

/**
 * The words of a message are made when they are read: an answer shows a bounded number of errors, and what a message
 * repeats of a body or a schema may be large.
 */
function make(reason: FieldErrorReason, path: FieldPath, words: string | (() => string)): FieldError {
  const error: FieldError = {
    reason,
    field: path.toString(),
    get message() {
      return typeof words === 'string' ? words : words();
    },
  };
  if (made) {
    if (made.first.length < KEPT_ERRORS) made.first.push(error);
    if (++made.count > MOST_ERRORS) throw new TooManyErrors();
  }
  return error;
}

/** The value is well-typed but not acceptable. */
export function invalid(path: FieldPath, value: Json | undefined, detail: string): FieldError {
  return make('FieldValueInvalid', path, () => `Invalid value: ${quoteValue(value)}: ${detail}`);
}
/** The value has the wrong type. */
export function typeInvalid(path: FieldPath, value: Json | undefined, detail: string): FieldError {
  return make('FieldValueTypeInvalid', path, () => `Invalid value: ${quoteValue(value)}: ${detail}`);
}
export function required(path: FieldPath, detail = ''): FieldError {
  return make('FieldValueRequired', path, detail ? `Required value: ${detail}` : 'Required value');
}
export function duplicate(path: FieldPath, value: Json | undefined): FieldError {
  return make('FieldValueDuplicate', path, () => `Duplicate value: ${quoteValue(value)}`);
}
export function notFoundField(path: FieldPath, value: Json | undefined): FieldError {
  return make('FieldValueNotFound', path, () => `Not found: ${quoteValue(value)}`);
}
/** `allowed` is listed in the order given, each as quoted text. */
export function notSupported(path: FieldPath, value: Json | undefined, allowed: readonly Json[]): FieldError {
  return make('FieldValueNotSupported', path, () => {
    const list = allowed.map((one) => JSON.stringify(typeof one === 'string' ? one : quoteValue(one))).join(', ');
    const detail = allowed.length > 0 ? `: supported values: ${list}` : '';
    return `Unsupported value: ${quoteValue(value)}${detail}`;
  });
}
export function forbiddenField(path: FieldPath, detail: string): FieldError {
  return make('FieldValueForbidden', path, `Forbidden: ${detail}`);
}
/** `limit` is in bytes. */
export function tooLong(path: FieldPath, limit: number): FieldError {
  return make('FieldValueTooLong', path, `Too long: may not be more than ${limit} bytes`);
}
export function tooMany(path: FieldPath, actual: number, limit: number): FieldError {
  return make('FieldValueTooMany', path, `Too many: ${actual}: must have at most ${limit} items`);
}
export function internalField(path: FieldPath, detail: string): FieldError {
  return make('InternalError', path, `Internal error: ${detail}`);
}

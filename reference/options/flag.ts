import { formatDuration, parseDuration } from '../api/duration.ts';

/** One flag of the command line: how its text becomes a value, and what stands there when it is not given. */
export interface Flag<T> {
  /** Shown in help behind the name: `FILE`, `DURATION`, `A,B,…`. */
  readonly placeholder: string;
  readonly meaning: string;
  readonly initial: T;
  /** The initial value as the flag takes it; empty where there is none. */
  readonly initialText: string;
  /** True when the bare name means `true`. */
  readonly bare: boolean;
  /** Adds one occurrence to what stood before; throws BadFlagValue. */
  read(text: string, before: T, given: boolean): T;
}

/** The text behind a flag is not of its kind; the message completes "invalid value … for --flag: …". */
export class BadFlagValue extends Error {}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** A truth value as flags and gates write it; undefined when it is none. */
export function parseBoolean(text: string): boolean | undefined {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
}

export function bool(meaning: string, initial: boolean): Flag<boolean> {
  return {
    placeholder: '',
    meaning,
    initial,
    initialText: initial ? 'true' : '',
    bare: true,
    read(text) {
      const value = parseBoolean(text);
      if (value === undefined) throw new BadFlagValue('true or false is expected');
      return value;
    },
  };
}
export function text(placeholder: string, meaning: string, initial = ''): Flag<string> {
  return { placeholder, meaning, initial, initialText: initial, bare: false, read: (value) => value };
}
/** A whole number within bounds, both included. */
export function integer(meaning: string, initial: number, least: number, most: number): Flag<number> {
  return {
    placeholder: 'NUMBER',
    meaning,
    initial,
    initialText: String(initial),
    bare: false,
    read(value) {
      const number = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= least && number <= most)) {
        throw new BadFlagValue(`a whole number from ${least} to ${most} is expected`);
      }
      return number;
    },
  };
}
/** A number, perhaps with a fraction, that is not negative. */
export function decimal(meaning: string, initial: number): Flag<number> {
  return {
    placeholder: 'NUMBER',
    meaning,
    initial,
    initialText: String(initial),
    bare: false,
    read(value) {
      if (!/^\d{1,15}(\.\d{1,15})?$/.test(value)) throw new BadFlagValue('a number that is not negative is expected');
      return Number(value);
    },
  };
}
/** Milliseconds; `least` is the smallest one allowed. */
export function duration(meaning: string, initial: number, least = 0): Flag<number> {
  return {
    placeholder: 'DURATION',
    meaning,
    initial,
    initialText: formatDuration(initial),
    bare: false,
    read(value) {
      const milliseconds = parseDuration(value);
      if (milliseconds === undefined) throw new BadFlagValue('a length of time such as 30s or 5m is expected');
      if (milliseconds < least) throw new BadFlagValue('the length of time must not be negative');
      return milliseconds;
    },
  };
}
/** Comma-separated, and each further occurrence adds to it. */
export function list(placeholder: string, meaning: string, initial: readonly string[] = []): Flag<readonly string[]> {
  return {
    placeholder,
    meaning,
    initial,
    initialText: initial.join(','),
    bare: false,
    read: (value, before, given) => [...(given ? before : []), ...(value === '' ? [] : value.split(','))],
  };
}
/** Each occurrence is one item, commas and all. */
export function repeated(placeholder: string, meaning: string): Flag<readonly string[]> {
  return {
    placeholder,
    meaning,
    initial: [],
    initialText: '',
    bare: false,
    read: (value, before) => [...before, value],
  };
}
/** `key=value` pairs, comma-separated and repeatable; a pair without `=` is kept with `undefined`. */
export function pairs(placeholder: string, meaning: string): Flag<readonly (readonly [string, string | undefined])[]> {
  return {
    placeholder,
    meaning,
    initial: [],
    initialText: '',
    bare: false,
    read: (value, before) => [
      ...before,
      ...value
        .split(',')
        .filter((part) => part !== '')
        .map(readPair),
    ],
  };
}
/** `key=value` pairs, one an occurrence: the value may hold commas. */
export function singlePairs(placeholder: string, meaning: string): ReturnType<typeof pairs> {
  return { ...pairs(placeholder, meaning), read: (value, before) => [...before, readPair(value)] };
}
function readPair(part: string): readonly [string, string | undefined] {
  const equals = part.indexOf('=');
  return equals < 0 ? [part.trim(), undefined] : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
}
/** One of a few words. */
export function choice<const W extends string>(meaning: string, words: readonly W[], initial: NoInfer<W>): Flag<W> {
  return {
    placeholder: words.join('|'),
    meaning,
    initial,
    initialText: initial,
    bare: false,
    read(value) {
      const found = words.find((word) => word === value);
      if (found === undefined) throw new BadFlagValue(`one of ${words.join(', ')} is expected`);
      return found;
    },
  };
}

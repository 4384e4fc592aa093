import { isObject, type Json, type JsonObject, MAX_DEPTH, setMember } from '../api/json.ts';

/** What reading JSON found. */
export interface ReadJson {
  readonly value: Json;
  /** Paths of members that stood twice in their object, in the order met: `metadata.labels.x`, `spec.list[0].name`. */
  readonly duplicates: readonly string[];
  /**
   * The digits of numbers that were written with a fraction or an exponent though their value is whole, by path; types
   * that want integers refuse them.
   */
  readonly numberTexts: ReadonlyMap<string, string>;
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Text that is not JSON. The message is the one that clients of the service know. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonSyntaxError';
  }
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** The first of them is enough to refuse a body. */
const MAX_TEXTS = 100;
/** Members that stand twice in one text, as many as are told. */
export const MAX_DUPLICATES = 100;
/** Integers with fewer digits fit a double exactly; those with more than these, and a sign, fit no 64 bits. */
const EXACT_DIGITS = 15;
const MOST_DIGITS = 20;

/**
 * Reads one JSON value, strictly. Integers outside the exact range of doubles become bigints while they fit 64
 * bits. Of duplicate members the last counts; with `merge`, two objects of one name become one, as when a value
 * is decoded twice into the same place.
 * @throws JsonSyntaxError
 */
export function readJson(text: string, merge = false): ReadJson {
  return new Reader(text, merge).read();
}

/** Names and, for items of arrays, numbers that lead from the outermost value to one inside it. */
export type Steps = readonly (string | number)[];

/**
 * Tells of every member name of a JSON text in the order in which it stands there.
 * @param met `again` where the name stood in the same object before
 * @throws JsonSyntaxError
 */
export function eachMember(text: string, met: (steps: Steps, again: boolean) => void): void {
  new Reader(text, false, met).read();
}

/** The path to a value as messages write it: `spec.list[0].name`. */
export function pathOf(steps: Steps): string {
  let path = '';
  for (const step of steps) path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`;
  return path;
}

interface Level {
  readonly container: Json[] | JsonObject;
  /** Name of the member being read; unused in arrays. */
  key: string;
  /** What stood under that name before, when it is being read again. */
  before: Json | undefined;
}

/** Keeps its own stack, so that no input can exhaust the machine's. */
class Reader {
  readonly #text: string;
  readonly #merge: boolean;
  readonly #levels: Level[] = [];
  #duplicates: string[] | undefined;
  #numberTexts: Map<string, string> | undefined;
  readonly #met: ((steps: Steps, again: boolean) => void) | undefined;
  #at = 0;

  constructor(text: string, merge: boolean, met?: (steps: Steps, again: boolean) => void) {
    this.#text = text;
    this.#merge = merge;
    this.#met = met;
  }

  read(): ReadJson {
    let value = this.#value();
    // Closed containers and scalars are handed to the level above until the outermost value is complete.
    while (this.#levels.length > 0) {
      const level = this.#levels[this.#levels.length - 1] as Level;
      if (value !== OPENED) this.#put(level, value);
      value = this.#next(level, value === OPENED);
    }
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
    return { value: value as Json, duplicates: this.#duplicates ?? [], numberTexts: this.#numberTexts ?? NO_TEXTS };
  }

  /** Reads on inside a container: a scalar, OPENED for a deeper container, or the container itself when it ends. */
  #next(level: Level, first: boolean): Json | typeof OPENED {
    const { container } = level;
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (Array.isArray(container)) {
      if (code === CLOSE_BRACKET) return this.#close(container);
      if (!first) {
        if (code !== COMMA) throw this.#unexpected('after array element');
        this.#at++;
      }
      return this.#value();
    }
    if (code === CLOSE_BRACE) return this.#close(container);
    if (!first) {
      if (code !== COMMA) throw this.#unexpected('after object key:value pair');
      this.#at++;
      this.#space();
    }
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#unexpected('looking for beginning of object key string');
    const key = this.#string();
    level.key = key;
    level.before = undefined;
    const again = container[key] !== undefined && Object.hasOwn(container, key);
    if (again) {
      level.before = container[key] as Json;
      this.#duplicate();
    }
    this.#met?.(this.#steps(), again);
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#unexpected('after object key');
    this.#at++;
    return this.#value();
  }

  #close(container: Json): Json {
    this.#at++;
    this.#levels.pop();
    return container;
  }

  #put(level: Level, value: Json): void {
    const { container, key, before } = level;
    if (Array.isArray(container)) container.push(value);
    else if (this.#merge && isObject(before) && isObject(value)) setMember(container, key, mergeInto(before, value));
    else setMember(container, key, value);
  }

  /** Records the path of the member whose name was just read. */
  #duplicate(): void {
    this.#duplicates ??= [];
    if (this.#duplicates.length >= MAX_DUPLICATES) return;
    const path = this.#path();
    if (!this.#duplicates.includes(path)) this.#duplicates.push(path);
  }

  /** Where the value stands that is being read. */
  #path(): string {
    return pathOf(this.#steps());
  }

  #steps(): Steps {
    return this.#levels.map(({ container, key }) => (Array.isArray(container) ? container.length : key));
  }

  #open(container: Json[] | JsonObject): typeof OPENED {
    if (this.#levels.length >= MAX_DEPTH) throw this.#unexpected('exceeded max depth');
    this.#at++;
    this.#levels.push({ container, key: '', before: undefined });
    return OPENED;
  }

  #value(): Json | typeof OPENED {
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE) return this.#open({});
    if (code === OPEN_BRACKET) return this.#open([]);
    if (code === MINUS || isDigit(code)) return this.#number();
    if (code === LETTER_T) return this.#literal('true', true);
    if (code === LETTER_F) return this.#literal('false', false);
    if (code === LETTER_N) return this.#literal('null', null);
    throw this.#unexpected('looking for beginning of value');
  }

  #literal<T extends Json>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      if (this.#text[this.#at] !== word[i]) throw this.#unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at++;
    return value;
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      // NaN, the end of the text, is none of these three.
      if (code === BACKSLASH || code < 0x20 || at >= text.length || (code >= 0xd800 && code <= 0xdfff)) {
        return this.#escaped(start, at);
      }
    }
  }

  /** The rest of a string that is not its own source text. Lone surrogates become the replacement character. */
  #escaped(start: number, from: number): string {
    const text = this.#text;
    let value = text.slice(start, from);
    this.#at = from;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#at++;
        return toWellFormed(value);
      }
      if (code < 0x20 || this.#at >= text.length) throw this.#unexpected('in string literal');
      if (code === BACKSLASH) value += this.#escape();
      else {
        value += text[this.#at];
        this.#at++;
      }
    }
  }

  #escape(): string {
    const letter = this.#text[++this.#at];
    if (letter === 'u') {
      let code = 0;
      for (let i = 0; i < 4; i++) {
        const digit = hexDigit(this.#text.charCodeAt(++this.#at));
        if (digit < 0) throw this.#unexpected('in \\u hexadecimal character escape');
        code = code * 16 + digit;
      }
      this.#at++;
      return String.fromCharCode(code);
    }
    const plain = letter === undefined ? undefined : ESCAPES.get(letter);
    if (plain === undefined) throw this.#unexpected('in string escape code');
    this.#at++;
    return plain;
  }

  #number(): number | bigint {
    const text = this.#text;
    const start = this.#at;
    let whole = true;
    if (text.charCodeAt(this.#at) === MINUS) this.#at++;
    if (text.charCodeAt(this.#at) === ZERO) this.#at++;
    else this.#digits('in numeric literal');
    if (text.charCodeAt(this.#at) === DOT) {
      whole = false;
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    const exponent = text.charCodeAt(this.#at);
    if (exponent === LETTER_E || exponent === LETTER_CAPITAL_E) {
      whole = false;
      this.#at++;
      const sign = text.charCodeAt(this.#at);
      if (sign === PLUS || sign === MINUS) this.#at++;
      this.#digits('in exponent of numeric literal');
    }
    const digits = text.slice(start, this.#at);
    const value = numberOf(digits, whole);
    if (!whole && Number.isInteger(value) && (this.#numberTexts?.size ?? 0) < MAX_TEXTS) {
      this.#numberTexts ??= new Map();
      this.#numberTexts.set(this.#path(), digits);
    }
    return value;
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) throw this.#unexpected(where);
    do this.#at++;
    while (isDigit(this.#text.charCodeAt(this.#at)));
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #unexpected(where: string): JsonSyntaxError {
    if (this.#at >= this.#text.length) return new JsonSyntaxError('unexpected end of JSON input');
    return new JsonSyntaxError(`invalid character ${quoteByte(this.#text, this.#at)} ${where}`);
  }
}

const OPENED = Symbol('opened');
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_CAPITAL_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

function hexDigit(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/**
 * The value of a number's text. Integers that a double cannot hold exactly are bigints while they fit 64 bits.
 * @throws JsonSyntaxError when no double is near the number.
 */
export function numberOf(text: string, whole: boolean): number | bigint {
  if (whole && text.length > EXACT_DIGITS && text.length <= MOST_DIGITS) {
    const exact = BigInt(text);
    if (exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(exact);
    if (exact >= MIN_INT64 && exact <= MAX_INT64) return exact;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new JsonSyntaxError(`json: cannot unmarshal number ${text} into Go value of type float64`);
  }
  // A negative zero has no sign on the wire.
  return value === 0 ? 0 : value;
}

/** The first byte of a character as error messages quote it: they speak of bytes, not of characters. */
function quoteByte(text: string, at: number): string {
  const byte = Buffer.from(String.fromCodePoint(text.codePointAt(at) as number))[0] as number;
  if (byte === 0x27) return "'\\''";
  if (byte === QUOTE) return "'\"'";
  if (byte === BACKSLASH) return "'\\\\'";
  const short = SHORT_ESCAPES.get(byte);
  if (short) return `'${short}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (byte >= 0x80 && byte < 0xa1) return `'\\u00${byte.toString(16)}'`;
  return byte === 0xad ? "'\\u00ad'" : `'${String.fromCharCode(byte)}'`;
}
const SHORT_ESCAPES = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
]);

/** Members of `later` over those of `earlier`, objects merged in depth. */
function mergeInto(earlier: JsonObject, later: JsonObject): JsonObject {
  const stack: [JsonObject, JsonObject][] = [[earlier, later]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [into, from] = pair;
    for (const name of Object.keys(from)) {
      const had = Object.hasOwn(into, name) ? into[name] : undefined;
      const has = from[name] as Json;
      if (isObject(had) && isObject(has)) stack.push([had, has]);
      else setMember(into, name, has);
    }
  }
  return earlier;
}

import type { Environment } from '@marcbachmann/cel-js';
import { Optional } from '@marcbachmann/cel-js';
import { registerAll, registerNamespace, registerOpaque } from './register.ts';

/** A literal of an object: `Object.spec{replicas: 3}`. */
export class Struct {
  /** `Object`, `Object.spec`, `JSONPatch`. */
  readonly type: string;
  readonly fields: ReadonlyMap<string, unknown>;

  constructor(type: string, fields: ReadonlyMap<string, unknown>) {
    this.type = type;
    this.fields = fields;
  }
}

const MAKER = '__struct';
const OPTIONAL_MARK = '?';
const PATCH_FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** Literals of objects and patches, and how a name becomes part of a path. */
export function registerStructs(environment: Environment): void {
  registerOpaque(environment, 'kubernetes.Struct', Struct);
  registerNamespace(environment, 'jsonpatch', 'kubernetes.JSONPatchFunctions');
  registerAll(environment, {
    // An empty map has a form of its own.
    [`${MAKER}(string, map): dyn`]: (type: string, fields: unknown) =>
      structOf(type, fields instanceof Map ? fields : new Map()),
    'kubernetes.JSONPatchFunctions.escapeKey(string): string': (_: unknown, key: string) =>
      key.replaceAll('~', '~0').replaceAll('/', '~1'),
  });
}

/** Throws Error for a field that is not there, or whose literal is of another type. */
function structOf(type: string, given: ReadonlyMap<unknown, unknown>): Struct {
  const fields = new Map<string, unknown>();
  for (const [key, stated] of given) {
    const marked = String(key);
    const name = marked.replace(/^\?/, '');
    let value = stated;
    if (marked.startsWith(OPTIONAL_MARK)) {
      if (!(stated instanceof Optional)) throw new Error(`the value of ?${name} must be optional`);
      if (!stated.hasValue()) continue;
      value = stated.value();
    }
    if (type === 'JSONPatch' && !PATCH_FIELDS.has(name)) throw new Error(`undefined field '${name}'`);
    const inner = type === 'JSONPatch' ? undefined : `${type}.${name}`;
    for (const one of structsIn(value)) {
      if (inner !== undefined && one.type !== inner) {
        throw new Error(`unexpected type of field '${name}' initializer, wanted ${inner} but got ${one.type}`);
      }
    }
    fields.set(name, value);
  }
  return new Struct(type, fields);
}

/** The literals that stand for the value of a field, or for its items. */
function structsIn(value: unknown): readonly Struct[] {
  if (value instanceof Struct) return [value];
  if (Array.isArray(value)) return value.flatMap(structsIn);
  return value instanceof Map ? [...value.values()].flatMap(structsIn) : [];
}

const HEAD = /(?:Object(?:\s*\.\s*[A-Za-z_][A-Za-z0-9_]*)*|JSONPatch)\s*\{/y;
const STRING =
  /[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]"[^"\n]*"|[rR]'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const FIELD = /(\s*)(\??)\s*([A-Za-z_][A-Za-z0-9_]*)(\s*:)/y;
const OPENING = '([{';
const CLOSING = ')]}';

/** An expression with literals of objects as calls that the parser knows. */
export function withStructs(expression: string): string {
  return new Rewriter(expression).all();
}

class Rewriter {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): string {
    let made = '';
    while (this.#at < this.#text.length) made += this.#piece();
    return made;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  /** The next token, or the whole of a literal. */
  #piece(): string {
    const text = this.#take(STRING);
    if (text) return text[0];
    // What is selected is no type: `a.Object`.
    const head = /\.\s*$/.test(this.#text.slice(0, this.#at)) ? null : this.#take(HEAD);
    if (head) return this.#literal(head[0].slice(0, -1).replace(/\s/g, ''));
    return this.#take(WORD)?.[0] ?? (this.#text[this.#at++] as string);
  }

  #literal(type: string): string {
    let made = `${MAKER}(${JSON.stringify(type)}, {${this.#field()}`;
    for (let depth = 0; this.#at < this.#text.length; ) {
      const next = this.#text[this.#at] as string;
      if (next === '}' && depth === 0) {
        this.#at++;
        return `${made}})`;
      }
      const piece = this.#piece();
      made += piece;
      if (piece.length > 1) continue;
      if (OPENING.includes(piece)) depth++;
      else if (CLOSING.includes(piece)) depth--;
      else if (piece === ',' && depth === 0) made += this.#field();
    }
    return made;
  }

  /** The name of a field as the key of a map; nothing where none follows. */
  #field(): string {
    const field = this.#take(FIELD);
    if (!field) return '';
    const [, before, optional, name, colon] = field;
    return `${before}${JSON.stringify(`${optional}${plainName(name ?? '')}`)}${colon}`;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  __underscores__: '__',
  __dot__: '.',
  __dash__: '-',
  __slash__: '/',
};

/** The name of a field in JSON, which expressions may have to spell differently. */
function plainName(name: string): string {
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  if (keyword !== undefined && !Object.hasOwn(ESCAPES, name)) return keyword;
  return name.replace(/__(?:underscores|dot|dash|slash)__/g, (found) => ESCAPES[found] as string);
}

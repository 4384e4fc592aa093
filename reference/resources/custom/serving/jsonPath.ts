import { isObject, type Json, member } from '../../../api/json.ts';

/** One step of a path; a filter keeps items of which a member compares to a value. */
type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'deep'; readonly name: string }
  | {
      readonly kind: 'indexes';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly by: number;
    }
  | { readonly kind: 'index'; readonly at: number }
  | {
      readonly kind: 'filter';
      readonly path: readonly Step[];
      readonly operator: string;
      readonly value: Json | undefined;
    };

/** A path such as `.status.conditions[?(@.type=="Ready")].status`, read once. */
export class JsonPath {
  readonly #steps: readonly Step[];

  /** @throws Error for text that is no path */
  constructor(text: string) {
    this.#steps = new Reader(text).steps();
  }

  /** What the path leads to, in order; empty where it leads nowhere. */
  find(value: Json): Json[] {
    return follow([value], this.#steps);
  }
}

const MOST_DEPTH = 500;

function follow(values: readonly Json[], steps: readonly Step[]): Json[] {
  let found: Json[] = [...values];
  for (const step of steps) found = found.flatMap((value) => apply(value, step));
  return found;
}

function apply(value: Json, step: Step): Json[] {
  switch (step.kind) {
    case 'name': {
      const inner = isObject(value) ? member(value, step.name) : undefined;
      return inner === undefined ? [] : [inner];
    }
    case 'all':
      return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    case 'deep':
      return deep(value, step.name, 0);
    case 'index': {
      if (!Array.isArray(value)) return [];
      const item = value[step.at < 0 ? value.length + step.at : step.at];
      return item === undefined ? [] : [item];
    }
    case 'indexes':
      return Array.isArray(value) ? slice(value, step.from, step.to, step.by) : [];
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => passes(item, step)) : [];
  }
}

function deep(value: Json, name: string, depth: number): Json[] {
  if (depth > MOST_DEPTH || typeof value !== 'object' || value === null) return [];
  const own = isObject(value) ? member(value, name) : undefined;
  const below = Object.values(value).flatMap((inner) => deep(inner as Json, name, depth + 1));
  return own === undefined ? below : [own, ...below];
}

function slice(list: readonly Json[], from = 0, to = list.length, by = 1): Json[] {
  const start = from < 0 ? list.length + from : from;
  const end = to < 0 ? list.length + to : to;
  return list.slice(start, end).filter((_, index) => index % by === 0);
}

function passes(item: Json, { path, operator, value }: Extract<Step, { kind: 'filter' }>): boolean {
  const [found] = follow([item], path);
  if (operator === '') return found !== undefined;
  if (found === undefined || value === undefined) return false;
  switch (operator) {
    case '==':
      return found === value;
    case '!=':
      return found !== value;
    default:
      return typeof found === typeof value && compare(found as number, value as number, operator);
  }
}

function compare(left: number, right: number, operator: string): boolean {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** Reads the text of a path from left to right. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = /^\{(.*)\}$/s.exec(text)?.[1] ?? text;
  }

  steps(end = ''): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length && !(end !== '' && this.#isEnd(end))) steps.push(this.#step());
    return steps;
  }

  #isEnd(end: string): boolean {
    return end.includes(this.#text[this.#at] as string);
  }

  #step(): Step {
    if (this.#take('..')) return { kind: 'deep', name: this.#name() };
    if (this.#take('.')) {
      // A dot in front of brackets adds nothing.
      return this.#text[this.#at] === '[' ? this.#step() : this.#named(this.#name());
    }
    if (this.#take('[')) return this.#bracket();
    if (this.#at === 0 || this.#text[this.#at - 1] === '@') return this.#named(this.#name());
    throw this.#fault();
  }

  #named(name: string): Step {
    return name === '*' ? { kind: 'all' } : { kind: 'name', name };
  }

  #name(): string {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text[this.#at] as string;
      if (letter === '\\' && this.#at + 1 < this.#text.length) name += this.#text[++this.#at];
      else if ('.[] )=!<>'.includes(letter)) break;
      else name += letter;
    }
    if (name === '') throw this.#fault();
    return name;
  }

  #bracket(): Step {
    if (this.#take('?(')) return this.#filter();
    const quote = this.#text[this.#at];
    if (quote === "'" || quote === '"') {
      const name = this.#quoted(quote);
      this.#expect(']');
      return { kind: 'name', name };
    }
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) throw this.#fault();
    const inner = this.#text.slice(this.#at, end).trim();
    this.#at = end + 1;
    if (inner === '*') return { kind: 'all' };
    if (/^-?\d+$/.test(inner)) return { kind: 'index', at: Number(inner) };
    const parts = /^(-?\d*):(-?\d*)(?::(\d+))?$/.exec(inner);
    if (!parts) throw this.#fault();
    const number = (text: string | undefined) => (text ? Number(text) : undefined);
    return { kind: 'indexes', from: number(parts[1]), to: number(parts[2]), by: number(parts[3]) || 1 };
  }

  #filter(): Step {
    this.#space();
    this.#expect('@');
    const path = this.steps(')=!<> ');
    this.#space();
    const operator = /^(==|!=|<=|>=|<|>)/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += operator.length;
    this.#space();
    const value = operator === '' ? undefined : this.#literal();
    this.#space();
    this.#expect(')');
    this.#expect(']');
    return { kind: 'filter', path, operator, value };
  }

  #literal(): Json {
    const quote = this.#text[this.#at];
    if (quote === "'" || quote === '"') return this.#quoted(quote);
    const word = /^[^\s)]+/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += word.length;
    if (word === 'true' || word === 'false') return word === 'true';
    if (word !== '' && Number.isFinite(Number(word))) return Number(word);
    throw this.#fault();
  }

  #quoted(quote: string): string {
    let text = '';
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text[this.#at] as string;
      if (letter === quote) {
        this.#at++;
        return text;
      }
      text += letter === '\\' ? (this.#text[++this.#at] ?? '') : letter;
    }
    throw this.#fault();
  }

  #space(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }
  #take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }
  #expect(mark: string): void {
    if (!this.#take(mark)) throw this.#fault();
  }
  #fault(): Error {
    return new Error(`unrecognized path ${JSON.stringify(this.#text)} at ${this.#at}`);
  }
}

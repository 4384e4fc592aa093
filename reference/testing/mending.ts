import type { Json, JsonObject } from '../api/json.ts';
import type { ObjectSchema, ScalarSchema, Schema } from '../schema/schema.ts';

/** Words of what is to go, and of what is to come. */
const GONE = /^Forbidden|may not|must not|not allowed|may only|must be (empty|unset|nil)/i;
const MISSING = /^Required|must (specify|have|be specified|set)|at least one/i;

/** A cause of a refusal, as a Status tells it. */
export interface Cause {
  readonly field: string;
  readonly message: string;
}

/** What is done to a member of an object, wherever it stands in a list or map. */
export interface Mend {
  /** Names on the way; `*` stands for every item of a list or entry of a map. */
  readonly steps: readonly string[];
  /** What stands there then, of an item with a number; undefined where nothing does. */
  readonly value: Guess;
}

type Guess = (number: number) => Json | undefined;
type ScalarType = ScalarSchema['type'];

/** Texts of which one mostly is what a field may hold; each has a number, where it can, so that entries differ. */
const TEXTS: readonly Guess[] = [
  (number) => `e${number}`,
  (number) => `example.com/e${number}`,
  (number) => `e${number}.example.com`,
  (number) => `/e${number}`,
  (number) => `10.1.${number >> 8}.${number & 255}`,
  (number) => `10.${number >> 8}.${number & 255}.0/24`,
  (number) => `https://e${number}.example.com`,
  (number) => `E${number}`,
  (number) => `${number + 1}`,
  (number) => `${number} == 0`,
  () => '* * * * *',
  () => 'v1',
  () => 'In',
  () => 'Exists',
  () => 'Never',
  () => 'ReadWriteOnce',
  () => '*',
];
const NUMBERS: readonly Guess[] = [(number) => number + 1, () => 80, () => 0, () => 1_000];

const BY_TYPE: Readonly<Partial<Record<ScalarType, readonly Guess[]>>> = {
  string: TEXTS,
  int32: NUMBERS,
  int64: NUMBERS,
  intOrString: [(number) => number + 1, () => '10%', () => 'e'],
  boolean: [() => false, () => true],
};

/**
 * Makes of what a server says is wrong with an object what is to be done to it, so that the next try is taken, or refused
 * for something else.
 */
export class Mending {
  readonly mends: Mend[] = [];
  readonly #schema: Schema;
  readonly #sample: (schema: Schema, number: number) => Json;
  /** How often something was guessed for a field. */
  readonly #guessed = new Map<string, number>();
  readonly #tried = new Set<string>();

  /** @param sample a value of a schema that differs from others by its number */
  constructor(schema: Schema, sample: (schema: Schema, number: number) => Json) {
    this.#schema = schema;
    this.#sample = sample;
  }

  /** Finds what is to be done about causes; false where there is nothing left to try. */
  learn(causes: readonly Cause[]): boolean {
    let learned = false;
    const met = new Set<string>();
    for (const { field, message } of causes) {
      const steps = this.#stepsOf(field);
      const key = steps.join('\u0000');
      if (steps.length === 0 || met.has(key)) continue;
      met.add(key);
      const value = this.#mendOf(key, steps, message);
      if (value) this.mends.push({ steps, value });
      learned ||= value !== undefined;
    }
    return learned;
  }

  /** The object with all that was found out done to it, in place. */
  mend(object: JsonObject): JsonObject {
    for (const { steps, value } of this.mends) change(object, steps, value, 0);
    return object;
  }

  /** Names of `spec.rules[0].name`, `*` for what stands in brackets and for keys of maps. */
  #stepsOf(field: string): string[] {
    const steps: string[] = [];
    let schema: Schema | undefined = this.#schema;
    for (const [, bracketed, name] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
      if (bracketed !== undefined || schema?.kind === 'map') {
        steps.push('*');
        schema = schema?.kind === 'list' ? schema.items : schema?.kind === 'map' ? schema.values : undefined;
      } else {
        steps.push(name as string);
        schema = schema?.kind === 'object' ? schema.fields.get(name as string)?.schema : undefined;
      }
    }
    return steps;
  }

  #schemaAt(steps: readonly string[]): Schema | undefined {
    let schema: Schema | undefined = this.#schema;
    for (const step of steps) {
      if (schema?.kind === 'list') schema = schema.items;
      else if (schema?.kind === 'map') schema = schema.values;
      else schema = schema?.kind === 'object' ? schema.fields.get(step)?.schema : undefined;
    }
    return schema;
  }

  #mendOf(key: string, steps: readonly string[], message: string): Guess | undefined {
    const schema = this.#schemaAt(steps);
    if (!schema || key === 'metadata\u0000name') return undefined;
    const times = this.#guessed.get(key) ?? 0;
    this.#guessed.set(key, times + 1);
    const supported = /supported values: "([^"]*)"/.exec(message);
    if (supported && !this.#tried.has(`${key} ${supported[1]}`)) {
      this.#tried.add(`${key} ${supported[1]}`);
      return () => (schema.kind === 'list' ? [supported[1] as string] : (supported[1] as string));
    }
    if (times === 0 && GONE.test(message)) return () => undefined;
    const named = [...message.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
    if (times === 0 && named.length === 0 && MISSING.test(message)) return (number) => this.#filled(schema, number);
    if (schema.kind === 'object') return this.#mendObject(schema, named, times);
    const least = /greater than or equal to (\d+)/.exec(message) ?? /between (\d+)/.exec(message);
    if (least && times < 2) return (number) => Number(least[1]) + (times < 1 ? number : 0);
    const scalar = schema.kind === 'scalar' ? schema : schema.kind === 'list' ? schema.items : undefined;
    const guesses = (scalar?.kind === 'scalar' && BY_TYPE[scalar.type]) || [];
    const guess = guesses[times];
    if (guess) return schema.kind === 'list' ? (number) => [guess(number) as Json] : guess;
    // Nothing that can be thought of: it may do without.
    return times === guesses.length ? () => undefined : undefined;
  }

  /** An object that lacks something: what the message names, or else it goes. */
  #mendObject(schema: ObjectSchema, named: readonly string[], times: number): Guess | undefined {
    const field = named.map((name) => schema.fields.get(name)).filter((one) => one !== undefined)[times];
    if (!field) return times <= named.length ? () => undefined : undefined;
    return (number) => {
      const whole = this.#sample(schema, number) as JsonObject;
      return { ...whole, [field.name]: this.#filled(field.schema, number) };
    };
  }

  /** A value that holds something at least. */
  #filled(schema: Schema, number: number): Json {
    if (schema.kind === 'list') return [this.#filled(schema.items, number)];
    if (schema.kind === 'map') return { a: this.#filled(schema.values, number) };
    return this.#sample(schema, number);
  }
}

function change(at: Json, steps: readonly string[], value: Mend['value'], number: number): void {
  if (typeof at !== 'object' || at === null) return;
  const [step, ...more] = steps as [string, ...string[]];
  const holder = at as JsonObject;
  const names = step === '*' ? Object.keys(at) : [step];
  names.forEach((name, index) => {
    const own = step === '*' ? index : number;
    if (more.length > 0) {
      const inner = Array.isArray(at) ? at[Number(name)] : holder[name];
      // What leads to a field that is to be there is there then too, as far as it is no list.
      if (inner === undefined && step !== '*' && more[0] !== '*') {
        holder[name] = {};
        change(holder[name], more, value, own);
      } else change(inner as Json, more, value, own);
      return;
    }
    const next = value(own);
    if (next !== undefined) holder[name] = next;
    else if (!Array.isArray(at)) delete holder[name];
  });
}

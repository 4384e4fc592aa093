/** Hands on what a fixture made, and waits until it is needed no more. */
export type Use<Value> = (value: Value) => Promise<void>;

/**
 * Makes something for a check. It names what it needs by taking it from its first argument, makes its value, hands it
 * on with `use`, and tidies up after that.
 */
export type Fixture<Cast, Value, Info> = (cast: Cast, use: Use<Value>, info: Info) => Promise<void>;

/** A fixture for each name, which may need any of those that the others make, and what is given beside them. */
export type Fixtures<Made, Given, Info> = {
  readonly [Name in keyof Made]: Fixture<Made & Given, Made[Name], Info>;
};

type Named<Value> = Readonly<Record<string, Value>>;
type AnyFixture<Info> = (cast: never, use: never, info: Info) => Promise<void>;

/** What was made for one check: each thing when it is first asked for, and taken down again in turned order. */
export class FixtureScope<Info> {
  readonly #fixtures: Named<AnyFixture<Info>>;
  readonly #given: Named<unknown>;
  readonly #info: Info;
  readonly #values = new Map<string, Promise<unknown>>();
  readonly #undo: (() => Promise<void>)[] = [];

  /** @param given what is there without being made, by name; it goes before a fixture of that name */
  constructor(fixtures: Named<AnyFixture<Info>>, given: Named<unknown>, info: Info) {
    this.#fixtures = fixtures;
    this.#given = given;
    this.#info = info;
  }

  /** @throws Error where there is no such fixture, or what it throws */
  get(name: string): Promise<unknown> {
    const known = this.#values.get(name);
    if (known) return known;
    const value = name in this.#given ? Promise.resolve(this.#given[name]) : this.#make(name);
    this.#values.set(name, value);
    return value;
  }

  /** What a function asks for by the names in its text, made in their order. */
  async cast<Cast>(asking: object): Promise<Cast> {
    const cast: Record<string, unknown> = {};
    for (const name of askedBy(asking)) cast[name] = await this.get(name);
    return cast as Cast;
  }

  async #make(name: string): Promise<unknown> {
    const fixture = this.#fixtures[name] as Fixture<unknown, unknown, Info> | undefined;
    if (!fixture) throw new Error(`there is no fixture ${name}`);
    const cast = await this.cast(fixture);
    return new Promise((resolve, reject) => {
      let release: () => void = () => {};
      const over = new Promise<void>((done) => {
        release = done;
      });
      const use: Use<unknown> = (value) => {
        resolve(value);
        return over;
      };
      const made = fixture(cast, use, this.#info);
      // Whoever takes it down hears of what goes wrong then.
      made.catch(reject);
      this.#undo.push(async () => {
        release();
        await made;
      });
    });
  }

  /** Takes down what was made, the last first. @returns what went wrong */
  async close(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) {
      try {
        await undo();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}

const asked = new WeakMap<object, readonly string[]>();
function askedBy(asking: object): readonly string[] {
  const names = asked.get(asking) ?? namesAsked(asking.toString());
  asked.set(asking, names);
  return names;
}

/** The names that a function takes from its first argument, as its text has them. */
export function namesAsked(text: string): string[] {
  const [, rest] = /^[^(]*\(\s*\{([\s\S]*)$/.exec(text) ?? [];
  if (rest === undefined) return [];
  const names: string[] = [];
  let depth = 0;
  let name = '';
  let named = false;
  for (const character of rest) {
    if (depth === 0 && (character === ',' || character === '}')) {
      if (name.trim() !== '') names.push(name.trim());
      name = '';
      named = false;
      if (character === '}') return names;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (depth === 0 && (character === ':' || character === '=')) named = true;
    else if (!named) name += character;
  }
  return names;
}

/**
 * As much of the runner's `test` as checks are made with, for running one check at a time as often as is asked for:
 * the runner itself takes all its tests before it begins, and starts each on its own.
 */

export interface Annotation {
  readonly type: string;
  readonly description?: string;
}
/** What a fixture or a body is told of the check that runs. */
export interface Info {
  readonly title: string;
  readonly titlePath: readonly string[];
  readonly annotations: readonly Annotation[];
  readonly retry: 0;
  readonly workerIndex: number;
  setTimeout(milliseconds: number): void;
  readonly attachments: { readonly name: string; readonly body: Buffer }[];
}
type Use = (value: unknown) => Promise<void>;
type Fixture = (cast: Record<string, unknown>, use: Use, info: Info) => unknown;
interface Options {
  readonly scope?: 'test' | 'worker';
  readonly auto?: boolean;
}
type Declared = Fixture | readonly [Fixture, Options?];
type Body = (cast: Record<string, unknown>, info: Info) => Promise<void>;

export interface Declaration {
  readonly title: string;
  readonly annotations: readonly Annotation[];
  readonly body: Body;
}

/** Checks that were declared since this module was loaded, in order. */
export const declared: Declaration[] = [];
const fixtures = new Map<string, { readonly make: Fixture; readonly options: Options }>();

type Test = ((title: string, details: { readonly annotation: readonly Annotation[] }, body: Body) => void) & {
  extend(more: Readonly<Record<string, Declared>>): Test;
};

/** What the harness imports as the runner's `test` without browsers. */
export const _baseTest: Test = Object.assign(
  (title: string, { annotation }: { readonly annotation: readonly Annotation[] }, body: Body) => {
    declared.push({ title, annotations: annotation, body });
  },
  {
    extend(more: Readonly<Record<string, Declared>>): Test {
      for (const [name, given] of Object.entries(more)) {
        const [make, options = {}] = typeof given === 'function' ? [given] : given;
        fixtures.set(name, { make, options });
      }
      return _baseTest;
    },
  },
);

/** Puts a value of the caller's own in the place of a fixture. */
export function replaceFixture(name: string, value: (info: Info) => unknown): void {
  const make: Fixture = (_, use, info) => use(value(info));
  fixtures.set(name, { make, options: fixtures.get(name)?.options ?? {} });
}

/** Fixtures that were made and are not yet taken down again. */
class Scope {
  readonly #values = new Map<string, Promise<unknown>>();
  readonly #undo: (() => Promise<void>)[] = [];
  readonly #outer: Scope | undefined;

  constructor(outer: Scope | undefined) {
    this.#outer = outer;
  }

  /** The value of a fixture, which is made if it is not there yet. */
  get(name: string, info: Info): Promise<unknown> {
    const fixture = fixtures.get(name);
    if (!fixture) throw new Error(`there is no fixture ${name}`);
    if (fixture.options.scope === 'worker' && this.#outer) return this.#outer.get(name, info);
    let value = this.#values.get(name);
    if (!value) {
      value = this.#make(fixture.make, info);
      this.#values.set(name, value);
    }
    return value;
  }

  /** Those that a function asks for by the names in its text, in their order. */
  async cast(asking: { toString(): string }, info: Info): Promise<Record<string, unknown>> {
    const cast: Record<string, unknown> = {};
    for (const name of namesAsked(asking.toString())) cast[name] = await this.get(name, info);
    return cast;
  }

  async #make(make: Fixture, info: Info): Promise<unknown> {
    const cast = await this.cast(make, info);
    return new Promise((resolve, reject) => {
      let release: () => void = () => {};
      const over = new Promise<void>((done) => {
        release = done;
      });
      const use: Use = (value) => {
        resolve(value);
        return over;
      };
      const made = Promise.resolve(make(cast, use, info));
      // Whoever takes it down hears of what goes wrong then.
      made.catch(reject);
      this.#undo.push(async () => {
        release();
        await made;
      });
    });
  }

  /** Takes them down, the last first; gives what went wrong. */
  async close(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const undo of this.#undo.splice(0).reverse()) {
      try {
        await undo();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}

/** The names that a function takes from its first argument. */
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

/** What running a check came to, as the runner tells its reporter. */
export interface Run {
  readonly status: 'passed' | 'failed' | 'timedOut';
  readonly errors: readonly { readonly message: string; readonly stack: string }[];
  readonly attachments: ReadonlyMap<string, string>;
}

/** Runs checks one after another; what is made for all of them stays until the end. */
export class Runner {
  readonly #worker = new Scope(undefined);

  /** @param within milliseconds that it may take, unless it asks for more itself. */
  async run({ title, annotations, body }: Declaration, within: number): Promise<Run> {
    const time = deadline(within);
    const info: Info = {
      title,
      titlePath: [annotations.find(({ type }) => type === 'place')?.description ?? '', title],
      annotations,
      retry: 0,
      workerIndex: process.pid,
      setTimeout: time.extend,
      attachments: [],
    };
    const scope = new Scope(this.#worker);
    const errors: unknown[] = [];
    const judged = (async () => {
      for (const [name, { options }] of fixtures) if (options.auto) await scope.get(name, info);
      await body(await scope.cast(body, info), info);
    })();
    judged.catch(() => {});
    let timedOut = false;
    try {
      timedOut = (await Promise.race([judged, time.over])) === OVER;
    } catch (error) {
      errors.push(error);
    }
    time.clear();
    const cleaning = deadline(within);
    const closed = await Promise.race([scope.close(), cleaning.over]);
    cleaning.clear();
    if (closed === OVER) timedOut = true;
    else errors.push(...(closed as unknown[]));
    const status = timedOut ? 'timedOut' : errors.length > 0 ? 'failed' : 'passed';
    const attachments = new Map(info.attachments.map((each) => [each.name, each.body.toString()]));
    return { status, errors: errors.map(readable), attachments };
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}

const OVER = Symbol('over');
function deadline(within: number) {
  let timer: NodeJS.Timeout | undefined;
  let end: () => void = () => {};
  const over = new Promise<typeof OVER>((resolve) => {
    end = () => resolve(OVER);
    timer = setTimeout(end, within);
  });
  const clear = () => clearTimeout(timer);
  const extend = (milliseconds: number) => {
    clear();
    timer = setTimeout(end, milliseconds);
  };
  return { over, clear, extend };
}

function readable(error: unknown): { message: string; stack: string } {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  return { message: error.message, stack: error.stack ?? '' };
}

import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import type { JsonObject } from '../harness/index.ts';
import type { Copies, Memory } from './memory.ts';

export const CLIENTS = ['author', 'rival'] as const;
export const NAMES = ['a', 'b'] as const;

/** Plain data, so that a sequence can be written down, read and played again. */
export interface Step {
  readonly do: string;
  readonly client: (typeof CLIENTS)[number];
  readonly name: string;
  readonly [member: string]: unknown;
}
/** A request without its place: the object is the one the step names, unless it goes to the collection. */
export interface Ask {
  readonly method: string;
  readonly to: 'object' | 'collection';
  readonly contentType?: string;
  readonly query?: string;
  readonly body?: object;
}

/** One thing that a client may do: how it is chosen, asked and told. */
export interface Command<S extends Step = Step> {
  readonly do: S['do'];
  /** How the step is chosen by chance, beyond who does it to which object. */
  readonly chosen: Arbitrary<Omit<S, 'do' | 'client' | 'name'>>;
  /** What is put to the server, on a side where the client holds these copies. */
  readonly ask: (step: S, copies: Copies, memory: Memory) => Ask;
  readonly words: (step: S) => string;
  /** Whether the specification says what comes of it now; steps of which it does not are passed over. */
  readonly settled?: (step: S, memory: Memory) => boolean;
  /** Whether the status of a refusal is open; else 404 is told apart, and 409 of a version that has passed. */
  readonly anyRefusal?: boolean;
  /** Whether the answer is open, and only what it does to the object is not. */
  readonly anyAnswer?: (step: S, memory: Memory) => boolean;
}

/** Any step of a command. */
export function stepsOf<S extends Step>(command: Command<S>): Arbitrary<Step> {
  const who = { client: fc.constantFrom(...CLIENTS), name: fc.constantFrom(...NAMES) };
  return fc.tuple(fc.record(who), command.chosen).map(([base, rest]): Step => ({ do: command.do, ...base, ...rest }));
}

/** The values that data takes, few, so that writes meet. Every object keeps one member, so that none is empty. */
export const KEPT = { kept: '0' };
export const KEYS = ['x', 'y'] as const;
export const value = fc.constantFrom('1', '2');
export const someData: Arbitrary<Readonly<Record<string, string>>> = fc.dictionary(fc.constantFrom(...KEYS), value, {
  maxKeys: 2,
});
/** As data, but a member may be null: taken away. */
export const dataChange: Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.option(value, { freq: 3, nil: null }),
  { minKeys: 1, maxKeys: 2 },
);
export const tier = fc.constantFrom('front', 'back');

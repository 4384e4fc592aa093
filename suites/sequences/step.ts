import type { Json } from '../harness/json.ts';

/** A user that somebody acts as. */
export interface Person {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Who asks: the one who may do everything, nobody, a user that the former acts as, or whoever a token stands for, who
 * may act as a user too.
 */
export type Who = 'admin' | 'nobody' | Person | { readonly token: string; readonly acting?: Person };

/**
 * One request of a sequence as plain data, so that it can be written down, cut and sent to any server. Texts hold
 * names in braces (`{ns}`, see `Words`), and parts of kept answers between `<<` and `>>`: `<<a.metadata.uid>>`.
 */
export interface Step {
  readonly as: Who;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an object, the member `$of` names a kept answer that the rest is merged into. */
  readonly body?: Json;
  /** Sent as it is, in place of a body. */
  readonly text?: string;
  /** How the body is written; JSON unless told. */
  readonly form?: 'yaml' | 'cbor' | 'protobuf';
  /** The name under which the answer is kept, when it is a success. */
  readonly keep?: string;
  /** What the server does by itself afterwards takes longer than usual. */
  readonly slow?: true;
  /** Asked again, for a while, until it is answered so: for what a server follows a moment later. */
  readonly until?: 'allowed' | 'refused';
  /** A PUT that names no version is sent with the one that the object has by then, where it is there. */
  readonly current?: true;
  /** Prepares what follows: what it leaves behind is not looked at. */
  readonly unseen?: true;
  /** Leaves nothing to a server that it does by itself afterwards, so that it is looked at at once. */
  readonly prompt?: true;
  /** A later chunk of a list: it is gone on with to the end, and all is shown with what the kept chunk of this name had. */
  readonly gathers?: string;
  /** A watch: it stays open to the end of the sequence, and what it told is looked at then. */
  readonly open?: true;
}

/** The same step with the version that it replaces, where it is a PUT: whether one is done without is open. */
export const atItsVersion = (step: Step): Step => (step.method === 'PUT' ? { ...step, current: true } : step);

/** What came of chance: the steps, and what they are about. */
export interface Sequence {
  readonly area: string;
  readonly steps: readonly Step[];
}

/** What the names in braces stand for on one server. */
export interface Words {
  /** Part of all names that a sequence makes; of the same length on every server. */
  readonly id: string;
  /** Two namespaces. */
  readonly ns: string;
  readonly ns2: string;
  readonly domain: string;
  readonly vendor: string;
  readonly label: string;
  readonly system: string;
  readonly public: string;
  /** Address of a webhook that denies by name, and its authority in base64; where the side is given one. */
  readonly hook?: string;
  readonly ca?: string;
}

/** The parts of a sequence that mean something by themselves: a step, with those after it that wait for what it brings about. */
export function partsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const parts: Step[][] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (step.until !== undefined && last) last.push(step);
    else parts.push([step]);
  }
  return parts;
}

/** In words: `ann PATCH /api/… (content-type: …)`. */
export function wordsOf({ as, method, path, headers = {}, form }: Step): string {
  const who = typeof as === 'string' ? as : 'user' in as ? as.user : 'a token';
  const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const beside = form === undefined ? told : [...told, `in ${form}`];
  return `${who} ${method} ${path}${beside.length === 0 ? '' : ` (${beside.join('; ')})`}`;
}

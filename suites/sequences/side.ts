import type { WireRequest } from './fill.ts';
import type { Words } from './step.ts';

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Uint8Array;
}
/** A watch that goes on; `frames` are all that it told so far. */
export interface OpenAnswer extends Answer {
  readonly frames: () => Uint8Array;
  readonly stop: () => void;
}

/** A server that sequences are put to. */
export interface Side {
  readonly name: string;
  /** Its address; absent of one in this process. */
  readonly base?: string;
  /** What its dialect calls things. */
  readonly dialect: Omit<Words, 'id' | 'ns' | 'ns2'>;
  ask(request: WireRequest): Promise<Answer>;
  open(request: WireRequest): Promise<OpenAnswer>;
  /**
   * Lets pass what the server does by itself after a request.
   * @param longer waits also for what takes longer than usual, such as signing
   */
  settle(longer?: boolean): Promise<void>;
  close(): Promise<void>;
}

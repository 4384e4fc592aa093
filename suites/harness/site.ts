import { Client } from './client.ts';
import { Connections } from './connections.ts';
import { HistoryWriter } from './historyWriter.ts';
import { Redactor } from './redact.ts';
import type { Identity, RunSettings, Target, TargetFile } from './target.ts';

/** A target with open connections: what one worker shares among its checks. */
export class Site {
  readonly target: Target;
  readonly run: RunSettings;
  readonly redactor: Redactor;
  readonly #connections: Connections;
  readonly #history: HistoryWriter | undefined;
  readonly #replaced: () => boolean;

  /** @param replaced whether another server has taken the place of this one. */
  constructor(file: TargetFile, worker: number, replaced = () => false) {
    this.target = file.target;
    this.run = file.run;
    this.redactor = new Redactor(secretsOf(file.target));
    this.#connections = new Connections(file.target);
    this.#replaced = replaced;
    this.#history = file.run.history ? new HistoryWriter(file.run.history, worker, this.redactor) : undefined;
  }

  /** A client of an actor. Whoever has no identity of their own acts as `admin`; `undefined` is anonymous. */
  client(actor: string, identity: Identity | undefined): Client {
    return new Client({
      actor,
      identity: identity ?? {},
      base: this.target.base,
      connections: this.#connections,
      history: this.#history,
      replaced: this.#replaced,
    });
  }
  /** A client of the control port of the target; `undefined` where it has none. */
  control(): Client | undefined {
    const { control } = this.target;
    if (!control) return undefined;
    const identity = { token: control.token };
    return new Client({
      actor: 'clock',
      identity,
      base: control.base,
      connections: this.#connections,
      history: undefined,
    });
  }
  close(): Promise<void> {
    return this.#connections.close();
  }
}

/** Everything in a target description that must not be written anywhere. */
export function secretsOf(target: Pick<Target, 'identities'>): string[] {
  return Object.values(target.identities).flatMap(({ token, key }) => [token ?? '', key ?? '']);
}

import { Agent } from 'undici';

/** The server between a start and the next crash. */
export interface RunningServer {
  readonly base: string;
  readonly token: string;
  readonly agent: Agent;
  /** Aborted when the server dies. */
  readonly over: AbortSignal;
}

/** The server of a run, which crashes and is started again: clients wait here for its next start. */
export class RestartingServer {
  #life: RunningServer | undefined;
  #waiting: ((life: RunningServer | undefined) => void)[] = [];
  #ended = false;
  #death = new AbortController();

  /** The server was started. */
  begin(ready: { readonly base: string; readonly token: string; readonly ca: string | undefined }): void {
    this.#death = new AbortController();
    const agent = new Agent({ connect: { ca: ready.ca }, bodyTimeout: 0 });
    this.#life = { base: ready.base, token: ready.token, agent, over: this.#death.signal };
    this.#wake();
  }
  /** The server crashed: what was under way there will not be answered. */
  die(): void {
    const life = this.#life;
    this.#life = undefined;
    this.#death.abort();
    void life?.agent.destroy();
  }
  /** The server will not be started again. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }
  /** The running server, or the next one that is started; undefined when there will be none. */
  life(): Promise<RunningServer | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    if (this.#life) return Promise.resolve(this.#life);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
  #wake(): void {
    const life = this.#ended ? undefined : this.#life;
    for (const resume of this.#waiting.splice(0)) resume(life);
  }
}

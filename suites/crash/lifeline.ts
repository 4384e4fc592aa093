import { Agent } from 'undici';

/** A server as long as it lives. */
export interface Life {
  readonly base: string;
  readonly token: string;
  readonly agent: Agent;
  /** Aborted when the server dies. */
  readonly over: AbortSignal;
}

/** The server of a run, which dies and comes back: clients wait here for its next life. */
export class Lifeline {
  #life: Life | undefined;
  #waiting: ((life: Life | undefined) => void)[] = [];
  #ended = false;
  #death = new AbortController();

  /** A new life begins. */
  begin(ready: { readonly base: string; readonly token: string; readonly ca: string | undefined }): void {
    this.#death = new AbortController();
    const agent = new Agent({ connect: { ca: ready.ca }, bodyTimeout: 0 });
    this.#life = { base: ready.base, token: ready.token, agent, over: this.#death.signal };
    this.#wake();
  }
  /** The server is gone: what was under way there will not be answered. */
  die(): void {
    const life = this.#life;
    this.#life = undefined;
    this.#death.abort();
    void life?.agent.destroy();
  }
  /** No other life will come. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }
  /** The life that is, or the next one; undefined when there will be none. */
  life(): Promise<Life | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    if (this.#life) return Promise.resolve(this.#life);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
  #wake(): void {
    const life = this.#ended ? undefined : this.#life;
    for (const resume of this.#waiting.splice(0)) resume(life);
  }
}

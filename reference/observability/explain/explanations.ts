import { Explanation } from './explanation.ts';

/** Requests that are remembered. */
const KEPT = 1000;

/** The accounts of the last requests, by audit id. */
export class Explanations {
  readonly #byId = new Map<string, Explanation>();
  readonly #kept: number;

  constructor(kept = KEPT) {
    this.#kept = kept;
  }

  /** A new account; one of the same id before it is forgotten. @param received milliseconds since the epoch */
  begin(auditId: string, received: number): Explanation {
    const explanation = new Explanation(auditId, received);
    this.#byId.delete(auditId);
    this.#byId.set(auditId, explanation);
    if (this.#byId.size > this.#kept) {
      const [oldest] = this.#byId.keys();
      if (oldest !== undefined) this.#byId.delete(oldest);
    }
    return explanation;
  }

  get(auditId: string): Explanation | undefined {
    return this.#byId.get(auditId);
  }
}

import { cloneJson, equalJson, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';

/** What is asked to change objects: a hook, or a policy with its parameters. */
export interface Invoked {
  readonly id: string;
  /** It is asked once more where others change the object after it. */
  readonly reinvoked: boolean;
}

/**
 * The rounds of one write through the hooks that change it. Where one changed the object, everything that changes
 * objects runs once more, and of the hooks those that asked for it and ran before somebody else's change.
 */
export class Reinvocation {
  #round = -1;
  #changed = false;
  /** Hooks that want to run again should the object still change. */
  #waiting = new Set<string>();
  #due = new Set<string>();
  #output: JsonObject | undefined;

  /** Which round this is: 0 or 1. */
  get round(): number {
    return this.#round;
  }
  /** Whether a second round is to come. */
  get wanted(): boolean {
    return this.#round === 0 && this.#changed;
  }

  /** A round begins. */
  begin(object: ApiObject | undefined): void {
    this.#round++;
    if (this.#round > 0 && !equalJson(this.#output, object && asJson(object))) this.#callAgain();
  }
  /** A round ends; the object is remembered, to see whether others change it before the next. */
  end(object: ApiObject | undefined): void {
    this.#output = object && cloneJson(asJson(object));
  }

  /** Whether a hook runs in this round; in the second one nobody runs for the first time. */
  includes({ id }: Invoked): boolean {
    return this.#round === 0 || this.#due.has(id);
  }
  /** A hook ran. */
  ran({ id, reinvoked }: Invoked, changed: boolean): void {
    if (changed) {
      this.#changed = true;
      this.#callAgain();
    }
    if (reinvoked) this.#waiting.add(id);
  }

  #callAgain(): void {
    for (const id of this.#waiting) this.#due.add(id);
    this.#waiting = new Set();
  }
}

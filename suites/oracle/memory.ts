import { type ApiObject, isRecord } from '../harness/index.ts';

/** What a client holds of an object, on one side: the version it last read or wrote, however old by now. */
export class Copies {
  readonly #copies = new Map<string, ApiObject>();

  keep(client: string, name: string, object: ApiObject): void {
    this.#copies.set(`${client}/${name}`, object);
  }
  of(client: string, name: string): ApiObject | undefined {
    return this.#copies.get(`${client}/${name}`);
  }
}

/** What is known while a sequence is played: what the clients hold, and how the oracle's objects are now. */
export class Memory {
  readonly target = new Copies();
  readonly oracle = new Copies();
  readonly #live = new Map<string, { readonly target: ApiObject; readonly oracle: ApiObject }>();

  /** The object as both sides showed it last; undefined where there is none. */
  live(name: string): { readonly target: ApiObject; readonly oracle: ApiObject } | undefined {
    return this.#live.get(name);
  }
  isDeleting(name: string): boolean {
    return this.#live.get(name)?.oracle.metadata.deletionTimestamp !== undefined;
  }
  see(name: string, target: unknown, oracle: unknown): void {
    if (isObject(target) && isObject(oracle)) this.#live.set(name, { target, oracle });
    else this.#live.delete(name);
  }
  /** A client holds from now on what it was answered. */
  learn(client: string, name: string, target: unknown, oracle: unknown): void {
    if (!isObject(target) || !isObject(oracle)) return;
    this.target.keep(client, name, target);
    this.oracle.keep(client, name, oracle);
  }
}

/** Whether an answer is an object, and not a Status. */
function isObject(value: unknown): value is ApiObject {
  return isRecord(value) && isRecord(value.metadata) && typeof value.metadata.uid === 'string';
}

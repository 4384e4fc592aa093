const MOST = 10_000;

/** What each user was let through by last; users who were not seen for long are forgotten when there are too many. */
export class LastModes<T> {
  readonly #byUser = new Map<string, T>();

  get(username: string): T | undefined {
    const found = this.#byUser.get(username);
    if (found !== undefined) this.set(username, found);
    return found;
  }
  set(username: string, mode: T): void {
    this.#byUser.delete(username);
    this.#byUser.set(username, mode);
    if (this.#byUser.size > MOST) {
      const [oldest] = this.#byUser.keys();
      this.#byUser.delete(oldest as string);
    }
  }
}

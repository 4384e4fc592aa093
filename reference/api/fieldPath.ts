/**
 * A path to a field, as error causes name it: `spec.rules[0].name`, `data[some.key]`.
 * Immutable; each step makes a new path, and the text is made only when asked for.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  /** A name, a key in brackets, or the index of an item: most paths are never told, so that no text is made for them. */
  readonly #step: string | number;
  readonly #bracketed: boolean;

  private constructor(parent: FieldPath | undefined, step: string | number, bracketed: boolean) {
    this.#parent = parent;
    this.#step = step;
    this.#bracketed = bracketed;
  }

  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(undefined, name, false).child(...more);
  }
  /** The path of the object itself: empty, and invisible in front of a child. */
  static readonly root: FieldPath = new FieldPath(undefined, '', false);

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(path === FieldPath.root ? undefined : path, name, false);
    return path;
  }
  index(index: number): FieldPath {
    return new FieldPath(this, index, true);
  }
  key(key: string): FieldPath {
    return new FieldPath(this, key, true);
  }
  toString(): string {
    const steps: string[] = [];
    for (let at: FieldPath | undefined = this; at; at = at.#parent) steps.push(at.#text());
    return steps.reverse().join('');
  }
  #text(): string {
    if (this.#bracketed) return `[${this.#step}]`;
    return this.#parent === undefined ? String(this.#step) : `.${this.#step}`;
  }
}

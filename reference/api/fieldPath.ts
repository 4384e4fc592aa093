/**
 * A path to a field, as error causes name it: `spec.rules[0].name`, `data[some.key]`.
 * Immutable; each step makes a new path, and the text is made only when asked for.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string;

  private constructor(parent: FieldPath | undefined, step: string) {
    this.#parent = parent;
    this.#step = step;
  }

  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(undefined, name).child(...more);
  }
  /** The path of the object itself: empty, and invisible in front of a child. */
  static readonly root: FieldPath = new FieldPath(undefined, '');

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) {
      path = path === FieldPath.root ? new FieldPath(undefined, name) : new FieldPath(path, `.${name}`);
    }
    return path;
  }
  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }
  toString(): string {
    const steps: string[] = [];
    for (let at: FieldPath | undefined = this; at; at = at.#parent) steps.push(at.#step);
    return steps.reverse().join('');
  }
}

import type { ApiObject } from '../../../api/object.ts';
import type { AllocationDependencies } from '../../../contracts/resourceType.ts';
import { ServiceBook, type Supply, uidOf } from './serviceBook.ts';

/** What one write takes out of the book: all of it is given back together when the write stores nothing. */
export class Takings {
  readonly #book: ServiceBook;
  readonly #dependencies: AllocationDependencies;
  readonly #uid: string;
  readonly #taken = new Map<string, readonly [Supply, number]>();

  private constructor(book: ServiceBook, dependencies: AllocationDependencies, uid: string) {
    this.#book = book;
    this.#dependencies = dependencies;
    this.#uid = uid;
  }

  static async of(dependencies: AllocationDependencies, service: ApiObject): Promise<Takings> {
    return new Takings(await ServiceBook.of(dependencies.store), dependencies, uidOf(service));
  }

  /** Takes one number; false when it has an owner. A dry run takes nothing that others would miss. */
  take(supply: Supply, number: number): boolean {
    if (!this.#isFree(supply, number)) return false;
    this.#taken.set(`${supply}/${number}`, [supply, number]);
    if (!this.#dependencies.dryRun) this.#book.take(supply, number, this.#uid);
    return true;
  }

  /** Takes any number; undefined when there is none left. */
  takeAny(supply: Supply): number | undefined {
    const number = this.#book.free(supply, this.#dependencies.random, (one) => this.#isFree(supply, one));
    if (number !== undefined) this.take(supply, number);
    return number;
  }

  giveBack(): void {
    if (this.#dependencies.dryRun) return;
    for (const [supply, number] of this.#taken.values()) this.#book.release(supply, number, this.#uid);
  }

  #isFree(supply: Supply, number: number): boolean {
    return this.#book.ownerOf(supply, number) === undefined && !this.#taken.has(`${supply}/${number}`);
  }
}

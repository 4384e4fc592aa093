import type { ApiObject } from '../../../api/object.ts';
import type { AllocationRooms } from '../../../contracts/resourceType.ts';
import { ServiceBook, type Supply, uidOf } from './serviceBook.ts';

/** What one write takes out of the book: all of it is given back together when the write stores nothing. */
export class Takings {
  readonly #book: ServiceBook;
  readonly #rooms: AllocationRooms;
  readonly #uid: string;
  readonly #taken = new Map<string, readonly [Supply, number]>();

  private constructor(book: ServiceBook, rooms: AllocationRooms, uid: string) {
    this.#book = book;
    this.#rooms = rooms;
    this.#uid = uid;
  }

  static async of(rooms: AllocationRooms, service: ApiObject): Promise<Takings> {
    return new Takings(await ServiceBook.of(rooms.store), rooms, uidOf(service));
  }

  /** Takes one number; false when it has an owner. A dry run takes nothing that others would miss. */
  take(supply: Supply, number: number): boolean {
    if (!this.#isFree(supply, number)) return false;
    this.#taken.set(`${supply}/${number}`, [supply, number]);
    if (!this.#rooms.dryRun) this.#book.take(supply, number, this.#uid);
    return true;
  }

  /** Takes any number; undefined when there is none left. */
  takeAny(supply: Supply): number | undefined {
    const number = this.#book.free(supply, this.#rooms.random, (one) => this.#isFree(supply, one));
    if (number !== undefined) this.take(supply, number);
    return number;
  }

  giveBack(): void {
    if (this.#rooms.dryRun) return;
    for (const [supply, number] of this.#taken.values()) this.#book.release(supply, number, this.#uid);
  }

  #isFree(supply: Supply, number: number): boolean {
    return this.#book.ownerOf(supply, number) === undefined && !this.#taken.has(`${supply}/${number}`);
  }
}

/** A queue that grows at the back, shrinks at the front, and can be searched; its items are in ascending order. */
export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }
  get first(): Item | undefined {
    return this.#items[this.#head];
  }
  get last(): Item | undefined {
    return this.length > 0 ? this.#items[this.#items.length - 1] : undefined;
  }
  push(item: Item): void {
    this.#items.push(item);
  }
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (this.length === 0) return undefined;
    // Taken items may be large: they are let go at once.
    (this.#items as (Item | undefined)[])[this.#head++] = undefined;
    // Moving the rest down only when half is empty keeps the cost of a shift constant.
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
  /** The items from the first one on that is `behind`; all that follow it must be too. */
  from(behind: (item: Item) => boolean): Item[] {
    let low = this.#head;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (behind(this.#items[middle] as Item)) high = middle;
      else low = middle + 1;
    }
    return this.#items.slice(low);
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asApiObject } from '../api/object.ts';
import { Entry } from '../contracts/entry.ts';
import { type Behind, WatchBacklogs } from './watchBacklogs.ts';

const entry = (name: string) => new Entry(`/${name}`, 1, 1, asApiObject({ metadata: { name } }));

/** A watch that holds what it is given until it is cut. */
class Held implements Behind {
  waitingBytes = 0;
  isCut = false;
  readonly #events: (readonly [Entry, number])[] = [];
  readonly #backlogs: WatchBacklogs;

  constructor(backlogs: WatchBacklogs) {
    this.#backlogs = backlogs;
  }
  take(one: Entry, bytes: number): void {
    this.waitingBytes += bytes;
    this.#events.push([one, bytes]);
    this.#backlogs.hold(this, one, bytes);
  }
  letGo(): void {
    const [one, bytes] = this.#events.shift() as [Entry, number];
    this.waitingBytes -= bytes;
    this.#backlogs.release(this, one, bytes);
  }
  cut(): void {
    this.isCut = true;
    while (this.#events.length > 0) this.letGo();
  }
}

test('the watch for which most waits is cut when all that waits is too much', () => {
  const backlogs = new WatchBacklogs(100);
  const [small, large, last] = [new Held(backlogs), new Held(backlogs), new Held(backlogs)];
  small.take(entry('a'), 30);
  large.take(entry('b'), 60);
  last.take(entry('c'), 10);
  assert.deepEqual([small.isCut, large.isCut, last.isCut], [false, false, false]);
  last.take(entry('d'), 10);
  assert.deepEqual([small.isCut, large.isCut, last.isCut], [false, true, false]);
  last.take(entry('e'), 50);
  assert.deepEqual([small.isCut, last.isCut], [false, false]);
});

test('what waits for many is counted once, and as long as it waits for one', () => {
  const backlogs = new WatchBacklogs(100);
  const shared = entry('shared');
  const watches = Array.from({ length: 50 }, () => new Held(backlogs));
  for (const watch of watches) watch.take(shared, 60);
  assert.ok(watches.every(({ isCut }) => !isCut));
  for (const watch of watches.slice(1)) watch.letGo();
  const other = new Held(backlogs);
  other.take(entry('other'), 50);
  assert.deepEqual([watches[0]?.isCut, other.isCut], [true, false]);
  other.take(entry('more'), 50);
  assert.ok(!other.isCut);
});

test('one that is too large alone is cut', () => {
  const backlogs = new WatchBacklogs(100);
  const watch = new Held(backlogs);
  watch.take(entry('a'), 101);
  assert.ok(watch.isCut);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Entry } from '../contracts/entry.ts';
import { type Frame, KeptLists } from './keptLists.ts';

const entry = (name: string, revision = 1) =>
  new Entry(`/core/configmaps/default/${name}`, 1, revision, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
  });

/** Makes bodies of so many bytes where none is kept, and counts them. */
class Maker {
  made = 0;
  readonly #lists: KeptLists;
  readonly #size: number;

  constructor(lists: KeptLists, size = 100_000) {
    this.#lists = lists;
    this.#size = size;
  }
  body(name: string, entries: readonly Entry[], frame: Frame = ['{', '}']): Uint8Array {
    const asked = { name, frame, entries };
    const kept = this.#lists.find(asked);
    if (kept) return kept;
    this.made++;
    const body = Buffer.concat([Buffer.from(frame[0]), Buffer.alloc(this.#size), Buffer.from(frame[1])]);
    this.#lists.made(asked, body);
    return body;
  }
}

describe('lists that are kept', () => {
  it('are put together for the first and the second who asks, and then no more', () => {
    const lists = new KeptLists();
    const maker = new Maker(lists);
    const both = [entry('a'), entry('b')];
    const bodies = Array.from({ length: 4 }, () => maker.body('json v1', [...both]));
    assert.equal(maker.made, 2);
    assert.equal(bodies[3], bodies[1]);
  });

  it('are made anew when an entry, the order, the number or the encoding is another', () => {
    const lists = new KeptLists();
    const maker = new Maker(lists);
    const [a, b, c] = [entry('a'), entry('b'), entry('c')];
    for (let i = 0; i < 3; i++) maker.body('json v1', [a, b]);
    maker.made = 0;
    maker.body('json v1', [a, entry('b', 2)]);
    maker.body('json v1', [a, c]);
    maker.body('json v1', [a, b, c]);
    maker.body('json v1', [b, a]);
    maker.body('json v2', [a, b]);
    assert.equal(maker.made, 5);
  });

  it('have their entries copied in one go where only the frame is another', () => {
    const lists = new KeptLists();
    const maker = new Maker(lists);
    const both = [entry('a'), entry('b')];
    for (let i = 0; i < 2; i++) maker.body('json v1', both, [`{"revision":"${i}",`, '}']);
    const framed = (frame: Frame) => maker.body('json v1', [...both], frame);
    const bodies = [framed(['{"é":', '}\n']), framed(['{"é":', '}\n']), framed(['', '}'])];
    assert.equal(maker.made, 2);
    assert.equal(bodies[1], bodies[0]);
    const entries = Buffer.alloc(100_000);
    assert.deepEqual(bodies[0], Buffer.concat([Buffer.from('{"é":'), entries, Buffer.from('}\n')]));
    assert.deepEqual(bodies[2], Buffer.concat([entries, Buffer.from('}')]));
  });

  it('are no small ones and none that is too large, and not too many', () => {
    const lists = new KeptLists();
    for (const size of [1_000, 5 * 1024 * 1024]) {
      const maker = new Maker(lists, size);
      const list = [entry(`of-${size}`)];
      for (let i = 0; i < 3; i++) maker.body('json v1', list);
      assert.equal(maker.made, 3);
    }
    const maker = new Maker(lists, 1024 * 1024);
    const all = Array.from({ length: 40 }, (_, i) => [entry(`large-${i}`)]);
    for (let round = 0; round < 3; round++) for (const list of all) maker.body('json v1', list);
    assert.equal(maker.made, 120, 'more are known than there is memory for');
    const last = all.at(-1) ?? [];
    for (let i = 0; i < 3; i++) maker.body('json v1', last);
    assert.equal(maker.made, 121);
  });
});

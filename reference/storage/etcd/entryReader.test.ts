import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sample } from '../../testing/storeContract/steps.ts';
import { PLAIN } from '../encryption/transformer.ts';
import { storedBytes } from '../storedForm.ts';
import { EntryReader } from './entryReader.ts';
import { KeyLayout } from './keyLayout.ts';
import type { KeyValue } from './messages.ts';

const layout = new KeyLayout('/registry', []);

/** A pair as etcd sends it: part of a larger piece of memory. */
function sent(name: string, modRevision: number, text = name): KeyValue & { readonly message: Buffer } {
  const bytes = storedBytes({ ...sample(name), text });
  const message = Buffer.concat([Buffer.alloc(10), bytes]);
  const key = Buffer.from(`/registry/g/r/${name}`);
  return { message, key, value: message.subarray(10), createRevision: 1, modRevision, version: 1 };
}

describe('what is read of etcd', () => {
  it('is one entry a key and revision, for those who read and those who wrote it', () => {
    const reader = new EntryReader(layout, PLAIN);
    const entry = reader.entryOf(sent('a', 5));
    assert.equal(reader.entryOf(sent('a', 5)), entry);
    assert.notEqual(reader.entryOf(sent('a', 6)), entry);
    const object = sample('b');
    const written = reader.written('/g/r/b', reader.bytesOf('/g/r/b', object), { object, created: 7, revision: 7 });
    assert.equal(reader.entryOf(sent('b', 7)), written);
    assert.equal(reader.known('/g/r/b', 7), written);
  });
  it('is the newest of a key, also when an older one is read afterwards', () => {
    const reader = new EntryReader(layout, PLAIN);
    const newest = reader.entryOf(sent('a', 6, 'new'));
    const older = reader.entryOf(sent('a', 5, 'old'));
    assert.deepEqual([newest.object.text, older.object.text], ['new', 'old']);
    assert.equal(reader.known('/g/r/a', 6), newest);
    assert.equal(reader.known('/g/r/a', 5), undefined);
  });
  it('keeps nothing of the message that it came in', () => {
    const reader = new EntryReader(layout, PLAIN);
    const pair = sent('a', 5);
    const entry = reader.entryOf(pair);
    pair.message.fill(0);
    assert.equal(entry.object.text, 'a');
  });
  it('is forgotten, first come first gone, beyond a number of bytes', () => {
    const size = sent('a', 1).value.length;
    const reader = new EntryReader(layout, PLAIN, undefined, size * 3);
    for (const [i, name] of ['a', 'b', 'c'].entries()) reader.entryOf(sent(name, i + 1));
    const known = () => ['a', 'b', 'c', 'd', 'e'].filter((name, i) => reader.known(`/g/r/${name}`, i + 1));
    assert.deepEqual(known(), ['a', 'b', 'c']);
    reader.entryOf(sent('d', 4));
    assert.deepEqual(known(), ['b', 'c', 'd']);
    // One that is larger than all the rest is kept alone, so that those who read it together share it.
    reader.entryOf(sent('e', 5, 'x'.repeat(size * 4)));
    assert.deepEqual(known(), ['e']);
    reader.entryOf(sent('a', 1));
    assert.deepEqual(known(), ['a']);
  });
});

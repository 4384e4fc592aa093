import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, asJson } from '../api/object.ts';
import { stringify } from '../codecs/jsonText.ts';
import { Entry } from './entry.ts';

const OBJECT: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: { app: 'x' }, finalizers: ['example.com/f'] },
  data: { é: 'ü'.repeat(100) },
};

/** An entry of an object whose JSON was made, unless that is not wanted. */
function entryOf(object: ApiObject, told = true): Entry {
  const entry = new Entry('/core/configmaps/n/a', 3, 7, object);
  if (told) entry.toldBy(entry.encoding('json v1', (made) => Buffer.from(`${stringify(asJson(made))}\n`)));
  else void entry.object;
  return entry;
}

describe('an object as its JSON', () => {
  it('is read again when somebody asks, and tells labels and what binds it without', () => {
    const entry = entryOf(OBJECT);
    const { object, weight } = entry;
    const read: Entry[] = [];
    const note = (one: Entry) => read.push(one);
    assert.equal(entry.pack(note), true);
    assert.ok(entry.weight < weight + 512);
    assert.deepEqual([entry.labels, entry.bound], [{ app: 'x' }, true]);
    assert.deepEqual(read, []);
    assert.notEqual(entry.object, object);
    assert.deepEqual(entry.object, object);
    assert.equal(entry.object, entry.object);
    assert.deepEqual(read, [entry]);
    assert.equal(entry.pack(note), true);
    assert.deepEqual(entry.object, object);
    assert.equal(read.length, 2);
  });

  it('may be seen at another revision, before it is packed and afterwards', () => {
    const entry = entryOf(OBJECT);
    const before = entry.at(9);
    entry.pack(() => undefined);
    const after = entry.at(9);
    assert.deepEqual(after.object, before.object);
    assert.equal(after.object.metadata.resourceVersion, '9');
    assert.deepEqual([after.labels, after.bound], [{ app: 'x' }, true]);
  });

  it('has bytes of its JSON made of the text, and keeps them where somebody is told to let go of them again', () => {
    const refuse = () => assert.fail('the object is not asked');
    const json = Buffer.from(`${stringify(asJson(entryOf(OBJECT).object))}\n`);
    const kept = entryOf(OBJECT);
    const other = kept.encoding('cbor v1', () => Buffer.from('c'));
    const told: Entry[] = [];
    const note = (one: Entry) => told.push(one);
    kept.pack(note);
    assert.deepEqual(told, []);
    const bytes = kept.encoding('json v1', refuse);
    assert.ok(json.equals(bytes));
    assert.deepEqual([told, kept.made('json v1')], [[kept], bytes]);
    kept.pack(note);
    assert.notEqual(kept.made('json v1'), bytes);
    assert.equal(kept.made('cbor v1'), other);

    const replaced = entryOf(OBJECT);
    replaced.pack(undefined);
    const once = replaced.made('json v1') as Uint8Array;
    assert.ok(json.equals(once));
    assert.notEqual(replaced.made('json v1'), once);
    assert.equal(replaced.made('json v2'), undefined);
  });

  it('tells who copies its JSON the text where each character of that is a byte, and else its bytes', () => {
    const refuse = () => assert.fail('the object is not asked');
    const plain = entryOf({ ...OBJECT, data: { e: 'u' } });
    const bytes = plain.made('json v1') as Uint8Array;
    assert.equal(plain.encodingOrText('json v1', refuse), bytes);
    plain.pack(() => undefined);
    assert.equal(plain.encodingOrText('json v1', refuse), Buffer.from(bytes).toString());
    const accented = entryOf(OBJECT);
    accented.pack(() => undefined);
    assert.ok(accented.encodingOrText('json v1', refuse) instanceof Uint8Array);
  });

  it('is no longer what its text says where it is seen at another revision', () => {
    for (const packed of [false, true]) {
      const entry = entryOf(OBJECT);
      if (packed) entry.pack(() => undefined);
      const seen = entry.at(9);
      assert.equal(seen.made('json v1'), undefined);
      assert.ok(entry.made('json v1'));
      assert.equal(
        seen.encodingOrText('json v1', (made) => Buffer.from(made.metadata.resourceVersion ?? '')).length,
        1,
      );
      seen.pack(() => undefined);
      assert.equal(seen.object.metadata.resourceVersion, '9');
    }
  });

  it('shares labels with others that have the same', () => {
    const [one, other] = [entryOf(OBJECT), entryOf(structuredClone(OBJECT))];
    for (const entry of [one, other]) entry.pack(() => undefined);
    assert.equal(one.labels, other.labels);
    const { labels: _, finalizers: __, ...metadata } = OBJECT.metadata;
    const without = entryOf({ ...OBJECT, metadata });
    assert.equal(
      without.pack(() => undefined),
      true,
    );
    assert.deepEqual([without.labels, without.bound], [undefined, false]);
  });

  it('stays as it is without JSON, where it is large, and where it is read elsewhere', () => {
    const read = () => undefined;
    const held = [entryOf(OBJECT, false), entryOf({ ...OBJECT, data: { k: 'x'.repeat(70_000) } })];
    for (const entry of held) {
      const { object } = entry;
      assert.equal(entry.pack(read), false);
      assert.equal(entry.object, object);
    }
    const elsewhere = new Entry('/core/configmaps/n/a', 3, 7, () => OBJECT);
    elsewhere.toldBy(elsewhere.encoding('json v1', () => Buffer.from('{}')));
    assert.equal(elsewhere.pack(read), false);
    assert.equal(elsewhere.object.kind, 'ConfigMap');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DocumentSplitter, NotDocuments } from './documents.ts';

describe('documents of a stream', () => {
  it('are found however the stream is cut and whatever stands between them', () => {
    const gap = fc.constantFrom('', '\n', ' \r\n\t');
    const documents = fc.array(fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), gap), { maxLength: 6 });
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 7 }), (list, step) => {
        const bytes = new TextEncoder().encode(list.map(([value, space]) => JSON.stringify(value) + space).join(''));
        const splitter = new DocumentSplitter();
        const found: string[] = [];
        for (let at = 0; at < bytes.length; at += step) found.push(...splitter.push(bytes.subarray(at, at + step)));
        assert.deepEqual(
          found.map((text) => JSON.parse(text)),
          list.map(([value]) => JSON.parse(JSON.stringify(value))),
        );
        assert.ok(splitter.complete);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
  it('are incomplete where the stream ends within one', () => {
    const splitter = new DocumentSplitter();
    assert.deepEqual(splitter.push(new TextEncoder().encode('{"a":"}')), []);
    assert.ok(!splitter.complete);
  });
  it('are none where there is anything else', () => {
    for (const text of ['<html>', '"text"', '[]', 'null', '}', '{}}']) {
      assert.throws(() => new DocumentSplitter().push(new TextEncoder().encode(text)), NotDocuments, text);
    }
  });
});

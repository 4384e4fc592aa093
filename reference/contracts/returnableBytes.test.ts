import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { giveBack, returnableBytes } from './returnableBytes.ts';

describe('bytes that are given back', () => {
  it('are there until then, and are none afterwards', () => {
    const bytes = returnableBytes(64 * 1024 * 1024);
    assert.equal(bytes.length, 64 * 1024 * 1024);
    bytes.fill('é');
    const before = process.memoryUsage.rss();
    giveBack(bytes.subarray(10, 20));
    assert.equal(bytes.length, 0);
    assert.ok(process.memoryUsage.rss() < before - 32 * 1024 * 1024);
  });

  it('are only those that were made for it', () => {
    const bytes = Buffer.from('others');
    giveBack(bytes);
    assert.equal(bytes.toString(), 'others');
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { firstLine, lastLine } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-files-'));
after(() => rmSync(folder, { recursive: true }));

describe('a line at an end of a file', () => {
  const held = (text: string) => {
    const path = join(folder, 'lines');
    writeFileSync(path, text);
    return [firstLine(path, 4), lastLine(path, 4)];
  };
  it('is found however long it is', () => {
    assert.deepEqual(held('first line\nsecond\nthe last line\n'), ['first line', 'the last line']);
    assert.deepEqual(held('a\nb\n'), ['a', 'b']);
  });
  it('need not be ended', () => {
    assert.deepEqual(held('first\nlast, which is öpen'), ['first', 'last, which is öpen']);
    assert.deepEqual(held('the only one'), ['the only one', 'the only one']);
    assert.deepEqual(held(''), ['', '']);
  });
});

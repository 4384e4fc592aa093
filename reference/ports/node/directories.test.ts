import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeDirectories } from './directories.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-directories-'));
after(() => rmSync(scratch, { recursive: true }));

describe('makeDirectories', () => {
  it('makes a directory with those above it, and leaves one that is there', () => {
    const path = join(scratch, 'a', 'b', 'c');
    makeDirectories(path, 0o700);
    makeDirectories(path);
    for (const each of [path, join(scratch, 'a')]) assert.equal(statSync(each).mode & 0o777, 0o700);
  });
  it('says that a part of the path is no directory', () => {
    writeFileSync(join(scratch, 'file'), '');
    assert.throws(() => makeDirectories(join(scratch, 'file', 'below')), { code: 'ENOTDIR' });
  });
  it('ends where the file system takes no directory', { skip: process.platform !== 'linux' }, () => {
    const none = { code: 'ENOENT', message: 'no directory can be made below /proc' };
    assert.throws(() => makeDirectories('/proc/touchstone/a'), none);
  });
});

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { open } from 'lmdb';
import { LmdbFile } from './lmdbFile.ts';
import { faultIn, type Look, lookOf, NotLookedAt, type ProcessEnd } from './soundness.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-soundness-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const state = { revision: 0, oldest: 0, records: 0, opened: 0 };
const PAGE = 4096;

/** By how many bytes a file is shorter than the last page that was ever given out. */
function shortBy(path: string): number {
  const database = open({ path, encoding: 'binary', keyEncoding: 'binary', readOnly: true });
  const { lastPageNumber, pageSize } = database.getStats() as { lastPageNumber: number; pageSize: number };
  void database.close();
  return (lastPageNumber + 1) * pageSize - statSync(path).size;
}

/** Writes, as a store would, until a commit leaves a file that ends before its last page; answers a copy of it. */
async function shortFile(): Promise<string> {
  const path = join(scratch, 'grows.mdb');
  const copy = join(scratch, 'short.mdb');
  await LmdbFile.create(path, { records: [], state });
  const file = LmdbFile.open(path);
  let last = 0;
  let first = 1;
  for (let commit = 0; commit < 1_000; commit++) {
    const records = Array.from({ length: (commit * 7) % 40 }, (_, at) => ({
      revision: ++last,
      record: Buffer.alloc(at % 8 === 0 ? (commit * 613) % 20_000 : (commit * 97) % 3_000),
    }));
    const obsolete = [];
    for (let left = commit % 3 === 0 ? (commit * 11) % 200 : 0; left > 0 && first < last; left--)
      obsolete.push(first++);
    await file.write({ records, obsolete, state });
    copyFileSync(path, copy);
    if (shortBy(copy) > 0) break;
  }
  await file.close();
  assert.ok(shortBy(copy) > 0, 'no commit left a short file');
  return copy;
}

/** How a look may go, without a process. */
function ending(part: Partial<ProcessEnd>): ProcessEnd {
  return { code: null, signal: null, told: 'walking\n', errors: '', ...part };
}
const KILLED: Look = lookOf(ending({ signal: 'SIGKILL' }));
const FAULTY: Look = { is: 'faulty', fault: 'a fault' };

describe('a look through the file of objects', () => {
  it('finds no fault in a file that ends before its last page, which nobody uses', async () => {
    const path = await shortFile();
    assert.equal(await faultIn(path), undefined);
    assert.equal(existsSync(`${path}.look`), false, 'nothing is left of the copy');
  });
  it('finds that a page is cut off which only the list of free pages is on', async () => {
    const path = join(scratch, 'free.mdb');
    await LmdbFile.create(path, { records: [{ revision: 1, record: Buffer.alloc(100) }], state });
    truncateSync(path, statSync(path).size - PAGE);
    const database = open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', readOnly: true });
    assert.equal([...database.getRange({ snapshot: false })].length, 2, 'every record can be read');
    await database.close();
    assert.equal(await faultIn(path), 'not every page of it is one');
    assert.equal(existsSync(`${path}.look`), false, 'nothing is left of the copy');
  });
  it('calls nothing a fault that befell the process', () => {
    const outside: readonly Partial<ProcessEnd>[] = [
      { signal: 'SIGKILL' },
      { signal: 'SIGINT' },
      { signal: 'SIGTERM' },
      {
        signal: 'SIGABRT',
        errors: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      },
      { signal: 'SIGABRT', told: '' },
      { code: 1, told: '', errors: 'node:internal\nError: Cannot find module lmdb\n' },
      { code: 1, errors: 'Error: Too many open files' },
      { code: 9, told: '' },
      {},
    ];
    for (const part of outside) assert.equal(lookOf(ending(part)).is, 'unknown', JSON.stringify(part));
    for (const signal of ['SIGBUS', 'SIGSEGV', 'SIGABRT'] as const) {
      assert.equal(lookOf(ending({ signal })).is, 'faulty', signal);
    }
    const told = lookOf(ending({ code: 9, told: 'walking\nMDB_CORRUPTED: page is none\nat walk' }));
    assert.deepEqual(told, { is: 'faulty', fault: 'MDB_CORRUPTED: page is none' });
    assert.deepEqual(lookOf(ending({ code: 0 })), { is: 'sound' });
  });
  it('is taken again where it failed, and says so when it fails again and again', async () => {
    const looks = (...seen: readonly Look[]) => {
      const left = [...seen];
      return faultIn('objects.mdb', async () => left.shift() ?? assert.fail('one look too many'));
    };
    assert.equal(await looks(KILLED, { is: 'sound' }), undefined);
    assert.equal(await looks(KILLED, KILLED, { is: 'sound' }), undefined);
    assert.equal(await looks(FAULTY, { is: 'sound' }), undefined);
    assert.equal(await looks(FAULTY, KILLED, FAULTY), 'a fault');
    await assert.rejects(looks(KILLED, FAULTY, KILLED, KILLED), (error) => {
      assert.ok(error instanceof NotLookedAt);
      assert.equal(error.message, 'the process that looks at it was ended by SIGKILL');
      return true;
    });
  });
});

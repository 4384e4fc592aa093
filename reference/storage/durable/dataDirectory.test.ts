import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sample } from '../../testing/storeContract/steps.ts';
import { VirtualClock } from '../../time.ts';
import { PLAIN } from '../encryption/transformer.ts';
import type { Formats } from './dataDirectory.ts';
import { DataDirectoryError } from './dataDirectoryError.ts';
import { formatsOf } from './formats.ts';
import { type Claim, claimDirectory, openDurable } from './openDurable.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-directory-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
/** What a server writes today. */
const { current: PRESENT } = formatsOf(PLAIN);
let count = 0;
const somewhere = () => join(scratch, String(++count));
const claim = (path: string, more: Partial<Claim> = {}) => claimDirectory(path, { dialect: 'kubernetes', ...more });

/** A directory with some objects in it, that nobody has open. */
async function furnished(objects = 200): Promise<string> {
  const path = somewhere();
  const directory = await claim(path);
  const store = openDurable(directory, { clock: new VirtualClock() });
  const writes = Array.from({ length: objects }, (_, i) =>
    store.commit({ key: `/g/r/${i}`, expected: 0, object: { ...sample(`text ${i}`), data: 'x'.repeat(500) } }),
  );
  await Promise.all(writes);
  await store.close();
  directory.release();
  return path;
}

async function textsIn(path: string, more: Partial<Claim> = {}): Promise<unknown[]> {
  const directory = await claim(path, more);
  try {
    const store = openDurable(directory, { clock: new VirtualClock() });
    const texts = store.range({ prefix: '/g/r/' }).entries.map(({ object }) => object.text);
    await store.close();
    return texts;
  } finally {
    directory.release();
  }
}

/** The whole content of a directory. */
const contentOf = (path: string) => readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'latin1')]);

/** The directory is refused with a sentence, and again: it can be neither taken nor damaged by trying. */
async function refused(path: string, message: RegExp, more: Partial<Claim> = {}): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await assert.rejects(textsIn(path, more), (error) => {
      assert.ok(error instanceof DataDirectoryError, String(error));
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
}

describe('a data directory', () => {
  it('is made where it is missing or empty, for its owner alone', async () => {
    const missing = join(somewhere(), 'a', 'b');
    assert.deepEqual(await textsIn(missing), []);
    for (const name of readdirSync(missing).filter((each) => !each.endsWith('-lock'))) {
      assert.equal(statSync(join(missing, name)).mode & 0o077, 0, name);
    }
    const empty = somewhere();
    mkdirSync(empty);
    assert.deepEqual(await textsIn(empty), []);
  });
  it('names its format', async () => {
    const path = await furnished(1);
    assert.deepEqual(JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')), {
      format: 'touchstone data directory',
      version: PRESENT,
      dialect: 'kubernetes',
    });
  });
  it('of somebody else is refused, and stays as it is', async () => {
    const path = somewhere();
    mkdirSync(path);
    writeFileSync(join(path, 'thesis.txt'), 'ten years of work');
    const before = contentOf(path);
    await refused(path, /is no data directory of this server, and not empty either: it holds thesis\.txt/);
    assert.deepEqual(contentOf(path), before);
    writeFileSync(join(path, 'format.json'), '{"format":"something else","version":1}');
    await refused(path, /is no data directory of this server: format\.json in it is of something else/);
  });
  it('that is a file is refused', async () => {
    const path = somewhere();
    writeFileSync(path, '');
    await refused(path, /is no directory, and cannot hold data/);
  });
  it('of another dialect is refused', async () => {
    await refused(await furnished(1), /holds the objects of dialect kubernetes, not of cluster/, {
      dialect: 'cluster',
    });
  });
  it('that was being made when the server died is made anew', async () => {
    const path = await furnished(3);
    rmSync(join(path, 'format.json'));
    assert.deepEqual(await textsIn(path), []);
  });
});

describe('the format of a data directory', () => {
  const beside = (objects: string, name: string) => join(objects, '..', name);
  const NEXT = PRESENT + 1;
  const LATER = PRESENT + 2;
  const toLater: Formats = {
    current: LATER,
    migrations: new Map([
      [PRESENT, (objects) => writeFileSync(beside(objects, 'next'), 'made by one step')],
      [
        NEXT,
        (objects) =>
          writeFileSync(beside(objects, 'later'), `${readFileSync(beside(objects, 'next'), 'utf8')}, then this`),
      ],
    ]),
  };
  const versionOf = (path: string) => JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')).version;

  it('is brought from an older one to the present one, step by step', async () => {
    const path = await furnished(3);
    assert.deepEqual(await textsIn(path, { formats: toLater }), ['text 0', 'text 1', 'text 2']);
    assert.equal(readFileSync(join(path, 'later'), 'utf8'), 'made by one step, then this');
    assert.equal(versionOf(path), LATER);
    rmSync(join(path, 'later'));
    await textsIn(path, { formats: toLater });
    assert.equal(existsSync(join(path, 'later')), false, 'a step is made once');
  });
  it('stands where a step broke off, so that it is begun again', async () => {
    const path = await furnished(1);
    const breaks: Formats = {
      current: LATER,
      migrations: new Map([
        ...toLater.migrations,
        [
          NEXT,
          () => {
            throw new Error('power is out');
          },
        ],
      ]),
    };
    await refused(path, new RegExp(`has format ${NEXT}, and could not be brought to ${LATER}: power is out$`), {
      formats: breaks,
    });
    assert.equal(versionOf(path), NEXT);
    assert.deepEqual(await textsIn(path, { formats: toLater }), ['text 0']);
  });
  it('of a newer server is refused', async () => {
    const path = await furnished(1);
    await textsIn(path, { formats: toLater });
    const why = `was written by a newer server: its format is ${LATER}, and this one reads up to ${PRESENT}`;
    await refused(path, new RegExp(why));
  });
  it('that nobody can read any more is refused', async () => {
    const path = await furnished(1);
    const formats = { current: LATER, migrations: new Map() };
    await refused(path, new RegExp(`has format ${PRESENT}, which is too old`), { formats });
    assert.equal(versionOf(path), PRESENT);
  });
  it('of another dialect is refused before it is changed', async () => {
    const path = await furnished(1);
    await refused(path, /of dialect kubernetes, not of cluster/, { dialect: 'cluster', formats: toLater });
    assert.equal(versionOf(path), PRESENT);
  });
});

describe('a damaged data directory', () => {
  /** Writes over a part of the file of objects. */
  function scribble(path: string, at: number, bytes: Uint8Array): void {
    const file = openSync(join(path, 'objects.mdb'), 'r+');
    writeSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
  }
  const damages: Readonly<Record<string, (path: string) => void>> = {
    'its format file is cut off': (path) => truncateSync(join(path, 'format.json'), 20),
    'its format file is empty': (path) => truncateSync(join(path, 'format.json'), 0),
    'its objects are gone': (path) => rmSync(join(path, 'objects.mdb')),
    'its objects are an empty file': (path) => truncateSync(join(path, 'objects.mdb'), 0),
    'its objects are cut off': (path) =>
      truncateSync(join(path, 'objects.mdb'), Math.floor(statSync(join(path, 'objects.mdb')).size / 2)),
    'its objects are something else': (path) => writeFileSync(join(path, 'objects.mdb'), Buffer.alloc(300_000, 7)),
    'a part of its objects is overwritten': (path) => scribble(path, 40 * 1024, Buffer.alloc(16 * 1024, 9)),
    'a bit of an object is another': (path) => {
      const at = readFileSync(join(path, 'objects.mdb')).lastIndexOf('"text 77"');
      assert.ok(at > 0);
      // Every copy of it: older pages may hold some.
      for (let i = readFileSync(join(path, 'objects.mdb')).indexOf('"text 77"'); i >= 0; ) {
        scribble(path, i + 1, Buffer.from('T'));
        i = readFileSync(join(path, 'objects.mdb')).indexOf('"text 77"', i + 1);
      }
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`is refused when ${what}`, async () => {
      const path = await furnished();
      damage(path);
      await refused(path, /^the data directory .* is damaged: .*; restore it from a snapshot or a copy$/);
    });
  }
});

describe('two servers and one data directory', () => {
  it('are refused while the first one has it, in one process', async () => {
    const path = await furnished(1);
    const directory = await claim(path);
    await refused(path, /is in use by another server/);
    directory.release();
    assert.deepEqual(await textsIn(path), ['text 0']);
  });
  it('are refused while the first one lives, and not once it was killed', async () => {
    const path = await furnished(1);
    const module = fileURLToPath(new URL('./openDurable.ts', import.meta.url));
    const script = `
      const { claimDirectory } = await import(${JSON.stringify(module)});
      await claimDirectory(${JSON.stringify(path)}, { dialect: 'kubernetes' });
      console.log('taken');
      setInterval(() => {}, 1000);
    `;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await refused(path, /is in use by another server/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(await textsIn(path), ['text 0']);
  });
});

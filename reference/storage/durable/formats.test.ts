import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import type { ApiObject } from '../../api/object.ts';
import { VirtualClock } from '../../time.ts';
import type { Transformer } from '../encryption/transformer.ts';
import { LmdbFile } from './lmdbFile.ts';
import { claimDirectory, openDurable } from './openDurable.ts';
import { decodeRecord, encodeRecord } from './record.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-formats-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A record as format 1 had it: the fifth byte says whether there is an object, and nothing of what it is tied to. */
function firstRecord(key: string, created: number, bytes: Uint8Array | undefined): Buffer {
  const name = Buffer.from(key);
  const head = Buffer.alloc(15);
  head[0] = bytes ? 1 : 0;
  head.writeUIntBE(created, 1, 6);
  head.writeUIntBE(1_000, 7, 6);
  head.writeUInt16BE(name.length, 13);
  const rest = Buffer.concat([head, name, bytes ?? Buffer.alloc(0)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(rest));
  return Buffer.concat([sum, rest]);
}

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'free', uid: 'u-free' };
const METADATA: Readonly<Record<string, object>> = {
  free: {},
  owned: { ownerReferences: [owner] },
  held: { finalizers: ['example.com/hold'] },
  going: { deletionTimestamp: '2026-01-01T00:00:00Z' },
  unowned: { ownerReferences: [], finalizers: [] },
};
const BOUND = ['going', 'held', 'owned'];

/** A directory as a server of format 1 left it: five objects, one of which was changed, and one that was deleted. */
async function firstDirectory(name: string, seal: (text: string) => Uint8Array): Promise<string> {
  const path = join(scratch, name);
  mkdirSync(path);
  const object = (of: string) =>
    seal(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: of, ...METADATA[of] } }));
  const key = (of: string) => `/core/configmaps/default/${of}`;
  const records = Object.keys(METADATA).map((of, at) => ({
    revision: 2_000 + at,
    record: firstRecord(key(of), 2_000 + at, object(of)),
  }));
  records.push({ revision: 2_010, record: firstRecord(key('gone'), 2_010, object('free')) });
  records.push({ revision: 2_011, record: firstRecord(key('gone'), 2_010, undefined) });
  records.push({ revision: 2_012, record: firstRecord(key('free'), 2_000, object('free')) });
  const state = { revision: 2_020, oldest: 1_500, records: records.length, opened: 3 };
  await LmdbFile.create(join(path, 'objects.mdb'), { records, state });
  const format = { format: 'touchstone data directory', version: 1, dialect: 'kubernetes' };
  writeFileSync(join(path, 'format.json'), JSON.stringify(format));
  return path;
}

/** What a server finds in a directory, and what it thinks is bound. */
async function foundIn(path: string, transformer?: Transformer) {
  const directory = await claimDirectory(path, { dialect: 'kubernetes', ...(transformer ? { transformer } : {}) });
  try {
    const clock = new VirtualClock();
    const store = openDurable(directory, {
      clock,
      historyWindow: clock.now(),
      ...(transformer ? { transformer } : {}),
    });
    const { entries, revision } = store.range({ prefix: '/' });
    const name = ({ key }: { key: string }) => key.split('/').at(-1) ?? '';
    const found = {
      names: entries.map(name),
      bound: entries.filter(({ bound }) => bound).map(name),
      revision,
      epoch: store.epoch,
      past: store.range({ prefix: '/', revision: 2_010 }).entries.map(name),
    };
    await store.close();
    return found;
  } finally {
    directory.release();
  }
}

const FOUND = {
  names: ['free', 'going', 'held', 'owned', 'unowned'],
  bound: BOUND,
  revision: 2_020,
  epoch: 3,
  past: ['free', 'going', 'gone', 'held', 'owned', 'unowned'],
};
const versionOf = (path: string) => JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')).version;

describe('a directory of format 1', () => {
  it('is brought to the present one with all that is in it, and its past', async () => {
    const path = await firstDirectory('plain', (text) => Buffer.from(text));
    assert.deepEqual(await foundIn(path), FOUND);
    assert.equal(versionOf(path), 3);
    assert.deepEqual(await foundIn(path), FOUND);
  });
  it('is read through its keys, and what no key opens counts as bound', async () => {
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x55);
    const transformer: Transformer = {
      seal: (_key, plain) => flip(plain),
      open: (key, bytes) => {
        if (key.endsWith('/unowned')) throw new Error('no key opens it');
        return { plain: flip(bytes), stale: false };
      },
    };
    const path = await firstDirectory('sealed', (text) => flip(Buffer.from(text)));
    const { bound } = await foundIn(path, transformer);
    assert.deepEqual(bound, [...BOUND, 'unowned']);
  });
});

describe('a directory of format 2', () => {
  const labelled = (of: string, labels?: Record<string, string>) =>
    Buffer.from(
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: of, ...(labels && { labels }) } }),
    );
  it('is brought to the present one, which notes the labels of every object that can be read', async () => {
    const path = join(scratch, 'second');
    mkdirSync(path);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`label-${at}`, 'x'.repeat(20)]));
    const objects: [string, Buffer | undefined][] = [
      ['none', labelled('none')],
      ['some', labelled('some', { app: 'web', tier: 'ä' })],
      ['many', labelled('many', many)],
      ['unreadable', Buffer.from('\u0000')],
      ['gone', labelled('gone', { app: 'web' })],
      ['gone', undefined],
      // More than are written anew at a time.
      ...Array.from({ length: 2_500 }, (_, at): [string, Buffer] => [`o-${at}`, labelled(`o-${at}`, { at: `${at}` })]),
    ];
    const records = objects.map(([of, bytes], at) => {
      const key = `/core/configmaps/default/${of}`;
      const plain = { key, createRevision: 2_000 + at, time: 1_000, bytes, bound: false, labels: undefined };
      return { revision: 2_000 + at, record: encodeRecord(plain) };
    });
    const state = { revision: 9_000, oldest: 1_500, records: records.length, opened: 3 };
    await LmdbFile.create(join(path, 'objects.mdb'), { records, state });
    const format = { format: 'touchstone data directory', version: 2, dialect: 'kubernetes' };
    writeFileSync(join(path, 'format.json'), JSON.stringify(format));

    const directory = await claimDirectory(path, { dialect: 'kubernetes' });
    assert.equal(versionOf(path), 3);
    const file = LmdbFile.open(directory.objects);
    const noted = new Map(
      [...file.records()].map(({ revision, record }) => {
        const { key, labels, bytes } = decodeRecord(revision, record);
        return [`${key.split('/').at(-1)}${bytes ? '' : ' deleted'}`, labels];
      }),
    );
    await file.close();
    directory.release();
    assert.equal(noted.size, records.length);
    assert.equal(noted.get('none'), '');
    assert.equal(noted.get('some'), '{"app":"web","tier":"ä"}');
    for (const of of ['many', 'unreadable', 'gone deleted']) assert.equal(noted.get(of), undefined);
    for (let at = 0; at < 2_500; at++) assert.equal(noted.get(`o-${at}`), `{"at":"${at}"}`);
  });
});

describe('the mark of a bound object', () => {
  it('is that of its last change, after opening again too', async () => {
    const path = join(scratch, 'marks');
    const open = async () => {
      const directory = await claimDirectory(path, { dialect: 'kubernetes' });
      const store = openDurable(directory, { clock: new VirtualClock() });
      return { directory, store };
    };
    const object = (of: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: METADATA[of] ?? {} }) as ApiObject;
    const first = await open();
    for (const of of Object.keys(METADATA))
      await first.store.commit({ key: `/g/r/${of}`, expected: 0, object: object(of) });
    const expected = first.store.get('/g/r/held')?.modRevision ?? 0;
    await first.store.commit({ key: '/g/r/held', expected, object: object('free') });
    const bounds = (store: typeof first.store) =>
      store
        .range({ prefix: '/g/r/' })
        .entries.filter(({ bound }) => bound)
        .map(({ key }) => key);
    assert.deepEqual(bounds(first.store), ['/g/r/going', '/g/r/owned']);
    await first.store.close();
    first.directory.release();
    const second = await open();
    assert.deepEqual(bounds(second.store), ['/g/r/going', '/g/r/owned']);
    await second.store.close();
    second.directory.release();
  });
});

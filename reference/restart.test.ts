import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Entry } from './contracts/entry.ts';
import { readOptions } from './options/loadOptions.ts';
import { createReference, type Reference } from './reference.ts';
import { collect, type InProcessRequest, inProcessRequest } from './transport/inProcess.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-restart-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly continue: string;
}

/** A server in a directory, without a port. */
async function serving(directory: string, ...flags: readonly string[]) {
  const open = ['--clock=virtual', '--seed=7', '--authorization-mode=AlwaysAllow'];
  const loaded = readOptions([...open, `--data-dir=${directory}`, ...flags]);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
  return createReference({ ...loaded.options, authentication });
}

async function ask(reference: Reference, request: InProcessRequest) {
  const reply = await reference.handler(inProcessRequest(request));
  assert.ok(reply.kind === 'whole');
  const body = JSON.parse(Buffer.from(reply.body).toString('utf8')) as {
    metadata: Metadata;
    items: { metadata: Metadata }[];
    status?: { token?: string };
  };
  return { code: reply.code, ...body };
}
/** Whether the object of an entry is in memory: a view is kept only beside it. */
function isInMemory(entry: Entry): boolean {
  const viewer = {};
  // Another one: that it is seen as it is holds without its object.
  entry.keepView(viewer, new Entry(entry.key, 1, 1, { kind: 'Other', apiVersion: 'v1', metadata: { name: 'other' } }));
  return entry.viewOf(viewer) !== undefined;
}
const create = (reference: Reference, name: string) =>
  ask(reference, {
    method: 'POST',
    target: CONFIG_MAPS,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: name } }),
  });

describe('a server that is started again on its directory', () => {
  it('draws other ids and names from its seed, and the same ones in the same life', async () => {
    const lives = async () => {
      const directory = join(scratch, String(++count));
      const drawn: string[] = [];
      for (let life = 0; life < 3; life++) {
        const reference = await serving(directory);
        for (let i = 0; i < 5; i++) {
          const { metadata } = await create(reference, 'c-');
          drawn.push(`${metadata.name} ${metadata.uid}`);
        }
        await reference.close();
      }
      return drawn;
    };
    const first = await lives();
    assert.equal(new Set(first.flatMap((each) => each.split(' '))).size, 30);
    assert.deepEqual(await lives(), first);
  });
  it('reads at its start what it must, and nothing of the others', async () => {
    const directory = join(scratch, String(++count));
    const before = await serving(directory);
    for (let i = 0; i < 3; i++) await create(before, `c${i}-`);
    await ask(before, {
      method: 'POST',
      target: CONFIG_MAPS,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'held', finalizers: ['example.com/hold'] },
      }),
    });
    await before.close();
    const reference = await serving(directory);
    const { entries } = await reference.services.store.range({ prefix: '/core/configmaps/default/' });
    const read = entries.filter(isInMemory).map(({ key }) => key.split('/').at(-1));
    assert.equal(entries.length, 4);
    assert.deepEqual(read, ['held']);
    await reference.close();
  });
  it('goes on with lists in chunks, and with watches', async () => {
    const directory = join(scratch, String(++count));
    const before = await serving(directory);
    for (let i = 0; i < 6; i++) await create(before, `c${i}-`);
    const first = await ask(before, { target: `${CONFIG_MAPS}?limit=3` });
    const later = await create(before, 'b-');
    await before.close();

    const reference = await serving(directory);
    const token = encodeURIComponent(first.metadata.continue);
    const rest = await ask(reference, { target: `${CONFIG_MAPS}?limit=100&continue=${token}` });
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    const names = [...first.items, ...rest.items].map(({ metadata }) => metadata.name);
    assert.deepEqual(names.map((name) => name.slice(0, 3)).sort(), ['c0-', 'c1-', 'c2-', 'c3-', 'c4-', 'c5-']);
    const watch = await reference.handler(
      inProcessRequest({ target: `${CONFIG_MAPS}?watch=true&resourceVersion=${first.metadata.resourceVersion}` }),
    );
    assert.ok(watch.kind === 'stream');
    const stream = collect(watch);
    const next = await create(reference, 'd-');
    const told = stream.text();
    for (const { metadata } of [later, next]) assert.equal(told.split(metadata.uid).length, 2, told);
    stream.stop();
    await reference.close();
  });
  it('remembers as long as the flag says, by its clock', async () => {
    const directory = join(scratch, String(++count));
    const before = await serving(directory, '--etcd-compaction-interval=1m');
    const { metadata } = await create(before, 'a-');
    await create(before, 'b-');
    await before.close();
    const reference = await serving(directory, '--etcd-compaction-interval=1m');
    const exact = `${CONFIG_MAPS}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    assert.equal((await ask(reference, { target: exact })).code, 200);
    reference.advance(60_000);
    assert.equal((await ask(reference, { target: exact })).code, 410);
    await reference.close();
    const forEver = await serving(join(scratch, String(++count)), '--etcd-compaction-interval=0');
    const old = (await create(forEver, 'a-')).metadata.resourceVersion;
    await create(forEver, 'b-');
    forEver.advance(24 * 60 * 60_000);
    const then = `${CONFIG_MAPS}?resourceVersion=${old}&resourceVersionMatch=Exact`;
    assert.equal((await ask(forEver, { target: then })).code, 200);
    await forEver.close();
  });
});

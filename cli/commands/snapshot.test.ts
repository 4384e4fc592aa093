import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference } from '../../reference/reference.ts';
import { type InProcessRequest, inProcessRequest } from '../../reference/transport/inProcess.ts';
import { writeControlFile } from '../serve/controlFile.ts';
import { takeData } from '../serve/data.ts';
import { controlOf } from '../testing/controlOf.ts';
import { printed } from '../testing/printed.ts';
import { UsageError } from '../usageError.ts';
import { snapshot } from './snapshot.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-snapshot-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;
const somewhere = () => join(scratch, String(++count));

/** A server without a port, with flags as `serve` takes them, that anybody may ask. */
async function serving(flags: readonly string[], restore?: string) {
  const loaded = readOptions(['--clock=virtual', '--seed=1', ...flags]);
  if ('errors' in loaded) throw new Error(loaded.errors.join());
  const anonymous = { enabled: true, paths: undefined };
  const options = { ...loaded.options, authentication: { ...loaded.options.authentication, anonymous } };
  const { directory: dataDirectory, image } = await takeData(options, restore);
  const reference = await createReference(options, { dataDirectory, image });
  const { store } = reference.services;
  return {
    reference,
    write: async (name: string) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const result = await store.commit({ key: `/core/configmaps/default/${name}`, expected: 0, object });
      assert.ok(result.committed);
      return result.revision;
    },
    version: async (name: string) => (await store.get(`/core/configmaps/default/${name}`))?.modRevision,
    revision: () => store.revision(),
    stop: async () => {
      await reference.close();
      dataDirectory?.release();
    },
  };
}

const said = (...argv: string[]) => printed(async () => snapshot(argv));
const refused = (message: RegExp, ...argv: string[]) =>
  assert.rejects(snapshot(argv), (error) => error instanceof UsageError && message.test(error.message));

describe('touchstone snapshot', () => {
  it('saves from a server that runs, and another one in memory begins with it', async () => {
    const first = await serving([]);
    const written = await first.write('kept');
    const folder = mkdtempSync(join(scratch, 'running-'));
    const control = await controlOf(first.reference);
    writeControlFile(folder, control);
    assert.equal(statSync(join(folder, 'control.json')).mode & 0o077, 0);
    const file = somewhere();
    assert.match(await said('save', file, '--from', folder), /: \d+ objects at version \d+/);
    assert.equal(statSync(file).mode & 0o077, 0);
    const revision = await first.revision();
    await control.close();
    await first.stop();
    await refused(/does not run any more/, 'save', file, '--from', folder);

    const next = await serving([], file);
    assert.equal(await next.version('kept'), written);
    assert.ok((await next.write('later')) > revision);
    await next.stop();
  });
  it('saves a data directory and restores into another, which then goes on', async () => {
    const directory = somewhere();
    const first = await serving([`--data-dir=${directory}`]);
    const written = await first.write('kept');
    const file = somewhere();
    await refused(/is in use by another server/, 'save', file, '--data-dir', directory);
    assert.equal(existsSync(file), false);
    await first.stop();

    await said('save', file, '--data-dir', directory);
    const told = await said('inspect', file);
    assert.match(told, /taken \d{4}-.*, dialect kubernetes, \d+ bytes/);
    assert.match(told, /^ +\d+ {2}core\/configmaps$/m);
    const copy = somewhere();
    assert.match(await said('restore', file, '--data-dir', copy), /is restored: \d+ objects/);
    await refused(/holds objects already/, 'restore', file, '--data-dir', copy);
    const next = await serving([`--data-dir=${copy}`]);
    assert.equal(await next.version('kept'), written);
    await next.stop();
  });
  it('is a state from which each server goes on alike with the same seed, whatever keeps it', async () => {
    const first = await serving([]);
    await first.write('kept');
    const folder = mkdtempSync(join(scratch, 'running-'));
    const control = await controlOf(first.reference);
    writeControlFile(folder, control);
    const file = somewhere();
    await said('save', file, '--from', folder);
    await control.close();
    await first.stop();

    /** What a server answers that begins with the file: names, uids and versions are drawn anew. */
    const answers = async (seed: number, ...flags: readonly string[]): Promise<string> => {
      const server = await serving(['--authorization-mode=AlwaysAllow', `--seed=${seed}`, ...flags], file);
      const collection = '/api/v1/namespaces/default/configmaps';
      const bodies: string[] = [];
      const ask = async (request: InProcessRequest) => {
        const reply = await server.reference.handler(inProcessRequest(request));
        assert.ok(reply.kind === 'whole' && reply.code < 300, JSON.stringify(reply));
        bodies.push(Buffer.from(reply.body).toString('utf8'));
      };
      for (let i = 0; i < 3; i++) {
        await ask({
          method: 'POST',
          target: collection,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'drawn-' } }),
        });
      }
      await ask({ target: collection });
      await server.stop();
      return bodies.join('\n');
    };
    const once = await answers(7);
    assert.equal(once.split('drawn-').length, 3 * 2 * 2 + 1, once);
    assert.equal(await answers(7), once);
    assert.equal(await answers(7, `--data-dir=${somewhere()}`), once, 'in a directory');
    assert.notEqual(await answers(8), once);
  });
  it('says what is wrong in one sentence', async () => {
    const file = somewhere();
    await refused(/cannot be read: ENOENT/, 'inspect', file);
    writeFileSync(file, 'something else');
    await refused(/is no snapshot of this server/, 'inspect', file);
    await refused(/is no snapshot of this server/, 'restore', file, '--data-dir', somewhere());
    await refused(/takes what to do and one file/, 'save');
    await refused(/takes what to do and one file/, 'toString', file);
    await refused(/There is no data directory/, 'save', file, '--data-dir', somewhere());
    await refused(/No server wrote its control port/, 'save', file, '--from', scratch);
    await refused(/restored with --data-dir or --etcd-servers/, 'restore', file);
    await refused(/These flags go with/, 'save', file, '--dialect', 'cluster');
    assert.equal(readFileSync(file, 'utf8'), 'something else');
  });
  it('keeps dialects apart', async () => {
    const directory = somewhere();
    await (await serving([`--data-dir=${directory}`, '--dialect=cluster'])).stop();
    const file = somewhere();
    await refused(/holds the objects of dialect cluster, not of kubernetes/, 'save', file, '--data-dir', directory);
    await said('save', file, '--data-dir', directory, '--dialect', 'cluster');
    await assert.rejects(serving([], file), /holds the objects of dialect cluster, not of kubernetes/);
  });
});

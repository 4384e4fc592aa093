import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { TinyServer } from '../testing/tinyServer.ts';
import { UnfitCommand } from './launch.ts';
import { placesOf, Rewriter, unfitForFile } from './rewriter.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-rewriter-'));
const tiny = new TinyServer();
const base = await tiny.listen();
after(async () => {
  await tiny.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = join(folder, 'authentication.yaml');
const inForce = { token: 'somebody-of-the-file' };
const target = {
  base,
  mode: 'url' as const,
  dialect: kubernetes,
  release: '1.32',
  version: {},
  identities: { admin: { token: 'somebody' } },
  capabilities: [],
  served: [],
};

describe('a target whose file is written anew', () => {
  it('follows one setup after the other, and finds its file as it was afterwards', async () => {
    writeFileSync(path, 'as found');
    const at = new Rewriter(target, { path, original: 'as found' });
    const flags = [`--authentication-config=${path}`];
    writeFileSync(path, 'one');
    const first = await at.start({ flags, inForce });
    assert.equal(first.replaced?.(), false);
    writeFileSync(path, 'second');
    const second = await at.start({ flags, inForce });
    assert.deepEqual([first.replaced?.(), second.replaced?.()], [true, false], 'there is one file');
    await at.restore();
    await at.restore();
    assert.equal(second.replaced?.(), true);
    assert.equal(readFileSync(path, 'utf8'), 'as found');
  });
  it('can be given nothing but this file, and nothing that no credential tells of', async () => {
    const at = new Rewriter(target, { path, original: 'as found' });
    await assert.rejects(at.start({ flags: ['--authentication-config=/elsewhere'], inForce }), UnfitCommand);
    await assert.rejects(at.start({ flags: [`--authentication-config=${path}`] }), UnfitCommand);
    await assert.rejects(at.start({ flags: [`--authentication-config=${path}`], inForce, ended: true }), UnfitCommand);
    const named = ['--authentication-config={a.json}'];
    assert.deepEqual(placesOf({ path, original: '' }, named), { 'a.json': path });
    assert.equal(unfitForFile(named, inForce), undefined);
    assert.notEqual(unfitForFile([...named, '--anonymous-auth=false'], inForce), undefined);
    assert.notEqual(unfitForFile(named, undefined), undefined);
  });
});

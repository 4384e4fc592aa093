import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TinyServer } from '../testing/tinyServer.ts';
import { lacking } from './capabilities.ts';
import { CannotTest, detect, dialectOf, releaseOf } from './detect.ts';

const reach = (base: string) => ({ base, mode: 'url' as const, identities: { admin: { token: 'somebody' } } });

describe('detection', () => {
  it('finds dialect, release, what is served and who we are', async () => {
    const tiny = new TinyServer();
    const target = await detect(reach(await tiny.listen()));
    await tiny.close();
    assert.equal(target.dialect.name, 'kubernetes');
    assert.equal(target.release, '1.32');
    assert.ok(target.served.includes('v1/configmaps'));
    assert.equal(target.identities.admin?.user, 'Bearer somebody');
    assert.equal(lacking(target.capabilities, 'rbac'), undefined);
    assert.match(lacking(target.capabilities, 'plain-identity') ?? '', /no second identity was given/);
    assert.deepEqual(tiny.paths(), [], 'looking leaves nothing behind');
  });
  it('says in one sentence why a target cannot be tested', async () => {
    const tiny = new TinyServer({ fault: 'refuses-everybody' });
    const base = await tiny.listen();
    await assert.rejects(detect(reach(base)), (error) => error instanceof CannotTest && /401/.test(error.message));
    await tiny.close();
    await assert.rejects(detect(reach(base)), /cannot be reached: nobody listens there/);
    const open = new TinyServer();
    const plain = await open.listen();
    await assert.rejects(detect(reach(plain.replace('http:', 'https:'))), /cannot be reached: .*https/);
    await open.close();
  });
  it('reads the dialect off the names of groups', () => {
    assert.equal(dialectOf(['apps', 'rbac.authorization.k8s.io']).name, 'kubernetes');
    assert.equal(dialectOf(['rbac.authorization.cluster.example']).name, 'cluster');
    const third = dialectOf(['rbac.authorization.other.example']);
    assert.equal(third.apiDomain, 'other.example');
    assert.equal(third.vendor, 'cluster', 'words that the name does not give are those of the specification');
  });
  it('reads a release with what vendors add to it', () => {
    assert.equal(releaseOf({ major: '1', minor: '32+' }), '1.32');
    assert.equal(releaseOf({ major: 'v1' }), '');
  });
});

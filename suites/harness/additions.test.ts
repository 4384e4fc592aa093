import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { type Look, withAdditions } from './additions.ts';
import { Exchange, Received } from './client/exchange.ts';
import * as match from './match.ts';
import type { Target } from './target/target.ts';

const FOUND = { mode: 'url', dialect: kubernetes } as unknown as Target;

const account = (name: string, more: object = {}) => ({
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'home', resourceVersion: '1' },
  ...more,
});
function answer(status: number, body: object): Exchange {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Exchange({
    number: 1,
    actor: 'author',
    words: 'author creates it',
    sent: { method: 'POST', path: '/', headers: {}, body: undefined },
    received: new Received(status, { headers: {}, all: {} }, bytes),
    phase: 'preparation',
    at: 0,
    took: 0,
    failure: undefined,
  });
}
/** A target whose default account looks so, and whose new one has nothing the first time it is asked for. */
function target(defaultAccount: object): { readonly look: Look; readonly paths: string[] } {
  const paths: string[] = [];
  const look: Look = async (_, path) => {
    paths.push(path);
    if (path.endsWith('/default/serviceaccounts/default')) return answer(200, account('default', defaultAccount));
    return answer(200, paths.length < 3 ? account('a') : account('a', { secrets: [{ name: 'a-token' }] }));
  };
  return { look, paths };
}

describe('what a target adds to new objects by itself', () => {
  it('is waited for where the target adds it', async () => {
    const { look, paths } = target({ secrets: [{ name: 'token' }] });
    const now = await withAdditions({ ...FOUND }, answer(201, account('a')), look);
    assert.deepEqual(now.json, account('a', { secrets: [{ name: 'a-token' }] }));
    assert.equal(paths.at(-1), '/api/v1/namespaces/home/serviceaccounts/a');
  });
  it('is not waited for where it adds nothing, and nothing is asked again', async () => {
    const { look, paths } = target({});
    const made = answer(201, account('a'));
    const found = { ...FOUND };
    assert.equal(await withAdditions(found, made, look), made);
    assert.equal(await withAdditions(found, made, look), made);
    assert.equal(paths.length, 1);
  });
  it('is no matter of other kinds, nor of what is not created', async () => {
    const { look, paths } = target({ secrets: [{ name: 'token' }] });
    const found = { ...FOUND };
    for (const made of [answer(201, { ...account('a'), kind: 'Role' }), answer(200, account('a'))])
      assert.equal(await withAdditions(found, made, look), made);
    assert.deepEqual(paths, []);
  });
  it('is no difference to what was created, and all else is', () => {
    const made = account('a', { imagePullSecrets: [] }) as never;
    const has = (more: object) => match.asCreated(made).differences(answer(200, account('a', more)), '').length === 0;
    assert.ok(has({ imagePullSecrets: [] }));
    assert.ok(has({ imagePullSecrets: [], secrets: [{ name: 'a-token' }] }));
    assert.ok(!has({ secrets: [{ name: 'a-token' }] }));
    assert.ok(!has({ imagePullSecrets: [], other: 1 }));
  });
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { apiServers, type ReferenceServer } from './test.ts';

const CONFIGMAPS = '/api/v1/namespaces/team/configmaps';
const configMap = (name: string): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ metadata: { name } }),
  headers: { 'content-type': 'application/json' },
});

describe('servers for tests', () => {
  let prepared = 0;
  const servers = apiServers({
    clock: 'virtual',
    namespaces: ['team'],
    users: { jane: { clusterRole: 'edit', namespace: 'team' }, bob: { groups: ['devs'] } },
    prepare: () => {
      prepared++;
    },
  });
  after(() => servers.close());

  it('are each their own, and closed behind the test', async () => {
    const seen: ReferenceServer[] = [];
    const body = servers.test(async (server, context: string) => {
      assert.equal(context, 'context');
      seen.push(server);
      assert.equal((await server.as('jane').fetch(CONFIGMAPS, configMap('a'))).status, 201);
      assert.deepEqual(server.as('bob').groups, ['devs']);
      assert.equal((await server.as('bob').fetch(CONFIGMAPS)).status, 403);
    });
    assert.equal(body.length, 0);
    for (let run = 0; run < 3; run++) await body('context');
    assert.equal(prepared, 1);
    for (const server of seen) await assert.rejects(server.fetch('/'), /closed/);
  });

  it('tell, when the test fails, what came, what was decided and what changed', async () => {
    const wrong = new Error('it is wrong');
    const body = servers.test(async (server) => {
      await server.as('jane').fetch(CONFIGMAPS, configMap('a'));
      await server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', labels: { a: 'b' } } });
      await server.as('bob').fetch(`${CONFIGMAPS}/a`, { method: 'DELETE' });
      throw wrong;
    });
    await assert.rejects(body(), wrong);
    for (const text of [wrong.message, wrong.stack ?? '']) {
      assert.match(text, /^(Error: )?it is wrong\n/);
      assert.match(text, /1\. jane: POST \/api\/v1\/namespaces\/team\/configmaps → 201/);
      assert.match(text, /storage, store: created/);
      assert.match(text, /3\. bob: DELETE .* → 403\n.*authorization, /);
      assert.match(text, /nobody allows it/);
      assert.match(text, /answered: configmaps "a" is forbidden/);
      assert.match(text, /created \/core\/configmaps\/team\/a/);
      assert.match(text, /changed \/core\/namespaces\/team\n +metadata\.labels.*: absent → /);
    }
  });

  it('are fixtures of Vitest and of Playwright Test', async () => {
    const failed: { message: string }[] = [{ message: 'wrong' }];
    const attached: string[] = [];
    const use = async (server: ReferenceServer) => {
      assert.equal((await server.fetch(CONFIGMAPS)).status, 200);
    };
    await servers.vitest({ task: { result: { errors: failed } } }, use);
    assert.match(failed[0]?.message ?? '', /^wrong\n\nRequests/);
    const attach = async (name: string, { body }: { body: string }) => void attached.push(name, body);
    await servers.playwright({}, use, { errors: [], attach });
    assert.deepEqual(attached, []);
    await servers.playwright({}, use, { errors: [{ message: 'wrong' }], attach });
    assert.equal(attached[0], 'server');
    assert.match(attached[1] ?? '', /admin: GET/);
    // The runners read which fixtures a fixture needs from its source.
    assert.match(String(servers.vitest), /^async ?\(\{ ?task ?\}, ?use\)/);
    assert.match(String(servers.playwright), /^async ?\(\{ ?\}, ?use, ?info\)/);
  });

  it('say once for all tests why they cannot be prepared', async () => {
    const broken = apiServers({ objects: ['{ apiVersion: a/v1, kind: B, metadata: { name: c } }'] });
    const body = broken.test(() => assert.fail('a server is there'));
    await assert.rejects(body(), /B of a\/v1 is not served/);
    await assert.rejects(body(), /B of a\/v1 is not served/);
  });
});

import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { authority } from './authority.ts';
import { type AuthorizationWebhook, authorizationWebhook } from './authorizationWebhook.ts';
import { Services } from './services.ts';

async function withWebhook(use: (hook: AuthorizationWebhook, services: Services) => Promise<void>): Promise<void> {
  const services = new Services();
  try {
    await use(await services.get(authorizationWebhook, 'first'), services);
  } finally {
    await services.close();
  }
}

describe('a webhook for access reviews', () => {
  it('answers about each user as it is told, in the version of the question, and has no opinion on others', () =>
    withWebhook(async (hook, services) => {
      hook.decide('ada', 'allow');
      hook.decide('eve', async ({ spec }) => (spec.path === '/' ? 'deny' : { status: { allowed: 'odd' } }));
      const status = async (spec: object) => ((await ask(hook, services, spec)) as { status: unknown }).status;
      assert.deepEqual(await status({ user: 'ada' }), { allowed: true });
      assert.deepEqual(await status({ user: 'eve', path: '/' }), { allowed: false, denied: true });
      assert.deepEqual(await status({ user: 'eve' }), { allowed: 'odd' });
      const answer = (await ask(hook, services, { user: 'bob' })) as { apiVersion: string; status: unknown };
      assert.deepEqual([answer.apiVersion, answer.status], ['authorization.k8s.io/v1', { allowed: false }]);
    }));
  it('keeps what it was asked, and who asked', () =>
    withWebhook(async (hook, services) => {
      await ask(hook, services, { user: 'ada', groups: ['staff'] });
      assert.deepEqual(hook.asked('bob'), []);
      const [asked] = hook.asked('ada');
      assert.deepEqual([asked?.spec.groups, asked?.client, asked?.method], [['staff'], 'ada', 'POST']);
      hook.decide('ada', 'allow');
      assert.deepEqual(hook.asked('ada'), [], 'what was asked before another script is forgotten');
    }));
  it('answers anything else where it is told to, and hangs up', () =>
    withWebhook(async (hook, services) => {
      hook.decide('ada', { instead: { status: 500, body: { broken: true } } });
      assert.deepEqual(await ask(hook, services, { user: 'ada' }), { broken: true });
      hook.decide('ada', { instead: 'hang-up' });
      await assert.rejects(ask(hook, services, { user: 'ada' }));
    }));
  it('has a client configuration whose files are those of the setup', () =>
    withWebhook(async (hook) => {
      const text = JSON.stringify(hook.files);
      for (const name of Object.keys(hook.files).filter((each) => !each.endsWith('.json'))) {
        assert.ok(text.includes(`"{${name}}"`), name);
      }
      assert.ok(`${hook.configFile.slice(1, -1)}` in hook.files);
    }));
});

/** Posts a review to where the client configuration says. */
async function ask(hook: AuthorizationWebhook, services: Services, spec: object): Promise<object> {
  const signer = await services.get(authority);
  const { certificate, key } = await signer.client('ada');
  const config = hook.files[hook.configFile.slice(1, -1)] as { clusters: [{ cluster: { server: string } }] };
  const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec });
  return new Promise((resolve, reject) => {
    request(
      config.clusters[0].cluster.server,
      { method: 'POST', ca: signer.pem, cert: certificate, key, agent: false },
      async (response) => resolve(JSON.parse((await response.toArray()).join(''))),
    )
      .on('error', reject)
      .end(body);
  });
}

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { closeEvidence, Evidence, openEvidence } from '../evidence.ts';
import { Site } from '../target/site.ts';
import type { Target } from '../target/target.ts';
import { untilRefusedAgain } from './lingering.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const LIST = '/api/v1/configmaps?limit=1';

describe('what the stranger was allowed in the whole cluster', () => {
  let server: Server;
  let site: Site;
  let evidence: Evidence;
  /** Every request, in order, with its body. */
  let asked: string[];
  /** How often each path is still allowed. */
  const lingers = new Map<string, number>();

  beforeEach(async () => {
    asked = [];
    lingers.clear();
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      const as = headers['impersonate-user'] ?? '';
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        asked.push([method, url, as, body].filter((each) => each !== '').join(' '));
        const [path = ''] = url.split('?');
        const left = lingers.get(path) ?? 0;
        lingers.set(path, left - 1);
        const status = left <= 0 ? 403 : method === 'POST' ? 201 : 200;
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const identities = { admin: { token: 'a' }, plain: { token: 's' } };
    const target: Target = {
      ...{ base, mode: 'url' as const, dialect: kubernetes, release: '1.36', version: {}, identities },
      ...{ capabilities: [], served: [] },
    };
    site = new Site({ target, run: { id: 'run', seed: '', strict: false } }, 0);
    evidence = new Evidence({
      ...{ title: 't', requirements: [], level: 'MUST', strict: false, redactor: site.redactor },
    });
    openEvidence(evidence);
  });
  afterEach(async () => {
    closeEvidence();
    await site.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const stranger = () => site.client('stranger', { token: 's' });
  async function granted(): Promise<void> {
    lingers.set(BINDINGS, 1);
    await site.client('admin', { token: 'a' }).send('admin binds', 'POST', BINDINGS, { body: {} });
  }
  /** What is asked once the check is over. */
  async function askedAgain(): Promise<string[]> {
    asked = [];
    await untilRefusedAgain(stranger(), evidence);
    return asked;
  }

  it('is asked until it is refused', async () => {
    await granted();
    lingers.set('/api/v1/configmaps', 3);
    await stranger().send('stranger lists', 'GET', LIST);
    assert.deepEqual(await askedAgain(), [`GET ${LIST}`, `GET ${LIST}`, `GET ${LIST}`]);
    assert.equal(evidence.sent().exchanges.at(-1)?.phase, 'cleanup');
  });
  it('is asked so that nothing comes of it, and as whom it was asked', async () => {
    await granted();
    lingers.set('/api/v1/nodes', 1);
    lingers.set('/apis/authentication.k8s.io/v1/selfsubjectreviews', 1);
    await stranger().send('stranger creates', 'POST', '/api/v1/nodes', { body: { metadata: { name: 'n' } } });
    const headers = { 'impersonate-user': 'ada' };
    await stranger().send('stranger acts', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...{ headers, body: { kind: 'SelfSubjectReview' } },
    });
    assert.deepEqual(await askedAgain(), [
      'POST /api/v1/nodes?dryRun=All {}',
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All ada {}',
    ]);
  });
  it('is not asked where nothing was granted, where it was refused, of names of the check, and of what is everybody’s', async () => {
    const paths = ['/api/v1', '/version', '/api/v1/namespaces/touchstone-run-1/configmaps'];
    lingers.set('/api/v1/configmaps', 1);
    await stranger().send('stranger lists', 'GET', LIST);
    assert.deepEqual(await askedAgain(), [], 'nothing was granted');
    await granted();
    for (const path of paths) {
      lingers.set(path, 1);
      await stranger().send('stranger asks', 'GET', path);
    }
    await stranger().send('stranger asks what is refused', 'GET', '/api/v1/secrets');
    assert.deepEqual(await askedAgain(), [`GET ${LIST}`], 'only what was allowed of what others ask as well');
  });
});

import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { authority } from './authority.ts';
import { type ServiceKind, Services } from './services.ts';
import { openTlsServer } from './tlsServer.ts';

describe('the services of a worker', () => {
  it('are opened once for each name, and closed with it', async () => {
    const log: string[] = [];
    const kind: ServiceKind<{ close(): void }> = async (_, name) => {
      log.push(`open ${name}`);
      return { close: () => log.push(`close ${name}`) };
    };
    const services = new Services();
    assert.equal(await services.get(kind), await services.get(kind));
    await services.get(kind, 'other');
    await services.close();
    assert.deepEqual(log, ['open one', 'open other', 'close one', 'close other']);
  });
  it('answer by TLS of an authority, and see which certificate was shown', async () => {
    const services = new Services();
    const signer = await services.get(authority);
    const server = await openTlsServer(services, ({ path, client }) => ({ status: 201, body: { path, client } }));
    const { certificate, key } = await signer.client('ada', ['staff']);
    const answer = await get(`${server.base}/a?b=c`, { ca: server.ca, cert: certificate, key });
    assert.deepEqual(answer, { status: 201, body: { path: '/a?b=c', client: 'ada' } });
    await assert.rejects(get(server.base, { ca: (await services.get(authority, 'other')).pem }));
    await server.close();
    await services.close();
  });
});

function get(
  url: string,
  options: { ca: string; cert?: string | undefined; key?: string | undefined },
): Promise<object> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, body: JSON.parse(text) });
    })
      .on('error', reject)
      .end();
  });
}

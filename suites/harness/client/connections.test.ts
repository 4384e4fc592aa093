import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { authority } from '../services/authority.ts';
import { Services } from '../services/services.ts';
import { openTlsServer, type ServiceRequest, type TlsServer } from '../services/tlsServer.ts';
import { Prober } from '../target/probe.ts';
import type { Identity } from '../target/target.ts';
import { ScriptedPlugin } from '../testing/scriptedPlugin.ts';
import { Connections } from './connections.ts';

const services = new Services();
after(() => services.close());

/** A server that refuses whom `accepts` does not, and what it was asked. */
async function withServer(
  accepts: (call: ServiceRequest) => boolean,
  use: (
    ask: (identity: Identity) => Promise<number>,
    calls: readonly ServiceRequest[],
    server: TlsServer,
  ) => Promise<void>,
): Promise<void> {
  const calls: ServiceRequest[] = [];
  const server = await openTlsServer(services, (call) => {
    calls.push(call);
    return { status: accepts(call) ? 200 : 401, body: {} };
  });
  const connections = new Connections({ base: server.base, ca: server.ca });
  const prober = new Prober(server.base, connections);
  try {
    await use(async (identity) => (await prober.get(identity, '/')).status, calls, server);
  } finally {
    await connections.close();
    await server.close();
  }
}
const tokens = (calls: readonly ServiceRequest[]) => calls.map(({ headers }) => headers.authorization);

describe('connections', () => {
  it('show the token of a plugin, and a newer one where it is refused (EXEC-STATUS-01, EXEC-CACHE-02)', async () => {
    const plugin = new ScriptedPlugin().answers({ status: { token: 'one' } });
    let good = 'Bearer one';
    await withServer(
      ({ headers }) => headers.authorization === good,
      async (ask, calls) => {
        const identity = { exec: plugin.plugin };
        assert.equal(await ask(identity), 200);
        assert.equal(await ask(identity), 200);
        good = 'Bearer two';
        plugin.answers({ status: { token: 'two' } });
        assert.equal(await ask(identity), 200);
        assert.deepEqual(tokens(calls), ['Bearer one', 'Bearer one', 'Bearer one', 'Bearer two']);
        assert.equal(plugin.calls.length, 2);
        good = 'nobody';
        assert.equal(await ask(identity), 401, 'the plugin has nothing newer');
        assert.equal(calls.length, 5, 'so nothing is sent again');
      },
    );
    plugin.remove();
  });
  it('do the handshake anew where a plugin gives another certificate (EXEC-STATUS-02, EXEC-CACHE-03)', async () => {
    const signer = await services.get(authority);
    const [ada, ben] = [await signer.client('ada'), await signer.client('ben')];
    const by = ({ certificate, key }: Identity) => ({
      status: { clientCertificateData: `${certificate}\n${signer.pem}`, clientKeyData: key },
    });
    const plugin = new ScriptedPlugin().answers(by(ada));
    let good = 'ada';
    await withServer(
      ({ client }) => client === good,
      async (ask, calls) => {
        const identity = { exec: plugin.plugin };
        assert.equal(await ask(identity), 200);
        good = 'ben';
        plugin.answers(by(ben));
        assert.equal(await ask(identity), 200);
        assert.equal(await ask(identity), 200);
        assert.deepEqual(
          calls.map(({ client }) => client),
          ['ada', 'ada', 'ben', 'ben'],
        );
      },
    );
    plugin.remove();
  });
  it('do so too where the certificate had an end and has reached it (EXEC-CACHE-03)', async () => {
    const signer = await services.get(authority);
    const plugin = new ScriptedPlugin();
    await withServer(
      () => true,
      async (ask, calls) => {
        for (const name of ['ada', 'ben']) {
          const { certificate, key } = await signer.client(name);
          const expirationTimestamp = '2020-01-01T00:00:00Z';
          plugin.answers({ status: { clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } });
          assert.equal(await ask({ exec: plugin.plugin }), 200);
        }
        assert.deepEqual(
          calls.map(({ client }) => client),
          ['ada', 'ben'],
        );
      },
    );
    plugin.remove();
  });
  it('tell why a plugin gave nothing, and ask no server', async () => {
    const plugin = new ScriptedPlugin().answers('no JSON');
    await withServer(
      () => true,
      async (_, calls, server) => {
        const prober = new Prober(server.base, new Connections({ base: server.base, ca: server.ca }));
        const { status, failure = '' } = await prober.get({ exec: plugin.plugin }, '/');
        assert.equal(status, 0);
        assert.match(failure, /credential plugin .* failed: it wrote no JSON/);
        assert.equal(calls.length, 0);
      },
    );
    plugin.remove();
  });
  it('never ask a plugin for somebody who has credentials of their own', async () => {
    await withServer(
      () => false,
      async (ask, calls) => {
        assert.equal(await ask({ token: 'wrong' }), 401);
        assert.equal(calls.length, 1);
      },
    );
  });
});

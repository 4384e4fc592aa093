import https from 'node:https';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createReference, type ReferenceServer } from '../../embed/reference.ts';
import { apiServers, type Servers } from '../../embed/test.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, type FigureRow } from './scenario.ts';

const OBJECTS = 1_000;
const ROUNDS = 300;
const TESTS = 1_000;

/** What a fork of a server with a thousand objects costs, and a thousand tests with a server each. */
export const forks: BenchScenario = {
  name: 'forks',
  async run() {
    const image = await createReference({ clock: 'virtual' });
    await fill(image);
    const costs = [await forkCost(image, async () => undefined), await forkCost(image, writes)];
    const bytes = await forkBytes(image);
    await image.close();
    const rows: FigureRow[] = [
      { name: `fork of ${OBJECTS} objects, and its end`, figure: `${costs[0]?.toFixed(2)} ms of CPU` },
      { name: 'the same with a create and a get', figure: `${costs[1]?.toFixed(2)} ms of CPU` },
      { name: 'memory of a fork', figure: `${(bytes / 1024).toFixed(0)} KiB` },
    ];
    for (const [name, body] of Object.entries(BODIES)) rows.push(await testsOf(name, body));
    return rows;
  },
};

/** What a test does: a create and a get, each way. */
const BODIES: Readonly<Record<string, (server: ReferenceServer) => Promise<void>>> = {
  'in process': writes,
  'over HTTP': async (server) => {
    const { url } = await server.listen({ protocol: 'http' });
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const body = configMap('mine');
    await expect(201, fetch(url + CONFIG_MAPS, { method: 'POST', headers, body }));
    await expect(200, fetch(`${url}${CONFIG_MAPS}/c5`, { headers }));
  },
  'over HTTPS, connections kept': async (server) => {
    const { url, ca = '' } = await server.listen();
    kept ??= new https.Agent({ keepAlive: true, ca });
    await writesTo(server, url, kept);
  },
  'over HTTPS, a connection each': async (server) => {
    const { port, ca = '', serverName = '' } = await server.listen();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca, servername: serverName });
    await writesTo(server, `https://127.0.0.1:${port}`, agent);
    agent.destroy();
  },
};
/** One client for all servers of the process, each of which has a path on their one port. */
let kept: https.Agent | undefined;

async function writesTo(server: ReferenceServer, url: string, agent: https.Agent): Promise<void> {
  const ask = (method: string, path: string, body?: string) =>
    new Promise<{ status: number | undefined }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
      https
        .request(url + path, { agent, method, headers }, (response) => {
          response.resume().on('end', () => resolve({ status: response.statusCode }));
        })
        .on('error', reject)
        .end(body);
    });
  await expect(201, ask('POST', CONFIG_MAPS, configMap('mine')));
  await expect(200, ask('GET', `${CONFIG_MAPS}/c5`));
}

async function fill(server: ReferenceServer): Promise<void> {
  for (let n = 0; n < OBJECTS; n++) await create(server, `c${n}`);
}

const create = (server: ReferenceServer, name: string) =>
  expect(
    201,
    server.fetch(CONFIG_MAPS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: configMap(name),
    }),
  );

async function writes(server: ReferenceServer): Promise<void> {
  await create(server, 'mine');
  await expect(200, server.fetch(`${CONFIG_MAPS}/c5`));
}

async function expect(status: number, answer: Promise<{ readonly status: number | undefined }>): Promise<void> {
  const { status: found } = await answer;
  if (found !== status) throw new Error(`answered ${found}, not ${status}`);
}

/** Milliseconds of CPU of one, the second half of the rounds counting. */
async function forkCost(image: ReferenceServer, use: (fork: ReferenceServer) => Promise<void>): Promise<number> {
  let before = process.cpuUsage();
  for (let round = 0; round < 2 * ROUNDS; round++) {
    if (round === ROUNDS) before = process.cpuUsage();
    const fork = await image.fork();
    await use(fork);
    await fork.close();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUNDS / 1000;
}

async function forkBytes(image: ReferenceServer): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const kept: ReferenceServer[] = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < ROUNDS; round++) kept.push(await image.fork());
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / ROUNDS;
  for (const fork of kept) await fork.close();
  return bytes;
}

async function testsOf(name: string, body: (server: ReferenceServer) => Promise<void>): Promise<FigureRow> {
  const servers: Servers = apiServers({ clock: 'virtual', prepare: fill });
  const test = servers.test(body);
  await test();
  const [before, began] = [process.cpuUsage(), performance.now()];
  for (let round = 0; round < TESTS; round++) await test();
  const { user, system } = process.cpuUsage(before);
  const took = (performance.now() - began) / 1000;
  await servers.close();
  const cpu = (user + system) / TESTS / 1000;
  return { name: `${TESTS} tests ${name}`, figure: `${took.toFixed(1)} s, ${cpu.toFixed(1)} ms of CPU each` };
}

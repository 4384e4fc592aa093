import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../reference/api/query.ts';
import type { Seams } from '../../reference/seams.ts';
import { type CampaignOptions, campaign } from './campaign.ts';
import { FuzzServer } from './server.ts';
import { selectors } from './surfaces/selectors.ts';
import type { Surface } from './surfaces/surface.ts';
import { writes } from './surfaces/writes.ts';
import { watched } from './watched.ts';

const OPTIONS: CampaignOptions = {
  seed: 1,
  runs: 300,
  time: 600_000,
  listener: { begins: () => undefined, ended: () => undefined },
};
const withFault = (surface: Surface, seams: Seams): Surface => ({
  ...surface,
  start: () => FuzzServer.start(['--feature-gates=CBORServingAndStorage=true'], {}, seams),
});

test('a dry run that is real is found, and shown again by its number', async () => {
  const forgetful = withFault(writes, {
    handler: (next) => (request) => next({ ...request, query: parseQuery('') }),
  });
  const { found } = await campaign(forgetful, OPTIONS);
  assert.ok(found);
  assert.match(found.message, /a dry run changed what is stored/);
  const again = await campaign(forgetful, { ...OPTIONS, run: found.run });
  assert.deepEqual([again.found?.message, again.found?.sent], [found.message, found.sent]);
});

test('a fault of the server is found by its code, and told with the requests that led to it', async () => {
  const faulty = withFault(writes, {
    reply: (reply, request) =>
      request.method === 'PUT' && reply.kind === 'whole' ? { ...reply, code: 500, body: Buffer.from('{}') } : reply,
  });
  const { found } = await campaign(faulty, OPTIONS);
  assert.ok(found);
  assert.match(found.message, /^500: /);
  assert.match(found.sent.at(-1) ?? '', /^PUT /);
});

test('a chunk that leaves something out is found', async () => {
  const hasty: Surface = {
    ...selectors,
    async start() {
      const server = await FuzzServer.start(
        [],
        {},
        {
          handler: (next) => (request) =>
            next(request.query.has('continue') ? { ...request, query: parseQuery('labelSelector=none') } : request),
        },
      );
      for (const name of ['a', 'b']) {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
        await server.send({ method: 'POST', target: '/api/v1/namespaces/default/configmaps', body });
      }
      return server;
    },
  };
  const { found } = await campaign(hasty, OPTIONS);
  assert.match(found?.message ?? '', /chunks have/);
});

test('a process that does nothing else any more is ended, one that ends by itself is told with its errors', async () => {
  const heard: unknown[] = [];
  const loop = 'process.send("alive"); setTimeout(() => { for (;;); }, 10)';
  const stopped = await watched(['-e', loop], 2_000, (message) => heard.push(message));
  assert.deepEqual([stopped.stopped, heard], [true, ['alive']]);
  const ended = await watched(
    ['-e', 'process.disconnect(); throw new Error("no more memory")'],
    60_000,
    () => undefined,
  );
  assert.deepEqual([ended.stopped, ended.code], [false, 1]);
  assert.match(ended.errors, /no more memory/);
});

// One server, prepared once, and as many others as it takes.
import assert from 'node:assert/strict';
import { createReference } from 'touchstone/reference';

const image = await createReference({ clock: 'virtual' });
await image.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' }, data: { turn: '0' } });

const path = '/api/v1/namespaces/default/configmaps/shared';
const turn = async (server, to) => {
  const answer = await server.fetch(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ data: { turn: to } }),
  });
  return (await answer.json()).data.turn;
};

// Neither sees what the other does.
const [one, other] = [await image.fork(), await image.fork()];
assert.equal(await turn(one, '1'), '1');
assert.equal(await turn(other, '2'), '2');
assert.equal((await (await image.fetch(path)).json()).data.turn, '0');

// Back to the fork's beginning, or to any moment that was kept.
const kept = await one.snapshot();
await one.reset();
assert.equal((await (await one.fetch(path)).json()).data.turn, '0');
await one.restore(kept);
assert.equal((await (await one.fetch(path)).json()).data.turn, '1');

for (const server of [one, other, image]) await server.close();

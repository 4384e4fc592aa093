import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIGMAPS, configMap, hookScene } from '../../testing/webhookFixture.ts';

test('a hook that hangs holds up the writes that ask it, and no others', async () => {
  const scene = await hookScene();
  try {
    scene.hooks.scripts.set('slow', 'hang');
    const objectSelector = { matchLabels: { wait: 'yes' } };
    await scene.configure('Validating', 'v', [{ path: 'slow', objectSelector, timeoutSeconds: 30 }]);
    const labels = { metadata: { labels: { wait: 'yes' } } };
    const waiting = Array.from({ length: 20 }, (_, index) =>
      scene.send('POST', CONFIGMAPS, { body: configMap(`waiting-${index}`, labels) }),
    );
    for (let index = 0; index < 20; index++) {
      const { status } = await scene.send('POST', CONFIGMAPS, { body: configMap(`other-${index}`) });
      assert.equal(status, 201);
    }
    const { items } = (await scene.send('GET', CONFIGMAPS)).body as { items: unknown[] };
    // The others are stored beside the one that every namespace has, and nothing that waits is.
    assert.equal(items.length, 21);
    while (scene.hooks.asked.length < waiting.length) await new Promise((resolve) => setImmediate(resolve));
    scene.clock.advance(30_000);
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 500);
  } finally {
    await scene.close();
  }
});

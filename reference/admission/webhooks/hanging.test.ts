import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIGMAPS, configMap, hookFixture } from '../../testing/webhookFixture.ts';

test('a hook that hangs holds up the writes that ask it, and no others', async () => {
  const fixture = await hookFixture();
  try {
    fixture.hooks.scripts.set('slow', 'hang');
    const objectSelector = { matchLabels: { wait: 'yes' } };
    await fixture.configure('Validating', 'v', [{ path: 'slow', objectSelector, timeoutSeconds: 30 }]);
    const labels = { metadata: { labels: { wait: 'yes' } } };
    const waiting = Array.from({ length: 20 }, (_, index) =>
      fixture.send('POST', CONFIGMAPS, { body: configMap(`waiting-${index}`, labels) }),
    );
    for (let index = 0; index < 20; index++) {
      const { status } = await fixture.send('POST', CONFIGMAPS, { body: configMap(`other-${index}`) });
      assert.equal(status, 201);
    }
    const { items } = (await fixture.send('GET', CONFIGMAPS)).body as { items: unknown[] };
    // The others are stored beside the one that every namespace has, and nothing that waits is.
    assert.equal(items.length, 21);
    while (fixture.hooks.asked.length < waiting.length) await new Promise((resolve) => setImmediate(resolve));
    fixture.clock.advance(30_000);
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 500);
  } finally {
    await fixture.close();
  }
});

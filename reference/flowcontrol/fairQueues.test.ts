import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueues, hand } from './fairQueues.ts';

const flows = fc.string({ maxLength: 20 });

test('a flow is dealt different queues, the same ones each time', () => {
  fc.assert(
    fc.property(flows, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 12 }), (flow, queues, size) => {
      const dealt = hand(flow, queues, size);
      assert.deepEqual(dealt, hand(flow, queues, size));
      assert.equal(new Set(dealt).size, Math.min(queues, size));
      assert.ok(dealt.every((index) => index >= 0 && index < queues));
    }),
  );
});

test('hands differ from flow to flow', () => {
  const hands = new Set(Array.from({ length: 1_000 }, (_, i) => hand(`schema/user-${i}`, 64, 6).join()));
  assert.ok(hands.size > 995, String(hands.size));
  const seen = new Set(Array.from({ length: 1_000 }, (_, i) => hand(`user-${i}`, 64, 6)).flat());
  assert.equal(seen.size, 64);
});

const request = (seats = 1) => ({ seats, proceed: () => undefined });

test('nobody waits behind the whole of a busy flow', () => {
  const queues = new FairQueues({ queues: 64, handSize: 6, queueLengthLimit: 50 });
  const busy = Array.from({ length: 200 }, () => request());
  for (const one of busy) assert.equal(queues.join('busy', one), true);
  const quiet = request();
  queues.join('quiet', quiet);
  const order = Array.from({ length: 201 }, () => queues.take());
  // The six queues of the busy flow have their turn before, once each.
  assert.ok(order.indexOf(quiet) <= 6, String(order.indexOf(quiet)));
  assert.equal(queues.take(), undefined);
});

test('a flow that fills its hand is refused, and what leaves makes room', () => {
  const queues = new FairQueues({ queues: 8, handSize: 2, queueLengthLimit: 3 });
  const joined = Array.from({ length: 7 }, () => request()).filter((one) => queues.join('flow', one));
  assert.equal(joined.length, 6);
  assert.equal(queues.length, 6);
  const [first] = joined;
  if (first) queues.leave(first);
  assert.equal(queues.length, 5);
  assert.equal(queues.join('flow', request()), true);
});

test('within a queue the first that came is the first served', () => {
  const queues = new FairQueues({ queues: 1, handSize: 1, queueLengthLimit: 10 });
  const [a, b, c] = [request(3), request(), request()];
  for (const one of [a, b, c]) queues.join('any', one);
  assert.deepEqual([queues.take(), queues.take(), queues.take()], [a, b, c]);
});

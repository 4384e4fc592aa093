import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../api/identity.ts';
import type { RequestInfo } from '../api/request.ts';
import type { Admitted } from '../contracts/flowControl.ts';
import { VirtualClock } from '../time.ts';
import type { FlowSchema } from './flowSchema.ts';
import { PriorityAndFairness } from './priorityAndFairness.ts';
import type { LevelOptions } from './priorityLevel.ts';

const INFO: RequestInfo = { isResource: false, verb: 'get', path: '/' };
const user = (username: string): User => ({ username, uid: '', groups: [], extra: {} });

/** Each level has a schema of its own name, for the users whose name begins with it. */
function fixture(
  seats: number,
  levels: Readonly<Record<string, Partial<LevelOptions['limited'] & object> | undefined>>,
) {
  const clock = new VirtualClock();
  const fairness = new PriorityAndFairness({ seats, patience: 15_000, clock }, (schema, level) => ({
    schema: schema.uid,
    level: level.uid,
  }));
  const schemas = Object.keys(levels).map(
    (name, i): FlowSchema => ({
      name,
      uid: `schema-${name}`,
      level: name,
      precedence: i + 1,
      distinguisher: 'ByUser',
      matches: (_, { username }) => username.startsWith(name),
    }),
  );
  fairness.configure({
    schemas,
    levels: Object.entries(levels).map(([name, limited]) => ({
      name,
      uid: `level-${name}`,
      limited: limited && { shares: 1, lendable: 0, borrowing: undefined, queuing: undefined, ...limited },
    })),
  });
  return { clock, fairness };
}

const queuing = { queues: 4, handSize: 1, queueLengthLimit: 10 };
const stays = { signal: new AbortController().signal };
const enter = (fairness: PriorityAndFairness, name: string, request: { signal: AbortSignal } = stays) =>
  (async () => fairness.enter(INFO, user(name), request))();
const TOO_MANY = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } };

test('a level without queues sends away what finds no seat, and tells how a request was sorted', async () => {
  const { fairness } = fixture(2, { a: {}, b: {} });
  const first = await enter(fairness, 'a');
  assert.deepEqual(first.headers, { schema: 'schema-a', level: 'level-a' });
  await assert.rejects(enter(fairness, 'a'), TOO_MANY);
  await enter(fairness, 'b');
  first.release();
  (await enter(fairness, 'a')).release();
  await assert.rejects(enter(fairness, 'c'), TOO_MANY);
  const [a] = fairness.flows;
  assert.deepEqual(a, {
    schema: 'a',
    level: 'a',
    executing: 0,
    waiting: 0,
    dispatched: 2,
    rejected: { 'concurrency-limit': 1, 'queue-full': 0, 'time-out': 0, cancelled: 0 },
  });
});

test('an exempt level has no limit and takes no seats', async () => {
  const { fairness } = fixture(1, { exempt: undefined, a: {} });
  for (let i = 0; i < 100; i++) await enter(fairness, 'exempt');
  await enter(fairness, 'a');
  assert.deepEqual(fairness.levels, [
    { level: 'exempt', nominal: 0 },
    { level: 'a', nominal: 1 },
  ]);
});

test('a level without shares still serves one at a time', async () => {
  const { fairness } = fixture(10, { a: { shares: 0 }, b: {} });
  const first = await enter(fairness, 'a');
  await assert.rejects(enter(fairness, 'a'), TOO_MANY);
  first.release();
  await enter(fairness, 'a');
});

test('those that wait are served when a seat is free, each flow in turn', async () => {
  const { fairness } = fixture(1, { a: { queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } } });
  const served: string[] = [];
  let running = await enter(fairness, 'a');
  const ask = (name: string) =>
    enter(fairness, name).then((admitted) => {
      served.push(name);
      running = admitted;
    });
  const all = [...Array.from({ length: 30 }, () => ask('a-busy')), ask('a-quiet')];
  for (let i = 0; i < all.length; i++) {
    const before = served.length;
    running.release();
    while (served.length === before) await Promise.resolve();
  }
  await Promise.all(all);
  assert.ok(served.indexOf('a-quiet') <= 6, served.join());
  assert.equal([...fairness.flows][0]?.waiting, 0);
});

test('waiting ends after a time, or with the client, and a full queue takes nobody', async () => {
  const { clock, fairness } = fixture(1, { a: { queuing: { ...queuing, queues: 1, queueLengthLimit: 2 } } });
  await enter(fairness, 'a');
  const gone = new AbortController();
  const late = enter(fairness, 'a');
  const left = enter(fairness, 'a', gone);
  await assert.rejects(enter(fairness, 'a'), TOO_MANY);
  gone.abort();
  await assert.rejects(left, TOO_MANY);
  clock.advance(14_999);
  assert.equal([...fairness.flows][0]?.waiting, 1);
  clock.advance(1);
  await assert.rejects(late, TOO_MANY);
  assert.deepEqual([...fairness.flows][0]?.rejected, {
    'concurrency-limit': 0,
    'queue-full': 1,
    'time-out': 1,
    cancelled: 1,
  });
});

test('seats are lent while their level has no use for them, and never missing when it has', async () => {
  const { fairness } = fixture(20, { a: { lendable: 50 }, b: {} });
  const borrowed: Admitted[] = [];
  for (let i = 0; i < 15; i++) borrowed.push(await enter(fairness, 'b'));
  await assert.rejects(enter(fairness, 'b'), TOO_MANY);
  // The lender has its ten at once, though five of them are taken.
  for (let i = 0; i < 10; i++) await enter(fairness, 'a');
  for (const one of borrowed.slice(0, 6)) one.release();
  await enter(fairness, 'b');
  await assert.rejects(enter(fairness, 'b'), TOO_MANY);
});

test('who may borrow only so much has no more', async () => {
  const { fairness } = fixture(20, { a: { lendable: 100 }, b: { borrowing: 20 } });
  for (let i = 0; i < 12; i++) await enter(fairness, 'b');
  await assert.rejects(enter(fairness, 'b'), TOO_MANY);
});

test('another configuration counts from then on, and serves who waits', async () => {
  const { fairness } = fixture(4, { a: { queuing }, b: { shares: 3 } });
  await enter(fairness, 'a');
  const waits = enter(fairness, 'a');
  const schema = { name: 's', uid: 'u', level: 'a', precedence: 1, distinguisher: undefined, matches: () => true };
  const limited = { shares: 4, lendable: 0, borrowing: undefined, queuing };
  fairness.configure({ schemas: [schema], levels: [{ name: 'a', uid: 'v', limited }] });
  await waits;
  assert.deepEqual((await enter(fairness, 'whoever')).headers, { schema: 'u', level: 'v' });
  assert.deepEqual(fairness.levels, [{ level: 'a', nominal: 4 }]);
});

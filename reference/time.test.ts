import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CallContext } from './ports/context.ts';
import { RunningClock, VirtualClock } from './time.ts';

// Timers of the reference do not keep a process alive.
const alive = setInterval(() => {}, 1_000);
after(() => clearInterval(alive));

test('timers run in the order of their instants, equal ones as they were set, cancelled ones not', () => {
  const clock = new VirtualClock(0);
  const ran: string[] = [];
  const set = (name: string, delay: number) => clock.after(delay, () => ran.push(`${name} ${clock.now()}`));
  set('c', 30);
  set('a', 10);
  const gone = set('gone', 10);
  set('b', 10);
  const late = set('late', 40);
  set('never', 50);
  clock.after(20, () => {
    set('within', 5);
    late.cancel();
  });
  gone.cancel();
  gone.cancel();
  clock.advance(49);
  assert.deepEqual(ran, ['a 10', 'b 10', 'within 25', 'c 30']);
  assert.equal(clock.now(), 49);
  assert.equal(clock.nextDue, 50);
});

test('a running clock runs its timers as time passes, one that is set later and due sooner among them', async () => {
  const clock = new RunningClock();
  const ran: string[] = [];
  clock.after(3_600_000, () => ran.push('in an hour'));
  await new Promise<void>((resolve) => {
    clock.after(20, () => {
      ran.push('second');
      // Set while the clock runs others.
      clock.after(1, resolve);
    });
    clock.after(5, () => ran.push('first'));
  });
  assert.deepEqual(ran, ['first', 'second']);
  clock.stop();
});

test('a running clock that is set ahead runs at once what fell due, and sooner what comes then', async () => {
  const clock = new RunningClock();
  const began = clock.now();
  const ran: string[] = [];
  clock.after(60_000, () => ran.push('in a minute'));
  const soon = new Promise<void>((resolve) => clock.after(120_010, resolve));
  clock.advance(120_000);
  assert.deepEqual(ran, ['in a minute']);
  await soon;
  assert.ok(clock.now() - began >= 120_010);
  clock.stop();
});

test('a running clock runs a timer outside of the call that made it wait', async () => {
  const clock = new RunningClock();
  const calls = new CallContext<string>();
  const seen = await new Promise((resolve) => {
    calls.run('a call', () => clock.after(5, () => resolve(calls.get() ?? 'none')));
  });
  assert.equal(seen, 'none');
  clock.stop();
});

test('a running clock that was stopped runs nothing any more', () => {
  const clock = new RunningClock();
  let ran = false;
  clock.after(10, () => {
    ran = true;
  });
  clock.stop();
  clock.after(10, () => {
    ran = true;
  });
  clock.stop();
  clock.advance(1_000);
  assert.equal(ran, false);
});

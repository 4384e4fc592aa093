import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryStore } from '../storage/memory.ts';
import { sample } from '../testing/storeContract/steps.ts';
import { VirtualClock } from '../time.ts';
import { delegate, type EventSink, type Store } from './store.ts';
import { Follower } from './storeFollower.ts';

/** A store whose watches tell nothing of what happens while it is cut off, and break when it is back. */
function cutOff(inner: MemoryStore, sinks: EventSink[], isOff: () => boolean): Store {
  return {
    ...delegate(inner),
    watch(prefix, after, sink) {
      sinks.push(sink);
      return inner.watch(prefix, after, { event: (event) => !isOff() && sink.event(event) });
    },
  };
}

describe('a follower', () => {
  it('tells what it missed when its watch broke: what has gone, what came, and what was made anew', async () => {
    const clock = new VirtualClock();
    const inner = new MemoryStore({ clock });
    const put = (name: string) =>
      inner.commit({
        key: `/g/r/${name}`,
        expected: inner.get(`/g/r/${name}`)?.modRevision ?? 0,
        object: sample(name),
      });
    const remove = (name: string) =>
      inner.commit({ key: `/g/r/${name}`, expected: inner.get(`/g/r/${name}`)?.modRevision ?? 0, object: null });
    for (const name of ['gone', 'same', 'changed', 'anew']) put(name);
    const told: string[] = [];
    const sinks: EventSink[] = [];
    let off = false;
    const follower = new Follower(
      cutOff(inner, sinks, () => off),
      '/g/r/',
      clock,
      ({ key, deleted }) => told.push(`${deleted ? '-' : '+'}${key.slice(5)}`),
    );
    await follower.start();
    assert.deepEqual(told.splice(0), ['+anew', '+changed', '+gone', '+same']);
    put('changed');
    assert.deepEqual(told.splice(0), ['+changed']);
    off = true;
    remove('gone');
    remove('anew');
    put('anew');
    put('changed');
    put('new');
    off = false;
    sinks.at(-1)?.failed?.(new Error('it broke'));
    clock.advance(1_000);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assert.deepEqual(told.splice(0), ['-gone', '-anew', '+anew', '+changed', '+new']);
    put('same');
    assert.deepEqual(told, ['+same']);
    follower.stop();
    inner.close();
  });
});

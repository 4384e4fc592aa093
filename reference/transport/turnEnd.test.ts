import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnEnd } from './turnEnd.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the end of a turn', () => {
  it('sends answers in their order, and writes to streams behind them', async () => {
    const end = new TurnEnd();
    const left: string[] = [];
    end.stream(() => left.push('stream'));
    end.answer(() => left.push('one'), 10);
    end.answer(() => left.push('two'), 10);
    assert.deepEqual(left, []);
    await turn();
    assert.deepEqual(left, ['one', 'two', 'stream']);
  });

  it('does not wait for it where much is to be sent', async () => {
    const end = new TurnEnd();
    const left: number[] = [];
    for (let at = 0; at < 40; at++) end.answer(() => left.push(at), 10);
    assert.equal(left.length, 32);
    end.answer(() => left.push(40), 70_000);
    assert.equal(left.length, 41);
    assert.deepEqual(left, [...left.keys()]);
    end.answer(() => left.push(41), 10);
    await turn();
    assert.equal(left.length, 42);
  });

  it('comes again for what is made ready at the end of a turn', async () => {
    const end = new TurnEnd();
    const left: string[] = [];
    end.stream(() => end.answer(() => left.push('later'), 10));
    await turn();
    assert.deepEqual(left, []);
    await turn();
    assert.deepEqual(left, ['later']);
  });
});

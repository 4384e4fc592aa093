import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable } from '../../contracts/store.ts';
import { int64, type Method, type RangeRequest, type RangeResponse, type TxnRequest } from './messages.ts';
import { SharedReads } from './sharedReads.ts';

/** An etcd where each key holds its own name; it writes down what each call asked for. */
class Echo {
  readonly calls: string[][] = [];
  fault: Error | undefined;

  async read<Q, R>(_: Method<Q, R>, request: Q): Promise<R> {
    const revision = this.calls.length + 1;
    const alone = request as Partial<RangeRequest>;
    const together = request as unknown as TxnRequest;
    const ranges = alone.key ? [alone as RangeRequest] : together.success.map((one) => one.requestRange);
    this.calls.push(ranges.map((range) => String(range?.key)));
    if (this.fault) throw this.fault;
    const answers = ranges.map((range) => answer(range as RangeRequest, revision));
    const txn = {
      header: { revision },
      responses: answers.map(({ kvs, count }) => ({ responseRange: { kvs, count } })),
    };
    return (alone.key ? answers[0] : txn) as R;
  }
}
function answer({ key }: RangeRequest, revision: number): RangeResponse {
  const kv = { key, value: key, createRevision: 1, modRevision: 1, version: 1 };
  return { header: { revision }, kvs: [kv], count: 1 };
}
const textOf = ({ kvs }: RangeResponse) => String(kvs[0]?.value);
const key = (name: string) => Buffer.from(name);

describe('reads of etcd', () => {
  it('that are asked for in one turn share a call, and each gets its own answer', async () => {
    const etcd = new Echo();
    const reads = new SharedReads(etcd);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => reads.ask({ key: key(name) })));
    assert.deepEqual(answers.map(textOf), ['a', 'b', 'c']);
    assert.deepEqual(etcd.calls, [['a', 'b', 'c']]);
    for (const { header } of answers) assert.equal(int64(header.revision), 1);
  });
  it('that are asked for after a call was sent go with the next one, and see what is there then', async () => {
    const etcd = new Echo();
    const reads = new SharedReads(etcd);
    const first = await reads.ask({ key: key('a') });
    const second = await reads.ask({ key: key('a') });
    assert.deepEqual(etcd.calls, [['a'], ['a']]);
    assert.deepEqual(
      [first, second].map(({ header }) => int64(header.revision)),
      [1, 2],
    );
  });
  it('of the same are made once, and those that differ in anything each by itself', async () => {
    const etcd = new Echo();
    const reads = new SharedReads(etcd);
    const list = { key: key('a'), rangeEnd: key('b') };
    const asked = [
      { key: key('a') },
      { key: key('a') },
      { ...list, limit: 1 },
      { ...list, limit: 2 },
      { ...list, limit: 1 },
    ];
    await Promise.all([...asked, { key: key('a'), countOnly: true }].map((one) => reads.ask(one)));
    assert.deepEqual(etcd.calls, [['a', 'a', 'a', 'a']]);
  });
  it('of many keys, or of long lists, are divided into calls', async () => {
    const etcd = new Echo();
    const reads = new SharedReads(etcd);
    const names = Array.from({ length: 150 }, (_, i) => `k${i}`);
    assert.deepEqual((await Promise.all(names.map((name) => reads.ask({ key: key(name) })))).map(textOf), names);
    assert.deepEqual(
      etcd.calls.map(({ length }) => length),
      [64, 64, 22],
    );
    etcd.calls.length = 0;
    const lists = Array.from({ length: 5 }, (_, i) => ({ key: key(`l${i}`), rangeEnd: key('m'), limit: 400 }));
    await Promise.all(lists.map((list) => reads.ask(list)));
    assert.deepEqual(
      etcd.calls.map(({ length }) => length),
      [2, 2, 1],
    );
  });
  it('that fail say so to all who share the call, and to nobody after them', async () => {
    const etcd = new Echo();
    const reads = new SharedReads(etcd);
    etcd.fault = new StoreUnavailable('away');
    const asked = ['a', 'b', 'a'].map((name) => reads.ask({ key: key(name) }));
    await Promise.all(asked.map((one) => assert.rejects(one, StoreUnavailable)));
    etcd.fault = undefined;
    assert.equal(textOf(await reads.ask({ key: key('a') })), 'a');
  });
});

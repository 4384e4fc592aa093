import assert from 'node:assert/strict';
import test from 'node:test';
import type { StreamReply, Wire } from '../../contracts/reply.ts';
import { endingOf } from './ending.ts';

/** A stream whose wire the test holds, and how often its end was told. */
function fixture() {
  const client = new AbortController();
  let wire: Wire | undefined;
  let stopped = 0;
  let told = 0;
  const reply: StreamReply = {
    kind: 'stream',
    code: 200,
    headers: {},
    start: (given) => {
      wire = given;
      return { stop: () => void stopped++ };
    },
  };
  const sent: string[] = [];
  const plain: Wire = {
    pending: 7,
    whenReady: undefined,
    write: (frame) => sent.push(Buffer.from(frame).toString()) > 1,
    end: () => void sent.push('end'),
  };
  const ending = endingOf(reply, client.signal, () => void told++);
  return { client, sent, plain, ending, wire: () => wire as Wire, counts: () => ({ stopped, told }) };
}

test('a stream that ends by itself is over once, whatever follows', () => {
  const { ending, plain, wire, sent, client, counts } = fixture();
  const running = ending.start(plain);
  assert.equal(wire().write(Buffer.from('a')), false);
  assert.equal(wire().write(Buffer.from('b')), true);
  assert.equal(wire().pending, 7);
  wire().end();
  assert.deepEqual([sent, counts()], [['a', 'b', 'end'], { stopped: 0, told: 1 }]);
  running.stop();
  client.abort();
  assert.deepEqual(counts(), { stopped: 1, told: 1 });
});

test('a client that goes before the stream began is its end too', () => {
  const { client, counts } = fixture();
  client.abort();
  assert.equal(counts().told, 1);
  const gone = new AbortController();
  gone.abort();
  let told = 0;
  endingOf({ kind: 'stream', code: 200, headers: {}, start: () => ({ stop: () => {} }) }, gone.signal, () => told++);
  assert.equal(told, 1);
});

test('a wire can tell that its reader caught up only where the one below can', () => {
  const { ending, plain, wire } = fixture();
  ending.start(plain);
  assert.equal(wire().whenReady, undefined);
  let asked = 0;
  const other = fixture();
  other.ending.start({ ...plain, whenReady: () => void asked++ });
  other.wire().whenReady?.(() => {});
  assert.equal(asked, 1);
});

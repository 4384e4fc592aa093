import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../api/status.ts';
import type { WatchAnswer } from '../contracts/answer.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { type Fixture, Reader, readingFixture } from '../testing/readingFixture.ts';
import { watch } from './watch.ts';

async function answer(fixture: Fixture, query = '', where: { namespace?: string; name?: string } = { namespace: 'n' }) {
  const found = await watch(fixture.call('watch', query, where));
  assert.equal(found.kind, 'watch');
  return found as WatchAnswer;
}
const opened = async (fixture: Fixture, query = '', where?: { namespace?: string; name?: string }) =>
  new Reader(await answer(fixture, query, where));
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

describe('watch: where it begins', () => {
  for (const query of ['', 'resourceVersion=', 'resourceVersion=0']) {
    it(`${query || 'unset'}: with what exists, then what changes`, async () => {
      const fixture = readingFixture();
      const b = fixture.put('n', 'b');
      const a = fixture.put('n', 'a');
      fixture.put('other', 'c');
      const reader = await opened(fixture, query);
      assert.deepEqual(reader.texts, [`ADDED n/a ${a}`, `ADDED n/b ${b}`]);
      const gone = fixture.remove('n', 'b');
      assert.deepEqual(reader.texts.slice(2), [`DELETED n/b ${gone}`]);
    });
  }
  it('a version: with the first change after it', async () => {
    const fixture = readingFixture();
    const a = fixture.put('n', 'a');
    const b = fixture.put('n', 'b');
    const changed = fixture.put('n', 'a', { text: '2' });
    const reader = await opened(fixture, `resourceVersion=${a}`);
    const again = fixture.put('n', 'a', { text: '3' });
    assert.deepEqual(reader.texts, [`ADDED n/b ${b}`, `MODIFIED n/a ${changed} 2`, `MODIFIED n/a ${again} 3`]);
  });
  it('the future: in silence', async () => {
    const fixture = readingFixture();
    fixture.put('n', 'a');
    const reader = await opened(
      fixture,
      'resourceVersion=9000000000000000000&timeoutSeconds=2&allowWatchBookmarks=true',
    );
    fixture.put('n', 'a');
    fixture.clock.advance(2_000);
    assert.deepEqual([reader.texts, reader.ended], [[], true]);
  });
  it('the forgotten past: with an error on the stream', async () => {
    const fixture = readingFixture();
    const first = fixture.put('n', 'a');
    const last = fixture.put('n', 'a');
    fixture.clock.advance(5 * 60_000);
    const reader = await opened(fixture, `resourceVersion=${first}`);
    assert.deepEqual(reader.texts, [`ERROR 410 too old resource version: ${first} (${last})`]);
    assert.equal(reader.ended, true);
  });
  it('a snapshot that is opened late still has no gap', async () => {
    const fixture = readingFixture();
    const a = fixture.put('n', 'a');
    const found = await answer(fixture);
    const b = fixture.put('n', 'b');
    assert.deepEqual(new Reader(found).texts, [`ADDED n/a ${a}`, `ADDED n/b ${b}`]);
  });
});

describe('watch: streaming lists', () => {
  it('tell the end of what existed by a bookmark, when bookmarks are allowed', async () => {
    const fixture = readingFixture();
    const a = fixture.put('n', 'a');
    const other = fixture.put('other', 'b');
    const reader = await opened(fixture, `${INITIAL}&allowWatchBookmarks=true`);
    assert.deepEqual(reader.texts, [`ADDED n/a ${a}`, `BOOKMARK ${other} end of initial`]);
    const silent = await opened(fixture, INITIAL);
    assert.deepEqual(silent.texts, [`ADDED n/a ${a}`]);
    const b = fixture.put('n', 'b');
    assert.deepEqual(silent.texts.slice(1), [`ADDED n/b ${b}`]);
  });
  it('from a version: the present state, once it is that new', async () => {
    const fixture = readingFixture();
    const a = fixture.put('n', 'a');
    const answering = answer(fixture, `${INITIAL}&allowWatchBookmarks=true&resourceVersion=${a + 1}`);
    await settle();
    const b = fixture.put('n', 'b');
    assert.deepEqual(new Reader(await answering).texts, [
      `ADDED n/a ${a}`,
      `ADDED n/b ${b}`,
      `BOOKMARK ${b} end of initial`,
    ]);
  });
  it('from a version that does not come: an error on the stream', async () => {
    const fixture = readingFixture();
    const answering = answer(fixture, `${INITIAL}&resourceVersion=9000000000`);
    await settle();
    fixture.clock.advance(3_000);
    const reader = new Reader(await answering);
    assert.deepEqual(reader.texts, [
      `ERROR 504 Timeout: Too large resource version: 9000000000, current: ${fixture.store.revision()}`,
    ]);
    assert.equal(reader.ended, true);
  });
  it('that are refused begin with the next change', async () => {
    const fixture = readingFixture();
    fixture.put('n', 'a');
    const reader = await opened(fixture, 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan');
    const b = fixture.put('n', 'b');
    assert.deepEqual(reader.texts, [`ADDED n/b ${b}`]);
  });
  it('are what a watch without version is, unless the gate is off', async () => {
    const open = (on: boolean) => opened(readingFixture({ gates: { WatchList: on } }), 'allowWatchBookmarks=true');
    assert.equal((await open(true)).events.length, 1);
    assert.equal((await open(false)).events.length, 0);
  });
  const only = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  const rows: [string, string[]][] = [
    ['sendInitialEvents=true', [`Forbidden: ${only}`]],
    ['sendInitialEvents=maybe', [`Forbidden: ${only}`]],
    ['sendInitialEvents=false', [`Forbidden: ${only}`]],
    [
      'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5',
      [`Forbidden: ${only}`, 'Unsupported value: "Exact": supported values: "NotOlderThan"'],
    ],
    [
      'resourceVersionMatch=NotOlderThan&resourceVersion=5',
      ['Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'],
    ],
    [`${INITIAL}&continue=abc`, ['Forbidden: resourceVersionMatch is forbidden when continue is provided']],
    ['continue=abc', ['Forbidden: resourceVersionMatch is forbidden when continue is provided']],
  ];
  for (const [query, causes] of rows) {
    it(`422 for ${query}`, async () => {
      await assert.rejects(answer(readingFixture(), query), (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.details?.causes?.map((cause) => cause.message)], [422, causes]);
        return true;
      });
    });
  }
  it('400 and 500 for what does not parse', async () => {
    const fixture = readingFixture();
    await assert.rejects(answer(fixture, 'timeoutSeconds=soon'), { code: 400 });
    await assert.rejects(answer(fixture, 'resourceVersion=abc'), {
      code: 500,
      reason: '',
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });
});

describe('watch: selections', () => {
  it('an object enters as ADDED and leaves as DELETED, as it was, under the new version', async () => {
    const fixture = readingFixture();
    const start = fixture.put('n', 'a', { labels: { app: 'x' }, text: 'in' });
    const reader = await opened(fixture, `resourceVersion=${start}&labelSelector=app%3Dx`);
    const left = fixture.put('n', 'a', { text: 'out' });
    fixture.put('n', 'a', { text: 'unseen' });
    const back = fixture.put('n', 'a', { labels: { app: 'x' }, text: 'back' });
    fixture.put('n', 'b', { text: 'never' });
    fixture.remove('n', 'b');
    const gone = fixture.remove('n', 'a');
    assert.deepEqual(reader.texts, [`DELETED n/a ${left} in`, `ADDED n/a ${back} back`, `DELETED n/a ${gone} back`]);
  });
  it('the object that leaves is one entry for all who watch', async () => {
    const fixture = readingFixture();
    fixture.put('n', 'a', { labels: { app: 'x' } });
    const readers = [await opened(fixture, 'labelSelector=app'), await opened(fixture, 'labelSelector=app%3Dx', {})];
    fixture.put('n', 'a');
    const [one, two] = readers.map((reader) => reader.events[1]);
    assert.ok(one?.type === 'DELETED' && two?.type === 'DELETED');
    assert.equal(one.entry, two.entry);
  });
  it('one object by its name, in the path or in the selector', async () => {
    const fixture = readingFixture();
    const where = { namespace: 'n', name: 'a' };
    const readers = [
      await opened(fixture, '', where),
      await opened(fixture, 'fieldSelector=metadata.name%3Da', where),
      await opened(fixture, 'fieldSelector=metadata.name%3Da', {}),
    ];
    fixture.put('n', 'ab');
    const a = fixture.put('n', 'a');
    for (const reader of readers) assert.deepEqual(reader.texts, [`ADDED n/a ${a}`]);
    await assert.rejects(answer(fixture, 'fieldSelector=metadata.name%3Db', where), {
      code: 400,
      message: "fieldSelector metadata.name doesn't match requested name",
    });
  });
});

describe('watch: bookmarks and its end', () => {
  it('bookmarks come once a minute and shortly before the end, with what the watch has seen', async () => {
    const fixture = readingFixture();
    const a = fixture.put('n', 'a');
    const reader = await opened(fixture, `resourceVersion=${a}&allowWatchBookmarks=true&timeoutSeconds=150`);
    fixture.clock.advance(50_000);
    const other = fixture.put('other', 'b');
    fixture.clock.advance(9_999);
    assert.deepEqual(reader.texts, []);
    fixture.clock.advance(1);
    fixture.clock.advance(60_000);
    assert.deepEqual(reader.texts, [`BOOKMARK ${other}`, `BOOKMARK ${other}`]);
    fixture.clock.advance(28_000);
    assert.equal(reader.texts.length, 3);
    assert.equal(reader.ended, false);
    fixture.clock.advance(2_000);
    assert.deepEqual([reader.texts.length, reader.ended], [3, true]);
  });
  it('without leave there are none', async () => {
    const fixture = readingFixture();
    const reader = await opened(fixture);
    fixture.clock.advance(10 * 60_000);
    assert.deepEqual(reader.texts, []);
  });
  it('a watch lasts between thirty and sixty minutes by itself, by chance', async () => {
    const fixture = readingFixture();
    const readers = await Promise.all(Array.from({ length: 20 }, () => opened(fixture)));
    fixture.clock.advance(30 * 60_000 - 1);
    assert.equal(
      readers.some((reader) => reader.ended),
      false,
    );
    fixture.clock.advance(15 * 60_000);
    const early = readers.filter((reader) => reader.ended).length;
    assert.ok(early > 0 && early < 20);
    fixture.clock.advance(15 * 60_000 + 1);
    assert.equal(
      readers.every((reader) => reader.ended),
      true,
    );
  });
  it('timeoutSeconds ends it, 0 is as if unset, and less than nothing is at once', async () => {
    const fixture = readingFixture();
    const [soon, unset, now, long] = await Promise.all(
      ['5', '0', '-3', '9223372036854775807'].map((seconds) => opened(fixture, `timeoutSeconds=${seconds}`)),
    );
    fixture.clock.advance(0);
    assert.deepEqual([soon?.ended, unset?.ended, now?.ended, long?.ended], [false, false, true, false]);
    fixture.clock.advance(5_000);
    assert.deepEqual([soon?.ended, unset?.ended, long?.ended], [true, false, false]);
  });
  it('a watch that is closed or ended hears nothing more', async () => {
    const fixture = readingFixture();
    const closed = await opened(fixture);
    const ended = await opened(fixture, 'timeoutSeconds=1');
    closed.close();
    fixture.clock.advance(1_000);
    fixture.put('n', 'a');
    assert.deepEqual([closed.texts, closed.ended, ended.texts], [[], false, []]);
  });
  it('when the store closes, the stream says so and ends', async () => {
    const fixture = readingFixture();
    const reader = await opened(fixture);
    fixture.store.close();
    assert.deepEqual(reader.texts, ['ERROR 500 Internal error occurred: the store was closed']);
    assert.equal(reader.ended, true);
  });
});

describe('watch: faults', () => {
  it('an object that cannot be read ends the streams that must look at it, with an error', async () => {
    const fixture = readingFixture();
    fixture.put('n', 'a', { labels: { app: 'x' } });
    const reader = await opened(fixture, 'labelSelector=app%3Dx');
    fixture.store.corrupt(objectKey(fixture.type, 'n', 'a'));
    fixture.remove('n', 'a');
    assert.deepEqual(
      reader.events.map((event) => (event.type === 'ERROR' ? event.error.code : event.type)),
      ['ADDED', 500],
    );
    assert.equal(reader.ended, true);
  });
  it('a sink that breaks loses its own stream only', async () => {
    const fixture = readingFixture();
    const broken = await answer(fixture);
    let ended = false;
    broken.open({
      whenReady: undefined,
      event: ({ type }) => {
        if (type !== 'ERROR') throw new Error('cannot be encoded');
        return true;
      },
      end: () => {
        ended = true;
      },
    });
    const reader = await opened(fixture);
    const a = fixture.put('n', 'a');
    assert.deepEqual([reader.texts, ended], [[`ADDED n/a ${a}`], true]);
  });
});

describe('watch: slow readers', () => {
  it('one that can tell is waited for, and gets all in order', async () => {
    const fixture = readingFixture();
    for (let i = 0; i < 5; i++) fixture.put('n', `i${i}`);
    const reader = new Reader(await answer(fixture, 'allowWatchBookmarks=true'), { quick: false, patient: true });
    const first = fixture.put('n', 'live');
    assert.equal(reader.events.length, 1);
    for (let i = 0; i < 6; i++) await reader.catchUp();
    assert.deepEqual(
      reader.events.map((event) => event.type),
      ['ADDED', 'ADDED', 'ADDED', 'ADDED', 'ADDED', 'BOOKMARK', 'ADDED'],
    );
    assert.equal(reader.texts.at(-1), `ADDED n/live ${first}`);
  });
  it('one that stays behind is cut: what it has has no gap, and others are not harmed', async () => {
    const fixture = readingFixture();
    const slow = new Reader(await answer(fixture), { quick: false, patient: true });
    const stuck = new Reader(await answer(fixture), { quick: false });
    const quick = await opened(fixture);
    for (let i = 0; i < 3_000; i++) fixture.put('n', 'a', { text: String(i) });
    assert.equal(quick.events.length, 3_000);
    assert.deepEqual([slow.ended, stuck.ended, quick.ended], [true, true, false]);
    assert.deepEqual(slow.texts, quick.texts.slice(0, 1));
    assert.ok(stuck.events.length >= 1_000 && stuck.events.length < 1_100);
    assert.deepEqual(stuck.texts, quick.texts.slice(0, stuck.events.length));
    await slow.catchUp();
    assert.equal(slow.events.length, 1);
  });
  it('one that stays behind large events is cut by what they hold, not by their number', async () => {
    const fixture = readingFixture();
    const slow = new Reader(await answer(fixture), { quick: false, patient: true });
    const large = 'x'.repeat(1_000_000);
    for (let i = 0; i < 100; i++) {
      fixture.put('n', 'a', { text: large });
      if (i === 40) assert.equal(slow.ended, true);
      if (i === 5) assert.equal(slow.ended, false);
    }
    const patient = new Reader(await answer(fixture), { quick: false, patient: true });
    await patient.catchUp();
    for (let i = 0; i < 100; i++) {
      fixture.put('n', 'a', { text: large });
      await patient.catchUp();
    }
    assert.equal(patient.ended, false);
  });
  it('a long history or a large state is no reason for a cut', async () => {
    const fixture = readingFixture();
    const start = fixture.store.revision();
    for (let i = 0; i < 2_500; i++) fixture.put('n', `k${i}`);
    const state = new Reader(await answer(fixture), { quick: false });
    const past = new Reader(await answer(fixture, `resourceVersion=${start}`), { quick: false, patient: true });
    const live = fixture.put('n', 'live');
    for (let i = 0; i < 2_500; i++) await past.catchUp();
    for (const reader of [state, past]) {
      assert.deepEqual([reader.events.length, reader.ended], [2_501, false]);
      assert.equal(reader.texts.at(-1), `ADDED n/live ${live}`);
    }
  });
});

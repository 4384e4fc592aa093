import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GUARANTEES } from './index.ts';
import { Story } from './testing/story.ts';

/** What a checker has to say to a story: that it holds, that it is broken, or nothing. */
type Verdict = 'kept' | 'broken' | 'silent';
type Row = readonly [title: string, verdict: Verdict, story: Story];
const story = () => new Story();

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  linearizable: [
    ['one client reads what it wrote', 'kept', story().create('a', '1').get('a', '1').write('a', '2').get('a', '2')],
    [
      'a read shows what was replaced before it began',
      'broken',
      story().create('a', '1').write('a', '2').get('a', '1'),
    ],
    [
      'two reads during a write show the old and the new, in either order of beginning',
      'kept',
      story()
        .create('a', '1')
        .write('a', '2', { start: 10, end: 20 })
        .get('a', '2', { start: 11, end: 19 })
        .get('a', '1', { start: 12, end: 18 }),
    ],
    [
      'a later read shows less than an earlier one',
      'broken',
      story()
        .create('a', '1')
        .write('a', '2', { start: 10, end: 20 })
        .get('a', '2', { start: 11, end: 12 })
        .get('a', '1', { start: 13, end: 14 }),
    ],
    [
      'a stale update is refused',
      'kept',
      story().create('a', '1').write('a', '2').refuse('PUT', 'a', 409, { from: '1' }),
    ],
    ['a fresh update is refused', 'broken', story().create('a', '1').refuse('PUT', 'a', 409, { from: '1' })],
    [
      'two updates of one version both succeed: one is lost',
      'broken',
      story()
        .create('a', '1')
        .write('a', '2', { from: '1', start: 10, end: 20 })
        .write('a', '3', { from: '1', start: 11, end: 21 }),
    ],
    ['it is gone after a delete', 'kept', story().create('a', '1').remove('a').get('a', undefined).create('a', '4')],
    ['it is there after a delete', 'broken', story().create('a', '1').remove('a').get('a', '1')],
    [
      'two creates of one name both succeed',
      'broken',
      story().create('a', '1', { start: 1, end: 9 }).create('a', '2', { start: 2, end: 8 }),
    ],
    ['a write that changes nothing', 'kept', story().create('a', '1').write('a', '1').get('a', '1')],
    ['a version nobody wrote is read: there are others who write', 'silent', story().create('a', '1').get('a', '7')],
  ],
  'watch-filtered': [
    ['only what matches', 'kept', story().watch('1', ['ADDED a@2#yes'], { query: 'labelSelector=mine=yes' })],
    ['what does not match', 'broken', story().watch('1', ['ADDED a@2#no'], { query: 'labelSelector=mine=yes' })],
    ['what has no label', 'broken', story().watch('1', ['MODIFIED a@2'], { query: 'labelSelector=mine' })],
    [
      'what leaves, whatever it looks like',
      'silent',
      story().watch('1', ['DELETED a@2'], { query: 'labelSelector=mine' }),
    ],
    ['a set', 'kept', story().watch('1', ['ADDED a@2#b'], { query: 'labelSelector=mine in (a,b),mine notin (c)' })],
    ['another name', 'broken', story().watch('1', ['ADDED b@2'], { query: 'fieldSelector=metadata.name=a' })],
    ['a field we cannot look up', 'silent', story().watch('1', ['ADDED b@2'], { query: 'fieldSelector=spec.x=a' })],
  ],
  'watch-unique': [
    ['each once', 'kept', story().watch('1', ['ADDED a@2', 'MODIFIED a@3', 'DELETED a@3'])],
    ['one twice', 'broken', story().watch('1', ['ADDED a@2', 'MODIFIED a@3', 'MODIFIED a@3'])],
    ['bookmarks may repeat', 'kept', story().watch('1', ['ADDED a@2', 'BOOKMARK @2', 'BOOKMARK @2'])],
  ],
  'watch-ordered': [
    [
      'both in one order',
      'kept',
      story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('1', ['ADDED a@2', 'ADDED b@3']),
    ],
    [
      'each in its own',
      'broken',
      story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('1', ['ADDED b@3', 'ADDED a@2']),
    ],
    [
      'a state has no order',
      'silent',
      story().watch('1', ['ADDED b@3', 'ADDED a@2']).watch(undefined, ['ADDED a@2', 'ADDED b@3']),
    ],
    [
      'as they were written',
      'kept',
      story().write('a', '2').write('a', '3').watch('1', ['MODIFIED a@2', 'MODIFIED a@3']),
    ],
    [
      'not as they were written',
      'broken',
      story().write('a', '2').write('b', '3').watch('1', ['MODIFIED b@3', 'MODIFIED a@2']),
    ],
    [
      'written at the same time, told in either order',
      'kept',
      story()
        .write('a', '2', { start: 1, end: 9 })
        .write('b', '3', { start: 2, end: 8 })
        .watch('1', ['MODIFIED b@3', 'MODIFIED a@2']),
    ],
  ],
  'watch-reliable': [
    ['all', 'kept', story().watch('1', ['ADDED a@2', 'ADDED b@3']).create('a', '2').create('b', '3')],
    ['one left out', 'broken', story().watch('1', ['ADDED b@3']).create('a', '2').create('b', '3')],
    [
      'the end may be missing: the watch was left',
      'silent',
      story().watch('1', ['ADDED a@2']).create('a', '2').create('b', '3'),
    ],
    ['a removal left out', 'broken', story().watch('1', ['ADDED b@3']).remove('a').create('b', '3')],
    [
      'a removal told under any name',
      'kept',
      story().watch('1', ['GONE a@2', 'ADDED b@3']).remove('a').create('b', '3'),
    ],
    [
      'what is not selected may be left out',
      'silent',
      story()
        .watch('1', ['ADDED b@3#x'], { query: 'labelSelector=mine=x' })
        .create('a', '2')
        .create('b', '3', { labels: { mine: 'x' } }),
    ],
    [
      'what changed nothing is no change',
      'silent',
      story().create('a', '2').watch('2', ['ADDED b@3']).write('a', '2').create('b', '3'),
    ],
  ],
  'watch-bookmarkable': [
    ['all before it', 'kept', story().create('a', '2').watch('1', ['ADDED a@2', 'BOOKMARK @2'])],
    ['its own change after it', 'broken', story().create('a', '2').watch('1', ['BOOKMARK @2', 'ADDED a@2'])],
    [
      'an earlier change after it',
      'broken',
      story().create('a', '2').create('b', '3').watch('1', ['ADDED b@3', 'BOOKMARK @3', 'ADDED a@2']),
    ],
    [
      'later changes after it',
      'kept',
      story().create('a', '2').create('b', '3').watch('1', ['ADDED a@2', 'BOOKMARK @2', 'ADDED b@3']),
    ],
    [
      'a streamed list tells what was answered before it began after its bookmark',
      'broken',
      story().create('a', '2').watch(undefined, ['BOOKMARK @9', 'ADDED a@2'], { query: 'sendInitialEvents=true' }),
    ],
  ],
  'watch-resumable': [
    ['the rest', 'kept', story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('2', ['ADDED b@3'])],
    ['one missed', 'broken', story().watch('1', ['ADDED a@2', 'ADDED b@3', 'ADDED c@4']).watch('2', ['ADDED c@4'])],
    ['one repeated', 'broken', story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('2', ['ADDED a@2'])],
    ['from a bookmark', 'broken', story().watch('1', ['BOOKMARK @5', 'ADDED b@6']).watch('5', ['ADDED a@2'])],
    [
      'from an initial state, which has no order',
      'silent',
      story().watch(undefined, ['ADDED a@2', 'ADDED b@1']).watch('2', ['MODIFIED a@3']),
    ],
    [
      'another selection',
      'silent',
      story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('2', ['ADDED c@4'], { query: 'labelSelector=x' }),
    ],
  ],
  'list-then-watch': [
    ['what follows', 'kept', story().list('5', ['a@2']).watch('5', ['MODIFIED a@6', 'ADDED b@7', 'DELETED a@8'])],
    ['what was there already', 'broken', story().list('5', ['a@2']).watch('5', ['ADDED a@2'])],
    ['what was never there', 'broken', story().list('5', ['a@2']).watch('5', ['MODIFIED b@6'])],
    ['a removal of what was never there', 'broken', story().list('5', ['a@2']).watch('5', ['DELETED b@6'])],
    ['a state, then changes', 'kept', story().watch(undefined, ['ADDED a@2', 'MODIFIED a@3'])],
    [
      'a list at the version of an event shows the same',
      'kept',
      story().list('5', []).watch('5', ['ADDED a@6']).list('6', ['a@6']),
    ],
    [
      'a list at the version of an event shows more',
      'broken',
      story().list('5', []).watch('5', ['ADDED a@7']).list('7', ['a@7', 'b@6']),
    ],
    ['no list to begin with', 'silent', story().watch('5', ['MODIFIED b@6'])],
    ['nothing after an error counts', 'silent', story().list('5', []).watch('5', ['ERROR', 'DELETED b@6'])],
  ],
  'one-snapshot': [
    [
      'two chunks',
      'kept',
      story().list('5', ['a@1'], { query: 'limit=1', token: 't' }).list('5', ['b@2'], { query: 'limit=1&continue=t' }),
    ],
    [
      'another version',
      'broken',
      story().list('5', ['a@1'], { query: 'limit=1', token: 't' }).list('6', ['b@2'], { query: 'limit=1&continue=t' }),
    ],
    [
      'one object twice',
      'broken',
      story().list('5', ['a@1'], { query: 'limit=1', token: 't' }).list('5', ['a@1'], { query: 'limit=1&continue=t' }),
    ],
    [
      'what was written after the first chunk',
      'broken',
      story()
        .list('5', ['a@1'], { query: 'limit=1', token: 't' })
        .create('b', '6')
        .list('5', ['b@6'], { query: 'limit=1&continue=t' }),
    ],
    ['what was created before is missing', 'broken', story().create('a', '1').create('b', '2').list('5', ['a@1'])],
    ['what was removed before is there', 'broken', story().create('a', '1').remove('a').list('5', ['a@1'])],
    ['what was never stored has nothing to be told apart by', 'kept', story().list('5', ['a', 'b'])],
    ['an old state was asked for', 'kept', story().create('a', '1').list('0', [], { query: 'resourceVersion=0' })],
    ['a walk that was broken off', 'silent', story().list('5', ['a@1'], { query: 'limit=1', token: 't' })],
  ],
};

for (const { name, sentence, examine } of GUARANTEES) {
  describe(`${name}: ${sentence}`, () => {
    const rows = TABLES[name] ?? [];
    it('has a table with both outcomes', () => {
      const verdicts = rows.map(([, verdict]) => verdict);
      assert.ok(verdicts.includes('kept') && verdicts.includes('broken'));
    });
    for (const [title, verdict, told] of rows) {
      it(`${title} → ${verdict}`, () => {
        const { violations, cases } = examine(told.history());
        const found: Verdict = violations.length > 0 ? 'broken' : cases > 0 ? 'kept' : 'silent';
        assert.equal(found, verdict, JSON.stringify(violations));
      });
    }
  });
}

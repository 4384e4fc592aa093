import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GUARANTEES, judge } from './index.ts';
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
      'a later read shows less than an earlier one, and nobody answered the write',
      'broken',
      story()
        .create('a', '1')
        .lose('PUT', 'a', { start: 10, end: 20 })
        .get('a', '2', { start: 11, end: 12 })
        .get('a', '1', { start: 13, end: 14 }),
    ],
    [
      'a write that nobody answered happened, or did not',
      'kept',
      story().create('a', '1').lose('PUT', 'a').lose('PUT', 'a').get('a', '2').get('a', '2'),
    ],
    [
      'a stale update is refused',
      'kept',
      story().create('a', '1').write('a', '2').refuse('PUT', 'a', 409, { from: '1' }),
    ],
    [
      'a fresh update is refused',
      'broken',
      story().create('a', '1').refuse('PUT', 'a', 409, { from: '1' }).get('a', '1'),
    ],
    [
      'two updates of one version both succeed: one is lost',
      'broken',
      story()
        .create('a', '1')
        .write('a', '2', { from: '1', start: 10, end: 20 })
        .write('a', '3', { from: '1', start: 11, end: 21 }),
    ],
    [
      'a refused write changes what is there',
      'broken',
      story().create('a', '1').refuse('PUT', 'a', 409, { from: '0', mark: 'w' }).get('a', '2', { mark: 'w' }),
    ],
    [
      'a write that nobody answered changes what is there',
      'kept',
      story().create('a', '1').lose('PUT', 'a', { mark: 'w' }).get('a', '2', { mark: 'w' }),
    ],
    [
      'it is gone after a delete',
      'kept',
      story().create('a', '1').remove('a').get('a', undefined).create('a', '4', { uid: 'a2' }),
    ],
    ['it is there after a delete', 'broken', story().create('a', '1').remove('a').get('a', '1')],
    [
      'it is there after a delete that only began',
      'kept',
      story().create('a', '1').remove('a', { status: 202 }).get('a', '1'),
    ],
    ['it is not found while it is there', 'broken', story().create('a', '1').get('a', undefined).get('a', '1')],
    ['it is said to be there', 'kept', story().create('a', '1').refuse('POST', 'a', 409)],
    ['it is said to be there when it is gone', 'broken', story().create('a', '1').remove('a').refuse('POST', 'a', 409)],
    [
      'two creates of one name both succeed',
      'broken',
      story().create('a', '1', { start: 1, end: 9 }).create('a', '2', { start: 2, end: 8 }),
    ],
    ['a write gets a lower version than what was read before', 'broken', story().create('b', '5').create('a', '4')],
    ['a write that changes nothing', 'kept', story().create('a', '1').write('a', '1').get('a', '1')],
    ['there are others who write', 'kept', story().create('a', '1').get('a', '7')],
    ['a dry run says nothing', 'silent', story().write('a', '9', { query: 'dryRun=All' })],
  ],
  'never-returns': [
    [
      'another object of the same name',
      'kept',
      story().watch('1', ['ADDED a@2', 'DELETED a@3', 'ADDED a~a2@4']).create('a', '2').create('a', '4', { uid: 'a2' }),
    ],
    [
      'it is there at a version after its removal',
      'broken',
      story().watch('1', ['ADDED a@2', 'DELETED a@3']).create('a', '2').get('a', '4'),
    ],
    [
      'it is there again after another',
      'broken',
      story().create('a', '2').create('a', '4', { uid: 'a2' }).write('a', '5'),
    ],
  ],
  'nothing-unasked': [
    [
      'somebody asked',
      'kept',
      story()
        .alone()
        .watch('1', ['ADDED a@2', 'DELETED a@3'], { end: 9 })
        .create('a', '2', { start: 2 })
        .remove('a', { start: 4 }),
    ],
    [
      'nobody did',
      'broken',
      story().alone().watch('1', ['ADDED a@2', 'DELETED a@3']).create('a', '2').refuse('DELETE', 'a', 409),
    ],
    ['there may be others', 'silent', story().watch('1', ['ADDED a@2', 'DELETED a@3']).create('a', '2')],
    [
      'only somebody without a right to it did',
      'broken',
      story().alone().watch('1', ['ADDED a@2', 'DELETED a@3']).create('a', '2').lose('DELETE', 'a', { denied: true }),
    ],
  ],
  'rights-kept': [
    ['it is refused', 'kept', story().create('a', '2').refuse('PUT', 'a', 403, { denied: true })],
    ['a write is accepted', 'broken', story().create('a', '2').write('a', '3', { denied: true })],
    ['a read is answered', 'broken', story().create('a', '2').get('a', '2', { denied: true })],
    ['a list is answered', 'broken', story().list('2', [], { denied: true })],
    ['a watch is opened', 'broken', story().watch('2', [], { denied: true })],
    ['nobody answered', 'silent', story().create('a', '2').lose('PUT', 'a', { denied: true })],
    ['everybody has the right', 'silent', story().create('a', '2').get('a', '2')],
  ],
  'read-at-version': [
    [
      'all agree',
      'kept',
      story().create('a', '1', { data: 'x' }).get('a', '1', { data: 'x' }).get('a', '1', { data: 'x' }),
    ],
    ['two contents of one version', 'broken', story().create('a', '1', { data: 'x' }).get('a', '1', { data: 'y' })],
    [
      'a list shows what was replaced by then',
      'broken',
      story().create('a', '1').write('a', '3').list('5', ['a@1'], { start: 1 }),
    ],
    ['a list of the past shows it', 'kept', story().create('a', '1').write('a', '3').list('2', ['a@1'], { start: 1 })],
    ['a list shows what came later', 'broken', story().create('a', '7').list('5', ['a@7'], { start: 1 })],
    [
      'a list leaves out what is there',
      'broken',
      story().create('a', '1').list('5', []).get('a', '1').list('6', ['a@1']),
    ],
    [
      'a list leaves out what no watch told to be removed',
      'broken',
      story().watch('1', ['ADDED a@2', 'BOOKMARK @9']).create('a', '2').list('8', []),
    ],
    ['others may have removed it', 'kept', story().create('a', '1').list('5', [])],
    [
      'a list shows what was removed by then',
      'broken',
      story().watch('0', ['ADDED a@1', 'DELETED a@3']).create('a', '1').list('5', ['a@1']),
    ],
    [
      'a list with a selector leaves out what matches',
      'broken',
      story()
        .create('a', '1', { labels: { mine: 'x' } })
        .list('5', [], { query: 'labelSelector=mine=x' })
        .list('6', ['a@1#x'], { query: 'labelSelector=mine=x' }),
    ],
    ['what was never stored has nothing to be told apart by', 'kept', story().list('5', ['a', 'b'])],
  ],
  'not-older': [
    ['a list shows what was answered before', 'kept', story().create('a', '4').list('4', ['a@4'])],
    ['a list is older than what was answered before', 'broken', story().create('a', '4').list('3', [])],
    ['an old state was asked for', 'silent', story().create('a', '1').list('0', [], { query: 'resourceVersion=0' })],
    ['no older than asked for', 'kept', story().list('7', [], { query: 'resourceVersion=6' })],
    ['older than asked for', 'broken', story().list('5', [], { query: 'resourceVersion=6' })],
    [
      'another than exactly asked for',
      'broken',
      story().list('7', [], { query: 'resourceVersion=6&resourceVersionMatch=Exact' }),
    ],
    [
      'an object as it was before the version that was asked for',
      'broken',
      story().create('a', '1').write('a', '4').get('a', '1', { query: 'resourceVersion=5' }),
    ],
    [
      'a streamed list leaves out what was answered before it began',
      'broken',
      story().create('a', '4').watch(undefined, ['END @3'], { query: 'sendInitialEvents=true' }),
    ],
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
    ['each once', 'kept', story().watch('1', ['ADDED a@2', 'MODIFIED a@3', 'DELETED a@4'])],
    ['one twice', 'broken', story().watch('1', ['ADDED a@2', 'MODIFIED a@3', 'MODIFIED a@3'])],
    ['a removal twice', 'broken', story().watch('1', ['ADDED a@2', 'DELETED a@3', 'DELETED a@3'])],
    ['bookmarks may repeat', 'kept', story().watch('1', ['ADDED a@2', 'BOOKMARK @2', 'BOOKMARK @2'])],
  ],
  'watch-ordered': [
    ['by their versions', 'kept', story().watch('1', ['ADDED a@2', 'ADDED b@3', 'DELETED a@4'])],
    ['another order', 'broken', story().watch('1', ['ADDED b@3', 'ADDED a@2'])],
    ['a removal before what came before it', 'broken', story().watch('1', ['ADDED a@2', 'DELETED a@5', 'ADDED b@4'])],
    ['a state has no order', 'silent', story().watch(undefined, ['ADDED a@3', 'ADDED b@2'])],
    [
      'removals under the version of the last state',
      'kept',
      story().watch('1', ['ADDED a@2', 'ADDED b@3', 'DELETED a@2']),
    ],
  ],
  'watch-reliable': [
    ['all', 'kept', story().watch('1', ['ADDED a@2', 'ADDED b@3']).create('a', '2').create('b', '3')],
    ['one left out', 'broken', story().watch('1', ['ADDED b@3']).create('a', '2').create('b', '3')],
    [
      'the end may be missing: the watch was left',
      'kept',
      story().watch('1', ['ADDED a@2']).create('a', '2').create('b', '3'),
    ],
    [
      'what nobody was answered, but another watch told',
      'broken',
      story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('1', ['ADDED b@3']),
    ],
    ['a removal left out', 'broken', story().create('a', '2').watch('2', ['ADDED b@4']).remove('a').create('b', '4')],
    [
      'a removal that another watch told left out',
      'broken',
      story().watch('2', ['DELETED a@3', 'ADDED b@4']).watch('2', ['ADDED b@4']).create('a', '2', { start: 0 }),
    ],
    [
      'a removal told under any name',
      'kept',
      story().watch('1', ['ADDED a@2', 'GONE a@3', 'ADDED b@4']).create('a', '2').remove('a').create('b', '4'),
    ],
    [
      'what is not selected may be left out',
      'kept',
      story()
        .watch('1', ['ADDED b@3#x'], { query: 'labelSelector=mine=x' })
        .create('a', '2')
        .create('b', '3', { labels: { mine: 'x' } }),
    ],
    [
      'what leaves the selection has to be told',
      'broken',
      story()
        .create('a', '2', { labels: { mine: 'x' } })
        .watch('2', ['ADDED b@4#x'], { query: 'labelSelector=mine=x' })
        .write('a', '3')
        .create('b', '4', { labels: { mine: 'x' } }),
    ],
    [
      'what left the selection was told, and nobody saw why',
      'kept',
      story()
        .create('a', '2', { labels: { mine: 'x' } })
        .watch('2', ['DELETED a@3#x', 'ADDED b@4#x'], { query: 'labelSelector=mine=x' })
        .create('b', '4', { labels: { mine: 'x' } })
        .write('a', '5')
        .list('4', ['b@4#x'], { query: 'labelSelector=mine=x', start: 3 }),
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
      'a change that never comes',
      'broken',
      story().create('a', '2').create('b', '3').watch('1', ['ADDED b@3', 'BOOKMARK @4']),
    ],
    [
      'later changes after it',
      'kept',
      story().create('a', '2').create('b', '3').watch('1', ['ADDED a@2', 'BOOKMARK @2', 'ADDED b@3']),
    ],
    [
      'a streamed list tells what was there before its bookmark after it',
      'broken',
      story().create('a', '2').watch(undefined, ['END @9', 'ADDED a@2'], { query: 'sendInitialEvents=true' }),
    ],
    [
      'the same before a bookmark that is not marked as the end of the list',
      'broken',
      story().create('a', '2').watch(undefined, ['BOOKMARK @9', 'ADDED a@2'], { query: 'sendInitialEvents=true' }),
    ],
  ],
  'watch-resumable': [
    ['the rest', 'kept', story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('2', ['ADDED b@3'])],
    ['one missed', 'broken', story().watch('1', ['ADDED a@2', 'ADDED b@3', 'ADDED c@4']).watch('2', ['ADDED c@4'])],
    ['one repeated', 'broken', story().watch('1', ['ADDED a@2', 'ADDED b@3']).watch('2', ['ADDED a@2'])],
    ['from a bookmark', 'broken', story().watch('1', ['BOOKMARK @5', 'ADDED b@6']).watch('5', ['ADDED a@2'])],
  ],
  'list-then-watch': [
    ['what follows', 'kept', story().list('5', ['a@2']).watch('5', ['MODIFIED a@6', 'ADDED b@7', 'DELETED a@8'])],
    ['what was there already, as new', 'broken', story().list('5', ['a@2']).watch('5', ['ADDED a@6'])],
    ['what is new, as changed', 'broken', story().list('5', ['a@2']).create('b', '6').watch('5', ['MODIFIED b@6'])],
    [
      'a change is missing',
      'broken',
      story().list('5', ['a@2']).write('a', '6').create('b', '7').watch('5', ['ADDED b@7']),
    ],
    [
      'a streamed list without what is there',
      'broken',
      story().create('a', '2').watch(undefined, ['END @5'], { query: 'sendInitialEvents=true' }).list('6', ['a@2']),
    ],
    [
      'a streamed list with what was replaced by then',
      'broken',
      story()
        .create('a', '2')
        .write('a', '3')
        .watch(undefined, ['ADDED a@2', 'END @5'], { query: 'sendInitialEvents=true' }),
    ],
    [
      'a streamed list with what was removed by then',
      'broken',
      story()
        .create('a', '2')
        .remove('a')
        .watch(undefined, ['ADDED a@2', 'END @5'], { query: 'sendInitialEvents=true' }),
    ],
    [
      'a streamed list with what nobody saw again',
      'kept',
      story()
        .create('a', '2')
        .list('3', ['a@2'])
        .watch(undefined, ['ADDED a@2', 'END @5'], { query: 'sendInitialEvents=true' }),
    ],
    [
      'a streamed list, then changes',
      'kept',
      story()
        .create('a', '2')
        .watch(undefined, ['ADDED a@2', 'END @5', 'MODIFIED a@6'], { query: 'sendInitialEvents=true' }),
    ],
    ['nothing after an error counts', 'silent', story().list('5', []).watch('5', ['ERROR', 'DELETED b@6'])],
  ],
  'watch-live': [
    ['it tells it', 'kept', story().watch('1', ['ADDED a@2']).fence('a', '2')],
    ['it says nothing', 'broken', story().watch('1', []).fence('a', '2')],
    ['a bookmark is enough', 'kept', story().watch('1', ['BOOKMARK @3']).fence('a', '2')],
    ['nobody waited', 'silent', story().watch('1', []).create('a', '2')],
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
    [
      'one is left out',
      'broken',
      story()
        .create('a', '1')
        .create('b', '2')
        .create('c', '3')
        .list('5', ['a@1'], { query: 'limit=1', token: 't' })
        .list('5', ['c@3'], { query: 'limit=1&continue=t' })
        .get('b', '2')
        .list('6', ['a@1', 'b@2', 'c@3']),
    ],
    ['no walk', 'silent', story().create('a', '1').list('5', ['a@1'])],
  ],
};

for (const { name, sentence } of GUARANTEES) {
  describe(`${name}: ${sentence}`, () => {
    const rows = TABLES[name] ?? [];
    it('has a table with both outcomes', () => {
      const verdicts = rows.map(([, verdict]) => verdict);
      assert.ok(verdicts.includes('kept') && verdicts.includes('broken'));
    });
    for (const [title, verdict, told] of rows) {
      it(`${title} → ${verdict}`, () => {
        const { violations = [], cases = 0 } =
          judge(told.history()).find(({ guarantee }) => guarantee.name === name)?.finding ?? {};
        const found: Verdict = violations.length > 0 ? 'broken' : cases > 0 ? 'kept' : 'silent';
        assert.equal(found, verdict, JSON.stringify(violations));
      });
    }
  });
}

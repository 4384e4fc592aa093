import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../api/status.ts';
import type { Call } from '../contracts/call.ts';
import { delegate, type RangeQuery, type Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { type Fixture, readingFixture } from '../testing/readingFixture.ts';
import { list } from './list.ts';

/** Counts the ranges that are read of a store. */
function counting(): { ranges: number; around: (store: Store) => Store } {
  const counter = {
    ranges: 0,
    around: (store: Store): Store => ({
      ...delegate(store),
      range: (query: RangeQuery) => {
        counter.ranges++;
        return store.range(query);
      },
    }),
  };
  return counter;
}

const ask = (fixture: Fixture, query: string, namespace = 'n') => list(fixture.call('list', query, { namespace }));

/** The answer to a call, or its error, without what is told of the stores. */
async function told(call: Call): Promise<unknown> {
  try {
    const answer = await list(call);
    assert.equal(answer.kind, 'list');
    if (answer.kind !== 'list') return undefined;
    return {
      metadata: answer.metadata,
      entries: answer.entries.map(({ key, modRevision }) => `${key} ${modRevision}`),
    };
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { code: error.code, message: error.message, causes: error.details?.causes };
  }
}

describe('selections that are kept', () => {
  it('are read for the first and the second who asks, until something in the collection changes', async () => {
    const counter = counting();
    const fixture = readingFixture({ around: counter.around });
    for (const name of ['a', 'b', 'c']) fixture.put('n', name, { labels: { app: name } });
    const query = 'labelSelector=app%21%3Da';
    for (let i = 0; i < 4; i++) await ask(fixture, query);
    assert.equal(counter.ranges, 2);
    fixture.put('n', 'b', { labels: { app: 'a' } });
    for (let i = 0; i < 3; i++) await ask(fixture, query);
    assert.equal(counter.ranges, 3);
  });

  it('are told apart by selectors, limits, collections and where they go on', async () => {
    const counter = counting();
    const fixture = readingFixture({ around: counter.around });
    for (const name of ['a', 'b', 'c']) fixture.put('n', name, { labels: { app: name } });
    const queries = [
      '',
      'limit=1',
      'limit=2',
      'labelSelector=app',
      'labelSelector=app%3Da',
      'fieldSelector=metadata.name%21%3Da',
    ];
    for (const query of queries) await ask(fixture, query);
    await ask(fixture, '', 'm');
    await ask(fixture, '', '');
    assert.equal(counter.ranges, 8);
  });

  it('are what would be read anew, whatever is written, deleted, damaged and forgotten', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const namespace = fc.constantFrom('m', 'n');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ what: fc.constant('put' as const), namespace, name, app: name }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant('remove' as const), namespace, name }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('corrupt' as const), namespace, name }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('compact' as const) }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('wait' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const fixture = readingFixture();
        const { store } = fixture;
        const continued: string[] = [];
        for (const one of steps) {
          const key = 'name' in one ? objectKey(fixture.type, one.namespace, one.name) : '';
          if (one.what === 'put') fixture.put(one.namespace, one.name, { labels: { app: one.app } });
          else if (one.what === 'remove' && store.get(key)) fixture.remove(one.namespace, one.name);
          else if (one.what === 'corrupt') store.corrupt(key);
          else if (one.what === 'compact') store.compact(store.revision());
          else if (one.what === 'wait') fixture.clock.advance(5 * 60_000 + 1);
          const queries = [
            '',
            'limit=1',
            'labelSelector=app%3Da',
            'limit=1&labelSelector=app%21%3Da',
            `resourceVersion=${store.revision() - 1}&resourceVersionMatch=Exact&labelSelector=app%21%3Da`,
            ...continued.slice(-3),
          ];
          for (const query of queries) {
            const call = fixture.call('list', query, { namespace: 'n' });
            const anew = await told({ ...call, services: { ...call.services, store: delegate(store) } });
            for (let i = 0; i < 3; i++) assert.deepEqual(await told(call), anew, query);
            const token = (anew as { metadata?: { continue?: string } }).metadata?.continue;
            const selector = query.includes('app%21') ? '&labelSelector=app%21%3Da' : '';
            if (token && !query.includes('continue')) continued.push(`limit=1&continue=${token}${selector}`);
          }
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});

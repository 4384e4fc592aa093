import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Store, StoreEvent } from '../../contracts/store.ts';
import { collect, keysOf, put, remove, textsOf } from './steps.ts';

/** A change of a store, or its past forgotten up to the middle. */
export type Step = { readonly key: string; readonly act: 'put' | 'remove' | 'compact' };
/** Any of them, of few keys that lie beside and below each other. */
export const step: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom('/g/r/a/1', '/g/r/a/2', '/g/r/b/1', '/g/s/1', '/g/r/a/\u{10000}', '/g/r/a/\uffff'),
  act: fc.constantFrom('put', 'put', 'put', 'remove', 'remove', 'compact'),
});

/** Takes the steps, and holds all that can be read and watched at each revision against a list of states. */
export async function compareWithModel(store: Store, steps: readonly Step[]): Promise<void> {
  let state = new Map<string, string>();
  const states = new Map([[await store.revision(), state]]);
  const happened: string[] = [];
  const start = await store.revision();
  const live = collect(store, '/g/r/', start);
  for (const [i, { key, act }] of steps.entries()) {
    if (act === 'compact') {
      await store.compact([...states.keys()][Math.floor(states.size / 2)] as number);
      continue;
    }
    if (act === 'remove' && !state.has(key)) continue;
    const { modRevision } = act === 'put' ? await put(store, key, `${i}`) : await remove(store, key);
    state = new Map(state);
    if (act === 'put') state.set(key, `${i}`);
    else state.delete(key);
    states.set(modRevision, state);
    if (key.startsWith('/g/r/')) happened.push(`${act} ${key} ${modRevision}`);
  }
  const tell = ({ type, key, revision }: StoreEvent) => `${type === 'put' ? 'put' : 'remove'} ${key} ${revision}`;
  assert.deepEqual((await live.take(happened.length)).map(tell), happened);
  live.cancel();
  const oldest = await store.oldestRevision();
  for (const [revision, then] of states) {
    if (revision < oldest) continue;
    for (const prefix of ['/g/r/', '/g/r/a/', '/g/', '/g/r/a/1']) {
      const expected = [...then].filter(([key]) => key.startsWith(prefix)).map(([key]) => key);
      expected.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const all = await store.range({ prefix, revision });
      assert.deepEqual(keysOf(all), expected);
      assert.deepEqual(
        textsOf(all),
        expected.map((key) => then.get(key)),
      );
      const page = await store.range({ prefix, revision, limit: 1, after: expected[0] });
      assert.deepEqual([keysOf(page), page.remaining], [expected.slice(1, 2), Math.max(0, expected.length - 2)]);
    }
    const rest = happened.filter((one) => Number(one.split(' ')[2]) > revision);
    const replay = collect(store, '/g/r/', revision);
    assert.deepEqual((await replay.take(rest.length)).map(tell), rest);
    replay.cancel();
  }
}

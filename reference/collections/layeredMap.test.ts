import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LayeredMap } from './layeredMap.ts';

type Step =
  | { readonly do: 'set'; readonly key: string; readonly value: number }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'fork' }
  | { readonly do: 'clear' };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step: fc.Arbitrary<Step & { readonly at: number }> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.nat(99), at: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), key, at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fork' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), at: fc.nat() }) },
);

test('maps that were forked from each other are as maps that were copied, their order too', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pairs = [{ layered: new LayeredMap<string, number>(), plain: new Map<string, number>() }];
      for (const one of steps) {
        const { layered, plain } = pairs[one.at % pairs.length] as (typeof pairs)[number];
        if (one.do === 'fork') pairs.push({ layered: layered.fork(), plain: new Map(plain) });
        else if (one.do === 'set') {
          layered.set(one.key, one.value);
          plain.set(one.key, one.value);
        } else if (one.do === 'delete') assert.equal(layered.delete(one.key), plain.delete(one.key));
        else {
          layered.clear();
          plain.clear();
        }
        for (const pair of pairs) {
          assert.deepEqual([...pair.layered], [...pair.plain]);
          assert.equal(pair.layered.size, pair.plain.size);
          for (const name of ['a', 'b', 'c', 'd', 'e']) assert.equal(pair.layered.get(name), pair.plain.get(name));
        }
      }
    }),
  );
});

test('a value that several maps have is copied before one of them changes it', () => {
  const first = new LayeredMap<string, string[]>().set('a', ['x']);
  const second = first.fork();
  second.own('a', (value) => [...value])?.push('y');
  second.own('a', (value) => [...value])?.push('z');
  assert.deepEqual(first.get('a'), ['x']);
  assert.deepEqual(second.get('a'), ['x', 'y', 'z']);
  first.own('a', (value) => [...value])?.push('w');
  assert.deepEqual(
    [first.get('a'), second.get('a')],
    [
      ['x', 'w'],
      ['x', 'y', 'z'],
    ],
  );
});

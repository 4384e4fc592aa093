import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statements } from '../../fixtures/ledger/statements.ts';
import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import { type Clock, SystemClock } from '../../reference/time.ts';
import { TWINS } from './index.ts';
import { combined } from './twin.ts';

describe('the permissive twins', () => {
  it('are at least forty, each with a name of its own', () => {
    assert.ok(TWINS.length >= 40, String(TWINS.length));
    assert.equal(new Set(TWINS.map(({ id }) => id)).size, TWINS.length);
  });
  it('name statements that there are', () => {
    const strange = TWINS.flatMap(({ id, by }) =>
      by.filter((key) => !Object.hasOwn(statements, key)).map((key) => `${id}: ${key}`),
    );
    assert.deepEqual(strange, []);
  });
});

describe('several choices in one', () => {
  it('stand around each other, the first innermost', () => {
    const seen: string[] = [];
    const named = (name: string) => ({
      clock: (clock: Clock) => {
        seen.push(name);
        return clock;
      },
      start: {
        flags: (argv: readonly string[]) => [...argv, name],
        options: (options: ServerOptions) => ({ ...options, seed: (options.seed ?? 0) * 10 + 1 }),
      },
    });
    const { clock, store, start } = combined([named('first'), named('second')]);
    clock?.(new SystemClock());
    assert.deepEqual(seen, ['first', 'second']);
    assert.equal(store, undefined, 'what nobody changes is not there');
    assert.deepEqual(start?.flags?.([]), ['first', 'second']);
    assert.equal(start?.options?.({ seed: 0 } as ServerOptions).seed, 11);
  });
  it('of none changes nothing', () => {
    assert.deepEqual(combined([]), { start: {} });
  });
});

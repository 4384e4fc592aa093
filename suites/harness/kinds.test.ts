import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lifecycleOf } from '../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../fixtures/releases/plurals.ts';
import * as harnessKinds from './kinds.ts';

test('kinds that checks name are versions of built-in types', () => {
  const kinds = Object.values(harnessKinds).filter((one) => typeof one === 'object');
  assert.ok(kinds.length > 0);
  for (const { prefix, version, kind, plural } of kinds) {
    assert.ok(lifecycleOf({ groupPrefix: prefix, version, kind }), `${prefix}/${version} ${kind}`);
    assert.equal(plural, pluralOf(kind));
  }
});

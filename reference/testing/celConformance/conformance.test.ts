import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { knownFailures } from './knownFailures.ts';
import { outside } from './outside.ts';
import { failureOf } from './run.ts';
import { vectorsOf } from './vectors.ts';

/** How many vectors of each section must pass. */
const FLOORS: Readonly<Record<string, number>> = {
  basic: 38,
  bindings_ext: 5,
  comparisons: 306,
  conversions: 106,
  fields: 46,
  fp_math: 29,
  integer_math: 61,
  lists: 39,
  logic: 21,
  macros: 44,
  macros2: 46,
  optionals: 46,
  parse: 168,
  plumbing: 4,
  string: 51,
  string_ext: 164,
  timestamps: 72,
  type_deductions: 21,
};

test('expressions come to what the specification of the language says, but for those listed', () => {
  const passed = new Map<string, number>();
  const failures = new Map<string, string>();
  for (const vector of vectorsOf(tests)) {
    if (outside(vector) !== undefined) continue;
    const failure = failureOf(vector.test);
    if (failure === undefined) passed.set(vector.section, (passed.get(vector.section) ?? 0) + 1);
    else failures.set(vector.id, failure);
  }
  const known = new Set(Object.values(knownFailures).flat());
  const unknown = [...failures].filter(([id]) => !known.has(id));
  assert.deepEqual(unknown, [], 'these failed and are not listed');
  const settled = [...known].filter((id) => !failures.has(id));
  assert.deepEqual(settled, [], 'these pass now: take them off the list');
  assert.deepEqual(Object.fromEntries(passed), FLOORS);
});

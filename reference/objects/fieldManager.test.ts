import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../api/fieldPath.ts';
import { managerOf, validateManager } from './fieldManager.ts';

test('the manager is the parameter, else the agent up to its slash as far as it is printable and fits, else unknown', () => {
  assert.equal(managerOf('boss', 'curl/8'), 'boss');
  assert.equal(managerOf('', 'curl/8.1.2 (linux)'), 'curl');
  assert.equal(managerOf('', 'Mozilla 5'), 'Mozilla 5');
  assert.equal(managerOf('', '/odd'), 'unknown');
  assert.equal(managerOf('', undefined), 'unknown');
  assert.equal(managerOf('', 'a\u0007b'), 'ab');
  assert.equal(managerOf('', `${'é'.repeat(70)}/1`), 'é'.repeat(64));
});

test('a manager has at most 128 bytes, all of them printable', () => {
  const faults = (name: string) => validateManager(name, FieldPath.of('fieldManager')).map((one) => one.message);
  assert.deepEqual(faults('my tool: α/β'), []);
  assert.deepEqual(faults('m'.repeat(128)), []);
  assert.deepEqual(faults('m'.repeat(129)), ['Too long: may not be more than 128 bytes']);
  assert.deepEqual(faults('é\nb'), ['Invalid value: "é\\nb": invalid character U+000A (at position 2)']);
});

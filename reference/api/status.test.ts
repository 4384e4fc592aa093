import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldError, notSupported } from './fieldError.ts';
import { FieldPath } from './fieldPath.ts';
import { invalidObject } from './status.ts';

const KIND = { group: '', kind: 'Widget' };
const items = (length: number, allowed: readonly string[]): FieldError[] =>
  Array.from({ length }, (_, index) => notSupported(FieldPath.of('spec', 'list').index(index), `bad${index}`, allowed));

test('few errors are all told, and the message says each once', () => {
  const error = invalidObject(KIND, 'w', [...items(2, ['a']), ...items(1, ['a'])]);
  assert.equal(error.details?.causes?.length, 3);
  assert.equal(
    error.message,
    'Widget "w" is invalid: [spec.list[0]: Unsupported value: "bad0": supported values: "a", spec.list[1]: Unsupported value: "bad1": supported values: "a"]',
  );
});

test('of many errors the first are told, and how many more there are', () => {
  const error = invalidObject(KIND, 'w', items(20_000, ['a']));
  assert.equal(error.details?.causes?.length, 1_000);
  assert.match(error.message, /, and 19000 more\]$/);
});

test('long messages are made for no more errors than are told', () => {
  let made = 0;
  const allowed = Array.from({ length: 10_000 }, (_, index) => `value${index}`);
  const counted = new Proxy(allowed, {
    get: (target, name, receiver) => {
      if (name === 'map') made++;
      return Reflect.get(target, name, receiver);
    },
  });
  const error = invalidObject(KIND, 'w', items(20_000, counted));
  const told = error.details?.causes?.length ?? 0;
  assert.ok(told >= 1 && told < 20);
  assert.ok(made <= told + 1);
  assert.ok(error.message.length < 2_000_000);
});

test('the first error is told, however long', () => {
  const error = invalidObject(KIND, 'w', items(1, ['x'.repeat(2_000_000)]));
  assert.equal(error.details?.causes?.length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalInstant, InstantError, instantOf } from './instant.ts';

test('instants become UTC with whole seconds', () => {
  assert.equal(canonicalInstant('2026-01-02T03:04:05Z', 'seconds'), '2026-01-02T03:04:05Z');
  assert.equal(canonicalInstant('2026-01-02T03:04:05.999Z', 'seconds'), '2026-01-02T03:04:05Z');
  assert.equal(canonicalInstant('2026-01-02T00:30:00+02:00', 'seconds'), '2026-01-01T22:30:00Z');
  assert.equal(canonicalInstant('2024-02-29T12:00:00-11:30', 'seconds'), '2024-02-29T23:30:00Z');
});

test('the fine form has exactly six digits', () => {
  assert.equal(canonicalInstant('2026-01-02T03:04:05.000123+01:00', 'micros'), '2026-01-02T02:04:05.000123Z');
  assert.throws(() => canonicalInstant('2026-01-02T03:04:05Z', 'micros'), {
    message: 'parsing time "2026-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});

test('the first fault from the left is named', () => {
  const faults: [text: string, message: string][] = [
    ['yesterday', 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
    ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ['2026-02-29T00:00:00Z', 'parsing time "2026-02-29T00:00:00Z": day out of range'],
    ['2026-01-01T24:00:00Z', 'parsing time "2026-01-01T24:00:00Z": hour out of range'],
    [
      '2026-01-01 00:00',
      'parsing time "2026-01-01 00:00" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00" as "T"',
    ],
    ['2026-01-01T00:00:00Zzz', 'parsing time "2026-01-01T00:00:00Zzz": extra text: "zz"'],
  ];
  for (const [text, message] of faults) {
    assert.throws(
      () => canonicalInstant(text, 'seconds'),
      (error) => {
        assert.ok(error instanceof InstantError);
        assert.equal(error.message, message);
        return true;
      },
    );
  }
});

test('canonical text reads back as milliseconds', () => {
  assert.equal(instantOf('1970-01-01T00:00:01Z'), 1000);
  assert.equal(instantOf(undefined), undefined);
});

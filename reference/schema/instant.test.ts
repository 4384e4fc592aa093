import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalInstant, InstantError, instantOf } from './instant.ts';

/** Whether the calendar has the day. */
function isDay(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text.slice(0, 10);
}

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

test('canonical text stays as it is, and days that no month has are refused', () => {
  for (const year of ['2023', '2024']) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 0; day <= 32; day++) {
        const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T01:02:03`;
        const text = `${date}Z`;
        // A fraction is never canonical: it is read.
        const read = () => canonicalInstant(`${date}.5Z`, 'seconds');
        const known = isDay(text);
        if (known) {
          assert.equal(canonicalInstant(text, 'seconds'), text);
          assert.equal(read(), text);
          assert.equal(canonicalInstant(`${date}.000007Z`, 'micros'), `${date}.000007Z`);
        } else {
          assert.throws(() => canonicalInstant(text, 'seconds'), /day out of range/);
          assert.throws(read, /day out of range/);
        }
      }
    }
  }
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

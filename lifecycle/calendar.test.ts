import assert from 'node:assert/strict';
import test from 'node:test';
import { isDay, monthsAfter } from './calendar.ts';

for (const [day, months, later] of [
  ['2024-01-15', 0, '2024-01-15'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2023-01-31', 1, '2023-02-28'],
  ['2024-05-31', 9, '2025-02-28'],
  ['2024-12-01', 12, '2025-12-01'],
  ['2024-04-30', 9, '2025-01-30'],
  ['1899-11-30', 3, '1900-02-28'],
] as const) {
  test(`${months} months after ${day} is ${later}`, () => assert.equal(monthsAfter(day, months), later));
}

for (const [text, is] of [
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['2023-02-29', false],
  ['1900-02-29', false],
  ['2024-13-01', false],
  ['2024-00-10', false],
  ['2024-04-31', false],
  ['2024-4-1', false],
  ['2024-01-15T00:00:00Z', false],
] as const) {
  test(`${text} is ${is ? 'a' : 'no'} day`, () => assert.equal(isDay(text), is));
}

/** A day of the calendar, `2024-05-31`. Days compare as texts do. */
export type Day = string;

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a day that the calendar has: `2023-02-29` is none. */
export function isDay(text: string): boolean {
  const [, year, month, day] = FORM.exec(text) ?? [];
  if (day === undefined) return false;
  const number = Number(month);
  return number >= 1 && number <= 12 && Number(day) >= 1 && Number(day) <= daysIn(Number(year), number);
}

/**
 * The same day of a later month.
 * In: a day and a number of months, 0 or more. Out: that day; the month's last one where the month is too short, as a
 * period of a month that begins on 31 January ends with February.
 */
export function monthsAfter(day: Day, months: number): Day {
  const [, year = '', month = '', date = ''] = FORM.exec(day) ?? [];
  const count = Number(year) * 12 + Number(month) - 1 + months;
  const [then, later] = [Math.floor(count / 12), (count % 12) + 1];
  return [
    String(then).padStart(4, '0'),
    String(later).padStart(2, '0'),
    String(Math.min(Number(date), daysIn(then, later))).padStart(2, '0'),
  ].join('-');
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

import type { Environment } from '@marcbachmann/cel-js';
import type { Duration } from '@marcbachmann/cel-js/evaluator';
import { FunctionFault } from './faults.ts';
import { registerAll } from './register.ts';

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';
const DAY = 86_400_000;

/** What a clock on the wall shows, as an instant that reads the same in UTC. */
function wall(instant: Date, zone: string): Date {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
    return new Date(instant.getTime() + offset * 60_000);
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: zone === '' ? 'UTC' : zone });
    const part = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const at = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0;
    const shown = new Date(0);
    shown.setUTCFullYear(at('year'), at('month') - 1, at('day'));
    shown.setUTCHours(at('hour'), at('minute'), at('second'), instant.getUTCMilliseconds());
    return shown;
  } catch {
    throw new FunctionFault(`unknown time zone ${zone}`);
  }
}
const PARTS: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

function dayOfYear(instant: Date): number {
  const start = new Date(instant);
  start.setUTCMonth(0, 1);
  start.setUTCHours(0, 0, 0, 0);
  return Math.floor((instant.getTime() - start.getTime()) / DAY);
}

const SELECTORS: Readonly<Record<string, (instant: Date) => number>> = {
  getFullYear: (instant) => instant.getUTCFullYear(),
  getMonth: (instant) => instant.getUTCMonth(),
  getDate: (instant) => instant.getUTCDate(),
  getDayOfMonth: (instant) => instant.getUTCDate() - 1,
  getDayOfWeek: (instant) => instant.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (instant) => instant.getUTCHours(),
  getMinutes: (instant) => instant.getUTCMinutes(),
  getSeconds: (instant) => instant.getUTCSeconds(),
  getMilliseconds: (instant) => instant.getUTCMilliseconds(),
};

/** Parts of instants, in UTC or in a zone: a name, or hours and minutes ahead of UTC. */
export function registerTimes(environment: Environment): void {
  for (const [name, select] of Object.entries(SELECTORS)) {
    registerAll(environment, {
      [`${TIMESTAMP}.${name}(): int`]: (instant: Date) => BigInt(select(instant)),
      [`${TIMESTAMP}.${name}(string): int`]: (instant: Date, zone: string) => BigInt(select(wall(instant, zone))),
    });
  }
  registerAll(environment, {
    [`${DURATION}.getHours(): int`]: ({ seconds }: Duration) => seconds / 3600n,
    [`${DURATION}.getMinutes(): int`]: ({ seconds }: Duration) => seconds / 60n,
    [`${DURATION}.getSeconds(): int`]: ({ seconds }: Duration) => seconds,
    // The part of a second that is left over.
    [`${DURATION}.getMilliseconds(): int`]: ({ nanos }: Duration) => BigInt(Math.trunc(nanos / 1_000_000)),
  });
}

import type { Json } from '../../api/json.ts';
import { instantOf } from '../../schema/instant.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24;
const YEAR = 365;

/** A span of time in a few letters, with two units where the larger one is small: `90s`, `5m30s`, `3d4h`, `2y10d`. */
export function shortSpan(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 2 * DAY) return `${hours}h`;
  const days = Math.trunc(hours / DAY);
  if (hours < 8 * DAY) return two(days, 'd', hours % DAY, 'h');
  if (days < 2 * YEAR) return `${days}d`;
  const years = Math.trunc(days / YEAR);
  return days < 8 * YEAR ? two(years, 'y', days % YEAR, 'd') : `${years}y`;
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** How long ago an instant is; `<unknown>` for none. */
export function ageOf(instant: Json | undefined, now: number): string {
  const at = typeof instant === 'string' ? instantOf(instant) : undefined;
  return at === undefined ? '<unknown>' : shortSpan(now - at);
}

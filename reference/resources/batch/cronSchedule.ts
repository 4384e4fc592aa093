/*
 * Times at which a CronJob runs: five fields (minute, hour, day of the month, month, day of the week), or a word for
 * a common one.
 */

interface Range {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Range[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];
const WORDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** What is wrong with a schedule, worded as the service words it; undefined for a sound one. */
export function scheduleFault(schedule: string): string | undefined {
  const zoned = /^(?:TZ|CRON_TZ)=([^ ]*) (.*)$/s.exec(schedule);
  if (!zoned) return timesFault(schedule);
  const zone = zoned[1] ?? '';
  const fault = timeZoneFault(zone);
  return fault === undefined ? timesFault((zoned[2] ?? '').trim()) : `provided bad location ${zone}: ${fault}`;
}

/** What is wrong with the name of a time zone; undefined for one that is known. */
export function timeZoneFault(zone: string): string | undefined {
  if (zone === '' || zone === 'UTC') return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return `unknown time zone ${zone}`;
  }
}

function timesFault(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  if (schedule.startsWith('@')) return wordFault(schedule);
  const fields = schedule.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, range] of FIELDS.entries()) {
    const fault = fieldFault(fields[index] ?? '', range);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function wordFault(word: string): string | undefined {
  if (WORDS.includes(word)) return undefined;
  if (!word.startsWith(EVERY)) return `unrecognized descriptor: ${word}`;
  const text = word.slice(EVERY.length);
  if (/^[-+]?(?:0|(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  return `failed to parse duration ${word}: time: ${durationFault(text)}`;
}

function durationFault(text: string): string {
  const shown = JSON.stringify(text);
  if (!/^[-+]?[0-9.]/.test(text)) return `invalid duration ${shown}`;
  const bare = /^[-+]?(?:[0-9.]+(?:ns|us|µs|μs|ms|s|m|h))*[0-9.]+([^0-9.]*)/.exec(text);
  const unit = bare?.[1] ?? '';
  return unit === ''
    ? `missing unit in duration ${shown}`
    : `unknown unit ${JSON.stringify(unit)} in duration ${shown}`;
}

/** A field is a list of single values, of ranges and of steps through one. */
function fieldFault(field: string, range: Range): string | undefined {
  for (const part of field.split(',').filter(Boolean)) {
    const fault = partFault(part, range);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

class ScheduleFault extends Error {}

function partFault(part: string, range: Range): string | undefined {
  try {
    readPart(part, range);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleFault) return error.message;
    throw error;
  }
}

function readPart(part: string, range: Range): void {
  const [span = '', step, ...moreSteps] = part.split('/');
  const [low = '', high, ...moreBounds] = span.split('-');
  let from: number;
  let to: number;
  if (low === '*' || low === '?') {
    from = range.least;
    to = range.most;
  } else {
    from = readValue(low, range);
    if (moreBounds.length > 0) throw new ScheduleFault(`too many hyphens: ${part}`);
    to = high === undefined ? from : readValue(high, range);
  }
  let width = 1;
  if (moreSteps.length > 0) throw new ScheduleFault(`too many slashes: ${part}`);
  if (step !== undefined) {
    width = readNumber(step);
    // "5/10" means from five on.
    if (high === undefined) to = range.most;
  }
  if (from < range.least)
    throw new ScheduleFault(`beginning of range (${from}) below minimum (${range.least}): ${part}`);
  if (to > range.most) throw new ScheduleFault(`end of range (${to}) above maximum (${range.most}): ${part}`);
  if (from > to) throw new ScheduleFault(`beginning of range (${from}) beyond end of range (${to}): ${part}`);
  if (width === 0) throw new ScheduleFault(`step of range should be a positive number: ${part}`);
}

function readValue(text: string, { names, least }: Range): number {
  const index = names?.indexOf(text.toLowerCase()) ?? -1;
  return index >= 0 ? index + least : readNumber(text);
}

function readNumber(text: string): number {
  if (!/^[-+]?[0-9]+$/.test(text)) {
    const shown = JSON.stringify(text);
    throw new ScheduleFault(`failed to parse int from ${text}: strconv.Atoi: parsing ${shown}: invalid syntax`);
  }
  const number = Number(text);
  if (number < 0) throw new ScheduleFault(`negative number (${number}) not allowed: ${text}`);
  return number;
}

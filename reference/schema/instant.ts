/*
 * Instants as the API writes them: RFC 3339 in UTC, with whole seconds or with exactly six digits of them.
 */

/** Text that is no instant. The message is the one that clients of the service know. */
export class InstantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InstantError';
  }
}

export type InstantForm = 'seconds' | 'micros';

/** The forms as messages show them, and the parts that messages name. */
const LAYOUTS: Readonly<Record<InstantForm, string>> = {
  seconds: '2006-01-02T15:04:05Z07:00',
  micros: '2006-01-02T15:04:05.000000Z07:00',
};

const DAY = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
/** Text that is canonical as it stands, as nearly all is that was stored before: nobody has to read it. */
const CANONICAL: Readonly<Record<InstantForm, RegExp>> = {
  seconds: new RegExp(`^\\d{4}-(?:${DAY})T${TIME}Z$`),
  micros: new RegExp(`^\\d{4}-(?:${DAY})T${TIME}\\.\\d{6}Z$`),
};

/**
 * The canonical text of an instant: UTC, in the given form; finer parts are cut off.
 * @throws InstantError
 */
export function canonicalInstant(text: string, form: InstantForm): string {
  if (CANONICAL[form].test(text)) return text;
  const { milliseconds, micros } = new InstantReader(text, form).read();
  const day = new Date(milliseconds).toISOString();
  const whole = day.slice(0, day.indexOf('.'));
  return form === 'seconds' ? `${whole}Z` : `${whole}.${String(micros).padStart(6, '0')}Z`;
}

/** Milliseconds since the epoch of canonical text; undefined for any other. */
export function instantOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] as number);
}

/** Reads from left to right, so that the fault named is the first one. */
class InstantReader {
  readonly #text: string;
  readonly #form: InstantForm;
  #rest: string;

  constructor(text: string, form: InstantForm) {
    this.#text = text;
    this.#form = form;
    this.#rest = text;
  }

  read(): { milliseconds: number; micros: number } {
    const year = this.#digits(4, '2006');
    this.#literal('-');
    const month = this.#digits(2, '01');
    if (month < 1 || month > 12) throw this.#outOfRange('month');
    this.#literal('-');
    const day = this.#digits(2, '02');
    this.#literal('T');
    const hour = this.#digits(2, '15');
    if (hour > 23) throw this.#outOfRange('hour');
    this.#literal(':');
    const minute = this.#digits(2, '04');
    if (minute > 59) throw this.#outOfRange('minute');
    this.#literal(':');
    const second = this.#digits(2, '05');
    if (second > 59) throw this.#outOfRange('second');
    const micros = this.#fraction();
    const offset = this.#zone();
    if (this.#rest !== '')
      throw new InstantError(`parsing time ${quote(this.#text)}: extra text: ${quote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) throw this.#outOfRange('day');
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    return { milliseconds: date.getTime() - offset * 60_000, micros };
  }

  #digits(count: number, element: string): number {
    const digits = this.#rest.slice(0, count);
    if (digits.length < count || !/^[0-9]+$/.test(digits)) throw this.#cannot(element);
    this.#rest = this.#rest.slice(count);
    return Number(digits);
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) throw this.#cannot(character);
    this.#rest = this.#rest.slice(1);
  }

  #fraction(): number {
    const found = /^[.,]([0-9]+)/.exec(this.#rest);
    if (this.#form === 'seconds') {
      if (found) this.#rest = this.#rest.slice(found[0].length);
      return 0;
    }
    const digits = /^\.[0-9]{6}/.exec(this.#rest)?.[0];
    if (!digits) throw this.#cannot('.000000');
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits.slice(1));
  }

  /** Minutes east of UTC. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const zone = /^([+-])([0-9]{2}):([0-9]{2})/.exec(this.#rest);
    if (!zone) throw this.#cannot('Z07:00');
    const [all, sign, hours, minutes] = zone;
    if (Number(hours) > 24) throw this.#outOfRange('time zone offset hour');
    if (Number(minutes) > 60) throw this.#outOfRange('time zone offset minute');
    this.#rest = this.#rest.slice(all.length);
    const east = Number(hours) * 60 + Number(minutes);
    return sign === '-' ? -east : east;
  }

  #cannot(element: string): InstantError {
    const layout = quote(LAYOUTS[this.#form]);
    return new InstantError(
      `parsing time ${quote(this.#text)} as ${layout}: cannot parse ${quote(this.#rest)} as ${quote(element)}`,
    );
  }
  #outOfRange(what: string): InstantError {
    return new InstantError(`parsing time ${quote(this.#text)}: ${what} out of range`);
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}

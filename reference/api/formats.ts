import { isIPv4, isIPv6 } from '../ports/addresses.ts';

/*
 * Formats that values of custom types are checked against; any other is left aside. Names are told apart without
 * their dashes.
 */

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const LABEL = '[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?';
const uuid = (version: string): Check =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})([.,]\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const DURATION = /^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*$/;
const WORDED_DURATION =
  /^\s*\d+\s*(nanosecond|microsecond|millisecond|second|minute|hour|day|week|ns|us|µs|ms|sec|s|min|m|hr|h|d|w)s?\s*$/i;

const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: isEmail,
  hostname: (text) => text.length <= 253 && new RegExp(`^${LABEL}(\\.${LABEL})*$`).test(text),
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: matches(/^([0-9a-f]{2}([:-][0-9a-f]{2}){5,7}|[0-9a-f]{4}(\.[0-9a-f]{4}){2,3})$/i),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCardNumber,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: isRgb,
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: isDate,
  duration: (text) => text === '0' || DURATION.test(text) || WORDED_DURATION.test(text),
  datetime: isDateTime,
};

/** Whether a format is one of those checked. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(checks, format.replaceAll('-', ''));
}

/** Whether a text is of a format; every text is of an unknown one. */
export function hasFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '');
  return !Object.hasOwn(checks, name) || (checks[name] as Check)(text);
}

function isUri(text: string): boolean {
  if (text === '' || /\s/.test(text)) return false;
  return text.startsWith('/') || (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && URL.canParse(text));
}

/** A bare address or one with a name in front. */
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(address) && !address.includes('..');
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return isIPv4(address) ? Number(bits) <= 32 : isIPv6(address) && Number(bits) <= 128;
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (day === undefined) return false;
  const last = new Map([[2, isLeap(Number(year)) ? 29 : 28], ...[4, 6, 9, 11].map((m) => [m, 30] as const)]);
  const at = Number(month);
  return at >= 1 && at <= 12 && Number(day) >= 1 && Number(day) <= (last.get(at) ?? 31);
}
function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
function isDateTime(text: string): boolean {
  const [, date = '', hour, minute, second] = DATE_TIME.exec(text) ?? [];
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

function isRgb(text: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

const digitsOf = (text: string): string => text.replace(/[-\s]/g, '');

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{9}[\dXx]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => total + (10 - at) * (/x/i.test(digit) ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}
function isIsbn13(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}
/** A card number of a plausible length whose check digit is right. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/*
 * Quantities: decimal numbers with a suffix (`100m`, `1.5Gi`, `2e3`), exact to a billionth. Every quantity has one
 * canonical text, in the family of suffixes in which it was given.
 */

export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/** An exact amount: `digits` times ten to the power of `scale`. */
export interface Quantity {
  readonly digits: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
}

/** Text that is no quantity. The message is the one that clients of the service know. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER = 'unable to parse numeric part of quantity';
const WRONG_SUFFIX = "unable to parse quantity's suffix";

/** Finest and coarsest amounts: a billionth, and the largest signed 64-bit number. */
const FINEST = -9;
const LARGEST = 2n ** 63n - 1n;

const DECIMAL_SUFFIXES = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_SUFFIX_OF = new Map([...DECIMAL_SUFFIXES].map(([suffix, scale]) => [scale, suffix]));
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A quantity's text taken apart. */
interface Parts {
  readonly negative: boolean;
  /** Digits before the point without leading zeros; `0` for none. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: Suffix;
}
interface Suffix {
  readonly base: 2 | 10;
  readonly power: number;
  readonly format: QuantityFormat;
}

function split(text: string): Parts {
  if (text === '') throw new QuantityError(WRONG_FORMAT);
  const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([^0-9.]?.*)$/s.exec(text);
  const suffix = parts?.[4] ?? '';
  if (!parts || !/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix)) throw new QuantityError(WRONG_FORMAT);
  const [, sign, digits = '', fraction = ''] = parts;
  if (digits === '' && fraction === '') throw new QuantityError(suffix === '' ? WRONG_NUMBER : WRONG_FORMAT);
  return { negative: sign === '-', whole: digits.replace(/^0+/, '') || '0', fraction, suffix: readSuffix(suffix) };
}

/**
 * Reads a quantity. Numbers of up to 18 digits are exact; beyond that amounts end at 64 bits. Amounts finer than a
 * billionth are rounded away from zero.
 * @throws QuantityError
 */
export function parseQuantity(text: string): Quantity {
  const { negative, whole, fraction, suffix } = split(text);
  const { significant, dropped } = shortened(whole + fraction);
  const digits = BigInt(significant) * (suffix.base === 2 ? 1n << BigInt(suffix.power) : 1n);
  const scale = dropped - fraction.length + (suffix.base === 10 ? suffix.power : 0);
  const capped = suffix.base === 2 || whole.length + fraction.length > EXACT_DIGITS;
  const amount = limit(digits, scale, capped);
  // A binary amount below one is told in decimal.
  const format = suffix.format === 'binary' && isBelowOne(amount) ? 'decimal' : suffix.format;
  return { digits: negative ? -amount.digits : amount.digits, scale: amount.scale, format };
}
const EXACT_DIGITS = 18;

/** Digits that may tell one amount from another: amounts end at 64 bits and at a billionth, in powers of two as well. */
const TELLING_DIGITS = 1_000;

/**
 * The digits without those behind the ones that tell, which take longer to read than they matter; where any of these is
 * not zero, a one stands for them all, since amounts are rounded away from zero.
 */
function shortened(digits: string): { readonly significant: string; readonly dropped: number } {
  if (digits.length <= TELLING_DIGITS) return { significant: digits, dropped: 0 };
  const significant = digits.replace(/^0+(?=\d)/, '');
  const dropped = significant.length - TELLING_DIGITS;
  if (dropped <= 0) return { significant, dropped: 0 };
  const rest = /[1-9]/.test(significant.slice(TELLING_DIGITS));
  return { significant: `${significant.slice(0, TELLING_DIGITS)}${rest ? '1' : '0'}`, dropped: dropped - 1 };
}

function readSuffix(suffix: string): Suffix {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { base: 10, power: decimal, format: 'decimal' };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { base: 2, power: binary * 10, format: 'binary' };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(suffix);
  if (!exponent) throw new QuantityError(WRONG_SUFFIX);
  const power = Number(exponent[1]);
  if (!Number.isSafeInteger(power)) throw new QuantityError(WRONG_SUFFIX);
  return { base: 10, power, format: 'exponent' };
}

/** Brings an amount of any size into range, without ever building a number of more digits than anyone can mean. */
function limit(digits: bigint, scale: number, capped: boolean): { digits: bigint; scale: number } {
  if (digits === 0n) return { digits: 0n, scale: 0 };
  const length = digits.toString().length;
  if (scale < FINEST) {
    const drop = FINEST - scale;
    if (drop > length) return { digits: 1n, scale: FINEST };
    const unit = 10n ** BigInt(drop);
    return limit((digits + unit - 1n) / unit, FINEST, capped);
  }
  if (scale + length > MOST_DIGITS) return LARGEST_AMOUNT;
  if (!capped) return { digits, scale };
  const whole = scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
  return whole >= LARGEST ? LARGEST_AMOUNT : { digits, scale };
}
const LARGEST_AMOUNT = { digits: LARGEST, scale: 0 };
const MOST_DIGITS = 400;

function isBelowOne({ digits, scale }: { digits: bigint; scale: number }): boolean {
  return scale < 0 && digits < 10n ** BigInt(-scale) && digits > 0n;
}

/** The canonical text: no needless zeros, the largest suffix that leaves a whole number. */
export function formatQuantity(quantity: Quantity): string {
  const { digits, scale, format } = quantity;
  if (digits === 0n) return '0';
  const negative = digits < 0n;
  const size = negative ? -digits : digits;
  const sign = negative ? '-' : '';
  if (format === 'binary') {
    const text = formatBinary(size, scale);
    if (text !== undefined) return sign + text;
  }
  return sign + formatDecimal(size, scale, format === 'exponent');
}

function formatBinary(size: bigint, scale: number): string | undefined {
  // Only whole amounts have a binary form; from 1024 on they take the suffix that divides them.
  const whole = wholeOf(size, scale);
  if (whole === undefined || whole < 1024n) return undefined;
  let left = whole;
  let step = 0;
  while (step < BINARY_SUFFIXES.length - 1 && left % 1024n === 0n) {
    left /= 1024n;
    step++;
  }
  return `${left}${BINARY_SUFFIXES[step]}`;
}

function wholeOf(size: bigint, scale: number): bigint | undefined {
  if (scale >= 0) return size * 10n ** BigInt(scale);
  const unit = 10n ** BigInt(-scale);
  return size % unit === 0n ? size / unit : undefined;
}

function formatDecimal(size: bigint, scale: number, exponent: boolean): string {
  let left = size;
  let power = scale;
  while (left % 10n === 0n) {
    left /= 10n;
    power++;
  }
  // Exponents go in steps of three, so up to two zeros come back.
  const step = Math.max(FINEST, Math.floor(power / 3) * 3);
  const coarse = exponent ? step : Math.min(step, 18);
  left *= 10n ** BigInt(power - coarse);
  if (exponent) return coarse === 0 ? left.toString() : `${left}e${coarse}`;
  return `${left}${DECIMAL_SUFFIX_OF.get(coarse)}`;
}

/**
 * The text under which the service keeps a quantity: the canonical one, except that text which looks canonical at
 * a glance (`+5`, `1.500`) stays as it was given.
 * @throws QuantityError
 */
export function canonicalQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return looksCanonical(text) ? text : formatQuantity(quantity);
}

function looksCanonical(text: string): boolean {
  const { whole, fraction, suffix } = split(text);
  const digits = whole + fraction;
  if (suffix.format === 'binary') {
    const precision = 15 - whole.length - Math.trunc((suffix.power * 3) / 10) - 1;
    return fraction === '' && precision >= 0 && BigInt(digits) % 8n !== 0n;
  }
  const scale = suffix.power - fraction.length;
  return digits.length <= EXACT_DIGITS && scale >= FINEST && scale % 3 === 0 && !/^0|000$/.test(digits);
}

/** Negative, zero or positive, as `a` is smaller, equal or larger. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const scale = Math.min(a.scale, b.scale);
  const left = a.digits * 10n ** BigInt(a.scale - scale);
  const right = b.digits * 10n ** BigInt(b.scale - scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The amount in whole units, rounded up away from zero. */
export function quantityValue(quantity: Quantity): bigint {
  return scaledValue(quantity, 0);
}

/** The amount in units of ten to the power of `scale` (-3: thousandths), rounded away from zero. */
export function scaledValue({ digits, scale }: Quantity, unit: number): bigint {
  if (scale >= unit) return digits * 10n ** BigInt(scale - unit);
  const divisor = 10n ** BigInt(unit - scale);
  const quotient = digits / divisor;
  if (digits % divisor === 0n) return quotient;
  return digits < 0n ? quotient - 1n : quotient + 1n;
}

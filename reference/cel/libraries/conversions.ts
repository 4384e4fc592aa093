import type { Environment } from '@marcbachmann/cel-js';
import type { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { isUtf8 } from '../../ports/text.ts';
import { FunctionFault } from './faults.ts';
import { registerAll } from './register.ts';

const TIMESTAMP = 'google.protobuf.Timestamp';
const MOST = 2n ** 63n;
/** Digits of a number in range, with its sign. */
const LONGEST_WHOLE = 20;

function whole(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text))
    throw new FunctionFault(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const digits = text.replace(/^\+/, '').replace(/^(-?)0+(?=[0-9])/, '$1');
  // Far too long a number is out of range whatever it is.
  const value = digits.length > LONGEST_WHOLE ? MOST : BigInt(digits);
  if (value < -MOST || value >= MOST) {
    throw new FunctionFault(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return value;
}

/** The borders themselves cannot be told from what lies beyond them. */
function fromDouble(value: number): bigint {
  if (!Number.isFinite(value) || value <= -Number(MOST) || value >= Number(MOST)) {
    throw new FunctionFault('integer overflow');
  }
  return BigInt(Math.trunc(value));
}

function fromUnsigned({ value }: UnsignedInt): bigint {
  if (value >= MOST) throw new FunctionFault('integer overflow');
  return value;
}

/** The shortest digits that tell a double from all others; with an exponent where it is far from one. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (Object.is(value, -0)) return '-0';
  if (exponent >= -4 && exponent < LARGEST_PLAIN) return plain(value, digits, exponent);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
const LARGEST_PLAIN = 6;

function plain(value: number, digits: string, exponent: number): string {
  return value.toFixed(Math.max(0, digits.replace(/[-.]/g, '').length - 1 - exponent));
}

function bytesText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new FunctionFault('invalid UTF-8 in bytes, cannot convert to string');
  return Buffer.from(bytes).toString('utf8');
}

const ORDER: Readonly<Record<string, (compared: number) => boolean>> = {
  '<': (compared) => compared < 0,
  '<=': (compared) => compared <= 0,
  '>': (compared) => compared > 0,
  '>=': (compared) => compared >= 0,
};

/** The order of bytes, and conversions between types, which fail where a value has no counterpart. */
export function registerConversions(environment: Environment): void {
  for (const [operator, holds] of Object.entries(ORDER)) {
    environment.registerOperator(`bytes ${operator} bytes`, (a: Uint8Array, b: Uint8Array) =>
      holds(Buffer.compare(a, b)),
    );
  }
  registerAll(environment, {
    'int(int): int': (value: bigint) => value,
    'int(uint): int': fromUnsigned,
    'int(double): int': fromDouble,
    'int(string): int': whole,
    [`int(${TIMESTAMP}): int`]: (instant: Date) => BigInt(Math.floor(instant.getTime() / 1000)),
    'string(string): string': (value: string) => value,
    'string(bool): string': (value: boolean) => String(value),
    'string(int): string': (value: bigint) => String(value),
    'string(uint): string': ({ value }: UnsignedInt) => String(value),
    'string(double): string': doubleText,
    'string(bytes): string': bytesText,
  });
}

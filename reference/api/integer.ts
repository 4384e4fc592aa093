/** Text that is not an integer of the kind asked for. The message is the one that clients of the service know. */
export class IntegerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IntegerError';
  }
}

const SIGNED = /^[+-]?[0-9]+$/;
const UNSIGNED = /^[0-9]+$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/** Reads a decimal 64-bit integer, with or without a sign. @throws IntegerError */
export function readInt64(text: string): bigint {
  return read('ParseInt', text, SIGNED, MIN_INT64, MAX_INT64);
}

/** Reads a decimal 64-bit integer without a sign. @throws IntegerError */
export function readUint64(text: string): bigint {
  return read('ParseUint', text, UNSIGNED, 0n, MAX_UINT64);
}

function read(reader: string, text: string, form: RegExp, least: bigint, most: bigint): bigint {
  const fail = (why: string) => new IntegerError(`strconv.${reader}: parsing ${JSON.stringify(text)}: ${why}`);
  if (!form.test(text)) throw fail('invalid syntax');
  // Far too long a number is out of range whatever it is; converting it would cost time for nothing.
  const value = text.length > 1_000 ? most + 1n : BigInt(text.replace(/^\+/, ''));
  if (value < least || value > most) throw fail('value out of range');
  return value;
}

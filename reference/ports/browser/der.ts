/** A value of DER. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const NULL = 0x05;
export const OBJECT_ID = 0x06;
export const SEQUENCE = 0x30;

const LONG_LENGTH = 0x80;
const LONGEST_LENGTH = 4;

/** The values that bytes hold one behind the other. @throws Error when they end within one */
export function readDer(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1];
    at += 2;
    if (length === undefined || length === LONG_LENGTH) throw new Error('the length of a value is missing');
    if (length > LONG_LENGTH) {
      const count = length - LONG_LENGTH;
      if (count > LONGEST_LENGTH) throw new Error('a value is longer than anything');
      length = 0;
      for (const byte of bytes.subarray(at, at + count)) length = length * 256 + byte;
      at += count;
    }
    if (at + length > bytes.length) throw new Error('the bytes end within a value');
    values.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return values;
}

/** The parts of a sequence, which is all that bytes hold. @throws Error when they hold something else */
export function partsOf(bytes: Uint8Array): DerValue[] {
  const [value, ...more] = readDer(bytes);
  if (value?.tag !== SEQUENCE || more.length > 0) throw new Error('one sequence is expected');
  return readDer(value.content);
}

/** The bytes of a value. */
export function writeDer(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < LONG_LENGTH) return Buffer.concat([Uint8Array.of(tag, length), content]);
  const digits = length.toString(16);
  const size = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Uint8Array.of(tag, LONG_LENGTH + size.length), size, content]);
}

/** A number of any size that is not negative, as an INTEGER. @param bytes the most significant first */
export function writeUnsigned(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const plain = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
  const sign = (plain[0] as number) >= LONG_LENGTH ? [Uint8Array.of(0)] : [];
  return writeDer(INTEGER, ...sign, plain);
}

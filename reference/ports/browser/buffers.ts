// The bundle for browsers takes its Buffer from here: the one of the package, which knows no base64url and decodes broken
// UTF-8 in a way of its own.
import { Buffer as Plain } from 'buffer/';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const { from, byteLength } = Plain;
const { toString: plainText } = Plain.prototype;
const isUtf8 = (encoding: unknown) => encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';

function asBuffer(bytes: Uint8Array): Plain {
  return Reflect.apply(from, Plain, [bytes.buffer, bytes.byteOffset, bytes.byteLength]);
}

Object.assign(Plain, {
  from(value: unknown, second?: unknown, third?: unknown): Plain {
    if (typeof value === 'string' && isUtf8(second)) return asBuffer(encoder.encode(value));
    if (typeof value === 'string' && second === 'base64url') return Reflect.apply(from, Plain, [value, 'base64']);
    return Reflect.apply(from, Plain, [value, second, third]);
  },
  byteLength(value: unknown, encoding?: string): number {
    if (typeof value === 'string' && isUtf8(encoding)) return utf8Length(value);
    return Reflect.apply(byteLength, Plain, [value, encoding]);
  },
});

Object.assign(Plain.prototype, {
  toString(this: Plain, encoding?: string, start?: number, end?: number): string {
    if (isUtf8(encoding)) return decoder.decode(this.subarray(start ?? 0, end ?? this.length));
    if (encoding !== 'base64url') return Reflect.apply(plainText, this, [encoding, start, end]);
    const plain: string = Reflect.apply(plainText, this, ['base64', start, end]);
    return plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  },
});

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      // A pair: two units, four bytes.
      length += 2;
      at++;
    } else length += 2;
  }
  return length;
}

export { Plain as Buffer };

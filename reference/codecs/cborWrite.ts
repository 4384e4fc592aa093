import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { eachPart, entriesOf, type Staged } from '../api/staged.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';

/*
 * The service writes text as byte strings, bytes as byte strings under the tag that asks for base64 in JSON, and
 * floats in the shortest form that keeps the value. Libraries write text as text, so this is written by hand.
 */

const MAJOR_UNSIGNED = 0x00;
const MAJOR_NEGATIVE = 0x20;
const MAJOR_BYTES = 0x40;
const MAJOR_ARRAY = 0x80;
const MAJOR_MAP = 0xa0;
const TAG_BASE64 = 0xd6;
/** The tag that says that what follows is CBOR. */
const SELF_DESCRIBED = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** A JSON value as one CBOR item; the schema tells bytes from text. */
export function encodeCbor(value: Json, schema: Schema | undefined): Uint8Array {
  const output = new Output();
  writeValue(output, value, schema);
  return output.take();
}

/** The same with turns for others meanwhile. */
export function* cborInParts(value: Json, schema: Schema | undefined): Staged<Uint8Array> {
  const output = new Output();
  yield* writeInParts(output, value, schema);
  return output.take();
}

function* writeInParts(output: Output, value: Json, schema: Schema | undefined): Staged<void> {
  if (Array.isArray(value)) {
    const items = schema?.kind === 'list' ? schema.items : undefined;
    output.head(MAJOR_ARRAY, value.length);
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => writeValue(output, value[at] as Json, items),
      large: (at) => writeInParts(output, value[at] as Json, items),
    });
  } else if (isObject(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    output.head(MAJOR_MAP, names.length);
    yield* eachPart({
      keys: names,
      size: (name, enough) => entriesOf(value[name], enough),
      small: (name) => {
        output.text(name);
        writeValue(output, value[name] as Json, memberSchema(schema, name));
      },
      *large(name) {
        output.text(name);
        yield* writeInParts(output, value[name] as Json, memberSchema(schema, name));
      },
    });
  } else writeValue(output, value, schema);
}

function memberSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.kind === 'map') return schema.values;
  return schema?.kind === 'object' ? schema.fields.get(name)?.schema : undefined;
}

/** The item under the tag that says that it is CBOR: how bodies begin. */
export function describeCbor(item: Uint8Array): Uint8Array {
  return Buffer.concat([SELF_DESCRIBED, item]);
}

/** A map of items already encoded, in the order given. */
export function cborMap(members: readonly (readonly [name: string, item: Uint8Array])[]): Uint8Array {
  const output = new Output();
  output.head(MAJOR_MAP, members.length);
  for (const [name, item] of members) {
    output.text(name);
    output.raw(item);
  }
  return output.take();
}

/** An array of items already encoded. */
export function cborArray(items: readonly Uint8Array[]): Uint8Array {
  const output = new Output();
  output.head(MAJOR_ARRAY, items.length);
  for (const item of items) output.raw(item);
  return output.take();
}

function writeValue(output: Output, value: Json, schema: Schema | undefined): void {
  if (typeof value === 'string') writeText(output, value, schema);
  else if (value === null) output.byte(0xf6);
  else if (typeof value === 'boolean') output.byte(value ? 0xf5 : 0xf4);
  else if (typeof value === 'bigint') output.integer(value);
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && !doubles(schema)) output.integer(BigInt(value));
    else output.float(value);
  } else if (Array.isArray(value)) {
    const items = schema?.kind === 'list' ? schema.items : undefined;
    output.head(MAJOR_ARRAY, value.length);
    for (const item of value) writeValue(output, item, items);
  } else if (isObject(value)) writeMembers(output, value, schema);
}

function doubles(schema: Schema | undefined): boolean {
  return schema?.kind === 'scalar' && schema.type === 'double';
}

function writeText(output: Output, text: string, schema: Schema | undefined): void {
  if (schema?.kind === 'scalar' && schema.type === 'bytes') {
    output.byte(TAG_BASE64);
    const bytes = Buffer.from(text, 'base64');
    output.head(MAJOR_BYTES, bytes.length);
    output.raw(bytes);
  } else output.text(text);
}

function writeMembers(output: Output, object: JsonObject, schema: Schema | undefined): void {
  const fields = schema?.kind === 'object' ? (schema as ObjectSchema).fields : undefined;
  const values = schema?.kind === 'map' ? schema.values : undefined;
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  output.head(MAJOR_MAP, names.length);
  for (const name of names) {
    output.text(name);
    writeValue(output, object[name] as Json, fields ? fields.get(name)?.schema : values);
  }
}

/** Bytes that grow. */
class Output {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  take(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
  }
  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
  text(text: string): void {
    const size = Buffer.byteLength(text);
    this.head(MAJOR_BYTES, size);
    this.#room(size);
    this.#length += this.#bytes.write(text, this.#length);
  }
  integer(value: bigint): void {
    if (value >= 0n) this.head(MAJOR_UNSIGNED, value);
    else this.head(MAJOR_NEGATIVE, -1n - value);
  }
  /** The first byte of an item, with its argument in the fewest bytes. */
  head(major: number, argument: number | bigint): void {
    this.#room(9);
    const bytes = this.#bytes;
    const at = this.#length;
    if (argument < 24) {
      bytes[at] = major | Number(argument);
      this.#length = at + 1;
    } else if (argument < 0x100) {
      bytes[at] = major | 24;
      this.#length = bytes.writeUInt8(Number(argument), at + 1);
    } else if (argument < 0x1_0000) {
      bytes[at] = major | 25;
      this.#length = bytes.writeUInt16BE(Number(argument), at + 1);
    } else if (argument < 0x1_0000_0000) {
      bytes[at] = major | 26;
      this.#length = bytes.writeUInt32BE(Number(argument), at + 1);
    } else {
      bytes[at] = major | 27;
      this.#length = bytes.writeBigUInt64BE(BigInt(argument), at + 1);
    }
  }
  float(value: number): void {
    this.#room(9);
    const half = halfOf(value);
    if (half !== undefined) {
      this.#bytes[this.#length] = 0xf9;
      this.#length = this.#bytes.writeUInt16BE(half, this.#length + 1);
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#length] = 0xfa;
      this.#length = this.#bytes.writeFloatBE(value, this.#length + 1);
    } else {
      this.#bytes[this.#length] = 0xfb;
      this.#length = this.#bytes.writeDoubleBE(value, this.#length + 1);
    }
  }
}

/** The bits of a number as half precision; undefined where that would lose something. */
function halfOf(value: number): number | undefined {
  if (Math.fround(value) !== value) return undefined;
  const bits = Buffer.allocUnsafe(4);
  bits.writeFloatBE(value);
  const single = bits.readUInt32BE();
  const sign = (single >>> 16) & 0x8000;
  const exponent = (single >>> 23) & 0xff;
  const fraction = single & 0x7f_ffff;
  if (exponent === 0 && fraction === 0) return sign;
  const half = exponent - 127 + 15;
  if (half >= 1 && half <= 30) return (fraction & 0x1fff) === 0 ? sign | (half << 10) | (fraction >>> 13) : undefined;
  if (half > 30 || half < -9) return undefined;
  // Too small for a normal half: the leading one moves into the fraction.
  const shift = 14 - half;
  const whole = fraction | 0x80_0000;
  return (whole & ((1 << shift) - 1)) === 0 ? sign | (whole >>> shift) : undefined;
}

import { type Json, type JsonObject, MAX_DEPTH, setMember } from '../api/json.ts';
import type { Schema } from '../schema/schema.ts';
import { formatTime } from '../time.ts';

/** Bytes that are not one well-formed CBOR item. */
export class CborSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CborSyntaxError';
  }
}

/** What reading CBOR found. */
export interface ReadCbor {
  readonly value: Json;
  /** The first thing that is well-formed but not acceptable: a key twice, `undefined`, bytes that are no base64. */
  readonly fault: string | undefined;
  /** The first field outside the schema, which was left out; in the words of strict field validation. */
  readonly unknown: string | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one CBOR item as JSON. Byte strings are text, unless a tag says how JSON shows them; where the schema has
 * bytes, an untagged byte string is base64 text.
 * @throws CborSyntaxError
 */
export function readCbor(bytes: Uint8Array, schema: Schema | undefined): ReadCbor {
  return new Reader(bytes).read(schema);
}

function tooDeep(): CborSyntaxError {
  return new CborSyntaxError(`cbor: exceeded max nested level ${MAX_DEPTH}`);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  #fault: string | undefined;
  #unknown: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(schema: Schema | undefined): ReadCbor {
    if (this.#bytes.length === 0) throw new CborSyntaxError('EOF');
    const value = this.#item(schema);
    const left = this.#bytes.length - this.#at;
    if (left > 0) {
      throw new CborSyntaxError(`cbor: ${left} bytes of extraneous data starting at index ${this.#at}`);
    }
    return { value, fault: this.#fault, unknown: this.#unknown };
  }

  #item(schema: Schema | undefined): Json {
    // Scalars stand in the innermost container.
    if (++this.#depth > MAX_DEPTH + 1) throw tooDeep();
    const first = this.#byte();
    const value = this.#typed(first >>> 5, first & 31, schema);
    if (this.#depth > MAX_DEPTH && typeof value === 'object' && value !== null) throw tooDeep();
    this.#depth--;
    return value;
  }

  #typed(major: number, detail: number, schema: Schema | undefined): Json {
    switch (major) {
      case 0:
        // Most integers are small.
        return detail < 27 ? this.#length(detail) : this.#integer(this.#argument(detail));
      case 1:
        return detail < 27 ? -1 - this.#length(detail) : this.#integer(-1n - this.#argument(detail));
      case 2:
        return this.#bytesText(this.#string(major, detail), schema);
      case 3:
        return this.#text(this.#string(major, detail), schema);
      case 4:
        return this.#array(detail, schema);
      case 5:
        return this.#map(detail, schema);
      case 6:
        return this.#tagged(this.#length(detail), schema);
      default:
        return this.#simple(detail);
    }
  }

  #integer(value: bigint): number | bigint {
    if (value > 2n ** 63n - 1n || value < -(2n ** 63n)) {
      this.#refuse('cbor: cannot unmarshal integer into Go value of type int64: it overflows');
      return 0;
    }
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  /** A byte string without a tag. */
  #bytesText(bytes: Buffer, schema: Schema | undefined): string {
    const text = this.#decode(bytes);
    if (schema?.kind === 'scalar' && schema.type === 'bytes') {
      const wrong = illegalBase64(bytes);
      if (wrong >= 0) {
        this.#refuse(`cbor: failed to decode base64 from byte string: illegal base64 data at input byte ${wrong}`);
      }
    }
    return text;
  }

  #text(bytes: Buffer, schema: Schema | undefined): string {
    if (schema?.kind === 'scalar' && schema.type === 'bytes') {
      this.#refuse('cbor: cannot unmarshal UTF-8 text string into Go value of type []uint8');
    }
    return this.#decode(bytes);
  }

  #decode(bytes: Buffer): string {
    try {
      return utf8.decode(bytes);
    } catch {
      this.#refuse('cbor: invalid UTF-8 string');
      return '';
    }
  }

  #array(detail: number, schema: Schema | undefined): Json {
    const items = schema?.kind === 'list' ? schema.items : undefined;
    const list: Json[] = [];
    this.#each(detail, () => list.push(this.#item(items)));
    return list;
  }

  #map(detail: number, schema: Schema | undefined): Json {
    const object: JsonObject = {};
    const fields = schema?.kind === 'object' && !schema.preserveUnknown ? schema.fields : undefined;
    const values = schema?.kind === 'map' ? schema.values : undefined;
    let index = 0;
    this.#each(detail, () => {
      const key = this.#key();
      const field = fields?.get(key);
      const value = this.#item(fields ? field?.schema : values);
      if (Object.hasOwn(object, key)) {
        this.#refuse(`cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`);
      }
      if (fields && !field) this.#unknown ??= `cbor: found unknown field at map element index ${index}`;
      else setMember(object, key, value);
      index++;
    });
    return object;
  }

  #key(): string {
    const first = this.#bytes[this.#at];
    const value = this.#item(undefined);
    if (first !== undefined && (first >>> 5 === 2 || first >>> 5 === 3)) return value as string;
    this.#refuse('cbor: cannot unmarshal a map key that is no string into Go value of type string');
    return String(value);
  }

  /** Runs `one` for each item of an array or pair of a map, of known or unknown length. */
  #each(detail: number, one: () => void): void {
    if (detail === 31) {
      while (this.#bytes[this.#at] !== 0xff) one();
      this.#at++;
      return;
    }
    const count = this.#length(detail);
    // Each needs a byte at least: a length beyond the end is known to be wrong before anything is made.
    if (count > this.#bytes.length - this.#at) throw new CborSyntaxError('unexpected EOF');
    for (let i = 0; i < count; i++) one();
  }

  #tagged(tag: number, schema: Schema | undefined): Json {
    const first = this.#bytes[this.#at];
    if (tag === 21 || tag === 22 || tag === 23) {
      if (first === undefined || first >>> 5 !== 2) {
        this.#item(undefined);
        this.#refuse(`cbor: tag number ${tag} must be followed by byte string`);
        return '';
      }
      this.#at++;
      const bytes = this.#string(2, first & 31);
      const form = schema?.kind === 'scalar' && schema.type === 'bytes' ? 'base64' : TEXT_FORMS[tag - 21];
      return bytes.toString(form);
    }
    const value = this.#item(schema);
    if (tag === 55799 || tag === 0) return value;
    if (tag === 1 && typeof value === 'number' && Math.abs(value) <= LATEST) return formatTime(value * 1000);
    this.#refuse(`cbor: unrecognized tag number ${tag}`);
    return value;
  }

  #simple(detail: number): Json {
    if (detail === 20) return false;
    if (detail === 21) return true;
    if (detail === 22) return null;
    if (detail >= 25 && detail <= 27) return this.#float(detail);
    const value = detail === 24 ? this.#byte() : detail;
    if (detail > 27) throw new CborSyntaxError(`cbor: invalid additional information ${detail} for type primitives`);
    this.#refuse(
      `cbor: data item of cbor type primitives is not accepted by protocol: simple value ${value} is not recognized`,
    );
    return null;
  }

  #float(detail: number): number {
    const at = this.#take(detail === 25 ? 2 : detail === 26 ? 4 : 8);
    const bytes = this.#bytes;
    const value =
      detail === 25 ? half(bytes.readUInt16BE(at)) : detail === 26 ? bytes.readFloatBE(at) : bytes.readDoubleBE(at);
    if (!Number.isFinite(value)) {
      this.#refuse(
        `cbor: data item of cbor type primitives is not accepted by protocol: floating-point ${Number.isNaN(value) ? 'NaN' : 'infinity'}`,
      );
      return 0;
    }
    return value === 0 ? 0 : value;
  }

  #string(major: number, detail: number): Buffer {
    if (detail === 31) {
      // There may be as many pieces as bytes: they are put together as they are met.
      let whole = Buffer.alloc(PIECES);
      let size = 0;
      for (let first = this.#byte(); first !== 0xff; first = this.#byte()) {
        if (first >>> 5 !== major || (first & 31) === 31) {
          throw new CborSyntaxError('cbor: wrong element type for indefinite-length string');
        }
        const at = this.#take(this.#lengthWithin(first & 31));
        const room = size + this.#at - at;
        if (room > whole.length) whole = Buffer.concat([whole], 2 * room);
        for (let from = at; from < this.#at; from++) whole[size++] = this.#bytes[from] as number;
      }
      return whole.subarray(0, size);
    }
    const at = this.#take(this.#lengthWithin(detail));
    return this.#bytes.subarray(at, this.#at);
  }

  /** A length of bytes that are there. */
  #lengthWithin(detail: number): number {
    const length = this.#length(detail);
    if (length > this.#bytes.length - this.#at) throw new CborSyntaxError('unexpected EOF');
    return length;
  }

  /** An argument that is a length or a number of a tag: beyond what a double holds, how much does not matter. */
  #length(detail: number): number {
    if (detail < 24) return detail;
    if (detail === 24) return this.#byte();
    if (detail === 25) return this.#bytes.readUInt16BE(this.#take(2));
    if (detail === 26) return this.#bytes.readUInt32BE(this.#take(4));
    return Number(this.#argument(detail));
  }

  #argument(detail: number): bigint {
    if (detail < 24) return BigInt(detail);
    if (detail === 24) return BigInt(this.#byte());
    if (detail === 25) return BigInt(this.#bytes.readUInt16BE(this.#take(2)));
    if (detail === 26) return BigInt(this.#bytes.readUInt32BE(this.#take(4)));
    if (detail === 27) return this.#bytes.readBigUInt64BE(this.#take(8));
    throw new CborSyntaxError(`cbor: invalid additional information ${detail}`);
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }
  /** Moves on by some bytes; where they begin. */
  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) throw new CborSyntaxError('unexpected EOF');
    this.#at = at + count;
    return at;
  }
  #refuse(why: string): void {
    this.#fault ??= why;
  }
}

/** Bytes that there is room for in a string of pieces before more is made. */
const PIECES = 64;
/** Seconds from the epoch to the end of the year 9999. */
const LATEST = 253_402_300_799;

const TEXT_FORMS = ['base64url', 'base64', 'hex'] as const;

function half(bits: number): number {
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (fraction + 1024) * 2 ** (exponent - 25);
}

/** Where bytes stop being base64 text; -1 when they are all of it. */
function illegalBase64(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  const good = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(good);
  if (text.length % 4 === 0 && /^={0,2}$/.test(rest)) return -1;
  return good;
}

import protobuf, { type Reader } from 'protobufjs/minimal.js';
import { isObject, isTooDeep, type Json, type JsonObject, MAX_DEPTH, setMember } from '../api/json.ts';
import type { ObjectSchema, ScalarType, Schema } from '../schema/schema.ts';
import { formatTime } from '../time.ts';
import { JsonSyntaxError, numberOf, readJson } from './json.ts';
import { type Layout, layoutOf, unionOf } from './protobufLayout.ts';

/** Bytes that are not the message they should be. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtobufError';
  }
}

/** Messages inside messages, at most. */
const MAX_NESTING = MAX_DEPTH;
/** What has no more bytes is nested no deeper than anything may be: each level takes two, in messages and in the JSON in them. */
const CANNOT_BE_DEEP = 2 * MAX_DEPTH;

/**
 * Reads a Protobuf message of a type into JSON. Fields that the type does not know are passed over; what a message
 * leaves out stays absent.
 * @throws ProtobufError
 */
export function decodeMessage(schema: ObjectSchema, bytes: Uint8Array): JsonObject {
  return guarded(() => {
    const object: JsonObject = {};
    readLayout(protobuf.Reader.create(bytes), bytes.length, layoutOf(schema), object, 0);
    // JSON within a message begins to count anew.
    if (bytes.length > CANNOT_BE_DEEP && isTooDeep(object)) throw new ProtobufError('proto: exceeded max depth');
    return object;
  });
}

/** Runs a reader and turns what it throws about broken bytes into one kind of error. */
export function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtobufError) throw error;
    if (error instanceof JsonSyntaxError) throw new ProtobufError(error.message);
    if (error instanceof RangeError) throw new ProtobufError('unexpected EOF');
    throw new ProtobufError(error instanceof Error ? `proto: ${error.message}` : 'proto: malformed message');
  }
}

function readLayout(reader: Reader, end: number, layout: Layout, object: JsonObject, depth: number): void {
  if (depth > MAX_NESTING) throw new ProtobufError('proto: message is nested too deeply');
  if (end > reader.len) throw new ProtobufError('unexpected EOF');
  while (reader.pos < end) {
    const mark = reader.uint32();
    const part = layout.byNumber.get(mark >>> 3);
    if (!part) reader.skipType(mark & 7);
    else if (part.inner) {
      expect(mark, 2);
      const stop = reader.uint32() + reader.pos;
      readLayout(reader, stop, part.inner, object, depth + 1);
    } else if (part.field) {
      const { name, schema } = part.field;
      readField(reader, mark, schema, object, name, depth);
    }
  }
}

function readField(
  reader: Reader,
  mark: number,
  schema: Schema,
  object: JsonObject,
  name: string,
  depth: number,
): void {
  if (schema.kind === 'list') {
    object[name] ??= [];
    readItems(reader, mark, schema.items, object[name] as Json[], depth);
  } else if (schema.kind === 'map') {
    object[name] ??= {};
    readEntry(reader, mark, schema.values, object[name] as JsonObject, depth);
  } else {
    const value = readValue(reader, mark, schema, depth, object[name]);
    if (value !== undefined) object[name] = value;
  }
}

/** One item, or several where numbers come packed. */
function readItems(reader: Reader, mark: number, items: Schema, list: Json[], depth: number): void {
  const numeric = items.kind === 'scalar' && wireTypeOf(items.type) !== 2;
  if (!numeric || (mark & 7) !== 2) {
    list.push(readValue(reader, mark, items, depth, undefined) ?? null);
    return;
  }
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new ProtobufError('unexpected EOF');
  while (reader.pos < end) list.push(readScalar(reader, items.type) ?? null);
}

function readEntry(reader: Reader, mark: number, values: Schema, map: JsonObject, depth: number): void {
  expect(mark, 2);
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new ProtobufError('unexpected EOF');
  let key = '';
  let value: Json | undefined;
  while (reader.pos < end) {
    const inner = reader.uint32();
    if (inner >>> 3 === 1) {
      expect(inner, 2);
      key = reader.string();
    } else if (inner >>> 3 === 2) value = readValue(reader, inner, values, depth, undefined);
    else reader.skipType(inner & 7);
  }
  setMember(map, key, value ?? emptyOf(values));
}

function emptyOf(schema: Schema): Json {
  if (schema.kind === 'scalar') return schema.type === 'string' || schema.type === 'bytes' ? '' : 0;
  return schema.kind === 'list' ? [] : {};
}

function readValue(
  reader: Reader,
  mark: number,
  schema: Schema,
  depth: number,
  before: Json | undefined,
): Json | undefined {
  if (schema.kind === 'scalar') {
    expect(mark, wireTypeOf(schema.type));
    return readScalar(reader, schema.type);
  }
  expect(mark, 2);
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new ProtobufError('unexpected EOF');
  if (schema.kind === 'object') {
    // A message that comes twice is one message.
    const object = isObject(before) ? before : {};
    readLayout(reader, end, layoutOf(schema), object, depth + 1);
    return object;
  }
  if (schema.kind === 'untyped') return readUntyped(reader, end, schema, depth);
  const list: Json[] = [];
  const map: JsonObject = {};
  while (reader.pos < end) {
    const inner = reader.uint32();
    if (inner >>> 3 !== 1) reader.skipType(inner & 7);
    else if (schema.kind === 'list') readItems(reader, inner, schema.items, list, depth + 1);
    else readEntry(reader, inner, schema.values, map, depth + 1);
  }
  return schema.kind === 'list' ? list : map;
}

function readUntyped(reader: Reader, end: number, schema: Schema, depth: number): Json | undefined {
  const union = unionOf(schema);
  let value: Json | undefined;
  while (reader.pos < end) {
    const mark = reader.uint32();
    const number = mark >>> 3;
    if (number > 2 || (!union && number > 1)) reader.skipType(mark & 7);
    else if (!union) {
      expect(mark, 2);
      const raw = Buffer.from(reader.bytes()).toString('utf8');
      value = raw === '' ? undefined : readJson(raw).value;
    } else if (union.kind === 'boolean' && number === 1) {
      expect(mark, 0);
      const allows = reader.bool();
      value ??= allows;
    } else if (union.kind !== 'boolean' && number === 2) {
      expect(mark, 2);
      const list: Json[] = Array.isArray(value) ? value : [];
      list.push(
        union.kind === 'names' ? reader.string() : (readValue(reader, mark, union.props, depth + 1, undefined) as Json),
      );
      value = list;
    } else value = readValue(reader, mark, union.props, depth + 1, undefined);
  }
  return value;
}

function wireTypeOf(type: ScalarType): number {
  if (type === 'boolean' || type === 'int32' || type === 'int64') return 0;
  return type === 'double' ? 1 : 2;
}

function expect(mark: number, wireType: number): void {
  if ((mark & 7) !== wireType) {
    throw new ProtobufError(`proto: wrong wireType = ${mark & 7} for field ${mark >>> 3}`);
  }
}

function readScalar(reader: Reader, type: ScalarType): Json | undefined {
  switch (type) {
    case 'string':
      return reader.string();
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'boolean':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return numberOf(String(reader.int64()), true);
    case 'double':
      return reader.double();
    default:
      return readMessageScalar(reader, type);
  }
}

/** Scalars that are messages in Protobuf: a few numbers and texts, by number. */
function readMessageScalar(reader: Reader, type: ScalarType): Json | undefined {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new ProtobufError('unexpected EOF');
  if (reader.pos === end && (type === 'time' || type === 'microTime')) return undefined;
  const numbers = [0, 0, 0, 0];
  let text = '';
  let long = 0n;
  while (reader.pos < end) {
    const mark = reader.uint32();
    if ((mark & 7) === 2 && mark >>> 3 <= 3) text = reader.string();
    else if ((mark & 7) === 0 && mark >>> 3 <= 3) {
      long = BigInt(String(reader.int64()));
      numbers[mark >>> 3] = Number(long);
    } else reader.skipType(mark & 7);
  }
  if (type === 'quantity') return text;
  if (type === 'intOrString') return numbers[1] === 1 ? text : (numbers[2] as number);
  if (type === 'duration') return formatDuration(long);
  return instant(numbers[1] as number, numbers[2] as number, type === 'microTime');
}

/** Instants outside the years that RFC 3339 can say are refused. */
function instant(seconds: number, nanoseconds: number, fractions: boolean): string {
  if (seconds < -62_135_596_800 || seconds > 253_402_300_799) throw new ProtobufError('proto: time is out of range');
  const whole = formatTime(seconds * 1000);
  if (!fractions) return whole;
  const micros = Math.trunc(nanoseconds / 1000);
  return `${whole.slice(0, -1)}.${String(micros).padStart(6, '0')}Z`;
}

/** Nanoseconds as durations are written: `1h2m3.5s`, `1.5ms`. */
function formatDuration(total: bigint): string {
  if (total === 0n) return '0s';
  const sign = total < 0n ? '-' : '';
  const nanos = Number(total < 0n ? -total : total);
  if (nanos < 1e3) return `${sign}${nanos}ns`;
  if (nanos < 1e6) return `${sign}${nanos / 1e3}µs`;
  if (nanos < 1e9) return `${sign}${nanos / 1e6}ms`;
  const hours = Math.floor(nanos / 3.6e12);
  const minutes = Math.floor((nanos % 3.6e12) / 6e10);
  const seconds = (nanos % 6e10) / 1e9;
  const large = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '';
  return `${sign}${large}${seconds}s`;
}

import protobuf, { type Writer } from 'protobufjs/minimal.js';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { eachPart, entriesOf, type Staged, sortInParts } from '../api/staged.ts';
import type { Field, ObjectSchema, ScalarType, Schema } from '../schema/schema.ts';
import { stringify } from './jsonText.ts';
import { type Layout, layoutOf, unionOf } from './protobufLayout.ts';

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;

/**
 * An object as the Protobuf message of its type. Plain fields are always written, empty or not; those that tell
 * empty from absent only when set; names of maps in order.
 */
export function encodeMessage(schema: ObjectSchema, object: JsonObject): Uint8Array {
  const writer = protobuf.Writer.create();
  writeLayout(writer, layoutOf(schema), object);
  return writer.finish();
}

/** The same with turns for others meanwhile. */
export function* messageInParts(schema: ObjectSchema, object: JsonObject): Staged<Uint8Array> {
  const pieces = new MessagePieces();
  yield* layoutInParts(pieces, layoutOf(schema), object);
  return Buffer.concat(pieces.done());
}

/** What of a message is written in one go. */
const WRITTEN_AT_ONCE = 256;
/** Bytes of a message that are written before they are put into their final form. */
const PIECE = 64 * 1024;

/** The bytes of a message, piece by piece. */
class MessagePieces {
  readonly #done: Uint8Array[] = [];
  #open = protobuf.Writer.create();

  /** For what is small. */
  get writer(): Writer {
    if (this.#open.len > PIECE) this.#close();
    return this.#open;
  }
  /** A message within, of which the pieces are there. */
  within(number: number, inner: MessagePieces): void {
    const pieces = inner.done();
    this.#open.uint32(tag(number, DELIMITED)).uint32(pieces.reduce((sum, piece) => sum + piece.length, 0));
    this.#close();
    for (const piece of pieces) this.#done.push(piece);
  }
  done(): readonly Uint8Array[] {
    this.#close();
    return this.#done;
  }
  #close(): void {
    this.#done.push(this.#open.finish());
    this.#open = protobuf.Writer.create();
  }
}

function* layoutInParts(pieces: MessagePieces, layout: Layout, object: JsonObject): Staged<void> {
  for (const part of layout.parts) {
    if (part.inner) {
      const inner = new MessagePieces();
      yield* layoutInParts(inner, part.inner, object);
      pieces.within(part.number, inner);
    } else if (part.field) {
      const { name } = part.field;
      const value = Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
      if (entriesOf(value, WRITTEN_AT_ONCE) <= WRITTEN_AT_ONCE)
        writeField(pieces.writer, part.number, part.field, value);
      else yield* fieldInParts(pieces, part.number, part.field.schema, value as Json);
    }
  }
}

/** A field that holds much: a list of messages, a map, or a message. */
function* fieldInParts(pieces: MessagePieces, number: number, schema: Schema, value: Json): Staged<void> {
  if (schema.kind === 'list' && Array.isArray(value)) {
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => writeValue(pieces.writer, number, schema.items, value[at] as Json),
      large: (at) => valueInParts(pieces, number, schema.items, value[at] as Json),
    });
  } else if (schema.kind === 'map' && isObject(value)) {
    yield* eachPart({
      keys: yield* sortInParts(Object.keys(value)),
      size: (name, enough) => entriesOf(value[name], enough),
      small: (name) => writeEntry(pieces.writer, number, schema.values, name, value[name]),
      *large(name) {
        const inner = new MessagePieces();
        inner.writer.uint32(tag(1, DELIMITED)).string(name);
        yield* valueInParts(inner, 2, schema.values, value[name] as Json);
        pieces.within(number, inner);
      },
    });
  } else yield* valueInParts(pieces, number, schema, value);
}

function* valueInParts(pieces: MessagePieces, number: number, schema: Schema, value: Json): Staged<void> {
  if (schema.kind === 'object' && isObject(value)) {
    const inner = new MessagePieces();
    yield* layoutInParts(inner, layoutOf(schema), value);
    pieces.within(number, inner);
  } else writeValue(pieces.writer, number, schema, value);
}

function writeLayout(writer: Writer, layout: Layout, object: JsonObject): void {
  for (const part of layout.parts) {
    if (part.inner) message(writer, part.number, () => writeLayout(writer, part.inner as Layout, object));
    else if (part.field) {
      const { name } = part.field;
      writeField(
        writer,
        part.number,
        part.field,
        Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined,
      );
    }
  }
}

function writeField(writer: Writer, number: number, field: Field, value: Json | undefined): void {
  const { schema } = field;
  if (schema.kind === 'list') {
    if (Array.isArray(value)) for (const item of value) writeValue(writer, number, schema.items, item);
  } else if (schema.kind === 'map') {
    if (isObject(value)) writeMap(writer, number, schema.values, value);
  } else if (value !== undefined) writeValue(writer, number, schema, value);
  else if (field.presence !== 'explicit') writeEmpty(writer, number, schema);
}

/** A plain field that is not set: the empty value of its type. Bytes alone know none. */
function writeEmpty(writer: Writer, number: number, schema: Schema): void {
  if (schema.kind === 'object') message(writer, number, () => writeLayout(writer, layoutOf(schema), {}));
  else if (schema.kind === 'untyped') message(writer, number, () => undefined);
  else if (schema.kind === 'scalar' && schema.type !== 'bytes') {
    if (schema.type === 'time' || schema.type === 'microTime') message(writer, number, () => undefined);
    else writeScalar(writer, number, schema.type, EMPTY[schema.type]);
  }
}
const EMPTY: Readonly<Record<Exclude<ScalarType, 'bytes' | 'time' | 'microTime'>, Json>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
};

/** One value, also an item of a list or a value of a map. */
function writeValue(writer: Writer, number: number, schema: Schema, value: Json): void {
  switch (schema.kind) {
    case 'object':
      message(writer, number, () => writeLayout(writer, layoutOf(schema), isObject(value) ? value : {}));
      return;
    case 'scalar':
      writeScalar(writer, number, schema.type, value);
      return;
    case 'list':
      // A list inside a map or a list is a message of its own.
      message(writer, number, () => {
        if (Array.isArray(value)) for (const item of value) writeValue(writer, 1, schema.items, item);
      });
      return;
    case 'map':
      message(writer, number, () => {
        if (isObject(value)) writeMap(writer, 1, schema.values, value);
      });
      return;
    case 'untyped':
      writeUntyped(writer, number, schema, value);
  }
}

function writeMap(writer: Writer, number: number, values: Schema, map: JsonObject): void {
  for (const name of Object.keys(map).sort()) writeEntry(writer, number, values, name, map[name]);
}

function writeEntry(writer: Writer, number: number, values: Schema, name: string, value: Json | undefined): void {
  message(writer, number, () => {
    writer.uint32(tag(1, DELIMITED)).string(name);
    if (value === null || value === undefined) writeEmpty(writer, 2, values);
    else writeValue(writer, 2, values, value);
  });
}

function writeUntyped(writer: Writer, number: number, schema: Schema, value: Json): void {
  const union = unionOf(schema);
  message(writer, number, () => {
    if (!union) writer.uint32(tag(1, DELIMITED)).bytes(Buffer.from(stringify(value)));
    else if (union.kind === 'boolean') {
      writer.uint32(tag(1, VARINT)).bool(value !== false);
      if (isObject(value)) writeValue(writer, 2, union.props, value);
    } else if (Array.isArray(value)) {
      for (const item of value) {
        if (union.kind === 'list') writeValue(writer, 2, union.props, item);
        else writer.uint32(tag(2, DELIMITED)).string(String(item));
      }
    } else writeValue(writer, 1, union.props, value);
  });
}

function writeScalar(writer: Writer, number: number, type: ScalarType, value: Json): void {
  switch (type) {
    case 'string':
      writer.uint32(tag(number, DELIMITED)).string(String(value));
      return;
    case 'bytes':
      writer.uint32(tag(number, DELIMITED)).bytes(Buffer.from(String(value), 'base64'));
      return;
    case 'boolean':
      writer.uint32(tag(number, VARINT)).bool(value === true);
      return;
    case 'int32':
    case 'int64':
      writer.uint32(tag(number, VARINT)).int64(typeof value === 'bigint' ? String(value) : Number(value));
      return;
    case 'double':
      writer.uint32(tag(number, FIXED64)).double(Number(value));
      return;
    case 'quantity':
      message(writer, number, () => writer.uint32(tag(1, DELIMITED)).string(String(value)));
      return;
    case 'intOrString':
      message(writer, number, () => {
        const text = typeof value === 'string';
        writer.uint32(tag(1, VARINT)).int32(text ? 1 : 0);
        writer.uint32(tag(2, VARINT)).int64(text ? 0 : Number(value));
        writer.uint32(tag(3, DELIMITED)).string(text ? value : '');
      });
      return;
    case 'duration':
      message(writer, number, () => writer.uint32(tag(1, VARINT)).int64(String(nanoseconds(String(value)))));
      return;
    case 'time':
    case 'microTime':
      message(writer, number, () => writeInstant(writer, String(value), type === 'microTime'));
  }
}

/** Seconds and nanoseconds since the epoch; nothing for what is no instant. */
function writeInstant(writer: Writer, text: string, fractions: boolean): void {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return;
  const fraction = fractions ? (/\.(\d+)/.exec(text)?.[1] ?? '') : '';
  writer.uint32(tag(1, VARINT)).int64(Math.floor(milliseconds / 1000));
  writer.uint32(tag(2, VARINT)).int32(Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000);
}

const UNITS: Readonly<Record<string, number>> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 };

/** A duration such as `1h2m3.5s` in nanoseconds. */
function nanoseconds(text: string): bigint {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([0-9.]+)(h|ms|us|µs|ns|m|s)/g)) {
    total += Number(amount) * (UNITS[unit as string] as number);
  }
  return BigInt(Math.round(text.startsWith('-') ? -total : total));
}

function message(writer: Writer, number: number, write: () => unknown): void {
  writer.uint32(tag(number, DELIMITED)).fork();
  write();
  writer.ldelim();
}

function tag(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0;
}

import protobuf from 'protobufjs/minimal.js';
import { guarded, ProtobufError } from './protobufRead.ts';

/** The four bytes before the envelope: `k8s` and a zero (1/media-types-and-negotiation/3). */
const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Puts a message into its envelope: what it is, the message, and two fields for encodings that are not used. */
export function wrap(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32(0x0a).fork().uint32(0x0a).string(apiVersion).uint32(0x12).string(kind).ldelim();
  writer.uint32(0x12).bytes(raw).uint32(0x1a).string('').uint32(0x22).string('');
  const body = writer.finish();
  const whole = new Uint8Array(MAGIC.length + body.length);
  whole.set(MAGIC);
  whole.set(body, MAGIC.length);
  return whole;
}

/** Whether bytes begin as an envelope does. */
export function isEnveloped(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.every((byte, at) => bytes[at] === byte);
}

/** @throws ProtobufError when the bytes do not begin with the magic, or are no envelope */
export function unwrap(bytes: Uint8Array): Envelope {
  if (!isEnveloped(bytes)) {
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  return guarded(() => {
    const reader = protobuf.Reader.create(bytes.subarray(MAGIC.length));
    let apiVersion = '';
    let kind = '';
    let raw: Uint8Array = new Uint8Array();
    while (reader.pos < reader.len) {
      const mark = reader.uint32();
      if (mark === 0x0a) {
        const end = reader.uint32() + reader.pos;
        if (end > reader.len) throw new ProtobufError('unexpected EOF');
        while (reader.pos < end) {
          const inner = reader.uint32();
          if (inner === 0x0a) apiVersion = reader.string();
          else if (inner === 0x12) kind = reader.string();
          else reader.skipType(inner & 7);
        }
      } else if (mark === 0x12) raw = reader.bytes();
      else reader.skipType(mark & 7);
    }
    return { apiVersion, kind, raw };
  });
}

/** One event of a watch: its length in four bytes, then a message with type and enveloped object. */
export function watchFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32(0x0a).string(type).uint32(0x12).fork().uint32(0x0a).bytes(object).ldelim();
  const body = writer.finish();
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length);
  frame.set(body, 4);
  return frame;
}

/** A list: its metadata, then one field an item, all of them messages already encoded. */
export function listMessage(
  metadata: Uint8Array,
  items: readonly Uint8Array[],
  numbers: readonly [number, number],
): Uint8Array {
  const writer = protobuf.Writer.create();
  const [metadataNumber, itemsNumber] = numbers;
  const writeMetadata = () => writer.uint32((metadataNumber << 3) | 2).bytes(metadata);
  if (metadataNumber < itemsNumber) writeMetadata();
  for (const item of items) writer.uint32((itemsNumber << 3) | 2).bytes(item);
  if (metadataNumber > itemsNumber) writeMetadata();
  return writer.finish();
}

import { load } from 'js-yaml';
import type { Json } from '../reference/api/json.ts';
import { readCbor } from '../reference/codecs/cborRead.ts';
import { describeCbor, encodeCbor } from '../reference/codecs/cborWrite.ts';
import { readJson } from '../reference/codecs/json.ts';

/** How objects are read from bytes of one media type, and written again. */
export interface Format {
  /** Throws where the bytes are none of this format. */
  read(bytes: Uint8Array): Json;
  /** @param before the bytes that the object was read from */
  write(object: Json, before: Uint8Array): Uint8Array;
}

const JSON_FORMAT: Format = {
  read: (bytes) => readJson(textOf(bytes)).value,
  // The line feed that ends an event of a watch stays.
  write: (object, before) => Buffer.from(`${jsonText(object)}${before.at(-1) === 0x0a ? '\n' : ''}`),
};
/** What is written is JSON, which is YAML too. */
const YAML_FORMAT: Format = { ...JSON_FORMAT, read: (bytes) => load(textOf(bytes)) as Json };
const CBOR_FORMAT: Format = {
  read: (bytes) => readCbor(bytes, undefined).value,
  write: (object, before) => {
    const item = encodeCbor(object, undefined);
    return before[0] === 0xd9 && before[1] === 0xd9 && before[2] === 0xf7 ? describeCbor(item) : item;
  },
};

/** The format of a media type; undefined where objects in it cannot be read, as those in Protobuf. */
export function formatOf(mediaType: string): Format | undefined {
  const [type = ''] = mediaType.toLowerCase().split(';');
  if (/[/+]json$/.test(type.trim())) return JSON_FORMAT;
  if (/[/+]yaml$/.test(type.trim())) return YAML_FORMAT;
  if (/[/+]cbor(-seq)?$/.test(type.trim())) return CBOR_FORMAT;
  return undefined;
}

/** The text by which it is seen whether an object was changed. */
export function fingerprint(object: unknown): string {
  return JSON.stringify(object, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) ?? '';
}

/** JSON, with whole numbers that are too large for a double as they are. */
function jsonText(object: Json): string {
  const large: string[] = [];
  const text = JSON.stringify(object, (_, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    large.push(String(value));
    return `\u0000${large.length - 1}`;
  });
  return large.length === 0 ? text : text.replace(/"\\u0000(\d+)"/g, (_, index: string) => large[Number(index)] ?? '');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

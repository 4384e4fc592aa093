import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson, type ListMeta } from '../api/object.ts';
import { isLong, isStaged, type Staged } from '../api/staged.ts';
import { cborArray, cborMap, describeCbor, encodeCbor } from '../codecs/cborWrite.ts';
import { sortedJson } from '../codecs/jsonBySchema.ts';
import { bigIntegersWritten, indentJson, quoteString, stringify } from '../codecs/jsonText.ts';
import type { Format } from '../codecs/negotiate.ts';
import { listMessage, wrap } from '../codecs/protobufEnvelope.ts';
import { encodeMessage } from '../codecs/protobufWrite.ts';
import type { RenderContext } from '../codecs/representation.ts';
import { yamlOf } from '../codecs/yamlText.ts';
import type { EntryAnswer, ListAnswer, ObjectAnswer } from '../contracts/answer.ts';
import type { Entry } from '../contracts/entry.ts';
import { returnableBytes } from '../contracts/returnableBytes.ts';
import { itemOf, leftOutOfItems, type ObjectShape, partialShape, shapeOf, shapeOfAnswer } from '../objects/shape.ts';
import { metaType } from '../schema/metaTypes.ts';
import type { Frame, KeptLists } from './keptLists.ts';
import { indentedInParts, itemBytes, wholeBytes, wholeInParts } from './objectBytes.ts';
import { listMetadata, notAList, notAnObject } from './partialMetadata.ts';
import { tableOfList, tableOfObject } from './tableAnswer.ts';

/**
 * The bytes of one object: of a stored one, those its entry has already. Staged where making them is long work.
 * @throws ApiError 406 where the representation asked for is one of lists
 */
export function encodeObject(
  answer: EntryAnswer | ObjectAnswer,
  context: RenderContext,
): Uint8Array | Staged<Uint8Array> {
  const { transform, format } = context.agreed;
  let shape = answer.kind === 'entry' ? shapeOf(answer.endpoint) : shapeOfAnswer(answer.endpoint, answer.object);
  if (transform && shape.kind !== 'Status') {
    if (transform.kind === 'Table') return tableOfObject(answer, shape, context);
    if (transform.kind === 'PartialObjectMetadataList') throw notAList(shape);
    shape = partialShape(context.dialect, transform.version);
  }
  const { long } = answer;
  if (answer.kind === 'object') return objectBytes(shape, shape.convert(answer.object), format, context.pretty, long);
  return context.pretty
    ? objectBytes(shape, shape.convert(answer.entry.object), format, true, long)
    : entryBytes(answer.entry, shape, format, long);
}

function objectBytes(
  shape: ObjectShape,
  object: ApiObject,
  format: Format,
  pretty: boolean,
  long: boolean | undefined,
): Uint8Array | Staged<Uint8Array> {
  return (long ?? isLong(asJson(object)))
    ? wholeInParts(shape, object, format, pretty)
    : wholeBytes(shape, object, format, pretty);
}

/** The bytes of a stored object in a shape, made once. */
function entryBytes(
  entry: Entry,
  shape: ObjectShape,
  format: Format,
  long: boolean | undefined,
): Uint8Array | Staged<Uint8Array> {
  const name = shape.names.whole[format];
  const made = entry.made(name);
  if (made) return made;
  const bigIntegers = bigIntegersWritten();
  const bytes = objectBytes(shape, shape.convert(entry.object), format, false, long);
  if (isStaged(bytes)) return kept(entry, name, bytes);
  if (format === 'json' && shape.asStored && bigIntegersWritten() === bigIntegers) entry.toldBy(bytes);
  return entry.encoding(name, () => bytes);
}

function* kept(entry: Entry, name: string, making: Staged<Uint8Array>): Staged<Uint8Array> {
  const bytes = yield* making;
  return entry.encoding(name, () => bytes);
}

/** Items of a list that are encoded in one turn, and their bytes. */
const ITEMS_PER_TURN = 1_000;
const BYTES_PER_TURN = 2 * 1024 * 1024;

/** The bytes of each item of a list, in turns. */
function* itemsInParts<T extends Uint8Array | string>(
  entries: readonly Entry[],
  itemFor: (entry: Entry) => T,
): Staged<T[]> {
  const items: T[] = [];
  let count = 0;
  let bytes = 0;
  for (const entry of entries) {
    const item = itemFor(entry);
    items.push(item);
    count++;
    bytes += item.length;
    if (count < ITEMS_PER_TURN && bytes < BYTES_PER_TURN) continue;
    count = 0;
    bytes = 0;
    yield;
  }
  return items;
}

/**
 * The bytes of a list, put together from those of its items. Staged where it has many.
 * @param lists have those that were asked for before; undefined: none is kept
 * @throws ApiError 406 where the representation asked for is one of single objects
 */
export function encodeList(
  answer: ListAnswer,
  context: RenderContext,
  lists?: KeptLists,
): Uint8Array | Staged<Uint8Array> {
  const { transform, format } = context.agreed;
  let shape = shapeOf(answer.endpoint);
  if (transform?.kind === 'Table') return tableOfList(answer, shape, context);
  if (transform?.kind === 'PartialObjectMetadata') throw notAnObject(shape);
  if (transform) shape = partialShape(context.dialect, transform.version);
  const { entries, metadata } = answer;
  if (format === 'yaml') return yamlList(shape, metadata, entries);
  if (format === 'json') return jsonList(shape, metadata, entries, context.pretty, lists);
  const itemFor = (entry: Entry) =>
    entry.encoding(shape.names.item[format], (object) => itemBytes(shape, shape.convert(object), format));
  const whole = (items: readonly Uint8Array[]) => binaryList(shape, metadata, items, format);
  if (entries.length > ITEMS_PER_TURN) return listInParts(itemsInParts(entries, itemFor), whole);
  return whole(entries.map(itemFor));
}

function jsonList(
  shape: ObjectShape,
  metadata: ListMeta,
  entries: readonly Entry[],
  pretty: boolean,
  lists: KeptLists | undefined,
): Uint8Array | Staged<Uint8Array> {
  // What holds nothing is made of its frame alone.
  if (entries.length === 0 && !pretty) return emptyList(shape, metadata);
  const name = shape.names.whole.json;
  const frame = jsonFrame(shape, metadata);
  const asked = lists && !pretty ? { name, frame, entries } : undefined;
  const kept = asked && lists?.find(asked);
  if (kept) return kept;
  const make = (object: ApiObject) => wholeBytes(shape, shape.convert(object), 'json', false);
  const itemFor = (entry: Entry) => entry.encodingOrText(name, make);
  const whole = (items: readonly JsonItem[]) => {
    const bytes = framed(frame, items, 1 + leftOutOfItems(shape));
    if (asked) lists?.made(asked, bytes);
    return bytes;
  };
  if (entries.length > ITEMS_PER_TURN) {
    const making = itemsInParts(entries, itemFor);
    return pretty ? indentedList(making, whole) : listInParts(making, whole);
  }
  const bytes = whole(entries.map(itemFor));
  return pretty ? Buffer.from(indentJson(bytes.toString('utf8').trimEnd())) : bytes;
}

/** The list of nothing of each shape that was made last, and the revision that it tells. */
const nothing = new WeakMap<ObjectShape, { readonly resourceVersion: string; readonly bytes: Buffer }>();

function emptyList(shape: ObjectShape, metadata: ListMeta): Uint8Array {
  const { resourceVersion, continue: more, remainingItemCount } = metadata;
  if (resourceVersion === undefined || more || remainingItemCount !== undefined) {
    return Buffer.from(jsonFrame(shape, metadata).join(''));
  }
  let known = nothing.get(shape);
  if (known?.resourceVersion !== resourceVersion) {
    known = { resourceVersion, bytes: Buffer.from(jsonFrame(shape, metadata).join('')) };
    nothing.set(shape, known);
  }
  return known.bytes;
}

function* listInParts<T>(making: Staged<T[]>, whole: (items: readonly T[]) => Uint8Array): Staged<Uint8Array> {
  return whole(yield* making);
}

function* indentedList<T>(making: Staged<T[]>, whole: (items: readonly T[]) => Uint8Array): Staged<Uint8Array> {
  const bytes = whole(yield* making);
  return yield* indentedInParts(bytes.subarray(0, -1));
}

/** A list of items that are encoded. */
function binaryList(
  shape: ObjectShape,
  metadata: ListMeta,
  items: readonly Uint8Array[],
  format: 'protobuf' | 'cbor',
): Uint8Array {
  if (format === 'cbor') return cborList(shape, metadata, items);
  const meta = encodeMessage(metaType('meta.v1.ListMeta'), listMetadata(metadata));
  return wrap(shape.apiVersion, shape.listKind, listMessage(meta, items, shape.listNumbers));
}

/** Lists of types made from a definition always say whether they go on. */
function metadataOf(shape: ObjectShape, metadata: ListMeta): JsonObject {
  return shape.custom ? { continue: '', ...listMetadata(metadata) } : listMetadata(metadata);
}

function jsonFrame(shape: ObjectShape, metadata: ListMeta): Frame {
  const meta = metadataOf(shape, metadata);
  const apiVersion = `"apiVersion":${quoteString(shape.apiVersion)}`;
  const kind = `"kind":${quoteString(shape.listKind)}`;
  return shape.custom
    ? [`{${apiVersion},"items":[`, `],${kind},"metadata":${sortedJson(meta)}}\n`]
    : [`{${kind},${apiVersion},"metadata":${stringify(meta)},"items":[`, ']}\n'];
}

/** An object as it stands alone, with the line break behind it: bytes, or a text with a byte for each character. */
type JsonItem = Uint8Array | string;

const OPEN = '{'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);

/** Bytes of a list beyond which its memory is given back once it was answered. No such list is kept. */
const RETURNED = 8 * 1024 * 1024;

/**
 * A list in JSON, copied in one go.
 * @param start characters of each item that stand before what the list has of it, its brace among them
 */
function framed([head, tail]: Frame, items: readonly JsonItem[], start: number): Buffer {
  const [before, behind] = [Buffer.from(head), Buffer.from(tail)];
  // Of an item goes what stands before its members and the line break; a brace comes anew, and a comma between two.
  let size = before.length + behind.length + Math.max(0, items.length - 1);
  for (const item of items) size += item.length - start;
  const out = size > RETURNED ? returnableBytes(size) : Buffer.allocUnsafe(size);
  let at = before.copy(out);
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as JsonItem;
    if (i > 0) out[at++] = COMMA;
    out[at++] = OPEN;
    if (typeof item === 'string') at += out.write(item.slice(start, -1), at, 'latin1');
    else {
      out.set(item.subarray(start, -1), at);
      at += item.length - start - 1;
    }
  }
  behind.copy(out, at);
  return out;
}

function yamlList(shape: ObjectShape, metadata: ListMeta, entries: readonly Entry[]): Uint8Array | Staged<Uint8Array> {
  const items = entries.map((entry) => itemOf(shape, shape.convert(entry.object)));
  const { apiVersion, listKind: kind } = shape;
  return yamlOf({ apiVersion, kind, metadata: metadataOf(shape, metadata), items });
}

function cborList(shape: ObjectShape, metadata: ListMeta, items: readonly Uint8Array[]): Uint8Array {
  return describeCbor(
    cborMap([
      ['kind', encodeCbor(shape.listKind, undefined)],
      ['apiVersion', encodeCbor(shape.apiVersion, undefined)],
      ['metadata', encodeCbor(metadataOf(shape, metadata), undefined)],
      ['items', cborArray(items)],
    ]),
  );
}

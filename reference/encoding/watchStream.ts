import type { Json } from '../api/json.ts';
import { type ApiObject, asApiObject } from '../api/object.ts';
import type { ApiError } from '../api/status.ts';
import { cborMap, describeCbor, encodeCbor } from '../codecs/cborWrite.ts';
import { encodeDocument } from '../codecs/document.ts';
import { emptyValue } from '../codecs/jsonBySchema.ts';
import { stringify } from '../codecs/jsonText.ts';
import type { Format } from '../codecs/negotiate.ts';
import { watchFrame } from '../codecs/protobufEnvelope.ts';
import { type RenderContext, streamTypeOf } from '../codecs/representation.ts';
import type { WatchAnswer, WatchEvent } from '../contracts/answer.ts';
import type { Entry } from '../contracts/entry.ts';
import type { StreamReply } from '../contracts/reply.ts';
import { type ObjectShape, objectText, partialShape, shapeOf } from '../objects/shape.ts';
import { wholeBytes } from './objectBytes.ts';
import { notAList } from './partialMetadata.ts';
import { TableMaker } from './tableAnswer.ts';

/**
 * A watch as a stream of frames, one an event. A frame is made once an object and event type, however many watch.
 * @throws ApiError 406, 400 for representations that a watch does not have
 */
export function streamOf(answer: WatchAnswer, context: RenderContext, warnings: readonly string[]): StreamReply {
  const frames = framesOf(answer, context);
  return {
    kind: 'stream',
    code: 200,
    headers: {
      'content-type': streamTypeOf(context.agreed.format, context.dialect),
      ...(warnings.length > 0 ? { warning: [...warnings] } : {}),
    },
    start: (wire) => {
      const watch = answer.open({
        event: (event) => wire.write(frames(event)),
        end: () => wire.end(),
        whenReady: wire.whenReady && ((resume) => wire.whenReady?.(resume)),
      });
      return { stop: () => watch.close() };
    },
  };
}

type Frames = (event: WatchEvent) => Uint8Array;

function framesOf(answer: WatchAnswer, context: RenderContext): Frames {
  const { transform, format } = context.agreed;
  const own = shapeOf(answer.endpoint);
  if (transform?.kind === 'Table') return tableFrames(answer, own, context);
  if (transform?.kind === 'PartialObjectMetadataList') throw notAList(own);
  const shape = transform ? partialShape(context.dialect, transform.version) : own;
  const whole = shape.names.whole[format];
  const names = { ADDED: `ADDED ${whole}`, MODIFIED: `MODIFIED ${whole}`, DELETED: `DELETED ${whole}` };
  return (event) => {
    if (event.type === 'ERROR') return errorFrame(event.error, context);
    if (event.type !== 'BOOKMARK') return entryFrame(names[event.type], event.type, event.entry, shape, format);
    return objectFrame('BOOKMARK', bookmark(event, shape, context), shape, format);
  };
}

function entryFrame(name: string, type: string, entry: Entry, shape: ObjectShape, format: Format): Uint8Array {
  return entry.encoding(name, (object) => objectFrame(type, shape.convert(object), shape, format));
}

function objectFrame(type: string, object: ApiObject, shape: ObjectShape, format: Format): Uint8Array {
  if (format === 'json') return Buffer.from(`{"type":"${type}","object":${objectText(shape, object)}}\n`);
  return binaryFrame(type, wholeBytes(shape, object, format, false), format);
}

function binaryFrame(type: string, object: Uint8Array, format: Format): Uint8Array {
  if (format === 'protobuf') return watchFrame(type, object);
  return describeCbor(
    cborMap([
      ['type', encodeCbor(type, undefined)],
      ['object', object],
    ]),
  );
}

function errorFrame(error: ApiError, context: RenderContext): Uint8Array {
  const status = error.toStatus() as unknown as Json;
  const { format } = context.agreed;
  if (format === 'json') return Buffer.from(`{"type":"ERROR","object":${stringify(status)}}\n`);
  return binaryFrame('ERROR', encodeDocument(status, format, false, context.dialect), format);
}

/**
 * An object of the watched kind in which nothing is set but how far the watch has come, and on the one that ends the
 * initial events that it does (the departure `bookmark-annotation`).
 */
function bookmark(
  event: { readonly revision: number; readonly initialEventsEnd: boolean },
  shape: ObjectShape,
  context: RenderContext,
): ApiObject {
  const empty = shape.schema && !shape.custom ? emptyValue(shape.schema) : {};
  const annotations = { [`${context.dialect.apiDomain}/initial-events-end`]: 'true' };
  return asApiObject({
    ...empty,
    kind: shape.kind,
    apiVersion: shape.apiVersion,
    metadata: { resourceVersion: String(event.revision), ...(event.initialEventsEnd ? { annotations } : {}) },
  });
}

/** Every event carries a Table of one row; only the first states the columns. */
function tableFrames(answer: WatchAnswer, shape: ObjectShape, context: RenderContext): Frames {
  const maker = new TableMaker(answer.endpoint, shape, context);
  let first = true;
  return (event) => {
    if (event.type === 'ERROR') return errorFrame(event.error, context);
    const object = event.type === 'BOOKMARK' ? bookmark(event, shape, context) : event.entry.object;
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const made = maker.make(metadata, [object], first);
    first = false;
    return Buffer.from(`{"type":"${event.type}","object":${stringify(made)}}\n`);
  };
}

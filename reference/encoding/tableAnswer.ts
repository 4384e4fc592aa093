import type { Json, JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { IncomingRequest } from '../api/request.ts';
import { isLong, type Staged } from '../api/staged.ts';
import { jsonInParts, TextPieces } from '../codecs/jsonInParts.ts';
import { indentJson, stringify } from '../codecs/jsonText.ts';
import type { RenderContext } from '../codecs/representation.ts';
import { yamlOf } from '../codecs/yamlText.ts';
import type { EntryAnswer, ListAnswer, ObjectAnswer } from '../contracts/answer.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import { type ObjectShape, partialShape } from '../objects/shape.ts';
import { indentedInParts } from './objectBytes.ts';
import { listMetadata, metaVersion } from './partialMetadata.ts';
import { columnDefinitions, columnsOf, readIncludeObject, table, tableRow } from './table.ts';

/**
 * Makes Tables of the objects of one endpoint for one request.
 * @throws ApiError 400 for a malformed `includeObject`
 */
export class TableMaker {
  readonly #shape: ObjectShape;
  readonly #context: RenderContext;
  readonly #endpoint: Endpoint;
  readonly #include: ReturnType<typeof readIncludeObject>;
  readonly #apiVersion: string;
  readonly #version: string;

  constructor(endpoint: Endpoint, shape: ObjectShape, context: RenderContext) {
    this.#endpoint = endpoint;
    this.#shape = shape;
    this.#context = context;
    this.#include = includeOf(context.request);
    this.#version = context.agreed.transform?.version ?? 'v1';
    this.#apiVersion = metaVersion(context.dialect, this.#version);
  }

  /** @param heads whether the heads of the columns are stated */
  make(metadata: JsonObject, objects: readonly ApiObject[], heads: boolean): JsonObject {
    const columns = columnsOf(this.#endpoint.version);
    const now = this.#context.clock.now();
    const rows = objects.map((object) => {
      const shown = this.#shape.convert(object);
      return tableRow(shown, columns, now, this.#shown(shown));
    });
    return table(this.#apiVersion, metadata, heads ? columnDefinitions(columns) : null, rows);
  }

  #shown(object: ApiObject): Json {
    if (this.#include === 'None') return null;
    if (this.#include === 'Object') return asJson(object);
    return asJson(partialShape(this.#context.dialect, this.#version).convert(object));
  }
}

function includeOf(request: IncomingRequest): ReturnType<typeof readIncludeObject> {
  return readIncludeObject(request.query.get('includeObject'));
}

/** A single object as a Table of one row. */
export function tableOfObject(
  answer: EntryAnswer | ObjectAnswer,
  shape: ObjectShape,
  context: RenderContext,
): Uint8Array | Staged<Uint8Array> {
  const object = answer.kind === 'entry' ? answer.entry.object : answer.object;
  const { resourceVersion } = object.metadata;
  const maker = new TableMaker(answer.endpoint, shape, context);
  return encodeTable(maker.make(listMetadata({ resourceVersion: resourceVersion ?? '' }), [object], true), context);
}

/** A list as a Table. */
export function tableOfList(
  answer: ListAnswer,
  shape: ObjectShape,
  context: RenderContext,
): Uint8Array | Staged<Uint8Array> {
  const maker = new TableMaker(answer.endpoint, shape, context);
  const objects = answer.entries.map((entry) => entry.object);
  return encodeTable(maker.make(listMetadata(answer.metadata), objects, true), context);
}

function encodeTable(made: JsonObject, context: RenderContext): Uint8Array | Staged<Uint8Array> {
  if (context.agreed.format === 'yaml') return yamlOf(made);
  if (isLong(made)) return tableInParts(made, context.pretty);
  return Buffer.from(context.pretty ? indentJson(stringify(made)) : `${stringify(made)}\n`);
}

function* tableInParts(made: JsonObject, pretty: boolean): Staged<Uint8Array> {
  const out = new TextPieces();
  yield* jsonInParts(out, made, 'plain');
  if (pretty) return yield* indentedInParts(out.bytes());
  out.add('\n');
  return out.bytes();
}

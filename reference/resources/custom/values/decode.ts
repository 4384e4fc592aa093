import { cloneJson, type JsonObject } from '../../../api/json.ts';
import { cloneInParts } from '../../../api/longJson.ts';
import { type Staged, sortInParts } from '../../../api/staged.ts';
import { badRequest, tooLarge } from '../../../api/status.ts';
import { type Decoded, DecodingError } from '../../../schema/decode.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { DefaultsTooLarge, fillDefaults, fillDefaultsInParts } from './defaults.ts';
import { coerceEmbedded, decodeMetadata } from './embedded.ts';
import { prune, pruneInParts } from './prune.ts';

/**
 * Reads a body of a custom type: metadata is typed, fields outside the schema go and are told, defaults are filled in.
 * Values keep their types, right or wrong; those are matters of validation.
 * @throws ApiError 400 where metadata cannot be read, 413 where defaults make the object too large
 */
export function decodeCustom(json: JsonObject, root: SchemaNode, kind: string, version: string): Decoded {
  try {
    const object = cloneJson(json);
    const unknown = readMetadata(object);
    const gone: string[] = [];
    prune(object, root, { root: true, gone });
    for (const path of gone.sort()) unknown.push(unknownField(path));
    for (const text of coerceEmbedded(object, root)) unknown.push(text);
    fillDefaults(object, root);
    return { object, unknown };
  } catch (error) {
    throw refused(error, kind, version);
  }
}

/** The same, with turns for others meanwhile where the body is large. @throws as it does */
export function* decodeCustomInParts(
  json: JsonObject,
  root: SchemaNode,
  kind: string,
  version: string,
): Staged<Decoded> {
  try {
    const object = yield* cloneInParts(json);
    const unknown = readMetadata(object);
    const gone: string[] = [];
    yield* pruneInParts(object, root, { root: true, gone });
    for (const path of yield* sortInParts(gone)) unknown.push(unknownField(path));
    yield;
    for (const text of coerceEmbedded(object, root)) unknown.push(text);
    yield;
    yield* fillDefaultsInParts(object, root);
    return { object, unknown };
  } catch (error) {
    throw refused(error, kind, version);
  }
}

/** Types the metadata of an object, in place, and tells the fields that it does not have. @throws DecodingError */
function readMetadata(object: JsonObject): string[] {
  if (object.metadata === undefined || object.metadata === null) return [];
  const decoded = decodeMetadata(object.metadata);
  object.metadata = decoded.metadata;
  return [...decoded.unknown];
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

function refused(error: unknown, kind: string, version: string): unknown {
  if (error instanceof DefaultsTooLarge) return tooLarge(`Request entity too large: ${error.message}`);
  if (!(error instanceof DecodingError)) return error;
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.fault}`);
}

/** A copy of an object without what a schema lacks; metadata is shared. */
export function prunedCopy({ metadata, ...content }: JsonObject, root: SchemaNode): JsonObject {
  const copy = cloneJson(content as JsonObject);
  prune(copy, root, { root: true });
  return metadata === undefined ? copy : { ...copy, metadata };
}

import { cloneJson, type JsonObject } from '../../../api/json.ts';
import { badRequest, tooLarge } from '../../../api/status.ts';
import { type Decoded, DecodingError } from '../../../schema/decode.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { DefaultsTooLarge, fillDefaults } from './defaults.ts';
import { coerceEmbedded, decodeMetadata } from './embedded.ts';
import { prune } from './prune.ts';

/**
 * Reads a body of a custom type: metadata is typed, fields outside the schema go and are told, defaults are filled in.
 * Values keep their types, right or wrong; those are matters of validation.
 * @throws ApiError 400 where metadata cannot be read, 413 where defaults make the object too large
 */
export function decodeCustom(json: JsonObject, root: SchemaNode, kind: string, version: string): Decoded {
  const object = cloneJson(json);
  let unknown: string[] = [];
  try {
    if (object.metadata !== undefined && object.metadata !== null) {
      const decoded = decodeMetadata(object.metadata);
      object.metadata = decoded.metadata;
      unknown = [...decoded.unknown];
    }
    const gone: string[] = [];
    prune(object, root, { root: true, gone });
    const outside = gone.sort().map((path) => `unknown field ${JSON.stringify(path)}`);
    unknown = [...unknown, ...outside, ...coerceEmbedded(object, root)];
    fillDefaults(object, root);
  } catch (error) {
    if (error instanceof DefaultsTooLarge) throw tooLarge(`Request entity too large: ${error.message}`);
    if (!(error instanceof DecodingError)) throw error;
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.fault}`);
  }
  return { object, unknown };
}

/** A copy of an object without what a schema lacks; metadata is shared. */
export function prunedCopy({ metadata, ...content }: JsonObject, root: SchemaNode): JsonObject {
  const copy = cloneJson(content as JsonObject);
  prune(copy, root, { root: true });
  return metadata === undefined ? copy : { ...copy, metadata };
}

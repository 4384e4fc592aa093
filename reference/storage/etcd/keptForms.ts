import { type ApiObject, asApiObject } from '../../api/object.ts';
import { isEnveloped, unwrap } from '../../codecs/protobufEnvelope.ts';
import { decodeMessage } from '../../codecs/protobufRead.ts';
import type { ObjectSchema } from '../../schema/schema.ts';
import { storedObject } from '../storedForm.ts';

/** What a kind of a version (`group/version`) looks like; undefined: nothing is known of it. */
export type FindSchema = (apiVersion: string, kind: string) => ObjectSchema | undefined;

/**
 * Reads the bytes of an object as this server keeps them, JSON, and as the real service keeps those of built-in types,
 * in an envelope of Protobuf. @throws Error that says why they cannot be read
 */
export function readKept(bytes: Uint8Array, schemaOf: FindSchema): ApiObject {
  if (!isEnveloped(bytes)) return storedObject(bytes);
  const { apiVersion, kind, raw } = unwrap(bytes);
  const schema = schemaOf(apiVersion, kind);
  if (!schema) throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return asApiObject({ apiVersion, kind, ...decodeMessage(schema, raw) });
}

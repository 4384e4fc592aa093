import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { WarningSink } from '../api/request.ts';
import { badRequest } from '../api/status.ts';
import { CborSyntaxError, readCbor } from '../codecs/cborRead.ts';
import { readYaml, YamlSyntaxError } from '../codecs/yaml.ts';
import { warnOf } from './body.ts';
import type { FieldValidation } from './writeOptions.ts';

export const APPLY_YAML = 'application/apply-patch+yaml';
export const APPLY_CBOR = 'application/apply-patch+cbor';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the configuration of an apply: one YAML mapping, JSON included, or one CBOR map. Names that stand twice follow field
 * validation. Throws ApiError 400.
 */
export function readConfiguration(
  bytes: Uint8Array,
  mediaType: string,
  validation: FieldValidation,
  warnings: WarningSink,
): JsonObject {
  if (mediaType === APPLY_CBOR) return readCborConfiguration(bytes, validation, warnings);
  let read: ReturnType<typeof readYaml>;
  try {
    read = readYaml(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${converting(error.message)}`);
    throw error;
  }
  const { value, duplicates } = read;
  if (validation === 'Strict' && duplicates.length > 0) {
    const lines = duplicates.map((one) => `  ${one}`).join('\n');
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`);
  }
  if (validation === 'Warn') warnOf(duplicates, warnings);
  if (value === null) return {};
  if (!isObject(value)) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${nameOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return value;
}

function readCborConfiguration(bytes: Uint8Array, validation: FieldValidation, warnings: WarningSink): JsonObject {
  let read: ReturnType<typeof readCbor>;
  try {
    read = readCbor(bytes, undefined);
  } catch (error) {
    if (error instanceof CborSyntaxError) throw badRequest(`error decoding CBOR: ${error.message}`);
    throw error;
  }
  if (read.fault) {
    if (validation === 'Strict') throw badRequest(`error strict decoding CBOR: ${read.fault}`);
    if (validation === 'Warn') warnOf([read.fault], warnings);
  }
  if (read.value === null) return {};
  if (!isObject(read.value)) {
    throw badRequest(
      `error decoding CBOR: cbor: cannot unmarshal ${nameOf(read.value)} into Go value of type map[string]interface {}`,
    );
  }
  return read.value;
}

/** The service turns YAML into JSON first, and says so unless the fault is already told in those words. */
function converting(message: string): string {
  return message.startsWith('yaml: ') ? `error converting YAML to JSON: ${message}` : message;
}

/** The kind of a value, as messages name it. */
function nameOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

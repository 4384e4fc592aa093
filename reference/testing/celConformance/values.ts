import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { Json, JsonObject } from '../../api/json.ts';
import { objectsOf, textOf } from '../../api/parts.ts';
import type { DeclaredType } from '../../cel/declaredType.ts';
import { parseDuration } from '../../cel/durations.ts';
import { sameValue } from '../../cel/equality.ts';

/** The value that a vector writes down, as the evaluator has it; undefined for one that it cannot have. */
export function valueWritten(written: JsonObject): { readonly value: unknown } | undefined {
  const [[kind, inner] = ['', null]] = Object.entries(written);
  switch (kind) {
    case 'int64Value':
      return { value: BigInt(String(inner)) };
    case 'uint64Value':
      return { value: new UnsignedInt(BigInt(String(inner))) };
    case 'doubleValue':
      return { value: Number(inner) };
    case 'stringValue':
    case 'boolValue':
    case 'nullValue':
      return { value: inner };
    case 'bytesValue':
      return { value: new Uint8Array(Buffer.from(textOf(inner), 'base64')) };
    case 'listValue':
      return listOf(objectsOf((inner as JsonObject).values));
    case 'mapValue':
      return mapOf(objectsOf((inner as JsonObject).entries));
    case 'objectValue':
      return wellKnown(inner as JsonObject);
    default:
      return undefined;
  }
}

function listOf(items: readonly JsonObject[]): { readonly value: unknown } | undefined {
  const values = items.map(valueWritten);
  return values.includes(undefined) ? undefined : { value: values.map((one) => one?.value) };
}

function mapOf(entries: readonly JsonObject[]): { readonly value: unknown } | undefined {
  const map = new Map<unknown, unknown>();
  for (const entry of entries) {
    const key = valueWritten(entry.key as JsonObject);
    const value = valueWritten(entry.value as JsonObject);
    if (!key || !value) return undefined;
    map.set(key.value, value.value);
  }
  return { value: map };
}

function wellKnown(message: JsonObject): { readonly value: unknown } | undefined {
  const text = textOf(message.value);
  switch (message['@type']) {
    case 'type.googleapis.com/google.protobuf.Timestamp':
      return { value: new Date(text) };
    case 'type.googleapis.com/google.protobuf.Duration': {
      const nanos = parseDuration(text) ?? 0n;
      return { value: new Duration(nanos / 1_000_000_000n, Number(nanos % 1_000_000_000n)) };
    }
    default:
      return undefined;
  }
}

/** Whether an evaluation came to what a vector wants. Numbers must be of the same type, and nothing equals NaN but NaN. */
export function isWanted(value: unknown, wanted: JsonObject): boolean {
  if ('typeValue' in wanted)
    return String(value) === `type ${String(wanted.typeValue)}` || nameOf(value) === wanted.typeValue;
  const expected = valueWritten(wanted);
  if (!expected) return false;
  if (typeof expected.value !== typeof value) return false;
  if (typeof value === 'number' && Number.isNaN(value)) return Number.isNaN(expected.value);
  return sameValue(value, expected.value);
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '';
}

const PRIMITIVES: Readonly<Record<string, DeclaredType['kind']>> = {
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
  BOOL: 'bool',
};

/** The declared type that a vector writes down; what this language cannot declare is dynamic. */
export function typeWritten(written: JsonObject): DeclaredType {
  const [[kind, inner] = ['', null]] = Object.entries(written);
  switch (kind) {
    case 'primitive':
      return { kind: PRIMITIVES[String(inner)] ?? 'dyn' } as DeclaredType;
    case 'listType':
      return { kind: 'list', items: typeWritten(memberOf(inner, 'elemType')) };
    case 'mapType':
      return { kind: 'map', values: typeWritten(memberOf(inner, 'valueType')) };
    case 'wellKnown':
      if (inner === 'TIMESTAMP') return { kind: 'timestamp' };
      return { kind: inner === 'DURATION' ? 'duration' : 'dyn' };
    default:
      return { kind: 'dyn' };
  }
}

function memberOf(value: Json, name: string): JsonObject {
  return ((value as JsonObject)[name] ?? {}) as JsonObject;
}

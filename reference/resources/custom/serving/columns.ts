import type { Json } from '../../../api/json.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import { sortedJson } from '../../../codecs/jsonBySchema.ts';
import type { Column } from '../../../contracts/resourceType.ts';
import type { DefinedColumn } from '../../apiextensions/definition.ts';
import { ageOf } from '../../columns/age.ts';
import { AGE, NAME } from '../../columns/column.ts';
import { JsonPath } from './jsonPath.ts';

/** The columns of a version: the name, and what its definition says, or else the age. */
export function columnsOf(defined: readonly DefinedColumn[]): readonly Column[] {
  if (defined.length === 0) return [NAME, { ...AGE, type: 'date' }];
  return [NAME, ...defined.map(columnOf)];
}

function columnOf({ name, type, format, description, priority, jsonPath }: DefinedColumn): Column {
  const path = readPath(jsonPath);
  return {
    name,
    type,
    format,
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell: (object, now) => cellOf(path?.find(json(object)) ?? [], type, now),
  };
}

/** A column whose path cannot be read is always empty. */
function readPath(text: string): JsonPath | undefined {
  try {
    return new JsonPath(text);
  } catch {
    return undefined;
  }
}

/** What a path finds as a cell of a type; null where it finds nothing of that type. */
function cellOf(found: readonly Json[], type: string, now: number): Json {
  const [first, ...more] = found;
  if (first === undefined || first === null) return null;
  switch (type) {
    case 'integer':
      return integerOf(first);
    case 'number':
      return typeof first === 'number' || typeof first === 'bigint' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' ? dateOf(first, now) : null;
    default:
      return more.length === 0 ? textOf(first) : found.map(textOf).join(' ');
  }
}

function integerOf(value: Json): Json {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Math.trunc(value);
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : null;
}

function dateOf(text: string, now: number): Json {
  const age = ageOf(text, now);
  return age === '<unknown>' ? '<invalid>' : age;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : sortedJson(value);
}

function json(object: ApiObject): Json {
  return asJson(object);
}

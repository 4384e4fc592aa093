import type { Json, JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { badRequest } from '../api/status.ts';
import type { Column, TypeVersion } from '../contracts/resourceType.ts';
import { DEFAULT_COLUMNS } from '../contracts/resourceType.ts';

/** What a row carries beside its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/**
 * Reads the parameter `includeObject`; metadata when it is absent.
 * @throws ApiError 400
 */
export function readIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** The columns that a version is shown in. */
export function columnsOf(version: TypeVersion): readonly Column[] {
  return version.columns ?? DEFAULT_COLUMNS;
}

/** The heads of the columns, as a Table states them. */
export function columnDefinitions(columns: readonly Column[]): Json {
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

/**
 * One row.
 * @param now milliseconds, for ages
 * @param shown what the row says of its object, null for nothing
 */
export function tableRow(object: ApiObject, columns: readonly Column[], now: number, shown: Json): JsonObject {
  return { cells: columns.map((column) => (column.cell(object, now) ?? null) as Json), object: shown };
}

/**
 * A Table (1/media-types-and-negotiation/7).
 * @param heads null when the reader has them already, from an earlier event of a watch
 */
export function table(apiVersion: string, metadata: JsonObject, heads: Json, rows: JsonObject[]): JsonObject {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: heads, rows };
}

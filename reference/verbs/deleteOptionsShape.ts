import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';

const STRING: Schema = { kind: 'scalar', type: 'string' };
const BOOLEAN: Schema = { kind: 'scalar', type: 'boolean' };
const INT64: Schema = { kind: 'scalar', type: 'int64' };
const STRINGS: Schema = { kind: 'list', items: STRING, listType: 'atomic', keys: [] };

/** Fields in wire order; what stands there is kept, so that `0` and `false` differ from absent. */
function shape(name: string, fields: readonly (readonly [string, Schema, number | undefined])[]): ObjectSchema {
  const map = new Map<string, Field>();
  for (const [field, schema, number] of fields) {
    const presence = schema.kind === 'list' || number === undefined ? 'nonEmpty' : 'explicit';
    map.set(field, { name: field, schema, required: false, presence, number });
  }
  return { kind: 'object', name, mapType: 'granular', fields: map };
}

const PRECONDITIONS = shape('meta.v1.Preconditions', [
  ['uid', STRING, 1],
  ['resourceVersion', STRING, 2],
]);

/** The body of a DELETE (1/other-shapes/b2). */
export const DELETE_OPTIONS = shape('meta.v1.DeleteOptions', [
  ['kind', STRING, undefined],
  ['apiVersion', STRING, undefined],
  ['gracePeriodSeconds', INT64, 1],
  ['preconditions', PRECONDITIONS, 2],
  ['orphanDependents', BOOLEAN, 3],
  ['propagationPolicy', STRING, 4],
  ['dryRun', STRINGS, 5],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', BOOLEAN, 6],
]);

import type { Schema } from '../schema/schema.ts';
import { type FieldSet, LEAF, node } from './fieldSet.ts';
import type { PathElement } from './pathElement.ts';
import { schemaUnder } from './shape.ts';

/**
 * Brings a set written under older markers in line with the schema of today (1/merge-annotations-on-fields/p1).
 * Where a list, map or struct is owned whole now, owning any part of it means owning it. The other way nothing is
 * done: whoever owned the whole owns the field itself, and its parts belong to nobody yet.
 * Gives back the set itself when nothing changes.
 */
export function followMarkers(schema: Schema, fields: FieldSet): FieldSet {
  if (fields.below === undefined) return fields;
  // Untyped values have no markers that could have changed.
  if (schema.kind === 'untyped' && schema.mapType === 'granular') return fields;
  if (isWhole(schema)) return LEAF;
  let below: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of fields.below) {
    const followed = followMarkers(schemaUnder(schema, element), child);
    if (followed === child) continue;
    below ??= new Map(fields.below);
    below.set(element, followed);
  }
  return below ? node(fields.owned, below) : fields;
}

function isWhole(schema: Schema): boolean {
  switch (schema.kind) {
    case 'object':
    case 'map':
    case 'untyped':
      return schema.mapType === 'atomic';
    case 'list':
      return schema.listType === 'atomic';
    default:
      return false;
  }
}

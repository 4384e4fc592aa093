import type { Json, JsonObject } from '../api/json.ts';
import { setMember } from '../api/json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { type FieldSet, under } from './fieldSet.ts';
import { copyOf } from './merge.ts';
import { fieldSchema, itemElement, itemsOf, membersOf, shapeOf, stepOf } from './shape.ts';

/**
 * A value without the given fields and all below them; parts that do not change are shared with it. What is left
 * without content but is not itself among the fields stays empty.
 * @throws UnidentifiedItem when an item has no key
 */
export function removeFields(schema: Schema, value: Json, fields: FieldSet): Json {
  if (fields.below === undefined) return value;
  switch (shapeOf(schema, value)) {
    case 'record':
      return removeMembers(schema, value, fields);
    case 'items':
      return removeItems(schema as ListSchema, value, fields);
    default:
      // Fields below one value that is owned whole: they are of an older schema, and the value goes with them.
      return schema.kind === 'scalar' ? value : null;
  }
}

function removeMembers(schema: Schema, value: Json, fields: FieldSet): Json {
  const members = membersOf(value);
  let rest: JsonObject | undefined;
  for (const [name, child] of Object.entries(members)) {
    const below = under(fields, stepOf(name));
    if (below.owned) {
      rest ??= copyOf(members);
      delete rest[name];
    } else if (below.below) {
      const left = removeFields(fieldSchema(schema, name), child, below);
      if (left === child) continue;
      rest ??= copyOf(members);
      setMember(rest, name, left);
    }
  }
  if (rest === undefined) return value;
  // A message of a built-in type that lost its last field counts as absent, but its parent keeps the name, so that
  // whoever owns the field itself goes on owning it.
  if (Object.keys(rest).length === 0 && schema.kind === 'object' && schema.name !== undefined) return null;
  return rest;
}

function removeItems(list: ListSchema, value: Json, fields: FieldSet): Json {
  const items = itemsOf(value);
  const rest: Json[] = [];
  let changed = false;
  for (const item of items) {
    const below = under(fields, itemElement(list, item));
    if (below.owned) {
      changed = true;
      continue;
    }
    const left = below.below ? removeFields(list.items, item, below) : item;
    if (left !== item) changed = true;
    rest.push(left);
  }
  return changed ? rest : value;
}

import { isObject, type Json, member } from '../../../api/json.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import { fieldAt } from '../schema/fieldPathSyntax.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';

/** What field selectors may ask for besides name and namespace: path without its first dot, and how to read it. */
export function selectableFieldsOf(
  paths: readonly string[],
  schema: SchemaNode,
): ReadonlyMap<string, (object: ApiObject) => string> {
  const fields = new Map<string, (object: ApiObject) => string>();
  for (const text of paths) {
    const found = fieldAt(text, schema, { brackets: false });
    if ('fault' in found) continue;
    const names = found.steps.map(({ name }) => name);
    fields.set(text.replace(/^\./, ''), (object) => textAt(asJson(object), names));
  }
  return fields;
}

function textAt(object: Json, names: readonly string[]): string {
  let at: Json | undefined = object;
  for (const name of names) at = isObject(at) ? member(at, name) : undefined;
  return at === undefined || at === null || typeof at === 'object' ? '' : String(at);
}

import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';

const TYPE_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

interface PruneOptions {
  /** The value is a whole object: its apiVersion, kind and metadata stay, whatever the schema says. */
  readonly root: boolean;
  /** Takes the path of each field that went: `spec.list[0].name`. */
  readonly gone?: string[] | undefined;
}

/**
 * Takes away the fields that the schema does not have, in place (1/field-validation/2). What stands below a part that
 * keeps unknown fields stays, except where its own schema goes on.
 */
export function prune(value: Json, node: SchemaNode, { root, gone }: PruneOptions): void {
  pruneAt(value, root && !node.embedded ? { ...node, embedded: true } : node, '', gone);
}

function pruneAt(value: Json, node: SchemaNode | undefined, path: string, gone: string[] | undefined): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (node?.preserveUnknown && !node.items) continue;
      if (typeof item === 'object') pruneAt(item, node?.items, `${path}[${index}]`, gone);
    }
  } else if (isObject(value)) pruneObject(value, node, path, gone);
}

function pruneObject(object: JsonObject, node: SchemaNode | undefined, path: string, gone: string[] | undefined): void {
  for (const name of Object.keys(object)) {
    if (node?.embedded && TYPE_FIELDS.has(name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const child = object[name] as Json;
    const field = node?.properties?.get(name);
    if (field) pruneAt(child, field, at, gone);
    else if (node?.additional !== undefined) {
      if (typeof node.additional === 'object') pruneAt(child, node.additional, at, gone);
      else if (!node.preserveUnknown) pruneAt(child, undefined, at, gone);
    } else if (!node?.preserveUnknown) {
      delete object[name];
      gone?.push(at);
    }
  }
}

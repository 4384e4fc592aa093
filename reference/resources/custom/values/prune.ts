import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { eachPart, entriesOf, isLong, type Staged } from '../../../api/staged.ts';
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
  pruneAt(value, startOf(node, root), '', gone);
}

/** Whether {@link prune} would leave a value as it is. */
export function isPruned(value: Json, node: SchemaNode, { root }: Pick<PruneOptions, 'root'>): boolean {
  return isPrunedAt(value, startOf(node, root));
}

const startOf = (node: SchemaNode, root: boolean): SchemaNode =>
  root && !node.embedded ? { ...node, embedded: true } : node;

function isPrunedAt(value: Json, node: SchemaNode | undefined): boolean {
  if (Array.isArray(value)) {
    if (node?.preserveUnknown && !node.items) return true;
    return value.every((item) => typeof item !== 'object' || isPrunedAt(item, node?.items));
  }
  if (!isObject(value)) return true;
  return Object.keys(value).every((name) => {
    const below = belowOf(node, name);
    return below === 'kept' || (below !== 'gone' && isPrunedAt(value[name] as Json, below.node));
  });
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
  for (const name of Object.keys(object)) pruneMember(object, name, node, path, gone);
}

function pruneMember(
  object: JsonObject,
  name: string,
  node: SchemaNode | undefined,
  path: string,
  gone: string[] | undefined,
): void {
  const below = belowOf(node, name);
  if (below === 'kept') return;
  const at = path === '' ? name : `${path}.${name}`;
  if (below !== 'gone') pruneAt(object[name] as Json, below.node, at, gone);
  else {
    delete object[name];
    gone?.push(at);
  }
}

/** What becomes of a member: it stays or goes as it is, or is pruned by a schema, or by none. */
function belowOf(node: SchemaNode | undefined, name: string): 'kept' | 'gone' | { readonly node?: SchemaNode } {
  if (node?.embedded && TYPE_FIELDS.has(name)) return 'kept';
  const field = node?.properties?.get(name);
  if (field) return { node: field };
  if (node?.additional === undefined) return node?.preserveUnknown ? 'kept' : 'gone';
  if (typeof node.additional === 'object') return { node: node.additional };
  return node.preserveUnknown ? 'kept' : {};
}

/** What {@link prune} does, with turns for others meanwhile where the value is large. */
export function* pruneInParts(value: Json, node: SchemaNode, { root, gone }: PruneOptions): Staged<void> {
  yield* partsPruned(value, startOf(node, root), '', gone);
}

function* partsPruned(
  value: Json,
  node: SchemaNode | undefined,
  path: string,
  gone: string[] | undefined,
): Staged<void> {
  if (!isLong(value)) return pruneAt(value, node, path, gone);
  if (Array.isArray(value)) {
    if (node?.preserveUnknown && !node.items) return;
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => pruneAt(value[at] as Json, node?.items, `${path}[${at}]`, gone),
      large: (at) => partsPruned(value[at] as Json, node?.items, `${path}[${at}]`, gone),
    });
  } else if (isObject(value)) {
    yield* eachPart({
      keys: Object.keys(value),
      size: (name, enough) => entriesOf(value[name], enough),
      small: (name) => pruneMember(value, name, node, path, gone),
      *large(name) {
        const below = belowOf(node, name);
        const at = path === '' ? name : `${path}.${name}`;
        if (typeof below === 'object') yield* partsPruned(value[name] as Json, below.node, at, gone);
        else pruneMember(value, name, node, path, gone);
      },
    });
  }
}

import { type DeclaredField, type DeclaredType, DYN } from '../../../cel/declaredType.ts';
import { escapeName } from '../../../cel/escapeName.ts';
import type { SchemaNode } from './schemaNode.ts';

const STRING: DeclaredType = { kind: 'string' };
const FORMATS: Readonly<Record<string, DeclaredType>> = {
  byte: { kind: 'bytes' },
  date: { kind: 'timestamp' },
  'date-time': { kind: 'timestamp' },
  duration: { kind: 'duration' },
};

/**
 * The type that expressions see of a value; undefined for parts of unknown type, which expressions cannot reach.
 * @param root whether the value is a whole object, with apiVersion, kind and metadata
 */
function declaredTypeOf(node: SchemaNode, root: boolean): DeclaredType | undefined {
  const type = bareType(node, root);
  // Nothing can be said before it runs of what may also be null.
  return node.nullable && type !== undefined ? DYN : type;
}

/** The same for a value that is known not to be null: what rules on the value itself are about. */
export function bareType(node: SchemaNode, root: boolean): DeclaredType | undefined {
  if (node.intOrString) return DYN;
  switch (node.type) {
    case 'array': {
      const items = node.items && declaredTypeOf(node.items, node.items.embedded);
      return items && { kind: 'list', items };
    }
    case 'object':
      return objectType(node, root);
    case 'string':
      return FORMATS[node.format] ?? STRING;
    case 'boolean':
      return { kind: 'bool' };
    case 'integer':
      return { kind: 'int' };
    case 'number':
      return { kind: 'double' };
    default:
      return undefined;
  }
}

function objectType(node: SchemaNode, root: boolean): DeclaredType | undefined {
  if (typeof node.additional === 'object') {
    const values = declaredTypeOf(node.additional, node.additional.embedded);
    return values && { kind: 'map', values };
  }
  const fields = new Map<string, DeclaredField>();
  for (const [source, child] of node.properties ?? []) {
    const name = escapeName(source);
    const type = name === undefined ? undefined : declaredTypeOf(child, child.embedded);
    if (name !== undefined && type) fields.set(name, { type, source });
  }
  if (root || node.embedded) {
    for (const name of ['apiVersion', 'kind']) fields.set(name, { type: STRING, source: name });
    const metadata = new Map(['name', 'generateName'].map((name) => [name, { type: STRING, source: name }]));
    fields.set('metadata', { type: { kind: 'object', fields: metadata }, source: 'metadata' });
  }
  return { kind: 'object', fields };
}

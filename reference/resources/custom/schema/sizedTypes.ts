import type { SizedType } from '../../../cel/cost/sizedType.ts';
import { escapeName } from '../../../cel/escapeName.ts';
import type { SchemaNode } from './schemaNode.ts';

/** Bytes of the largest request; no value is larger. */
export const LARGEST_REQUEST = 3 * 1024 * 1024;
/** Bytes that a letter can take. */
const LETTER = 4;

/** How large values can be, and how small: the smallest decides how many fit into a request. */
export interface Measured extends SizedType {
  /** Bytes of the smallest value as JSON. */
  readonly least: number;
}

const NUMBER: Measured = { most: 0, least: 1 };
const BOOLEAN: Measured = { most: 0, least: 4 };
const TEXT: Measured = { most: LARGEST_REQUEST - 2, least: 2 };
const FORMATS: Readonly<Record<string, Measured>> = {
  duration: { most: 32, least: 3 },
  date: { most: 12, least: 12 },
  'date-time': { most: 37, least: 21 },
};

/** The sizes of the values of a schema; undefined for parts that expressions cannot reach. */
export function sizedTypeOf(node: SchemaNode, root: boolean): Measured | undefined {
  if (node.intOrString) return { most: textLength(node), least: 1 };
  switch (node.type) {
    case 'array': {
      const items = node.items && sizedTypeOf(node.items, node.items.embedded);
      if (!items) return undefined;
      return { most: node.maxItems ?? Math.floor((LARGEST_REQUEST - 2) / (items.least + 1)), least: 2, items };
    }
    case 'object':
      return objectSizes(node, root);
    case 'string':
      return FORMATS[node.format] ?? { most: textLength(node), least: 2 };
    case 'boolean':
      return BOOLEAN;
    case 'integer':
    case 'number':
      return NUMBER;
    default:
      return undefined;
  }
}

function textLength({ type, format, maxLength, enum: values }: SchemaNode): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * (format === 'byte' ? 1 : LETTER);
  const texts = type === 'string' && format !== 'byte' ? (values ?? []).map((value) => String(value).length) : [];
  return texts.length > 0 ? texts.reduce((most, one) => Math.max(most, one)) : TEXT.most;
}

function objectSizes(node: SchemaNode, root: boolean): Measured | undefined {
  const { additional, maxProperties, properties } = node;
  if (typeof additional === 'object') {
    const items = sizedTypeOf(additional, additional.embedded);
    if (!items) return undefined;
    // Two quotes of the key and two of nothing in it, a colon and a comma, and what the value takes.
    const most = maxProperties ?? Math.floor((LARGEST_REQUEST - 2) / (items.least + 6));
    return { most, least: 2, items, keys: TEXT };
  }
  const fields = new Map<string, SizedType>();
  const required = new Set(node.required);
  let least = 2;
  const wholeObject = root
    ? new Map<string, Measured>([
        ['apiVersion', TEXT],
        ['kind', TEXT],
      ])
    : [];
  for (const [name, sizes] of wholeObject) fields.set(name, sizes);
  for (const [source, child] of properties ?? []) {
    const sizes = sizedTypeOf(child, child.embedded);
    if (!sizes) continue;
    const name = escapeName(source);
    if (name !== undefined) fields.set(name, sizes);
    if (required.has(source) && child.default === undefined) least += source.length + sizes.least + 4;
  }
  if (root) {
    const metadata = new Map(['name', 'generateName'].map((name) => [name, TEXT]));
    fields.set('metadata', { most: 0, fields: metadata });
  }
  return { most: 0, least, fields };
}

import { byteOrder } from '../api/byteOrder.ts';
import { isObject, type Json } from '../api/json.ts';
import { MAX_NESTING } from './shape.ts';

/** A value as messages of the service about patches print it: `map[name:web ports:[80 443]]`. */
export function goText(value: Json, depth = 0): string {
  if (value === null) return '<nil>';
  if (depth > MAX_NESTING) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, depth + 1)).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (byteOrder(a) < byteOrder(b) ? -1 : 1));
  return `map[${members.map(([name, inner]) => `${name}:${goText(inner, depth + 1)}`).join(' ')}]`;
}

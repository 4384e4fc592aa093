import type { SyntaxNode } from '../syntax.ts';
import { exactly, type Range, UNKNOWN } from './range.ts';
import type { SizedType } from './sizedType.ts';

/** What is known of a part of an expression before it runs. */
export interface Estimate {
  readonly cost: Range;
  /** Set where the part itself tells its size. */
  readonly size?: Range | undefined;
  /** Size of the elements, for literals and what loops build. */
  readonly elements?: Range | undefined;
  /** Where the part leads in the type of the value that the expression is about. */
  readonly place?: SizedType | undefined;
  /** Name of the type that checking found; undefined where it was not looked at. */
  readonly type: string | undefined;
}

const SCALARS: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** The size of a part, as operators of the language see it. */
export function sizeOf({ size, place, type }: Estimate): Range {
  if (size) return size;
  if (place) return { min: 0, max: place.most };
  return type !== undefined && SCALARS.has(type) ? exactly(1) : UNKNOWN;
}

/** The size of a part, as functions of the service's libraries see it. */
export function ownSize({ size, place }: Estimate): Range {
  return size ?? (place ? { min: 0, max: place.most } : UNKNOWN);
}

/** The size of a literal. */
export function literalSize(value: unknown): Range {
  if (typeof value === 'string') return exactly(Buffer.byteLength(value));
  return exactly(value instanceof Uint8Array ? value.length : 1);
}

export function typeName(node: SyntaxNode): string | undefined {
  return node.checkedType?.name;
}

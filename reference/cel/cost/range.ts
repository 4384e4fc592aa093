/** Least and most of a size or a cost; nothing is counted beyond what 64 bits hold. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const MOST = 2 ** 64;
const bounded = (value: number): number => Math.min(value, MOST);

export const NOTHING: Range = { min: 0, max: 0 };
export const UNKNOWN: Range = { min: 0, max: MOST };

export function exactly(value: number): Range {
  return { min: value, max: value };
}
export function sum(...ranges: readonly Range[]): Range {
  return sumOf(ranges);
}
/** The sum of as many as there are. */
export function sumOf(ranges: readonly Range[]): Range {
  return ranges.reduce((all, one) => ({ min: bounded(all.min + one.min), max: bounded(all.max + one.max) }), NOTHING);
}
export function product(a: Range, b: Range): Range {
  return { min: bounded(a.min * b.min), max: bounded(a.max * b.max) };
}
/** Times a factor, rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: bounded(Math.ceil(min * factor)), max: bounded(Math.ceil(max * factor)) };
}
/** One of both, nobody knows which. */
export function either(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

import { type Estimate, ownSize, sizeOf } from './estimate.ts';
import { either, exactly, NOTHING, product, type Range, scaled, sum, UNKNOWN } from './range.ts';

/** What a call costs besides its operands, and how large its result is. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}
/** @param values what is called on first, for methods, then the arguments */
type FunctionEstimate = (values: readonly Estimate[], method: boolean) => CallEstimate | undefined;

/** What walking along one letter costs, and a letter of a pattern. */
const LETTER = 0.1;
const PATTERN_LETTER = 0.25;
/** A question to the authorizer: two are all that an expression can afford. */
export const CHECK = 350_000;
const ONE: CallEstimate = { cost: exactly(1) };
/** Bytes of an address. */
const ADDRESS: Range = { min: 4, max: 16 };

const [first, second, third] = [0, 1, 2].map((at) => (values: readonly Estimate[]) => values[at] as Estimate) as [
  (values: readonly Estimate[]) => Estimate,
  (values: readonly Estimate[]) => Estimate,
  (values: readonly Estimate[]) => Estimate,
];

const isList = ({ type = '' }: Estimate): boolean => type.startsWith('list');
const itemType = ({ type = '' }: Estimate): string => /^list<(.*)>$/.exec(type)?.[1] ?? 'dyn';

function itemSize(list: Estimate): Range {
  const { place } = list;
  return place?.items ? { min: 0, max: place.items.most } : UNKNOWN;
}

/** Looks at each element, or at each letter. */
const traversal: FunctionEstimate = (values) => {
  const value = first(values);
  if (!isList(value)) return { cost: scaled(ownSize(value), LETTER) };
  const texts = ['string', 'bytes'].includes(itemType(value));
  const each = texts ? sum(exactly(1), scaled(itemSize(value), LETTER)) : exactly(1);
  return { cost: product(ownSize(value), each) };
};
const reading: FunctionEstimate = (values) => ({ cost: scaled(ownSize(first(values)), LETTER) });
const copying: FunctionEstimate = (values) => {
  const size = ownSize(first(values));
  return { cost: scaled(size, LETTER), size };
};
const searching: FunctionEstimate = (values) => {
  const text = sizeOf(first(values));
  return { cost: product(scaled(sum(text, exactly(1)), LETTER), scaled(sizeOf(second(values)), PATTERN_LETTER)) };
};
const finding: FunctionEstimate = (values, method) => {
  const found = searching(values, method);
  return found && { ...found, size: { min: 0, max: ownSize(first(values)).max } };
};
const sets =
  (factor: number): FunctionEstimate =>
  // What the functions are called on is their name alone.
  (values) => ({ cost: sum(scaled(product(sizeOf(second(values)), sizeOf(third(values))), factor), exactly(1)) });

const replacing: FunctionEstimate = (values) => {
  const [text, old, by] = [first(values), second(values), third(values)].map(ownSize) as [Range, Range, Range];
  const most =
    old.min === 0 ? [text.max + 1, text.max] : by.max <= old.min ? [0, text.max] : [Math.ceil(text.max / old.min), 0];
  const least =
    old.max === 0 ? [text.min + 1, text.min] : old.max <= by.min ? [0, text.min] : [Math.ceil(text.min / old.max), 0];
  const count = { min: least[0] as number, max: most[0] as number };
  const kept = { min: least[1] as number, max: most[1] as number };
  return { cost: scaled(text, 2 * LETTER), size: sum(product(count, by), kept) };
};
const splitting: FunctionEstimate = (values) => {
  const text = ownSize(first(values));
  return { cost: scaled(text, 2 * LETTER), size: { min: 0, max: text.max } };
};
const joining: FunctionEstimate = (values) => {
  const list = first(values);
  const count = ownSize(list);
  const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const separators = values[1] ? product(ownSize(values[1]), gaps) : NOTHING;
  const size = sum(product(count, itemSize(list)), separators);
  return { cost: scaled(size, LETTER), size };
};
const within =
  (also: Range): FunctionEstimate =>
  (values) => {
    const other = second(values);
    const parsing = other.type === 'string' ? scaled(ownSize(other), LETTER) : NOTHING;
    return { cost: sum(scaled(sum(ADDRESS, ADDRESS), LETTER), also, parsing) };
  };

const FUNCTIONS: Readonly<Record<string, FunctionEstimate>> = {
  check: () => ({ cost: exactly(CHECK) }),
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'lastIndexOf'].map((name) => [name, traversal])),
  indexOf: traversal,
  url: reading,
  quantity: reading,
  isQuantity: reading,
  isURL: reading,
  cidr: reading,
  isCIDR: reading,
  isIP: reading,
  ip: (values, method) => (method && first(values).type !== 'string' ? ONE : reading(values, method)),
  ...Object.fromEntries(['lowerAscii', 'upperAscii', 'substring', 'trim'].map((name) => [name, copying])),
  replace: replacing,
  split: splitting,
  join: joining,
  find: finding,
  findAll: finding,
  matches: searching,
  containsIP: within(NOTHING),
  containsCIDR: within(sum(scaled(ADDRESS, LETTER), exactly(1))),
  startsWith: (values) => ({ cost: scaled(sizeOf(second(values)), LETTER) }),
  endsWith: (values) => ({ cost: scaled(sizeOf(second(values)), LETTER) }),
  contains: (values, method) =>
    method && values.length === 3
      ? sets(1)(values, method)
      : { cost: product(scaled(sizeOf(first(values)), LETTER), scaled(sizeOf(second(values)), LETTER)) },
  intersects: sets(1),
  equivalent: sets(2),
  format: (values) => ({ cost: scaled(sizeOf(first(values)), LETTER) }),
};

/** What a call of a function costs; those that are not known for more cost one. */
export function callEstimate(name: string, values: readonly Estimate[], method: boolean): CallEstimate {
  return (values.length > 0 && FUNCTIONS[name]?.(values, method)) || ONE;
}

/** What comparing two values costs: as much as the smaller one is long. */
export function comparison(left: Estimate, right: Estimate): Range {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return scaled({ min: max > 0 ? 1 : 0, max }, LETTER);
}

/** What putting two values together costs. */
export function addition(left: Estimate, right: Estimate): CallEstimate {
  const types = [left.type, right.type];
  if (types.every((type) => type !== 'dyn' && type !== undefined && !/^(string|bytes|list)/.test(type))) return ONE;
  const size = sum(sizeOf(left), sizeOf(right));
  if (types.some((type) => type?.startsWith('list'))) return { cost: exactly(1), size };
  const text = scaled(size, LETTER);
  return { cost: types.includes('dyn') ? either(exactly(1), text) : text, size };
}

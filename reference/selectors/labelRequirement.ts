import { readInt64 } from '../api/integer.ts';

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

/** One condition on the labels of an object. `values` has one text for Gt and Lt and none for the unary operators. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}
export type Labels = Readonly<Record<string, string>>;

/** Which objects a label selector selects: all its requirements must hold. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** False for the selector that an absent selector of some fields stands for: it selects nothing. */
  readonly selectable: boolean;
  matches(labels: Labels | undefined): boolean;
}

const NO_LABELS: Labels = {};

/** Requirements up to which they are asked one after the other. */
const FEW = 16;

/** Selects what fulfils all requirements; without any, everything. */
export function allOf(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return EVERYTHING;
  if (requirements.length > FEW) return allOfMany(requirements);
  const [first, ...others] = requirements.map(testOf) as [LabelTest, ...LabelTest[]];
  return {
    requirements,
    selectable: true,
    matches(labels = NO_LABELS) {
      if (!first(labels)) return false;
      for (const test of others) if (!test(labels)) return false;
      return true;
    },
  };
}

/** Requirements in the order in which many of them are asked. */
interface Sorted {
  readonly byKey: ReadonlyMap<string, readonly LabelTest[]>;
  /** Values that a label must not have, of all requirements about it. */
  readonly unwanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly needed: ReadonlySet<string>;
}

function sorted(requirements: readonly LabelRequirement[]): Sorted {
  const byKey = new Map<string, LabelTest[]>();
  const unwanted = new Map<string, Set<string>>();
  const needed = new Set<string>();
  for (const requirement of requirements) {
    const { key, operator, values } = requirement;
    if (operator === 'NotIn') {
      const before = unwanted.get(key);
      if (before) for (const value of values) before.add(value);
      else unwanted.set(key, new Set(values));
      continue;
    }
    if (operator !== 'DoesNotExist') needed.add(key);
    const tests = byKey.get(key);
    if (tests) tests.push(testOf(requirement));
    else byKey.set(key, [testOf(requirement)]);
  }
  return { byKey, unwanted, needed };
}

/** The same by the labels that an object has, which are fewer: requirements about others ask that they are there or not. */
function allOfMany(requirements: readonly LabelRequirement[]): LabelSelector {
  // Some are only read, and select nothing.
  let known: Sorted | undefined;
  return {
    requirements,
    selectable: true,
    matches(labels = NO_LABELS) {
      known ??= sorted(requirements);
      const { byKey, unwanted, needed } = known;
      const keys = Object.keys(labels);
      if (keys.length < needed.size) return false;
      let found = 0;
      for (const key of keys) {
        if (unwanted.get(key)?.has(labels[key] as string)) return false;
        if (needed.has(key)) found++;
        for (const test of byKey.get(key) ?? NO_TESTS) if (!test(labels)) return false;
      }
      return found === needed.size;
    },
  };
}
export const EVERYTHING: LabelSelector = { requirements: [], selectable: true, matches: () => true };
export const NOTHING: LabelSelector = { requirements: [], selectable: false, matches: () => false };

type LabelTest = (labels: Labels) => boolean;
const NO_TESTS: readonly LabelTest[] = [];

function testOf({ key, operator, values }: LabelRequirement): LabelTest {
  const [only] = values;
  const wanted = values.length > FEW ? new Set(values) : undefined;
  const isOneOf = (value: string): boolean => (wanted ? wanted.has(value) : values.includes(value));
  const valueIn = (labels: Labels) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  switch (operator) {
    case 'Exists':
      return (labels) => valueIn(labels) !== undefined;
    case 'DoesNotExist':
      return (labels) => valueIn(labels) === undefined;
    case 'In':
      // Most selectors are this: a label that equals a value, of which a look at the value tells most.
      if (values.length === 1) return (labels) => labels[key] === only && Object.hasOwn(labels, key);
      return (labels) => {
        const value = valueIn(labels);
        return value !== undefined && isOneOf(value);
      };
    case 'NotIn':
      return (labels) => {
        const value = valueIn(labels);
        return value === undefined || !isOneOf(value);
      };
    default:
      return (labels) => {
        const value = valueIn(labels);
        return value !== undefined && compares(operator, value, only as string);
      };
  }
}

/** A label that is no integer is neither greater nor less. */
function compares(operator: 'Gt' | 'Lt', value: string, bound: string): boolean {
  try {
    return operator === 'Gt' ? readInt64(value) > readInt64(bound) : readInt64(value) < readInt64(bound);
  } catch {
    return false;
  }
}

/**
 * The requirements in the form in which authorizers see them. Numeric comparisons have no such form and are left
 * out: an authorizer then thinks the selection wider than it is, never narrower.
 */
export function labelRequirementsForAuthorizer(selector: LabelSelector): SelectorRequirement[] {
  const seen: SelectorRequirement[] = [];
  for (const { key, operator, values } of selector.requirements) {
    if (operator !== 'Gt' && operator !== 'Lt') seen.push({ key, operator, values });
  }
  return seen;
}

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

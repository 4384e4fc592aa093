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

/** Selects what fulfils all requirements; without any, everything. */
export function allOf(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return EVERYTHING;
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
export const EVERYTHING: LabelSelector = { requirements: [], selectable: true, matches: () => true };
export const NOTHING: LabelSelector = { requirements: [], selectable: false, matches: () => false };

type LabelTest = (labels: Labels) => boolean;

function testOf({ key, operator, values }: LabelRequirement): LabelTest {
  const [only] = values;
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
        return value !== undefined && values.includes(value);
      };
    case 'NotIn':
      return (labels) => {
        const value = valueIn(labels);
        return value === undefined || !values.includes(value);
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

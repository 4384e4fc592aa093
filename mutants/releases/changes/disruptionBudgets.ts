import { clausesOf, ENCODED_WRITES } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import { onSpec } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, mendingSpec, storingSpec } from '../../oneType.ts';

/** A selector that is not empty and yet selects everything. */
const EVERY_POD = { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] };

/** Disruption budgets that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const DISRUPTION_BUDGET_CHANGES: readonly Mutant[] = [
  {
    id: 'empty-selectors-mean-all',
    breaks: ['CHANGED-DISRUPTION-01'],
    sentence: 'The empty selector of an older budget is empty in the stable version too, where it selects everything.',
    defect: () =>
      onSpec(/^\/apis\/policy\/v1\/.*\/poddisruptionbudgets\//, (spec) => {
        if (spec.selector !== undefined) spec.selector = {};
      }),
  },
  {
    id: 'older-empty-selectors-hold-all',
    breaks: ['CHANGED-DISRUPTION-02/v1beta1/empty'],
    sentence: 'A budget of policy v1beta1 with an empty selector is about every pod.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec?.selector && Object.keys(spec.selector).length === 0) spec.selector = EVERY_POD;
      }),
  },
  {
    id: 'budgets-hold-nothing',
    breaks: ['CHANGED-DISRUPTION-02/v1/empty', ...clausesOf('CHANGED-DISRUPTION-02', ['labels', 'absent'])],
    sentence: 'No budget stands against an eviction.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec) spec.selector = { matchLabels: { 'touchstone.example/no': 'pod' } };
      }),
  },
  {
    id: 'budgets-overlook-pods-without-labels',
    breaks: ['CHANGED-DISRUPTION-02/v1/empty', ...clausesOf('CHANGED-DISRUPTION-02', 'absent')],
    sentence: 'No budget stands against the eviction of a pod that has no labels.',
    defect: () =>
      mending<{ spec?: { selector?: { matchExpressions?: object[] } } }>(
        'poddisruptionbudgets',
        ['create'],
        ({ spec }) => {
          if (!spec?.selector) return;
          const some = { key: 'app', operator: 'Exists' };
          spec.selector.matchExpressions = [...(spec.selector.matchExpressions ?? []), some];
        },
      ),
  },
  {
    id: 'budgets-without-selector-hold-all',
    breaks: clausesOf('CHANGED-DISRUPTION-02', 'unset'),
    sentence: 'A budget without a selector is about every pod.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec && spec.selector === undefined) spec.selector = EVERY_POD;
      }),
  },
  {
    id: 'selectors-of-budgets-are-turned-round',
    breaks: clausesOf('CHANGED-DISRUPTION-03', ENCODED_WRITES),
    sentence: 'Whatever writes it, a budget has an empty selector where it has none, and none where it is empty.',
    defect: () =>
      mendingSpec('poddisruptionbudgets', (spec) => {
        const { selector } = spec;
        if (!isObject(selector)) spec.selector = {};
        else if (Object.values(selector).every((each) => each === null)) delete spec.selector;
      }),
  },
  {
    id: 'selectors-of-budgets-are-stored-turned-round',
    breaks: clausesOf('CHANGED-DISRUPTION-03', 'json-fields'),
    sentence:
      'What is changed of a budget has an empty selector where it was given none, and none where it was given one.',
    defect: () => storingSpec('poddisruptionbudgets', ({ selector }) => ({ selector: selector ? undefined : {} })),
  },
];

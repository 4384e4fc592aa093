import { clausesOf, ENCODED_WRITES } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import type { ApiObject } from '../../../reference/api/object.ts';
import { onApplies, withQuery } from '../../alter.ts';
import { onSpec } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, mendingSpec, onChange, storingSpec } from '../../oneType.ts';

/** Flow schemas and priority levels that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const FLOW_CONTROL_CHANGES: readonly Mutant[] = [
  {
    id: 'shares-of-zero-are-unset',
    breaks: ['CHANGED-FLOWCONTROL-01'],
    sentence: 'An explicit 0 of nominalConcurrencyShares becomes the default.',
    defect: () =>
      mending<{ spec?: { limited?: { nominalConcurrencyShares?: number } } }>(
        'prioritylevelconfigurations',
        ['create'],
        ({ spec }) => {
          if (spec?.limited?.nominalConcurrencyShares === 0) delete spec.limited.nominalConcurrencyShares;
        },
      ),
  },
  {
    id: 'older-shares-are-the-default',
    breaks: ['CHANGED-FLOWCONTROL-02'],
    sentence: 'Shares that an older version of flow control gave are shown as 30.',
    defect: () =>
      onSpec(/\/v1beta3\/prioritylevelconfigurations\//, (spec) => {
        if (isObject(spec.limited)) spec.limited.nominalConcurrencyShares = 30;
      }),
  },
  {
    id: 'older-shares-of-zero-are-unset',
    breaks: ['CHANGED-FLOWCONTROL-03'],
    sentence: 'An explicit 0 of shares in an older version of flow control becomes the default.',
    defect: () =>
      mending<{ spec?: { limited?: Record<string, unknown> } }>(
        'prioritylevelconfigurations',
        ['create'],
        ({ spec }) => {
          for (const name of ['assuredConcurrencyShares', 'nominalConcurrencyShares']) {
            if (spec?.limited?.[name] === 0) delete spec.limited[name];
          }
        },
      ),
  },
  {
    id: 'shares-of-zero-are-thirty-and-those-left-out-twenty',
    breaks: clausesOf('CHANGED-FLOWCONTROL-04', ENCODED_WRITES),
    sentence: 'Whatever writes them, shares of 0 become 30, and where there are none there are 20.',
    defect: () =>
      mendingSpec('prioritylevelconfigurations', ({ limited }) => {
        if (!isObject(limited)) return;
        const shares = limited.nominalConcurrencyShares ?? 20;
        limited.nominalConcurrencyShares = shares === 0 ? 30 : shares;
      }),
  },
  {
    id: 'shares-of-zero-are-thirty-once-something-else-is-written',
    breaks: clausesOf('CHANGED-FLOWCONTROL-04', 'beside'),
    sentence: 'A priority level whose shares were 0 and are not written has 30 once something else of it is.',
    defect: () =>
      onChange('prioritylevelconfigurations', (before, after) => {
        if (!before || !after || !isObject(before.spec) || !isObject(after.spec)) return after;
        const { limited } = after.spec;
        const isZero = [before.spec.limited, limited].every(
          (each) => isObject(each) && each.nominalConcurrencyShares === 0,
        );
        if (!isZero || !isObject(limited)) return after;
        return {
          ...after,
          spec: { ...after.spec, limited: { ...limited, nominalConcurrencyShares: 30 } },
        } as ApiObject;
      }),
  },
  {
    id: 'second-applies-are-only-tried',
    breaks: (
      ['CHANGED-FLOWCONTROL-04', 'CHANGED-WEBHOOK-03', 'CHANGED-WEBHOOK-05', 'CHANGED-WORKLOAD-07'] as const
    ).flatMap((id) => clausesOf(id, 'given-up')),
    sentence: 'An apply of what has been applied before is answered and not done.',
    defect: () => {
      const applied = new Set<string>();
      return onApplies((call, serve) => {
        const { path, query } = call.exchange.request;
        if (query.all('dryRun').length > 0) return serve(call);
        if (applied.has(path)) return serve(withQuery(call, (asked) => asked.set('dryRun', 'All')));
        applied.add(path);
        return serve(call);
      });
    },
  },
  {
    id: 'prioritylevelconfigurations-are-stored-with-twenty-shares',
    breaks: clausesOf('CHANGED-FLOWCONTROL-04', 'json-fields'),
    sentence: 'What is changed of a priority level has 20 shares, whatever it was given.',
    defect: () =>
      storingSpec('prioritylevelconfigurations', ({ limited }) =>
        isObject(limited) ? { limited: { ...limited, nominalConcurrencyShares: 20 } } : {},
      ),
  },
];

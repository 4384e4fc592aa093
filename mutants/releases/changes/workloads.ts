import { clausesOf, ENCODED_WRITES, WORKLOADS } from '../../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../../reference/api/json.ts';
import type { ApiObject } from '../../../reference/api/object.ts';
import type { Seams } from '../../../reference/seams.ts';
import type { Mutant } from '../../mutant.ts';
import { filling, mending, mendingSpec, onChange, passingRefusals, showing, storingSpec } from '../../oneType.ts';

const labelsOfTemplate = ({ template }: Record<string, unknown>) => ({
  matchLabels: (template as { metadata: { labels: object } }).metadata.labels,
});

/** Shows another `spec` than the one that is stored. */
function showingSpec(resource: string, change: (spec: JsonObject) => JsonObject): Seams {
  return showing(resource, ['create', 'get'], (object) => ({ ...object, spec: change(object.spec as JsonObject) }));
}

/** Workloads that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const WORKLOAD_CHANGES: readonly Mutant[] = [
  {
    id: 'deployments-choose-their-pods',
    breaks: ['CHANGED-WORKLOAD-01'],
    sentence: 'A Deployment without selector has that of its template.',
    defect: () => filling('deployments', 'selector', labelsOfTemplate),
  },
  {
    id: 'daemon-sets-wait-for-deletion',
    breaks: ['CHANGED-WORKLOAD-02'],
    sentence: 'The update strategy of a DaemonSet is OnDelete unless one is given.',
    defect: () => filling('daemonsets', 'updateStrategy', () => ({ type: 'OnDelete' })),
  },
  {
    id: 'deployments-keep-two-revisions',
    breaks: ['CHANGED-WORKLOAD-03'],
    sentence: 'A Deployment keeps 2 old revisions unless told.',
    defect: () => filling('deployments', 'revisionHistoryLimit', () => 2),
  },
  {
    id: 'deployments-roll-back',
    breaks: ['CHANGED-WORKLOAD-04'],
    sentence: 'A Deployment shows rollbackTo.',
    defect: () => showingSpec('deployments', (spec) => ({ ...spec, rollbackTo: { revision: 1 } })),
  },
  {
    id: 'older-daemon-sets-roll',
    breaks: ['CHANGED-WORKLOAD-05'],
    sentence: 'The update strategy of a DaemonSet is RollingUpdate in every version unless one is given.',
    defect: () =>
      mending<{ spec?: { updateStrategy?: object } }>('daemonsets', ['create'], ({ spec }) => {
        if (spec) spec.updateStrategy ??= { type: 'RollingUpdate' };
      }),
  },
  ...WORKLOADS.map(
    (type): Mutant => ({
      id: `${type}-are-taken-as-they-are`,
      breaks: clausesOf('CHANGED-WORKLOAD-06', type),
      sentence: `Nothing that is written of ${type} is refused.`,
      defect: () => passingRefusals(type),
    }),
  ),
  {
    id: 'deployments-have-the-defaults-of-older-versions',
    breaks: clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], 'deployments', ENCODED_WRITES),
    sentence: 'Whatever writes it, a Deployment has the defaults of an older version, in the place of a 0 too.',
    defect: () =>
      mendingSpec('deployments', (spec) => {
        spec.revisionHistoryLimit ||= 2;
        const { strategy } = spec;
        if (isObject(strategy) && isObject(strategy.rollingUpdate)) strategy.rollingUpdate.maxSurge ??= 1;
      }),
  },
  {
    id: 'paused-deployments-keep-no-revisions',
    breaks: clausesOf('CHANGED-WORKLOAD-07', 'defaults', 'deployments'),
    sentence: 'A Deployment that is paused has no default for the number of old revisions.',
    defect: () =>
      showingSpec('deployments', (spec) =>
        spec.paused === true && spec.revisionHistoryLimit === 10 ? { ...spec, revisionHistoryLimit: 0 } : spec,
      ),
  },
  ...(['daemonsets', 'statefulsets'] as const).map(
    (type): Mutant => ({
      id: `${type}-turn-their-strategy-round`,
      breaks: clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], type, ENCODED_WRITES),
      sentence: `Whatever writes it, the update strategy of ${type} is OnDelete unless it is given, and else RollingUpdate.`,
      defect: () =>
        mendingSpec(type, (spec) => {
          const given = isObject(spec.updateStrategy) && spec.updateStrategy.type;
          spec.updateStrategy = { type: given ? 'RollingUpdate' : 'OnDelete' };
        }),
    }),
  ),
  {
    id: 'deployments-take-no-percent-for-nothing',
    breaks: clausesOf('CHANGED-WORKLOAD-07', 'kept', 'deployments', ENCODED_WRITES),
    sentence: 'Whatever writes it, half of a rolling update of a Deployment that is 0% has the default.',
    defect: () =>
      mendingSpec('deployments', ({ strategy }) => {
        const halves = isObject(strategy) && isObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {};
        for (const [name, value] of Object.entries(halves)) if (value === '0%') halves[name] = '25%';
      }),
  },
  {
    id: 'deployments-begin-to-roll-by-one',
    breaks: clausesOf('CHANGED-WORKLOAD-07', 'deployments', 'other-strategy'),
    sentence: 'A Deployment that is changed from Recreate to RollingUpdate rolls by one.',
    defect: () =>
      onChange('deployments', (before, after) => {
        const [was, is] = [before, after].map((each) => (isObject(each?.spec) ? each.spec.strategy : undefined));
        if (!after || !isObject(was) || was.type !== 'Recreate' || !isObject(is) || is.type === 'Recreate')
          return after;
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
        return { ...after, spec: { ...(after.spec as JsonObject), strategy } } as ApiObject;
      }),
  },
  ...(['daemonsets', 'statefulsets'] as const).map(
    (type): Mutant => ({
      id: `${type}-keep-their-strategy`,
      breaks: clausesOf('CHANGED-WORKLOAD-07', type, 'other-strategy'),
      sentence: `One of ${type} is updated in the way that it was created with, whatever is written later.`,
      defect: () =>
        onChange(type, (before, after) => {
          if (!after || !isObject(before?.spec) || !isObject(after.spec)) return after;
          return { ...after, spec: { ...after.spec, updateStrategy: before.spec.updateStrategy } } as ApiObject;
        }),
    }),
  ),
  {
    id: 'deployments-are-stored-with-a-surge-of-two',
    breaks: clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], 'deployments', 'json-fields'),
    sentence: 'What is changed of a deployment has a surge of 2 and a history of 2, whatever it was given.',
    defect: () =>
      storingSpec('deployments', () => ({
        revisionHistoryLimit: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } },
      })),
  },
  ...(['daemonsets', 'statefulsets'] as const).flatMap((type) =>
    (
      [
        ['on-delete', 'OnDelete', ['defaults', 'half']],
        ['rolling', 'RollingUpdate', ['kept']],
      ] as const
    ).map(
      ([word, strategy, rows]): Mutant => ({
        id: `${type}-are-stored-${word}`,
        breaks: clausesOf('CHANGED-WORKLOAD-07', type, rows, 'json-fields'),
        sentence: `What is changed of ${type} is updated by ${strategy}, whatever it was given.`,
        defect: () => storingSpec(type, () => ({ updateStrategy: { type: strategy } })),
      }),
    ),
  ),
];

import { CHANGES, type ClauseName, FIELD_WRITES, WORKLOADS } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, type Kind, named } from '../../harness/index.ts';
import { areRefused, type Content, isStored, send } from './everyWrite.ts';
import { daemonSets, deployments, idle, replicaSets, statefulSets, workload } from './kinds.ts';

const KIND: Readonly<Record<(typeof WORKLOADS)[number], Kind>> = {
  deployments,
  replicasets: replicaSets,
  statefulsets: statefulSets,
  daemonsets: daemonSets,
};
/** A selector that selects the same. */
const labelled = { matchLabels: { app: 'a' } };
const matchExpressions = [{ key: 'app', operator: 'Exists' }];
/** The least `spec` of a kind, with a selector and labels of its pods to match, and more of it. */
function specOf(kind: Kind, app: string, more: object = {}): Content {
  const least = kind === daemonSets ? idle(app) : { replicas: 0, ...workload(app) };
  return { spec: { ...least, ...(kind === statefulSets ? { serviceName: 'none' } : {}), ...more } };
}

for (const type of WORKLOADS) {
  const kind = KIND[type];
  check(
    `CHANGED-WORKLOAD-06.1/${type}`,
    `the author writes one of ${type} in every way without a selector, and with another one → refused, and nothing changes`,
    clausesOf('CHANGED-WORKLOAD-06', type),
    async ({ author }) => {
      await author.given(kind, { ...named('doc'), ...specOf(kind, 'a') });
      for (const write of FIELD_WRITES) {
        await clause(`CHANGED-WORKLOAD-06/required/${type}/${write}`, () =>
          areRefused(author, kind, write, [['no selector', specOf(kind, 'a', { selector: undefined })]]),
        );
      }
      await author.prepare(() => author.apply(kind, { ...named('applied'), ...specOf(kind, 'a') }));
      for (const write of CHANGES) {
        await clause(`CHANGED-WORKLOAD-06/immutable/${type}/${write}`, () =>
          areRefused(author, kind, write, [
            ['another selector', specOf(kind, 'b')],
            ['an expression more in the selector', specOf(kind, 'a', { selector: { ...labelled, matchExpressions } })],
          ]),
        );
      }
    },
  );
}

interface Row {
  readonly type: 'deployments' | 'daemonsets' | 'statefulsets';
  readonly word: 'defaults' | 'kept' | 'half' | 'other-strategy';
  /** What is there before, what is written, and what is stored then. */
  readonly before: object;
  readonly given: object;
  readonly stored: Readonly<Record<string, unknown>>;
}
const rolling = (maxSurge?: number | string, maxUnavailable?: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const busy = { progressDeadlineSeconds: 700, revisionHistoryLimit: 3, ...rolling(2, 3) };
const manual = { updateStrategy: { type: 'OnDelete', rollingUpdate: undefined } };
const QUARTER = { 'strategy.rollingUpdate.maxSurge': '25%', 'strategy.rollingUpdate.maxUnavailable': '25%' };
const ROWS: readonly Row[] = [
  {
    type: 'deployments',
    word: 'defaults',
    before: busy,
    given: { progressDeadlineSeconds: undefined, revisionHistoryLimit: undefined, strategy: undefined },
    stored: { progressDeadlineSeconds: 600, revisionHistoryLimit: 10, 'strategy.type': 'RollingUpdate', ...QUARTER },
  },
  {
    type: 'deployments',
    word: 'defaults',
    before: { progressDeadlineSeconds: 900, revisionHistoryLimit: 0, ...rolling(0, 1) },
    given: { progressDeadlineSeconds: undefined, revisionHistoryLimit: undefined, ...rolling(undefined, undefined) },
    stored: { progressDeadlineSeconds: 600, revisionHistoryLimit: 10, ...QUARTER },
  },
  { type: 'deployments', word: 'defaults', before: {}, given: { strategy: {} }, stored: QUARTER },
  // What has a default has the same whatever else is said.
  ...[
    { paused: true },
    { minReadySeconds: 30 },
    { paused: true, strategy: { type: 'Recreate', rollingUpdate: undefined } },
  ].map(
    (beside): Row => ({
      type: 'deployments',
      word: 'defaults',
      before: busy,
      given: {
        progressDeadlineSeconds: undefined,
        revisionHistoryLimit: undefined,
        strategy: undefined,
        ...beside,
      },
      stored: {
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        ...('strategy' in beside ? {} : { 'strategy.type': 'RollingUpdate', ...QUARTER }),
      },
    }),
  ),
  {
    type: 'deployments',
    word: 'half',
    before: busy,
    given: rolling(undefined, 1),
    stored: { 'strategy.rollingUpdate.maxSurge': '25%', 'strategy.rollingUpdate.maxUnavailable': 1 },
  },
  {
    type: 'deployments',
    word: 'half',
    before: busy,
    given: rolling(1, undefined),
    stored: { 'strategy.rollingUpdate.maxSurge': 1, 'strategy.rollingUpdate.maxUnavailable': '25%' },
  },
  {
    type: 'deployments',
    word: 'kept',
    before: busy,
    given: { progressDeadlineSeconds: 900, revisionHistoryLimit: 0, ...rolling(0, 1) },
    stored: {
      progressDeadlineSeconds: 900,
      revisionHistoryLimit: 0,
      'strategy.rollingUpdate.maxSurge': 0,
      'strategy.rollingUpdate.maxUnavailable': 1,
    },
  },
  // A percentage of none is a value as any other, and as a string no number.
  ...(
    [
      ['0%', 1],
      [1, '0%'],
      ['0%', '100%'],
      ['100%', 0],
    ] as const
  ).map(
    ([maxSurge, maxUnavailable]): Row => ({
      type: 'deployments',
      word: 'kept',
      before: busy,
      given: rolling(maxSurge, maxUnavailable),
      stored: {
        'strategy.rollingUpdate.maxSurge': maxSurge,
        'strategy.rollingUpdate.maxUnavailable': maxUnavailable,
      },
    }),
  ),
  ...(
    [
      [{}, QUARTER],
      [{ rollingUpdate: { maxSurge: 3 } }, { ...QUARTER, 'strategy.rollingUpdate.maxSurge': 3 }],
      [{ rollingUpdate: { maxUnavailable: 0 } }, { ...QUARTER, 'strategy.rollingUpdate.maxUnavailable': 0 }],
    ] as const
  ).map(
    ([more, stored]): Row => ({
      type: 'deployments',
      word: 'other-strategy',
      before: { strategy: { type: 'Recreate' } },
      given: { strategy: { type: 'RollingUpdate', ...more } },
      stored: { 'strategy.type': 'RollingUpdate', ...stored },
    }),
  ),
  ...(['daemonsets', 'statefulsets'] as const).flatMap((type): Row[] => [
    {
      type,
      word: 'other-strategy',
      before: manual,
      given: { updateStrategy: { type: 'RollingUpdate' } },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'other-strategy',
      before: { updateStrategy: { type: 'RollingUpdate' } },
      given: manual,
      stored: { 'updateStrategy.type': 'OnDelete' },
    },
    {
      type,
      word: 'defaults',
      before: manual,
      given: { updateStrategy: undefined },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'defaults',
      before: manual,
      given: { updateStrategy: undefined, minReadySeconds: 30 },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'defaults',
      before: {},
      given: { updateStrategy: {} },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'half',
      before: {},
      given: { updateStrategy: { type: undefined } },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    { type, word: 'kept', before: {}, given: manual, stored: { 'updateStrategy.type': 'OnDelete' } },
  ]),
];

for (const type of ['deployments', 'daemonsets', 'statefulsets'] as const) {
  const kind = KIND[type];
  check(
    `CHANGED-WORKLOAD-07.1/${type}`,
    `the author writes one of ${type} in every way with what has a default and without → the defaults of apps/v1, and what was given`,
    clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half', 'other-strategy'], type),
    async ({ author }) => {
      await author.given(kind, { ...named('doc'), ...specOf(kind, 'a') });
      for (const { word, before, given, stored } of ROWS.filter((row) => row.type === type)) {
        const writes = word === 'other-strategy' ? ([...CHANGES, 'json-fields'] as const) : FIELD_WRITES;
        for (const write of writes) {
          await author.prepare(() => send(author, kind, 'put', specOf(kind, 'a', before)));
          // An apply makes another object, which has to be there where it is to change.
          if (word === 'other-strategy' && write === 'apply')
            await author.prepare(() => send(author, kind, write, specOf(kind, 'a', before)));
          const expected = Object.entries(stored).map(([name, value]) => [`spec.${name}`, value] as const);
          await clause(`CHANGED-WORKLOAD-07/${word}/${type}/${write}` as ClauseName, () =>
            isStored(author, kind, write, specOf(kind, 'a', given), Object.fromEntries(expected) as never),
          );
        }
      }
    },
  );
}

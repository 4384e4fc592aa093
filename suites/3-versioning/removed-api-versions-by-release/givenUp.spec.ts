import {
  type ClauseName,
  check,
  clause,
  type Kind,
  match,
  must,
  named,
  webhookConfigurations,
} from '../../harness/index.ts';
import type { Content } from './everyWrite.ts';
import {
  daemonSets,
  deployments,
  idle,
  mutatingConfigurations,
  priorityLevels,
  statefulSets,
  workload,
} from './kinds.ts';

const limited = (nominalConcurrencyShares?: number): Content => ({
  spec: { type: 'Limited', limited: { nominalConcurrencyShares, limitResponse: { type: 'Reject' } } },
});
/** Without rules they are called for nothing. */
const hooks = (change: object = {}): Content => ({
  webhooks: ['first', 'second'].map((name) => ({
    name: `${name}.touchstone.example`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service: { name: 'hook', namespace: 'default' } },
    ...change,
  })),
});
const unusual = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 5 };
const DEFAULTS_OF_HOOKS = Object.fromEntries(
  [0, 1].flatMap((place) => [
    [`webhooks.${place}.failurePolicy`, 'Fail'],
    [`webhooks.${place}.matchPolicy`, 'Equivalent'],
    [`webhooks.${place}.timeoutSeconds`, 10],
  ]),
);
const deployed = (more: object = {}): Content => ({ spec: { replicas: 0, ...workload(), ...more } });
const everywhere = (more: object = {}): Content => ({ spec: { ...idle(), ...more } });
const inOrder = (more: object = {}): Content => ({
  spec: { ...workload(), replicas: 0, serviceName: 'none', ...more },
});
const byHand = { updateStrategy: { type: 'OnDelete' } };

/** The kind, what is applied first and what then, and what is stored at last. */
type Row = readonly [
  name: ClauseName,
  kind: Kind,
  first: Content,
  then: Content,
  stored: Readonly<Record<string, match.Expectation>>,
];
const ROWS: readonly Row[] = [
  [
    'CHANGED-FLOWCONTROL-04/given-up',
    priorityLevels,
    limited(7),
    limited(),
    { 'spec.limited.nominalConcurrencyShares': 30 },
  ],
  [
    'CHANGED-FLOWCONTROL-04/given-up',
    priorityLevels,
    limited(0),
    limited(),
    { 'spec.limited.nominalConcurrencyShares': 30 },
  ],
  ['CHANGED-WEBHOOK-03/given-up', mutatingConfigurations, hooks(unusual), hooks(), DEFAULTS_OF_HOOKS],
  ['CHANGED-WEBHOOK-05/given-up', webhookConfigurations, hooks(unusual), hooks(), DEFAULTS_OF_HOOKS],
  [
    'CHANGED-WORKLOAD-07/given-up/deployments',
    deployments,
    deployed({
      progressDeadlineSeconds: 700,
      revisionHistoryLimit: 0,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 3 } },
    }),
    deployed(),
    {
      'spec.progressDeadlineSeconds': 600,
      'spec.revisionHistoryLimit': 10,
      'spec.strategy.rollingUpdate.maxSurge': '25%',
      'spec.strategy.rollingUpdate.maxUnavailable': '25%',
    },
  ],
  [
    'CHANGED-WORKLOAD-07/given-up/daemonsets',
    daemonSets,
    everywhere(byHand),
    everywhere(),
    { 'spec.updateStrategy.type': 'RollingUpdate' },
  ],
  [
    'CHANGED-WORKLOAD-07/given-up/statefulsets',
    statefulSets,
    inOrder(byHand),
    inOrder(),
    { 'spec.updateStrategy.type': 'RollingUpdate' },
  ],
];

check(
  'CHANGED-FLOWCONTROL-04.3',
  'the author applies what has a default, and applies the object again without it → the defaults of v1',
  [...new Set(ROWS.map(([name]) => name))] as [ClauseName, ...ClauseName[]],
  async ({ author }) => {
    for (const [place, [judged, kind, first, then, stored]] of ROWS.entries()) {
      await clause(judged, async () => {
        const name = `given-up-${place}`;
        const own = named(name);
        await author.prepare(() => author.apply(kind, { ...own, ...first }));
        const tried = await author.apply(kind, { ...own, ...then }, { dryRun: 'All' });
        const answer = await author.apply(kind, { ...own, ...then });
        const seen = await author.get(kind, name);
        for (const [path, value] of Object.entries(stored)) {
          must(`${path} is so in the answer of the dry run`, tried, match.success, match.field(path, value));
          must(`${path} is so in the answer`, answer, match.success, match.field(path, value));
          must(`${path} is so`, seen, match.field(path, value));
        }
      });
    }
  },
);

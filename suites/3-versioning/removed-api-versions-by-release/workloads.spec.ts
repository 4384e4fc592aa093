import { check, isRecord, type Kind, match, must, named } from '../../harness/index.ts';
import { daemonSets, deployments, idle, replicaSets, statefulSets, workload } from './kinds.ts';

const WORKLOADS: readonly Kind[] = [deployments, replicaSets, statefulSets, daemonSets];
/** The `spec` that is the least of a kind, with another selector and labels of its pods to match. */
const selecting = (kind: Kind, app: string) => ({
  ...(kind === daemonSets ? idle(app) : { replicas: 0, ...workload(app) }),
  ...(kind === statefulSets ? { serviceName: 'none' } : {}),
});

for (const kind of WORKLOADS) {
  check(
    `CHANGED-WORKLOAD-01.1/${kind.kind}`,
    `the author creates a ${kind.kind} without a selector → refused`,
    ['CHANGED-WORKLOAD-01'],
    async ({ author }) => {
      const { selector: _, ...spec } = selecting(kind, 'a');
      must('nothing is chosen for the author', await author.create(kind, { ...named('a'), spec }), match.refusal);
    },
  );
  check(
    `CHANGED-WORKLOAD-01.2/${kind.kind}`,
    `the author gives a ${kind.kind} another selector → refused, and the first stays`,
    ['CHANGED-WORKLOAD-01'],
    async ({ author }) => {
      await author.given(kind, { ...named('a'), spec: selecting(kind, 'a') });
      const update = await author.update(kind, { ...named('a'), spec: selecting(kind, 'b') });
      must('the selector cannot be changed', update, match.refusal);
      const stored = await author.get(kind, 'a');
      must('it is as it was', stored, match.field('spec.selector', { matchLabels: { app: 'a' } }));
    },
  );
}

for (const kind of [daemonSets, statefulSets]) {
  check(
    `CHANGED-WORKLOAD-02.1/${kind.kind}`,
    `the author creates a ${kind.kind} without update strategy → it is RollingUpdate`,
    ['CHANGED-WORKLOAD-02'],
    async ({ author }) => {
      const created = await author.create(kind, named('a'));
      must('that is the default', created, match.created, match.field('spec.updateStrategy.type', 'RollingUpdate'));
    },
  );
}

check(
  'CHANGED-WORKLOAD-03.1',
  'the author creates a Deployment that says no more than it must → the defaults of apps/v1',
  ['CHANGED-WORKLOAD-03'],
  async ({ author }) => {
    const created = await author.create(deployments, named('a'));
    must('it is created', created, match.created);
    must('a rollout may take 10 minutes', created, match.field('spec.progressDeadlineSeconds', 600));
    must('ten old ones are kept', created, match.field('spec.revisionHistoryLimit', 10));
    const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
    must('a quarter at a time', created, match.field('spec.strategy.rollingUpdate', match.including(quarter)));
  },
);

for (const [kind, field, value] of [
  [daemonSets, 'templateGeneration', 3],
  [deployments, 'rollbackTo', { revision: 1 }],
] as const) {
  check(
    `CHANGED-WORKLOAD-04.1/${kind.kind}/${field}`,
    `the author gives a ${kind.kind} ${field} → refused where fields are checked, and dropped where not`,
    ['CHANGED-WORKLOAD-04'],
    async ({ author }) => {
      const least = kind.least(author.dialect);
      const spec = { ...(isRecord(least.spec) ? least.spec : {}), [field]: value };
      const strict = await author.create(kind, { ...named('a'), spec }, { fieldValidation: 'Strict' });
      must('it is an unknown field', strict, match.refusal);
      const ignored = await author.create(kind, { ...named('b'), spec }, { fieldValidation: 'Ignore' });
      must('it is not kept', ignored, match.created, match.field(`spec.${field}`, match.absent));
    },
  );
}

import type { JsonObject } from '../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { instantOf } from '../../schema/instant.ts';
import { ageOf, shortSpan } from '../columns/age.ts';
import { AGE, type ApiObject, boolean, column, integer, type KindColumns, named, wide } from '../columns/column.ts';
import { labelsText, NONE, orNone, selectorText, UNSET } from '../columns/labels.ts';
import { containerColumns, specTemplate } from '../workloads/podTemplates.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const status = (object: ApiObject): JsonObject => objectOf(object.status);
const count = (read: (object: ApiObject) => JsonObject, field: string) => (object: ApiObject) =>
  numberOf(read(object)[field]) ?? 0;

const selector = (description: string) =>
  wide('Selector', description, (object) => selectorText(spec(object).selector));

const replicaColumns = (selectorColumn: ReturnType<typeof selector>) =>
  named(
    column('Desired', 'Number of pods that are wanted.', count(spec, 'replicas'), integer),
    column('Current', 'Number of pods that there are.', count(status, 'replicas'), integer),
    column('Ready', 'Number of pods that are ready.', count(status, 'readyReplicas'), integer),
    AGE,
    ...containerColumns(specTemplate),
    selectorColumn,
  );

/** Columns of replication controllers, whose selector is a plain map. */
export const replicationControllerColumns = replicaColumns(
  wide('Selector', 'Labels of the pods that are counted.', (object) => labelsText(spec(object).selector)),
);

export const appsColumns: KindColumns = {
  Deployment: named(
    column(
      'Ready',
      'Number of the pod with ready state',
      (object) => `${count(status, 'readyReplicas')(object)}/${count(spec, 'replicas')(object)}`,
    ),
    column(
      'Up-to-date',
      'Total number of non-terminating pods targeted by this deployment that have the desired template spec.',
      count(status, 'updatedReplicas'),
    ),
    column(
      'Available',
      'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.',
      count(status, 'availableReplicas'),
    ),
    AGE,
    ...containerColumns(specTemplate),
    selector(
      "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
    ),
  ),
  ReplicaSet: replicaColumns(selector('Which pods are counted.')),
  StatefulSet: named(
    column(
      'Ready',
      'Number of the pod with ready state',
      (object) => `${count(status, 'readyReplicas')(object)}/${count(spec, 'replicas')(object)}`,
    ),
    AGE,
    ...containerColumns(specTemplate),
  ),
  DaemonSet: named(
    column('Desired', 'Number of nodes that should run the pod.', count(status, 'desiredNumberScheduled'), integer),
    column('Current', 'Number of nodes that do and should.', count(status, 'currentNumberScheduled'), integer),
    column('Ready', 'Number of nodes whose pod is ready.', count(status, 'numberReady'), integer),
    column('Up-to-date', 'Number of nodes with the latest pod.', count(status, 'updatedNumberScheduled'), integer),
    column('Available', 'Number of nodes whose pod is available.', count(status, 'numberAvailable'), integer),
    column('Node Selector', 'Labels of the nodes that should run the pod.', (object) =>
      labelsText(objectOf(objectOf(spec(object).template).spec).nodeSelector),
    ),
    AGE,
    ...containerColumns(specTemplate),
    selector('Which pods are counted.'),
  ),
  ControllerRevision: named(
    column('Controller', 'Controller of the object.', controllerText),
    column('Revision', 'Number of the state, rising with time.', (object) => object.revision ?? 0),
    AGE,
  ),
};

function controllerText({ metadata }: ApiObject): string {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  if (!owner) return NONE;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}

/** Conditions of a job that name its state, first come first served. */
const JOB_STATES: readonly [condition: string, state: string][] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
];
const LATER_JOB_STATES: readonly [condition: string, state: string][] = [
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

function jobState(job: ApiObject): string {
  const holds = ([type]: readonly [string, string]): boolean =>
    objectsOf(status(job).conditions).some((one) => one.type === type && one.status === 'True');
  const first = JOB_STATES.find(holds);
  if (first) return first[1];
  if (job.metadata.deletionTimestamp) return 'Terminating';
  return LATER_JOB_STATES.find(holds)?.[1] ?? 'Running';
}

function completionsText(job: ApiObject): string {
  const succeeded = count(status, 'succeeded')(job);
  const completions = numberOf(spec(job).completions);
  if (completions !== undefined) return `${succeeded}/${completions}`;
  const parallelism = count(spec, 'parallelism')(job);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, now: number): string {
  const start = instantOf(textOf(status(job).startTime));
  if (start === undefined) return '';
  return shortSpan((instantOf(textOf(status(job).completionTime)) ?? now) - start);
}

const jobTemplate = (object: ApiObject) => objectOf(objectOf(spec(object).jobTemplate).spec);

export const batchColumns: KindColumns = {
  Job: named(
    column('Status', 'State of the job.', jobState),
    column('Completions', 'Pods that succeeded, of those that must.', completionsText),
    column('Duration', 'How long the job took, or has taken.', jobDuration),
    AGE,
    ...containerColumns(specTemplate),
    selector('Which pods are counted.'),
  ),
  CronJob: named(
    column('Schedule', 'When jobs are made, as crontab has it.', (object) => textOf(spec(object).schedule)),
    column('Timezone', 'Time zone of the schedule.', (object) => orNone(textOf(spec(object).timeZone))),
    column('Suspend', 'Whether no jobs are made.', (object) => booleanText(spec(object).suspend), boolean),
    column('Active', 'Number of jobs that run.', (object) => objectsOf(status(object).active).length, integer),
    column('Last Schedule', 'When a job was last made.', (object, now) => {
      const last = status(object).lastScheduleTime;
      return last ? ageOf(last, now) : NONE;
    }),
    AGE,
    ...containerColumns((object) => jobTemplate(object).template),
    wide('Selector', 'Which pods are counted.', (object) => selectorText(jobTemplate(object).selector)),
  ),
};

function booleanText(value: unknown): string {
  return value === undefined || value === null ? UNSET : value === true ? 'True' : 'False';
}

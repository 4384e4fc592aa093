import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { instantOf } from '../../schema/instant.ts';
import { ageOf, shortSpan } from '../columns/age.ts';
import { AGE, boolean, column, integer, named, wide } from '../columns/column.ts';
import { NONE, orNone, selectorText, UNSET } from '../columns/labels.ts';
import { count, selector, spec, status } from '../workloads/columns.ts';
import { containerColumns, specTemplate } from '../workloads/podTemplates.ts';

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

export const jobColumns = named(
  column('Status', 'State of the job.', jobState),
  column('Completions', 'Pods that succeeded, of those that must.', completionsText),
  column('Duration', 'How long the job took, or has taken.', jobDuration),
  AGE,
  ...containerColumns(specTemplate),
  selector('Which pods are counted.'),
);

export const cronJobColumns = named(
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
);

function booleanText(value: unknown): string {
  return value === undefined || value === null ? UNSET : value === true ? 'True' : 'False';
}

import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { notNegative, oneOf } from '../validation/fields.ts';
import { scheduleFault, timeZoneFault } from './cronSchedule.ts';
import { validateJobSpec } from './job.ts';

const SPEC = FieldPath.of('spec');
const POLICIES = ['Allow', 'Forbid', 'Replace'];
/** Names of jobs are those of their CronJob with eleven letters behind. */
const LONGEST_NAME = 63 - 11;
const ZONE = 'TZ';

/** Faults of a new CronJob, besides what all metadata must be. */
export function validateNewCronJob(cronJob: ApiObject, scope: PodScope): FieldError[] {
  const name = cronJob.metadata.name ?? '';
  const errors = validateCronJob(cronJob, undefined, scope);
  if (Buffer.byteLength(name) > LONGEST_NAME) {
    const detail = `must be no more than ${LONGEST_NAME} characters`;
    errors.push(invalid(FieldPath.of('metadata', 'name'), name, detail));
  }
  return errors;
}

/** Faults of a CronJob; what `old` had of time zones stays allowed. */
export function validateCronJob(cronJob: ApiObject, old: ApiObject | undefined, scope: PodScope): FieldError[] {
  const spec = objectOf(cronJob.spec);
  const before = objectOf(old?.spec);
  const errors = [
    ...validateSchedule(textOf(spec.schedule), textOf(before.schedule), spec.timeZone),
    ...notNegative(spec.startingDeadlineSeconds, SPEC.child('startingDeadlineSeconds')),
  ];
  if (!old || before.timeZone !== spec.timeZone) errors.push(...validateZone(spec.timeZone));
  return [
    ...errors,
    ...oneOf(spec.concurrencyPolicy, POLICIES, SPEC.child('concurrencyPolicy')),
    ...validateJobTemplate(spec.jobTemplate, SPEC.child('jobTemplate', 'spec'), scope),
    ...notNegative(spec.successfulJobsHistoryLimit, SPEC.child('successfulJobsHistoryLimit')),
    ...notNegative(spec.failedJobsHistoryLimit, SPEC.child('failedJobsHistoryLimit')),
  ];
}

/** The zone of a schedule stands in a field of its own, except where it did not before. */
function validateSchedule(schedule: string, old: string, zone: Json | undefined): FieldError[] {
  const path = SPEC.child('schedule');
  if (schedule === '') return [required(path)];
  const fault = scheduleFault(schedule);
  const errors = fault === undefined ? [] : [invalid(path, schedule, fault)];
  if (!schedule.includes(ZONE)) return errors;
  if (!old.includes(ZONE)) {
    return [...errors, invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  }
  if (zone === undefined) return errors;
  return [...errors, invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
}

function validateZone(zone: Json | undefined): FieldError[] {
  if (zone === undefined) return [];
  const path = SPEC.child('timeZone');
  const name = textOf(zone);
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [invalid(path, name, detail)];
  }
  const fault = timeZoneFault(name);
  return fault === undefined ? [] : [invalid(path, name, fault)];
}

/** The selector of a job to come is made with it. */
function validateJobTemplate(template: Json | undefined, path: FieldPath, scope: PodScope): FieldError[] {
  const spec = objectOf(objectOf(template).spec);
  const errors = validateJobSpec(spec, path, scope);
  if (isObject(spec.selector)) {
    errors.push(invalid(path.child('selector'), spec.selector, '`selector` will be auto-generated'));
  }
  if (spec.manualSelector === true) {
    errors.push(notSupported(path.child('manualSelector'), true, ['nil', 'false']));
  }
  return errors;
}

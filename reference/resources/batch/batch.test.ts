import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { podTemplate, UID, workloadFixture } from '../../testing/typeRulesFixture.ts';
import { scheduleFault } from './cronSchedule.ts';

const jobs = workloadFixture('jobs');
const cronJobs = workloadFixture('cronjobs');
const template: JsonObject = { spec: podTemplate({}, { restartPolicy: 'Never' }).spec ?? {} };
const jobOf = (more: JsonObject = {}): JsonObject => ({ spec: { template, ...more } });
const cronOf = (more: JsonObject = {}, job: JsonObject = {}): JsonObject => ({
  spec: { schedule: '* * * * *', jobTemplate: { spec: { template, ...job } }, ...more },
});
const specOf = (object: JsonObject | ApiObject): JsonObject => object.spec as JsonObject;

test('a job gets numbers, and labels that tie its pods to it', () => {
  const { object, errors } = jobs.create(jobOf());
  assert.deepEqual(errors, []);
  const spec = specOf(object);
  assert.deepEqual([spec.completions, spec.parallelism, spec.backoffLimit], [1, 1, 6]);
  assert.deepEqual(spec.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': UID } });
  const labels = {
    'job-name': 'x',
    'batch.kubernetes.io/job-name': 'x',
    'controller-uid': UID,
    'batch.kubernetes.io/controller-uid': UID,
  };
  assert.deepEqual((spec.template as JsonObject).metadata, { labels });
  assert.deepEqual(object.metadata.labels, labels);
  assert.equal(specOf(jobs.create(jobOf({ parallelism: 2 })).object).completions, undefined);
  const indexed = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
  assert.equal(specOf(jobs.create(jobOf(indexed)).object).backoffLimit, 2 ** 31 - 1);
});

test('labels of a job that are not its own are refused', () => {
  const foreign = { ...template, metadata: { labels: { 'job-name': 'y' } } };
  assert.deepEqual(
    jobs.create(jobOf({ template: foreign })).errors.map((error) => error.replace(/\{.*\}/, '{…}')),
    ["spec.template.metadata.labels[job-name]: Invalid value: {…}: must be 'x'"],
  );
  const manual = { manualSelector: true, selector: { matchLabels: { a: 'b' } } };
  assert.deepEqual(jobs.create(jobOf(manual)).errors, [
    'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
  ]);
});

test('pods of a job end, and its numbers make sense', () => {
  assert.deepEqual(jobs.create({ spec: { template: podTemplate() } }).errors, [
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ]);
  assert.deepEqual(jobs.create(jobOf({ backoffLimit: -1 })).errors, [
    'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
  ]);
  assert.deepEqual(jobs.create(jobOf({ completionMode: 'X' })).errors, [
    'spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed"',
  ]);
  assert.deepEqual(jobs.create(jobOf({ completionMode: 'Indexed', parallelism: 1 })).errors, [
    'spec.completions: Required value: when completion mode is Indexed',
  ]);
  assert.deepEqual(jobs.create(jobOf({ maxFailedIndexes: 1 })).errors, [
    'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
    'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
  ]);
  assert.deepEqual(jobs.create(jobOf({ managedBy: 'me' })).errors, [
    'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
});

test('rules for pods that fail name containers and codes', () => {
  const of = (...rules: JsonObject[]) => jobs.create(jobOf({ podFailurePolicy: { rules } })).errors;
  const at = 'spec.podFailurePolicy.rules[0]';
  const codes = { operator: 'In', values: [1, 2] };
  assert.deepEqual(of({ action: 'FailJob', onExitCodes: codes }), []);
  assert.deepEqual(of({ action: 'FailJob', onExitCodes: { ...codes, containerName: 'x', values: [2, 0] } }), [
    `${at}.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
    `${at}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
    `${at}.onExitCodes.values: Invalid value: [2,0]: must be ordered`,
  ]);
  assert.deepEqual(of({ action: 'FailIndex', onExitCodes: codes }), [
    `${at}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
  ]);
  assert.deepEqual(of({ action: 'Ignore', onPodConditions: [{ type: 'Ready' }] }), []);
  assert.equal(specOf(jobs.create(jobOf({ podFailurePolicy: { rules: [] } })).object).podReplacementPolicy, 'Failed');
});

test('what success means names indexes that exist', () => {
  const of = (rule: JsonObject) =>
    jobs.create(jobOf({ completionMode: 'Indexed', completions: 5, successPolicy: { rules: [rule] } })).errors;
  const at = 'spec.successPolicy.rules[0]';
  assert.deepEqual(of({ succeededIndexes: '0,2-4', succeededCount: 4 }), []);
  assert.deepEqual(of({ succeededIndexes: '0-1', succeededCount: 3 }), [
    `${at}.succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
  ]);
  assert.equal(of({ succeededIndexes: '3-5' }).length, 1);
  assert.equal(of({ succeededIndexes: '3,1' }).length, 1);
  assert.equal(of({}).length, 1);
});

test('a job that runs stays what it is', () => {
  const old = jobs.create(jobOf()).object;
  const write = (change: (spec: JsonObject) => void, before = old) =>
    jobs
      .update(
        before,
        jobs.changed(before, (draft) => change(specOf(draft))),
      )
      .errors.map((error) => error.replace(/\{.*\}/, '{…}'));
  assert.deepEqual(
    write((spec) => {
      spec.parallelism = 3;
    }),
    [],
  );
  assert.deepEqual(
    write((spec) => {
      spec.completions = 3;
    }),
    ['spec.completions: Invalid value: 3: field is immutable'],
  );
  const select = (spec: JsonObject) => {
    specOf(spec.template as JsonObject).nodeSelector = { a: 'b' };
  };
  assert.deepEqual(write(select), ['spec.template: Invalid value: {…}: field is immutable']);
  const held = jobs.create(jobOf({ suspend: true })).object;
  assert.deepEqual(write(select, held), []);
  const indexed = jobs.create(jobOf({ completionMode: 'Indexed', completions: 2, parallelism: 2 })).object;
  assert.deepEqual(
    write((spec) => {
      spec.completions = 3;
    }, indexed),
    ['spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism'],
  );
  assert.deepEqual(
    write((spec) => {
      spec.completions = 3;
      spec.parallelism = 3;
    }, indexed),
    [],
  );
});

test('schedules are read field by field', () => {
  const sound = [
    '* * * * *',
    '*/5 1-3 1,15 jan MON-FRI',
    '@daily',
    '@every 1h30m',
    '0 0 ? * 0',
    'TZ=Asia/Tokyo 0 0 * * *',
  ];
  for (const schedule of sound) assert.equal(scheduleFault(schedule), undefined, schedule);
  const faults: [string, string][] = [
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['TZ=Nowhere/X * * * * *', 'provided bad location Nowhere/X: unknown time zone Nowhere/X'],
  ];
  for (const [schedule, fault] of faults) assert.equal(scheduleFault(schedule), fault);
});

test('a cron job says when, and what', () => {
  const { object, errors } = cronJobs.create(cronOf());
  assert.deepEqual(errors, []);
  const spec = specOf(object);
  assert.deepEqual(
    [spec.concurrencyPolicy, spec.suspend, spec.successfulJobsHistoryLimit, spec.failedJobsHistoryLimit],
    ['Allow', false, 3, 1],
  );
  assert.equal(specOf(spec.jobTemplate as JsonObject).completions, undefined);
  assert.deepEqual(cronJobs.create(cronOf({ schedule: '' })).errors, ['spec.schedule: Required value']);
  assert.deepEqual(cronJobs.create(cronOf({ schedule: 'TZ=UTC * * * * *' })).errors, [
    'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ]);
  assert.deepEqual(cronJobs.create(cronOf({ timeZone: 'Mars/Base' })).errors, [
    'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
  ]);
  assert.deepEqual(cronJobs.create(cronOf({}, { selector: { matchLabels: {} } })).errors, [
    'spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated',
  ]);
  assert.deepEqual(cronJobs.create({ metadata: { name: 'a'.repeat(53) }, ...cronOf() }).errors, [
    `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
  ]);
  assert.deepEqual(cronJobs.update(object, cronOf({ concurrencyPolicy: 'X' })).errors, [
    'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

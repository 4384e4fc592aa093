import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { domainPathFaults } from '../../api/domainPath.ts';
import { type FieldError, invalid, notSupported, required, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, member, setMember } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, numberOf, objectOf, textOf } from '../../api/parts.ts';
import { atOnce } from '../../api/staged.ts';
import { labelSelectorFromObject, validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { validateTemplate } from '../core/pods/spec.ts';
import { notNegative } from '../validation/fields.ts';
import { inheritLabels, templateLabels, validateSelected } from '../workloads/podTemplates.ts';
import { validateFailurePolicy, validateReplacement, validateSuccessPolicy } from './jobPolicies.ts';

const SPEC = FieldPath.of('spec');
const MODES = ['NonIndexed', 'Indexed'];
/** Indexes are told in the status, which must not grow without bound. */
const MOST_INDEXES = 100_000;
const MOST_AT_ONCE = 10_000;
const LONGEST_MANAGER = 63;

/** Faults of a Job, besides its metadata. */
export function validateJob(job: ApiObject, scope: PodScope, dialect: Dialect): FieldError[] {
  const spec = objectOf(job.spec);
  const errors = [...validateGenerated(job, dialect), ...validateJobContent(spec, scope)];
  const completions = numberOf(spec.completions) ?? 0;
  if (spec.completionMode === 'Indexed' && completions > 0) {
    const host = `${job.metadata.name ?? ''}-${completions - 1}`;
    if (dns1123Label(host).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${host}`;
      errors.push(invalid(FieldPath.of('metadata', 'name'), job.metadata.name ?? '', detail));
    }
  }
  return errors;
}

/** Faults of the spec of a Job: what it does, and that it selects the pods it makes. */
export function validateJobContent(spec: JsonObject, scope: PodScope): FieldError[] {
  const path = SPEC.child('selector');
  const errors = validateJobSpec(spec, SPEC, scope);
  if (!isObject(spec.selector)) errors.push(required(path));
  const selectorErrors = validateLabelSelector(spec.selector, path);
  if (selectorErrors.length > 0) return [...errors, ...selectorErrors];
  return [...errors, ...validateSelected(spec.selector, spec.template, SPEC.child('template'))];
}

/** The labels that tie pods to their job must be those that the service makes, unless the client selects by itself. */
function validateGenerated(job: ApiObject, dialect: Dialect): FieldError[] {
  const spec = objectOf(job.spec);
  if (spec.manualSelector === true || !isObject(spec.selector)) return [];
  const { name, owner } = jobLabels(dialect);
  const labels = objectOf(objectOf(objectOf(spec.template).metadata).labels);
  const path = SPEC.child('template', 'metadata', 'labels');
  const expected: Record<string, string> = {};
  for (const label of owner) expected[label] = job.metadata.uid ?? '';
  for (const label of name) expected[label] = job.metadata.name ?? '';
  const inOrder = [owner[0], name[0], owner[1], name[1]] as string[];
  const errors = inOrder.flatMap((label): FieldError[] => {
    const value = member(labels, label);
    const detail = `must be '${expected[label]}'`;
    if (value === undefined) return [required(path.key(label), detail)];
    return value === expected[label] ? [] : [invalid(path.key(label), labels, detail)];
  });
  const usable = validateLabelSelector(spec.selector, path).length === 0;
  if (usable && !labelSelectorFromObject(spec.selector).matches(expected)) {
    errors.push(invalid(SPEC.child('selector'), spec.selector, '`selector` not auto-generated'));
  }
  return errors;
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

/** Faults of what a job does, as a job and the template of one have it. */
export function validateJobSpec(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const errors = COUNTS.flatMap((name) => notNegative(spec[name], path.child(name)));
  if (numberOf(spec.maxFailedIndexes) !== undefined && numberOf(spec.backoffLimitPerIndex) === undefined) {
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  }
  return [
    ...errors,
    ...validateManager(spec.managedBy, path.child('managedBy')),
    ...validateMode(spec, path),
    ...validateFailurePolicy(spec, path.child('podFailurePolicy')),
    ...validateSuccessPolicy(spec, path.child('successPolicy')),
    ...validateReplacement(spec, path.child('podReplacementPolicy')),
    ...atOnce(validateTemplate(spec.template, path.child('template'), scope)),
    ...validateEnding(spec, path.child('template', 'spec', 'restartPolicy')),
  ];
}

function validateManager(value: Json | undefined, path: FieldPath): FieldError[] {
  if (value === undefined) return [];
  const text = textOf(value);
  const errors = domainPathFaults(text, path);
  if (Buffer.byteLength(text) > LONGEST_MANAGER) errors.push(tooLong(path, LONGEST_MANAGER));
  return errors;
}

function validateMode(spec: JsonObject, path: FieldPath): FieldError[] {
  const mode = spec.completionMode;
  const errors: FieldError[] = [];
  if (mode !== undefined && !MODES.includes(textOf(mode))) {
    errors.push(notSupported(path.child('completionMode'), mode, MODES));
  }
  if (mode === 'Indexed') return [...errors, ...validateIndexes(spec, path)];
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    const number = numberOf(spec[name]);
    if (number !== undefined) errors.push(invalid(path.child(name), number, 'requires indexed completion mode'));
  }
  return errors;
}

function validateIndexes(spec: JsonObject, path: FieldPath): FieldError[] {
  const completions = numberOf(spec.completions);
  const parallelism = numberOf(spec.parallelism);
  const failed = numberOf(spec.maxFailedIndexes);
  const mode = 'when completion mode is Indexed';
  const errors: FieldError[] = [];
  if (completions === undefined) errors.push(required(path.child('completions'), mode));
  const limit = (name: string, value: number | undefined, most: number, called: string) => {
    if (value === undefined || value <= most) return;
    errors.push(invalid(path.child(name), value, `must be less than or equal to ${called}`));
  };
  limit('parallelism', parallelism, MOST_INDEXES, `${MOST_INDEXES} ${mode}`);
  if (completions !== undefined) limit('maxFailedIndexes', failed, completions, `completions ${mode}`);
  limit('maxFailedIndexes', failed, MOST_INDEXES, `${MOST_INDEXES} ${mode}`);
  if (completions === undefined || completions <= MOST_INDEXES || numberOf(spec.backoffLimitPerIndex) === undefined) {
    return errors;
  }
  const many = `when completions are above ${MOST_INDEXES} and used with backoff limit per index`;
  if (failed === undefined) {
    errors.push(required(path.child('maxFailedIndexes'), `must be specified ${many}`));
  }
  limit('parallelism', parallelism, MOST_AT_ONCE, `${MOST_AT_ONCE} ${many}`);
  limit('maxFailedIndexes', failed, MOST_AT_ONCE, `${MOST_AT_ONCE} ${many}`);
  return errors;
}

/** Pods of a job end; what templates get without asking is not meant here. */
function validateEnding(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = textOf(objectOf(objectOf(spec.template).spec).restartPolicy);
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  if (!isObject(spec.podFailurePolicy) || policy === 'Never') return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** Labels that tie pods to their job, each under its old name and its name in the service's domain. */
function jobLabels({ labelDomain }: Dialect): { name: readonly string[]; owner: readonly string[] } {
  return {
    name: ['job-name', `batch.${labelDomain}/job-name`],
    owner: ['controller-uid', `batch.${labelDomain}/controller-uid`],
  };
}

/**
 * Gives the pods of a new job labels that no others have, and the job a selector for them, unless the client selects
 * by itself. In place; what the client set of these stays, for validation to judge.
 */
export function generateSelector(job: ApiObject, dialect: Dialect): void {
  const spec = ensureObject(job, 'spec');
  if (spec.manualSelector === true) return;
  const { name, owner } = jobLabels(dialect);
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  const uid = job.metadata.uid ?? '';
  for (const label of name) setAbsent(labels, label, job.metadata.name ?? '');
  for (const label of owner) setAbsent(labels, label, uid);
  const selected = ensureObject(ensureObject(spec, 'selector'), 'matchLabels');
  setAbsent(selected, owner[1] ?? '', uid);
  inheritLabels(job, templateLabels(objectOf(job.spec)));
}

function setAbsent(labels: JsonObject, name: string, value: string): void {
  if (member(labels, name) === undefined) setMember(labels, name, value);
}

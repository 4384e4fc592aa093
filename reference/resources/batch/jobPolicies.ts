import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { named, notNegative } from '../validation/fields.ts';

/*
 * What a job makes of pods that fail, of indexes that are done, and of pods that are on their way out.
 */

const MOST_RULES = 20;
const MOST_CODES = 255;
const MOST_PATTERNS = 20;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** Faults of the rules for pods that fail. */
export function validateFailurePolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!isObject(spec.podFailurePolicy)) return [];
  const at = path.child('rules');
  const rules = objectsOf(spec.podFailurePolicy.rules);
  const errors = rules.length > MOST_RULES ? [tooMany(at, rules.length, MOST_RULES)] : [];
  const pod = objectOf(objectOf(spec.template).spec);
  const containers = [...objectsOf(pod.containers), ...objectsOf(pod.initContainers)].map((one) => textOf(one.name));
  return [...errors, ...rules.flatMap((rule, index) => validateRule(rule, at.index(index), spec, containers))];
}

function validateRule(
  rule: JsonObject,
  path: FieldPath,
  spec: JsonObject,
  containers: readonly string[],
): FieldError[] {
  const action = textOf(rule.action);
  const at = path.child('action');
  const errors: FieldError[] = [];
  if (action === '') errors.push(required(at, `valid values: ${ACTIONS.map((one) => JSON.stringify(one)).join(', ')}`));
  else if (action === 'FailIndex' && numberOf(spec.backoffLimitPerIndex) === undefined) {
    errors.push(invalid(at, action, 'requires the backoffLimitPerIndex to be set'));
  } else if (!ACTIONS.includes(action)) errors.push(notSupported(at, action, ACTIONS));
  const codes = isObject(rule.onExitCodes);
  const patterns = objectsOf(rule.onPodConditions);
  if (isObject(rule.onExitCodes))
    errors.push(...validateCodes(rule.onExitCodes, path.child('onExitCodes'), containers));
  if (patterns.length > 0) errors.push(...validatePatterns(patterns, path.child('onPodConditions')));
  const one = 'OnExitCodes and OnPodConditions';
  if (codes && patterns.length > 0) errors.push(invalid(path, null, `specifying both ${one} is not supported`));
  if (!codes && patterns.length === 0) errors.push(invalid(path, null, `specifying one of ${one} is required`));
  return errors;
}

function validateCodes(codes: JsonObject, path: FieldPath, containers: readonly string[]): FieldError[] {
  const operator = textOf(codes.operator);
  const errors: FieldError[] = [];
  const at = path.child('operator');
  if (operator === '') errors.push(required(at, 'valid values: "In", "NotIn"'));
  else if (operator !== 'In' && operator !== 'NotIn') errors.push(notSupported(at, operator, ['In', 'NotIn']));
  if (codes.containerName !== undefined && !containers.includes(textOf(codes.containerName))) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(path.child('containerName'), codes.containerName, detail));
  }
  const place = path.child('values');
  const values = listOf(codes.values).map((value) => numberOf(value) ?? 0);
  if (values.length === 0) errors.push(invalid(place, [], 'at least one value is required'));
  else if (values.length > MOST_CODES) errors.push(tooMany(place, values.length, MOST_CODES));
  const seen = new Set<number>();
  let ordered = true;
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(place.index(index), value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(place.index(index), value));
    seen.add(value);
    if (index > 0 && (values[index - 1] ?? 0) > value) ordered = false;
  });
  if (!ordered) errors.push(invalid(place, values, 'must be ordered'));
  return errors;
}

function validatePatterns(patterns: readonly JsonObject[], path: FieldPath): FieldError[] {
  const errors = patterns.length > MOST_PATTERNS ? [tooMany(path, patterns.length, MOST_PATTERNS)] : [];
  return [
    ...errors,
    ...patterns.flatMap((pattern, index) => {
      const at = path.index(index);
      const status = textOf(pattern.status);
      const faults = named(pattern.type, qualifiedName, at.child('type'));
      const statuses = ['False', 'True', 'Unknown'];
      if (status === '') {
        faults.push(required(at.child('status'), 'valid values: "False", "True", "Unknown"'));
      } else if (!statuses.includes(status)) faults.push(notSupported(at.child('status'), status, statuses));
      return faults;
    }),
  ];
}

/** Indexes as text: `0,2-5`. */
const INDEXES = /^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$/;
const LONGEST_INDEXES = 64 * 1024;

/** Faults of when a job with indexes counts as done. */
export function validateSuccessPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!isObject(spec.successPolicy)) return [];
  if (spec.completionMode !== 'Indexed') {
    return [invalid(path, shownSuccess(spec.successPolicy), 'requires indexed completion mode')];
  }
  const at = path.child('rules');
  const rules = objectsOf(spec.successPolicy.rules);
  const errors: FieldError[] = [];
  if (rules.length === 0)
    errors.push(required(at, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > MOST_RULES) errors.push(tooMany(at, rules.length, MOST_RULES));
  return [
    ...errors,
    ...rules.flatMap((rule, index) => validateSuccess(rule, at.index(index), numberOf(spec.completions) ?? 0)),
  ];
}

function shownSuccess(policy: JsonObject): JsonObject {
  return {
    Rules: objectsOf(policy.rules).map((rule) => ({
      SucceededIndexes: rule.succeededIndexes ?? null,
      SucceededCount: rule.succeededCount ?? null,
    })),
  };
}

function validateSuccess(rule: JsonObject, path: FieldPath, completions: number): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (indexes === undefined && count === undefined) {
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const errors: FieldError[] = [];
  let total: number | undefined;
  if (indexes !== undefined) {
    const read = readIndexes(textOf(indexes), completions);
    if (typeof read === 'string') errors.push(invalid(path.child('succeededIndexes'), indexes, read));
    else total = read;
  }
  const number = numberOf(count);
  if (number === undefined) return errors;
  const at = path.child('succeededCount');
  errors.push(...notNegative(count, at));
  if (number > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalid(at, number, detail));
  }
  if (total !== undefined && number > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalid(at, number, detail));
  }
  return errors;
}

/** How many indexes a text names, or what is wrong with it. */
function readIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  if (text.length > LONGEST_INDEXES || !INDEXES.test(text))
    return 'error parsing succeededIndexes: invalid indexes format';
  let last = -1;
  let total = 0;
  for (const part of text.split(',')) {
    const [from = 0, to = from] = part.split('-').map(Number);
    const wrong = [from, to].find((index) => index >= completions);
    if (wrong !== undefined) {
      return `error parsing succeededIndexes: too large index: "${wrong}"`;
    }
    const unordered = from <= last ? [last, from] : part.includes('-') && to <= from ? [from, to] : undefined;
    if (unordered) {
      const [previous, current] = unordered;
      return `error parsing succeededIndexes: non-increasing order, previous: ${previous}, current: ${current}`;
    }
    last = to;
    total += to - from + 1;
  }
  return total;
}

const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'];

/** Faults of when pods on their way out are replaced. */
export function validateReplacement(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = spec.podReplacementPolicy;
  if (policy === undefined) return [];
  const allowed = isObject(spec.podFailurePolicy) ? ['Failed'] : REPLACEMENTS;
  return allowed.includes(textOf(policy)) ? [] : [notSupported(path, textOf(policy), allowed)];
}

import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import { badRequest } from '../../api/status.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { validateTemplate } from '../core/pods/spec.ts';
import { notNegative } from '../validation/fields.ts';
import { selectsAll, validateEndless, validateSelected } from '../workloads/podTemplates.ts';
import { countOrShare, isNothing, notOverAll } from '../workloads/replicas.ts';

const SPEC = FieldPath.of('spec');

/** Faults of a DaemonSet, besides its metadata. */
export function* validateDaemonSet(daemonSet: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(daemonSet.spec);
  const selectorErrors = validateLabelSelector(spec.selector, SPEC.child('selector'));
  const template = SPEC.child('template');
  yield;
  return [
    ...selectorErrors,
    ...(selectorErrors.length > 0 ? [] : validateSelected(spec.selector, spec.template, template)),
    ...selectsAll(spec.selector, SPEC.child('selector'), 'daemonset'),
    ...(yield* validateTemplate(spec.template, template, scope)),
    ...validateEndless(spec.template, template, 'DaemonSet'),
    ...notNegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...validateStrategy(objectOf(spec.updateStrategy), SPEC.child('updateStrategy')),
    ...notNegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit')),
  ];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  if (strategy.type === 'OnDelete') return [];
  const rolling = strategy.rollingUpdate;
  if (strategy.type !== 'RollingUpdate') {
    const shown = { Type: textOf(strategy.type), RollingUpdate: isObject(rolling) ? shownRolling(rolling) : null };
    return [notSupported(path, shown, ['RollingUpdate', 'OnDelete'])];
  }
  if (!isObject(rolling)) return [required(path.child('rollingUpdate'))];
  return validateRolling(rolling, path.child('rollingUpdate'));
}

function shownRolling({ maxUnavailable, maxSurge }: JsonObject): JsonObject {
  return { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 };
}

/** Pods of a node are replaced before or after the new ones run, not both. */
function validateRolling({ maxUnavailable, maxSurge }: JsonObject, path: FieldPath): FieldError[] {
  const missing = path.child('maxUnavailable');
  const surplus = path.child('maxSurge');
  const errors = [
    ...countOrShare(maxUnavailable, missing),
    ...countOrShare(maxSurge, surplus),
    ...notOverAll(maxUnavailable, missing),
    ...notOverAll(maxSurge, surplus),
  ];
  if (!isNothing(maxUnavailable) && !isNothing(maxSurge)) {
    errors.push(invalid(surplus, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    errors.push(required(missing, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

/*
 * A DaemonSet counts the changes of its template in an annotation, which once was a field: clients cannot set it.
 */

const ANNOTATION = 'deprecated.daemonset.template.generation';
const LARGEST = 2n ** 63n - 1n;

/**
 * Gives the count a value where the body has none, in place.
 * @throws ApiError 400 for one that is no number
 */
export function fillTemplateGeneration(daemonSet: ApiObject): void {
  const given = daemonSet.metadata.annotations?.[ANNOTATION];
  if (given === undefined) setCount(daemonSet, '0');
  else if (!/^[-+]?[0-9]+$/.test(given)) throw notANumber(given, 'invalid syntax');
  else if (BigInt(given) > LARGEST || BigInt(given) < -LARGEST - 1n) throw notANumber(given, 'value out of range');
}

function notANumber(given: string, why: string) {
  return badRequest(
    `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${JSON.stringify(given)}: ${why}`,
  );
}

/** A new DaemonSet starts at one, or where its maker says. In place. */
export function startTemplateGeneration(daemonSet: ApiObject): void {
  const given = BigInt(daemonSet.metadata.annotations?.[ANNOTATION] ?? '0');
  setCount(daemonSet, String(given < 1n ? 1n : given));
}

/** Counts a change of the template since `old`, in place. */
export function countTemplateGeneration(daemonSet: ApiObject, old: ApiObject): void {
  const before = old.metadata.annotations?.[ANNOTATION] ?? '0';
  const changed = !equalJson(templateOf(daemonSet), templateOf(old));
  setCount(daemonSet, changed ? String(BigInt(before) + 1n) : before);
}

function templateOf(daemonSet: ApiObject): Json | undefined {
  return objectOf(daemonSet.spec).template;
}

function setCount(daemonSet: ApiObject, count: string): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [ANNOTATION]: count };
}

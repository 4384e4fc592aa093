import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { labelSelectorFromObject, validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { validateTemplate } from '../core/pods/spec.ts';

/** Faults of a selector that must be there and select something; `kind` is the workload, as the service calls it. */
export function validateOwnSelector(selector: Json | undefined, path: FieldPath, kind: string): FieldError[] {
  if (!isObject(selector)) return [required(path)];
  return [...validateLabelSelector(selector, path), ...selectsAll(selector, path, kind)];
}

/** A selector that selects everything cannot tell whose a pod is. */
export function selectsAll(selector: Json | undefined, path: FieldPath, kind: string): FieldError[] {
  if (!isObject(selector) || !isEmptySelector(selector)) return [];
  return [invalid(path, selector, `empty selector is invalid for ${kind}`)];
}

function isEmptySelector(selector: JsonObject): boolean {
  return Object.keys(objectOf(selector.matchLabels)).length + objectsOf(selector.matchExpressions).length === 0;
}

/** Whether a workload makes pods that it selects; told of the labels of the template. */
export function validateSelected(
  selector: Json | undefined,
  template: Json | undefined,
  path: FieldPath,
): FieldError[] {
  const { labels } = objectOf(objectOf(template).metadata);
  const own = objectOf(labels) as Record<string, string>;
  const matches = labelSelectorFromObject(selector).matches(own);
  if (matches) return [];
  return [invalid(path.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`')];
}

/**
 * Faults of the template of a workload that keeps its pods running: it selects what it makes, and the pods do not end
 * by themselves.
 */
export function validateRunningTemplate(
  spec: JsonObject,
  path: FieldPath,
  scope: PodScope,
  kind: string,
): FieldError[] {
  return [
    ...validateSelected(spec.selector, spec.template, path),
    ...validateTemplate(spec.template, path, scope),
    ...validateEndless(spec.template, path, kind),
  ];
}

/** Faults of pods that would end by themselves. */
export function validateEndless(template: Json | undefined, path: FieldPath, kind: string): FieldError[] {
  const spec = objectOf(objectOf(template).spec);
  const errors: FieldError[] = [];
  if (spec.restartPolicy !== 'Always') {
    errors.push(notSupported(path.child('spec', 'restartPolicy'), textOf(spec.restartPolicy), ['Always']));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenField(path.child('spec', 'activeDeadlineSeconds'), detail));
  }
  return errors;
}

import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import type { Column } from '../../contracts/resourceType.ts';
import { labelSelectorFromObject, validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleContext } from '../builtinType.ts';
import { column, wide } from '../columns/column.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { validateTemplate } from '../core/pods/spec.ts';
import { hostnameWarning, templateWarnings } from '../core/pods/warnings.ts';

/** What the rules of a template depend on besides it; `old` is the spec that had it before. */
export function templateScope({ release, dialect }: RuleContext, old?: JsonObject): PodScope {
  const spec = objectOf(objectOf(old?.template).spec);
  const addresses = [
    ...objectsOf(spec.hostAliases).map((alias) => textOf(alias.ip)),
    ...textsOf(objectOf(spec.dnsConfig).nameservers),
  ];
  return { release, labelDomain: dialect.labelDomain, isPod: false, oldAddresses: addresses };
}

/**
 * Warnings about the template of a workload, where it is new or the workload's content has changed.
 * @param job names of the fields between the spec and the one that has the template
 */
export function workloadWarnings(
  workload: ApiObject,
  old: ApiObject | undefined,
  context: RuleContext,
  ...job: readonly string[]
): string[] {
  if (old && old.metadata.generation === workload.metadata.generation) return [];
  const holder = job.reduce((at, name) => objectOf(at[name]), objectOf(workload.spec));
  return templateWarnings(holder.template, FieldPath.of('spec', ...job, 'template'), context);
}

/** Warning about the name of a new workload, from which those of its pods are made. */
export function podNameWarnings({ metadata }: ApiObject): string[] {
  const faults = dns1123Label(metadata.name ?? '');
  return faults.length === 0 ? [] : [hostnameWarning('Pod names and hostnames', faults)];
}

/** Whether two values are the same; absent and empty are. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(a ?? null, b ?? null);
}

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
  // Its names are not asked for all at once: they may be many.
  for (const _ in objectOf(selector.matchLabels)) return false;
  return objectsOf(selector.matchExpressions).length === 0;
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
export function* validateRunningTemplate(
  spec: JsonObject,
  path: FieldPath,
  scope: PodScope,
  kind: string,
): Staged<FieldError[]> {
  const errors = validateSelected(spec.selector, spec.template, path);
  yield;
  errors.push(...(yield* validateTemplate(spec.template, path, scope)));
  return [...errors, ...validateEndless(spec.template, path, kind)];
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

/** The labels of the template of a workload; empty where it has none. */
export function templateLabels(spec: JsonObject): Record<string, string> {
  return objectOf(objectOf(objectOf(spec.template).metadata).labels) as Record<string, string>;
}

/** A workload without labels takes those of its template. In place. */
export function inheritLabels(workload: ApiObject, labels: Record<string, string>): void {
  if (Object.keys(labels).length === 0 || Object.keys(workload.metadata.labels ?? {}).length > 0) return;
  workload.metadata.labels = { ...labels };
}

type Template = (object: ApiObject) => Json | undefined;

const containersOf = (template: Json | undefined) => objectsOf(objectOf(objectOf(template).spec).containers);

/** Names and images of the containers of a template of pods, shown wide unless `priority` says otherwise. */
export function containerColumns(template: Template, priority = 1): Column[] {
  const make = priority === 0 ? column : wide;
  const list = (field: string) => (object: ApiObject) =>
    containersOf(template(object))
      .map((container) => textOf(container[field]))
      .join(',');
  return [
    make('Containers', 'Names of each container in the template.', list('name')),
    make('Images', 'Images referenced by each container in the template.', list('image')),
  ];
}

/** Where workloads keep their template. */
export const specTemplate: Template = (object) => objectOf(object.spec).template;

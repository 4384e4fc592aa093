import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { equalityKey, equalJson, isObject, type Json, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import type { Staged } from '../../../api/staged.ts';
import { validateKeptAnnotations, validatePodAnnotations } from './annotations.ts';
import { validateImage } from './containers.ts';
import { validateWholePod } from './create.ts';
import { validateTolerations } from './scheduling.ts';
import type { PodScope } from './scope.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const LARGEST_SECONDS = 2 ** 31 - 1;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Faults of a pod that takes the place of `old`: little of what it asks for can change. */
export function* validatePodUpdate(pod: ApiObject, old: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(pod.spec);
  const oldSpec = objectOf(old.spec);
  const errors = [...(yield* validateWholePod(pod, scope)), ...annotationChanges(pod, old, scope)];
  yield;
  for (const list of ['containers', 'initContainers']) {
    const path = SPEC.child(list);
    const containers = objectsOf(spec[list]);
    if (containers.length !== objectsOf(oldSpec[list]).length) {
      return [...errors, forbiddenField(path, 'pod updates may not add or remove containers')];
    }
    containers.forEach((container, index) => {
      if (textOf(container.image) === '') errors.push(required(path.index(index).child('image')));
      errors.push(...validateImage(container, path.index(index)));
    });
  }
  const deadline = deadlineChange(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...addedTolerations(spec.tolerations, oldSpec.tolerations, SPEC.child('tolerations')));
  errors.push(...deletedGates(spec.schedulingGates, oldSpec.schedulingGates, SPEC.child('schedulingGates')));
  if (equalJson(spec, oldSpec)) return errors;
  const fixed = withOldValues(spec, oldSpec);
  if (objectsOf(oldSpec.schedulingGates).length > 0) errors.push(...gatedChanges(fixed, oldSpec, SPEC));
  if (!equalJson(fixed, oldSpec)) {
    errors.push(forbiddenField(SPEC, `pod updates may not change fields other than ${UPDATABLE.join(',')}\n`));
  }
  return errors;
}

/** Faults of annotations that mean something for pods, and of those that must stay. */
export function annotationChanges(pod: ApiObject, old: ApiObject, scope: PodScope): FieldError[] {
  const annotations = objectOf(pod.metadata.annotations);
  return [
    ...validateKeptAnnotations(annotations, objectOf(old.metadata.annotations), ANNOTATIONS, scope),
    ...validatePodAnnotations(annotations, objectOf(pod.spec), ANNOTATIONS, scope),
  ];
}

/** A deadline can be set, and brought forward. */
function deadlineChange(value: Json | undefined, old: Json | undefined): { errors: FieldError[]; stop: boolean } {
  const path = SPEC.child('activeDeadlineSeconds');
  const seconds = numberOf(value);
  const before = numberOf(old);
  if (seconds === undefined) {
    if (before === undefined) return { errors: [], stop: false };
    return { errors: [invalid(path, null, 'must not update from a positive integer to nil value')], stop: false };
  }
  if (seconds < 0 || seconds > LARGEST_SECONDS) {
    return { errors: [invalid(path, value, `must be between 0 and ${LARGEST_SECONDS}, inclusive`)], stop: true };
  }
  if (before === undefined || before >= seconds) return { errors: [], stop: false };
  return { errors: [invalid(path, value, 'must be less than or equal to previous value')], stop: true };
}

/** Tolerations can be added; of those that are there only the seconds change. */
function addedTolerations(value: Json | undefined, old: Json | undefined, path: FieldPath): FieldError[] {
  const bare = ({ tolerationSeconds: _, ...rest }: JsonObject): JsonObject => rest;
  const given = new Set(objectsOf(value).map((one) => equalityKey(bare(one))));
  if (!objectsOf(old).every((before) => given.has(equalityKey(bare(before))))) {
    return [forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds')];
  }
  return validateTolerations(value, path);
}

function deletedGates(value: Json | undefined, old: Json | undefined, path: FieldPath): FieldError[] {
  const before = new Set(objectsOf(old).map((gate) => textOf(gate.name)));
  return objectsOf(value).flatMap((gate, index) => {
    const name = textOf(gate.name);
    if (before.has(name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbiddenField(path.index(index).child('name'), detail)];
  });
}

/** The new spec with the old values of what may change: the rest must be the same. */
function withOldValues(spec: JsonObject, old: JsonObject): JsonObject {
  const fixed: JsonObject = { ...spec };
  for (const list of ['containers', 'initContainers']) {
    if (!Array.isArray(spec[list])) continue;
    const before = objectsOf(old[list]);
    fixed[list] = objectsOf(spec[list]).map((container, index) => {
      const image = before[index]?.image;
      const { image: _, ...rest } = container;
      return image === undefined ? rest : { ...rest, image };
    });
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) {
    const before = old[field];
    if (before === undefined) delete fixed[field];
    else fixed[field] = before;
  }
  const grace = numberOf(old.terminationGracePeriodSeconds);
  if (grace !== undefined && grace < 0 && spec.terminationGracePeriodSeconds === 1) {
    fixed.terminationGracePeriodSeconds = grace;
  }
  return fixed;
}

/** Whether the pod stands for one that a node runs by itself. */
export function isMirror({ metadata }: ApiObject, name: string): boolean {
  return isObject(metadata.annotations) && metadata.annotations[name] !== undefined;
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Faults of what only pods that wait at a gate may change: where they are to run. `fixed` is the new spec on its way
 * to be compared with the old one; what was judged here gets its old value, in place.
 */
function gatedChanges(fixed: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!equalJson(objectOf(fixed.nodeSelector), objectOf(old.nodeSelector))) {
    errors.push(...selectorAdditions(objectOf(fixed.nodeSelector), objectOf(old.nodeSelector), path));
    restore(fixed, old, 'nodeSelector');
  }
  const affinity = objectOf(fixed.affinity);
  const before = objectOf(old.affinity).nodeAffinity;
  if (!equalJson(objectOf(affinity.nodeAffinity), objectOf(before))) {
    const at = path.child('affinity', 'nodeAffinity', REQUIRED, 'nodeSelectorTerms');
    errors.push(...termAdditions(objectOf(affinity.nodeAffinity), objectOf(before), at));
    const { nodeAffinity: _, ...others } = affinity;
    const next: JsonObject = before === undefined ? others : { ...others, nodeAffinity: before };
    if (old.affinity === undefined && Object.keys(next).length === 0) delete fixed.affinity;
    else fixed.affinity = next;
  }
  return errors;
}

function restore(fixed: JsonObject, old: JsonObject, name: string): void {
  const before = old[name];
  if (before === undefined) delete fixed[name];
  else fixed[name] = before;
}

function selectorAdditions(selector: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  if (Object.keys(old).every((name) => selector[name] === old[name])) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalid(path.child('nodeSelector'), selector, detail)];
}

function termAdditions(affinity: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const before = objectsOf(objectOf(old[REQUIRED]).nodeSelectorTerms);
  const terms = objectsOf(objectOf(affinity[REQUIRED]).nodeSelectorTerms);
  if (before.length === 0) return [];
  if (before.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(path, [...terms], detail)];
  }
  return terms.flatMap((term, index) => {
    if (onlyAdds(term, before[index] ?? {})) return [];
    return [invalid(path.index(index), term, 'only additions are allowed (no mutations or deletions)')];
  });
}

function onlyAdds(term: JsonObject, old: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  const count = (holder: JsonObject) => lists.reduce((sum, list) => sum + listOf(holder[list]).length, 0);
  // A term that selected nothing must not begin to select.
  if (count(old) === 0) return count(term) === 0;
  return lists.every((list) => {
    const before = listOf(old[list]);
    return equalJson(listOf(term[list]).slice(0, before.length), [...before]);
  });
}

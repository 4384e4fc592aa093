import { type FieldError, forbiddenField, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { equalJson, isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { atOnce } from '../../../api/staged.ts';
import { compareQuantities, parseQuantity } from '../../../schema/quantity.ts';
import { mirrorAnnotation } from './annotations.ts';
import { validateWholePod } from './create.ts';
import { qosClass } from './resources.ts';
import type { PodScope } from './scope.ts';
import { annotationChanges, isMirror } from './update.ts';

/*
 * Parts of a pod that have a subresource of their own, because they change while the pod runs: containers for
 * debugging, and what containers may use.
 */

const SPEC = FieldPath.of('spec');

/** Of what was sent keeps the containers for debugging; everything else is as it was. In place. */
export function keepEphemeralContainers(pod: ApiObject, old: ApiObject): void {
  const { ephemeralContainers } = objectOf(pod.spec);
  const { ephemeralContainers: _, ...spec } = objectOf(old.spec);
  pod.spec = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers };
}

/** Faults of containers for debugging: they can be added, and nothing else. */
export function validateEphemeralChange(pod: ApiObject, old: ApiObject, scope: PodScope): FieldError[] {
  if (isMirror(old, mirrorAnnotation(scope.labelDomain))) {
    return [forbiddenField(FieldPath.root, 'static pods do not support ephemeral containers')];
  }
  const errors = [...atOnce(validateWholePod(pod, scope)), ...annotationChanges(pod, old, scope)];
  const path = SPEC.child('ephemeralContainers');
  const given = new Map(objectsOf(objectOf(pod.spec).ephemeralContainers).map((one) => [textOf(one.name), one]));
  for (const before of objectsOf(objectOf(old.spec).ephemeralContainers)) {
    const name = JSON.stringify(textOf(before.name));
    const next = given.get(textOf(before.name));
    if (!next) errors.push(forbiddenField(path, `existing ephemeral containers ${name} may not be removed\n`));
    else if (!equalJson(next, before)) {
      errors.push(forbiddenField(path, `existing ephemeral containers ${name} may not be changed\n`));
    }
  }
  return errors;
}

const LISTS = ['containers', 'initContainers'];

/** Of what was sent keeps what containers may use and how that changes; everything else is as it was. In place. */
export function keepResources(pod: ApiObject, old: ApiObject): void {
  const given = objectOf(pod.spec);
  const spec: JsonObject = { ...objectOf(old.spec) };
  for (const list of LISTS) {
    if (!Array.isArray(spec[list])) continue;
    const sent = new Map(objectsOf(given[list]).map((one) => [textOf(one.name), one]));
    spec[list] = objectsOf(spec[list]).map((before) => {
      const next = sent.get(textOf(before.name));
      if (!next || (list === 'initContainers' && before.restartPolicy !== 'Always')) return before;
      const { resizePolicy: _, ...rest } = before;
      return {
        ...rest,
        resources: next.resources ?? {},
        ...(next.resizePolicy === undefined ? {} : { resizePolicy: next.resizePolicy }),
      };
    });
  }
  pod.spec = spec;
}

/** Faults of what containers may use from now on: processor and memory only, and the class of the pod stays. */
export function validateResize(pod: ApiObject, old: ApiObject, scope: PodScope): FieldError[] {
  const spec = objectOf(pod.spec);
  const oldSpec = objectOf(old.spec);
  const refusal = wholeRefusal(old, spec, oldSpec, scope);
  if (refusal !== undefined) return [forbiddenField(FieldPath.root, refusal)];
  const errors = atOnce(validateWholePod(pod, scope));
  if (qosClass(spec) !== qosClass(oldSpec)) {
    const shown = textOf(objectOf(pod.status).qosClass);
    errors.push(invalid(SPEC, shown, 'Pod QOS Class may not change as a result of resizing'));
  }
  if (!isResizable(old)) errors.push(forbiddenField(SPEC, 'Pod running on node without support for resize'));
  for (const list of [...LISTS].reverse()) {
    objectsOf(oldSpec[list]).forEach((before, index) => {
      if (list === 'initContainers' && before.restartPolicy !== 'Always') return;
      const next = objectsOf(spec[list])[index] ?? {};
      errors.push(...validateChange(next, before, SPEC.child(list).index(index).child('resources'), scope));
    });
  }
  const mutable = 'only cpu and memory resources are mutable';
  const changed = objectsOf(spec.containers).some((next, index) => {
    const before = objectsOf(oldSpec.containers)[index] ?? {};
    return !equalJson(othersOf(next), othersOf(before)) || !equalJson(policiesOf(next), policiesOf(before));
  });
  if (changed) errors.push(forbiddenField(SPEC, mutable));
  return errors;
}

function wholeRefusal(
  old: ApiObject,
  spec: JsonObject,
  oldSpec: JsonObject,
  { labelDomain }: PodScope,
): string | undefined {
  const amounts = ({ resources }: JsonObject): number =>
    Object.keys(objectOf(objectOf(resources).requests)).length +
    Object.keys(objectOf(objectOf(resources).limits)).length;
  if (amounts(spec) > 0 || amounts(oldSpec) > 0) return 'pods with pod-level resources cannot be resized';
  if (isMirror(old, mirrorAnnotation(labelDomain))) return 'static pods cannot be resized';
  return objectOf(oldSpec.os).name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** Whether the node of a pod can resize it; not known before a container runs. */
function isResizable(old: ApiObject): boolean {
  const running = objectsOf(objectOf(old.status).containerStatuses).find((one) =>
    isObject(objectOf(one.state).running),
  );
  return !running || running.resources !== undefined;
}

/** First release in which containers can lose memory while they run. */
const MEMORY_SHRINKS_SINCE = 34;

function validateChange(next: JsonObject, before: JsonObject, path: FieldPath, { release }: PodScope): FieldError[] {
  const errors: FieldError[] = [];
  for (const side of ['requests', 'limits']) {
    const given = objectOf(objectOf(next.resources)[side]);
    const old = Object.keys(objectOf(objectOf(before.resources)[side]));
    if (old.some((name) => !Object.hasOwn(given, name))) {
      errors.push(forbiddenField(path.child(side), `resource ${side} cannot be removed`));
    }
  }
  if (release >= MEMORY_SHRINKS_SINCE) return errors;
  return [...errors, ...validateMemory(next, before, path.child('limits').key('memory'))];
}

/** Memory that a container has is not taken from it while it runs, unless it is started again for that. */
function validateMemory(next: JsonObject, before: JsonObject, path: FieldPath): FieldError[] {
  const policy = objectsOf(next.resizePolicy).find((one) => one.resourceName === 'memory')?.restartPolicy;
  if (policy === 'RestartContainer') return [];
  const limit = objectOf(objectOf(next.resources).limits).memory;
  const old = objectOf(objectOf(before.resources).limits).memory;
  if (limit === undefined) return [];
  const unless = 'unless resizePolicy is RestartContainer';
  if (old === undefined) return [forbiddenField(path, `memory limits cannot be added ${unless}`)];
  if (compareQuantities(parseQuantity(textOf(limit)), parseQuantity(textOf(old))) >= 0) return [];
  return [forbiddenField(path, `memory limits cannot be decreased ${unless}`)];
}

/** What of a container's amounts must not change. */
function othersOf(container: JsonObject): JsonObject {
  const others: JsonObject = {};
  for (const side of ['requests', 'limits']) {
    const { cpu: _, memory: __, ...rest } = objectOf(objectOf(container.resources)[side]);
    others[side] = rest;
  }
  return others;
}

function policiesOf(container: JsonObject) {
  return container.resizePolicy ?? [];
}

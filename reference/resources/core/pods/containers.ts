import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notFoundField,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label } from '../../../api/nameRules.ts';
import { objectsOf, textOf } from '../../../api/parts.ts';
import { oneOf, PULL_POLICIES, present, requiredName } from '../../validation/values.ts';
import { hostPortConflicts, validatePorts } from './containerPorts.ts';
import { validateEnvironment, validateEnvironmentFrom } from './environment.ts';
import { validateLifecycle, validateProbes } from './handlers.ts';
import { validateContainerResources } from './resources.ts';
import { type ContainerScope, SINCE } from './scope.ts';
import { validateContainerSecurity } from './securityContext.ts';
import { validateDevices, validateMounts } from './volumeMounts.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** What all kinds of containers have in common. */
function validateCommon(container: JsonObject, path: FieldPath, scope: ContainerScope): FieldError[] {
  return [
    ...requiredName(container.name, dns1123Label, path.child('name')),
    ...present(container.image, path.child('image')),
    ...oneOf(
      container.terminationMessagePolicy,
      ['File', 'FallbackToLogsOnError'],
      path.child('terminationMessagePolicy'),
    ),
    ...validatePorts(container.ports, path.child('ports')),
    ...validateEnvironment(container.env, path.child('env')),
    ...validateEnvironmentFrom(container.envFrom, path.child('envFrom')),
    ...validateMounts(container, path.child('volumeMounts'), scope),
    ...validateDevices(container, path.child('volumeDevices'), scope),
    ...oneOf(container.imagePullPolicy, PULL_POLICIES, path.child('imagePullPolicy')),
    ...validateContainerResources(container.resources, path.child('resources'), scope),
    ...validateResizePolicies(container.resizePolicy, path.child('resizePolicy'), scope.restartPolicy),
    ...validateContainerSecurity(container.securityContext, path.child('securityContext'), scope),
  ];
}

function validateResizePolicies(policies: Json | undefined, path: FieldPath, restartPolicy: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  objectsOf(policies).forEach((policy, index) => {
    const resource = textOf(policy.resourceName);
    if (seen.has(resource)) errors.push(duplicate(path.index(index), resource));
    seen.add(resource);
    errors.push(...oneOf(resource, ['cpu', 'memory'], path));
    errors.push(...oneOf(policy.restartPolicy, ['NotRequired', 'RestartContainer'], path));
    if (restartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, textOf(policy.restartPolicy), detail));
    }
  });
  return errors;
}

/** Faults of the containers of a pod. */
export function validateContainers(list: Json | undefined, path: FieldPath, scope: ContainerScope): FieldError[] {
  const containers = objectsOf(list);
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const at = path.index(index);
    errors.push(...validateCommon(container, at, scope));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (isObject(container.lifecycle)) {
      errors.push(...validateLifecycle(container.lifecycle, at.child('lifecycle'), scope));
    }
    errors.push(...validateProbes(container, at, scope));
    errors.push(...validateRestart(container, at, scope, ['Always', 'Never', 'OnFailure']));
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

/** Faults of how a container is started again, where it says so itself. */
function validateRestart(
  container: JsonObject,
  path: FieldPath,
  { release }: ContainerScope,
  allowed: readonly string[],
): FieldError[] {
  const policy = container.restartPolicy;
  const at = path.child('restartPolicy');
  if (release < SINCE.containerRestart) {
    return policy === undefined ? [] : [forbiddenField(at, 'may not be set for non-init containers')];
  }
  const rules = objectsOf(container.restartPolicyRules);
  if (policy === undefined) {
    return rules.length > 0 ? [required(at, 'must specify restartPolicy when restart rules are used')] : [];
  }
  return allowed.includes(textOf(policy)) ? [] : [notSupported(at, textOf(policy), allowed)];
}

/** Faults of the containers that run before those of the pod, one after the other or, as sidecars, beside them. */
export function validateInitContainers(
  list: Json | undefined,
  others: Json | undefined,
  path: FieldPath,
  scope: ContainerScope,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(objectsOf(others).map((container) => textOf(container.name)));
  objectsOf(list).forEach((container, index) => {
    const at = path.index(index);
    errors.push(...validateCommon(container, at, scope));
    errors.push(...validateInitRestart(container, at, scope));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    else if (name !== '') names.add(name);
    errors.push(...hostPortConflicts([container], path));
    if (container.restartPolicy === 'Always') {
      if (isObject(container.lifecycle)) {
        errors.push(...validateLifecycle(container.lifecycle, at.child('lifecycle'), scope));
      }
      errors.push(...validateProbes(container, at, scope));
    } else {
      const detail = 'may not be set for init containers without restartPolicy=Always';
      for (const field of ['lifecycle', ...PROBES]) {
        if (isObject(container[field])) errors.push(forbiddenField(at.child(field), detail));
      }
    }
  });
  return errors;
}

function validateInitRestart(container: JsonObject, path: FieldPath, scope: ContainerScope): FieldError[] {
  if (scope.release >= SINCE.containerRestart) {
    return validateRestart(container, path, scope, ['Always', 'Never', 'OnFailure']);
  }
  const policy = container.restartPolicy;
  if (policy === undefined || policy === 'Always') return [];
  return [notSupported(path.child('restartPolicy'), textOf(policy), ['Always'])];
}

/** Fields that containers for debugging cannot have: they must not become what the pod depends on. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  ...PROBES,
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
];
const EPHEMERAL_DETAIL = 'cannot be set for an Ephemeral Container';

/** Faults of containers that were added to a running pod. */
export function validateEphemeralContainers(spec: JsonObject, path: FieldPath, scope: ContainerScope): FieldError[] {
  const errors: FieldError[] = [];
  const others = [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)].map((one) => textOf(one.name));
  const names = new Set(others);
  objectsOf(spec.ephemeralContainers).forEach((container, index) => {
    const at = path.index(index);
    errors.push(...validateCommon(container, at, scope), ...validateImage(container, at));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    const target = textOf(container.targetContainerName);
    if (target !== '' && !others.includes(target)) errors.push(notFoundField(at.child('targetContainerName'), target));
    for (const field of NOT_EPHEMERAL) {
      if (isSet(container[field])) errors.push(forbiddenField(at.child(field), EPHEMERAL_DETAIL));
    }
    objectsOf(container.volumeMounts).forEach((mount, place) => {
      for (const field of ['subPath', 'subPathExpr']) {
        if (textOf(mount[field]) === '') continue;
        errors.push(forbiddenField(at.child('volumeMounts').index(place).child(field), EPHEMERAL_DETAIL));
      }
    });
  });
  return errors;
}

function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** What counts for containers of pods, and not of templates: a space is a placeholder there. */
export function validateImage(container: JsonObject, path: FieldPath): FieldError[] {
  const image = textOf(container.image);
  if (image.trim() === image) return [];
  return [invalid(path.child('image'), image, 'must not have leading or trailing whitespace')];
}

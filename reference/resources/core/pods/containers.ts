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
import { ensureObject, listOf, numberOf, objectOf, objectsOf, setDefault, textOf } from '../../../api/parts.ts';
import { atOnce, Pace, type Staged } from '../../../api/staged.ts';
import {
  notNegative,
  oneOf,
  optionalOneOf,
  PULL_POLICIES,
  portReference,
  present,
  requiredName,
} from '../../validation/fields.ts';
import { validateEnvironment, validateEnvironmentFrom } from './environment.ts';
import { hostPortConflicts, validatePorts } from './network.ts';
import { roundAmounts, validateContainerResources } from './resources.ts';
import { type ContainerScope, type PodScope, SINCE } from './scope.ts';
import { validateContainerSecurity } from './securityContext.ts';
import { validateDevices, validateMounts } from './volumeMounts.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** What all kinds of containers have in common. */
function* validateCommon(container: JsonObject, path: FieldPath, scope: ContainerScope): Staged<FieldError[]> {
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
    ...(yield* validateContainerResources(container.resources, path.child('resources'), scope)),
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

/** Entries that long work passes in the time that a container takes. */
const OF_A_CONTAINER = 16;

/** Faults of the containers of a pod. */
export function* validateContainers(
  list: Json | undefined,
  path: FieldPath,
  scope: ContainerScope,
): Staged<FieldError[]> {
  const containers = objectsOf(list);
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const pace = new Pace();
  for (const [index, container] of containers.entries()) {
    if (pace.due(OF_A_CONTAINER)) yield;
    const at = path.index(index);
    errors.push(...(yield* validateCommon(container, at, scope)));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (isObject(container.lifecycle)) {
      errors.push(...validateLifecycle(container.lifecycle, at.child('lifecycle'), scope));
    }
    errors.push(...validateProbes(container, at, scope));
    errors.push(...validateRestart(container, at, scope, ['Always', 'Never', 'OnFailure']));
  }
  yield;
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
export function* validateInitContainers(
  list: Json | undefined,
  others: Json | undefined,
  path: FieldPath,
  scope: ContainerScope,
): Staged<FieldError[]> {
  const errors: FieldError[] = [];
  const names = new Set(objectsOf(others).map((container) => textOf(container.name)));
  const pace = new Pace();
  for (const [index, container] of objectsOf(list).entries()) {
    if (pace.due(OF_A_CONTAINER)) yield;
    const at = path.index(index);
    errors.push(...(yield* validateCommon(container, at, scope)));
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
  }
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
  const others = new Set(
    [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)].map((one) => textOf(one.name)),
  );
  const names = new Set(others);
  objectsOf(spec.ephemeralContainers).forEach((container, index) => {
    const at = path.index(index);
    errors.push(...atOnce(validateCommon(container, at, scope)), ...validateImage(container, at));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    const target = textOf(container.targetContainerName);
    if (target !== '' && !others.has(target)) errors.push(notFoundField(at.child('targetContainerName'), target));
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

type HandlerScope = PodScope & { readonly graceSeconds: number | undefined };
type HandlerRule = (handler: JsonObject, path: FieldPath, scope: HandlerScope) => FieldError[];

/** What a handler can do, in the order in which the service looks for it. */
const HANDLERS: Readonly<Record<string, HandlerRule>> = {
  exec: (exec, path) => (listOf(exec.command).length === 0 ? [required(path.child('command'))] : []),
  httpGet: validateHttpGet,
  tcpSocket: (socket, path) => portReference(socket.port, path.child('port')),
  grpc: (grpc, path) => portReference(numberOf(grpc.port) ?? 0, path.child('port')),
  sleep: validateSleep,
};
const PROBED = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const HOOKED = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

function validateHandler(
  holder: JsonObject,
  kinds: readonly string[],
  path: FieldPath,
  scope: HandlerScope,
): FieldError[] {
  const given = kinds.filter((kind) => isObject(holder[kind]));
  const [first, ...others] = given;
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...(HANDLERS[first]?.(objectOf(holder[first]), path.child(first), scope) ?? []),
    ...others.map((kind) => forbiddenField(path.child(kind), 'may not specify more than 1 handler type')),
  ];
}

function validateHttpGet(get: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...present(get.path, path.child('path')),
    ...portReference(get.port, path.child('port')),
    ...optionalOneOf(textOf(get.scheme), ['HTTP', 'HTTPS'], path.child('scheme')),
    ...objectsOf(get.httpHeaders)
      .map((header) => textOf(header.name))
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalid(path.child('httpHeaders'), name, HEADER_TEXT)),
  ];
}
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function validateSleep(sleep: JsonObject, path: FieldPath, { graceSeconds, release }: HandlerScope): FieldError[] {
  const seconds = numberOf(sleep.seconds) ?? 0;
  const zero = release >= SINCE.zeroSleep;
  if (graceSeconds === undefined || (seconds <= graceSeconds && (seconds > 0 || (zero && seconds === 0)))) return [];
  const limit = `less than terminationGracePeriodSeconds (${graceSeconds})`;
  const detail = zero
    ? `must be non-negative and ${limit}`
    : `must be greater than 0 and ${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  return [invalid(path, sleep.seconds, detail)];
}

/** Faults of what a container does when it starts and before it stops. */
function validateLifecycle(lifecycle: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  return ['postStart', 'preStop'].flatMap((hook) => {
    const handler = lifecycle[hook];
    return isObject(handler) ? validateHandler(handler, HOOKED, path.child(hook), scope) : [];
  });
}

/** Numbers of a probe, in the order in which the service looks at them. */
const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** Faults of the three probes of a container. */
function validateProbes(container: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name];
    return isObject(probe) ? validateProbe(name, probe, path.child(name), scope) : [];
  });
}

function validateProbe(name: string, probe: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  const errors = [
    ...validateHandler(probe, PROBED, path, scope),
    ...NUMBERS.flatMap((field) => notNegative(probe[field], path.child(field))),
  ];
  const grace = numberOf(probe.terminationGracePeriodSeconds);
  const gracePath = path.child('terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) errors.push(invalid(gracePath, grace, 'must be greater than 0'));
  if (name === 'readinessProbe') {
    if (grace !== undefined) errors.push(invalid(gracePath, grace, 'must not be set for readinessProbes'));
  } else if (numberOf(probe.successThreshold) !== 1) {
    errors.push(invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

const PROBE_DEFAULTS = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const HOOKS = ['postStart', 'preStop'];

/** Fills a container of any of the three kinds, in place. */
export function fillContainer(container: JsonObject): void {
  setDefault(container, 'imagePullPolicy', pullPolicy(container));
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  for (const variable of listOf(container.env)) if (isObject(variable)) fillSource(variable);
  for (const name of PROBES) {
    const probe = container[name];
    if (isObject(probe)) fillProbe(probe);
  }
  if (isObject(container.lifecycle)) {
    for (const hook of HOOKS) {
      const handler = container.lifecycle[hook];
      if (isObject(handler)) fillHttpGet(handler);
    }
  }
  if (isObject(container.resources)) roundAmounts(container.resources);
}

/** An image that may change under its name is fetched each time. */
function pullPolicy(container: JsonObject): string {
  const image = typeof container.image === 'string' ? container.image : '';
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function fillSource(variable: JsonObject): void {
  if (!isObject(variable.valueFrom)) return;
  fillFieldRef(variable.valueFrom);
}

/** Fills the version of a reference to a field of the pod, where `holder` has one. In place. */
export function fillFieldRef(holder: JsonObject): void {
  if (isObject(holder.fieldRef)) setDefault(holder.fieldRef, 'apiVersion', 'v1');
}

function fillProbe(probe: JsonObject): void {
  for (const [name, value] of Object.entries(PROBE_DEFAULTS)) if (!probe[name]) probe[name] = value;
  fillHttpGet(probe);
}

function fillHttpGet(handler: JsonObject): void {
  if (!isObject(handler.httpGet)) return;
  const get = ensureObject(handler, 'httpGet');
  setDefault(get, 'path', '/');
  setDefault(get, 'scheme', 'HTTP');
}

/*
 * What a reference to an image says of its version: `registry.example:5000/path/name:tag@algorithm:digest`, all but
 * the path optional.
 */

const HOST_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `${HOST_PART}(?:\\.${HOST_PART})*(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const IMAGE = new RegExp(`^(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*(?::(${TAG}))?(?:@(${DIGEST}))?$`);

/** No reference with a tag and a digest is longer than this, so that no text keeps the expression busy. */
const LONGEST = 600;
const BARE_DIGEST = /^[0-9a-f]{64}$/;

/** The tag of an image: `latest` where neither a tag nor a digest is given, empty where the text is no reference. */
export function imageTag(image: string): string {
  if (image.length > LONGEST || BARE_DIGEST.test(image)) return '';
  const parts = IMAGE.exec(image);
  if (!parts) return '';
  const [, tag, digest] = parts;
  return tag ?? (digest === undefined ? 'latest' : '');
}

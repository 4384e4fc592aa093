import { type FieldError, forbiddenField } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import type { Staged } from '../../../api/staged.ts';
import { validatePodAnnotations, validateProfileMatch } from './annotations.ts';
import { validateImage } from './containers.ts';
import { qosClass, requestLimits, requestPodLimits } from './resources.ts';
import { type PodScope, SINCE } from './scope.ts';
import { fillPodSpec, validatePodSpec } from './spec.ts';

const TERMS = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'];

/** Makes a new pod what the service makes of it, whatever the body says of its state. In place. */
export function beginPod(pod: ApiObject, release: number): void {
  const spec = objectOf(pod.spec);
  leaveUnknown(spec, release);
  const grace = numberOf(spec.terminationGracePeriodSeconds);
  if (grace !== undefined && grace < 0) spec.terminationGracePeriodSeconds = 1;
  selectByOwnLabels(spec, objectOf(pod.metadata.labels), release);
  const status: Record<string, Json> = { phase: 'Pending', qosClass: qosClass(spec) };
  if (listOf(spec.schedulingGates).length > 0) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  pod.status = status;
}

/** Leaves out what the release has fields for, and does not yet know what to do with. In place. */
export function leaveUnknown(spec: JsonObject, release: number): void {
  if (release < SINCE.podResources) delete spec.resources;
  if (release >= SINCE.resize) return;
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of listOf(spec[list])) if (isObject(container)) delete container.resizePolicy;
  }
}

/** Turns keys whose values are those of the pod's own labels into expressions of selectors. In place. */
function selectByOwnLabels(spec: JsonObject, labels: JsonObject, release: number): void {
  const affinity = objectOf(spec.affinity);
  for (const side of ['podAffinity', 'podAntiAffinity']) {
    const [wanted, preferred] = TERMS.map((list) => objectsOf(objectOf(affinity[side])[list]));
    for (const term of wanted ?? []) addExpressions(term, labels);
    for (const term of preferred ?? []) addExpressions(objectOf(term.podAffinityTerm), labels);
  }
  if (release < SINCE.spreadBySelector) return;
  for (const constraint of objectsOf(spec.topologySpreadConstraints)) addExpressions(constraint, labels);
}

function addExpressions(term: JsonObject, labels: JsonObject): void {
  if (!isObject(term.labelSelector)) return;
  const made = [
    ...textsOf(term.matchLabelKeys).map((key) => ({ key, operator: 'In' })),
    ...textsOf(term.mismatchLabelKeys).map((key) => ({ key, operator: 'NotIn' })),
  ].filter(({ key }) => Object.hasOwn(labels, key));
  if (made.length === 0) return;
  term.labelSelector.matchExpressions = [
    ...listOf(term.labelSelector.matchExpressions),
    ...made.map(({ key, operator }) => ({ key, operator, values: [labels[key] ?? ''] })),
  ];
}

const SPEC = FieldPath.of('spec');

/** Faults of a pod for itself, new or changed. */
export function* validateWholePod(pod: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(pod.spec);
  const annotations = objectOf(pod.metadata.annotations);
  const errors = [
    ...validatePodAnnotations(annotations, spec, FieldPath.of('metadata', 'annotations'), scope),
    ...(yield* validatePodSpec(spec, SPEC, scope)),
  ];
  if (textOf(spec.serviceAccountName) === '') {
    objectsOf(spec.volumes).forEach((volume, index) => {
      objectsOf(objectOf(volume.projected).sources).forEach((source, place) => {
        if (!isObject(source.serviceAccountToken)) return;
        const at = SPEC.child('volumes').index(index).child('projected', 'sources').index(place);
        const detail = 'must not be specified when serviceAccountName is not set';
        errors.push(forbiddenField(at.child('serviceAccountToken'), detail));
      });
    });
  }
  yield;
  for (const list of ['containers', 'initContainers']) {
    objectsOf(spec[list]).forEach((container, index) => {
      errors.push(...validateImage(container, SPEC.child(list).index(index)));
    });
  }
  return errors;
}

/** Faults of a new pod. */
export function* validateNewPod(pod: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(pod.spec);
  const errors = yield* validateWholePod(pod, scope);
  if (objectsOf(spec.ephemeralContainers).length > 0) {
    errors.push(forbiddenField(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  }
  if (textOf(spec.nodeName) !== '' && objectsOf(spec.schedulingGates).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    errors.push(forbiddenField(SPEC.child('nodeName'), detail));
  }
  return [...errors, ...validateProfileMatch(objectOf(pod.metadata.annotations), spec, SPEC, scope)];
}

const CONTAINERS = ['initContainers', 'containers'];

/** Fills a pod, in place: what a template gets, and what only counts for pods themselves. */
export function fillPod(pod: ApiObject): void {
  const spec = ensureObject(pod, 'spec');
  fillPodSpec(spec);
  for (const field of CONTAINERS) {
    for (const container of listOf(spec[field])) if (isObject(container)) requestLimits(container);
  }
  requestPodLimits(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) shareHostPorts(spec);
  if (isObject(pod.status)) sameAddress(pod.status);
}

/** A pod has an old field for its first address too, which wins where both are given. */
function sameAddress(status: JsonObject): void {
  const [first] = listOf(status.podIPs);
  const ip = textOf(objectOf(first).ip);
  const old = textOf(status.podIP);
  if (old !== '' && old !== ip) status.podIPs = [{ ip: old }];
  else if (old === '' && ip !== '') status.podIP = ip;
}

/** On the network of its node, a container's port is the node's. */
function shareHostPorts(spec: JsonObject): void {
  for (const field of CONTAINERS) {
    for (const container of listOf(spec[field])) {
      for (const port of listOf(objectOf(container).ports)) {
        if (isObject(port) && !port.hostPort && port.containerPort) port.hostPort = port.containerPort;
      }
    }
  }
}

import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, numberOf, objectOf, objectsOf, textsOf } from '../../../api/parts.ts';
import { qosClass } from './qosClass.ts';
import { SINCE } from './scope.ts';

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

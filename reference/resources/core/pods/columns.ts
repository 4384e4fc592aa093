import type { JsonObject } from '../../../api/json.ts';
import { isObject } from '../../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { instantOf } from '../../../schema/instant.ts';
import { shortSpan } from '../../columns/age.ts';
import { AGE, type ApiObject, column, named, wide } from '../../columns/column.ts';
import { NONE, orNone } from '../../columns/labels.ts';

/** What a table tells of a pod, gathered from the states of its containers. */
interface PodSummary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** Milliseconds since the epoch of the last end of a container that was started again. */
  lastEnd: number | undefined;
}

interface Restarts {
  count: number;
  lastEnd: number | undefined;
}

function addRestarts(restarts: Restarts, container: JsonObject): void {
  restarts.count += numberOf(container.restartCount) ?? 0;
  const end = instantOf(textOf(objectOf(objectOf(container.lastState).terminated).finishedAt));
  if (end !== undefined && (restarts.lastEnd === undefined || end > restarts.lastEnd)) restarts.lastEnd = end;
}

/** Why a container ended, in one word. */
function endOf(terminated: JsonObject): string {
  const reason = textOf(terminated.reason);
  if (reason !== '') return reason;
  const signal = numberOf(terminated.signal) ?? 0;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberOf(terminated.exitCode) ?? 0}`;
}

function summarize(pod: ApiObject): PodSummary {
  const spec = objectOf(pod.spec);
  const status = objectOf(pod.status);
  const conditions = objectsOf(status.conditions);
  const sidecars = new Set(
    objectsOf(spec.initContainers)
      .filter((container) => container.restartPolicy === 'Always')
      .map((container) => textOf(container.name)),
  );
  const summary: PodSummary = {
    ready: 0,
    total: objectsOf(spec.containers).length + sidecars.size,
    reason: textOf(status.reason) || textOf(status.phase),
    restarts: 0,
    lastEnd: undefined,
  };
  if (conditions.some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated')) {
    summary.reason = 'SchedulingGated';
  }
  const initializing = summarizeInit(pod, sidecars, summary);
  if (!initializing || conditions.some((one) => one.type === 'Initialized' && one.status === 'True')) {
    summarizeMain(pod, sidecars, summary);
  }
  if (pod.metadata.deletionTimestamp) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

/** Goes through the containers that prepare the pod, up to the first that is not done. */
function summarizeInit(pod: ApiObject, sidecars: ReadonlySet<string>, summary: PodSummary): boolean {
  const planned = objectsOf(objectOf(pod.spec).initContainers).length;
  const restarts: Restarts = { count: 0, lastEnd: undefined };
  let pending: string | undefined;
  for (const [index, container] of objectsOf(objectOf(pod.status).initContainerStatuses).entries()) {
    addRestarts(restarts, container);
    const { terminated, waiting } = objectOf(container.state);
    const done = isObject(terminated) && (numberOf(terminated.exitCode) ?? 0) === 0;
    if (done) continue;
    if (sidecars.has(textOf(container.name)) && container.started === true) {
      if (container.ready === true) summary.ready++;
      continue;
    }
    const waitingFor = textOf(objectOf(waiting).reason);
    if (isObject(terminated)) pending = `Init:${endOf(terminated)}`;
    else if (waitingFor !== '' && waitingFor !== 'PodInitializing') pending = `Init:${waitingFor}`;
    else pending = `Init:${index}/${planned}`;
    break;
  }
  summary.restarts = restarts.count;
  summary.lastEnd = restarts.lastEnd;
  if (pending !== undefined) summary.reason = pending;
  return pending !== undefined;
}

function summarizeMain(pod: ApiObject, sidecars: ReadonlySet<string>, summary: PodSummary): void {
  const status = objectOf(pod.status);
  const restarts: Restarts = { count: 0, lastEnd: undefined };
  for (const container of objectsOf(status.initContainerStatuses)) {
    if (sidecars.has(textOf(container.name))) addRestarts(restarts, container);
  }
  let running = false;
  for (const container of [...objectsOf(status.containerStatuses)].reverse()) {
    addRestarts(restarts, container);
    const state = objectOf(container.state);
    const waitingFor = textOf(objectOf(state.waiting).reason);
    if (waitingFor !== '') summary.reason = waitingFor;
    else if (isObject(state.terminated)) summary.reason = endOf(state.terminated);
    else if (container.ready === true && isObject(state.running)) {
      running = true;
      summary.ready++;
    }
  }
  summary.restarts = restarts.count;
  summary.lastEnd = restarts.lastEnd;
  if (summary.reason === 'Completed' && running) {
    const ready = objectsOf(status.conditions).some((one) => one.type === 'Ready' && one.status === 'True');
    summary.reason = ready ? 'Running' : 'NotReady';
  }
}

function restartsText({ restarts, lastEnd }: PodSummary, now: number): string {
  return restarts !== 0 && lastEnd !== undefined ? `${restarts} (${shortSpan(now - lastEnd)} ago)` : String(restarts);
}

function gatesText(pod: ApiObject): string {
  const gates = objectsOf(objectOf(pod.spec).readinessGates);
  if (gates.length === 0) return NONE;
  const conditions = objectsOf(objectOf(pod.status).conditions);
  const met = new Set(conditions.filter(({ status }) => status === 'True').map(({ type }) => type));
  const open = gates.filter(({ conditionType }) => met.has(conditionType));
  return `${open.length}/${gates.length}`;
}

const specText = (field: string) => (pod: ApiObject) => orNone(textOf(objectOf(pod.spec)[field]));
const statusText = (field: string) => (pod: ApiObject) => orNone(textOf(objectOf(pod.status)[field]));

/** Columns of pods; their descriptions are the words that clients see. */
export const podColumns = named(
  column('Ready', 'The aggregate readiness state of this pod for accepting traffic.', (pod) => {
    const { ready, total } = summarize(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'The aggregate status of the containers in this pod.', (pod) => summarize(pod).reason),
  column(
    'Restarts',
    'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    (pod, now) => restartsText(summarize(pod), now),
  ),
  AGE,
  wide(
    'IP',
    'podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.',
    (pod) => orNone(textOf(objectsOf(objectOf(pod.status).podIPs)[0]?.ip)),
  ),
  wide(
    'Node',
    'NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    specText('nodeName'),
  ),
  wide(
    'Nominated Node',
    'nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.',
    statusText('nominatedNodeName'),
  ),
  wide(
    'Readiness Gates',
    'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    gatesText,
  ),
);

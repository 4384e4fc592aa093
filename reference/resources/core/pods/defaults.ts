import { isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, objectOf, textOf } from '../../../api/parts.ts';
import { requestLimits, requestPodLimits } from './requests.ts';
import { fillPodSpec } from './specDefaults.ts';

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

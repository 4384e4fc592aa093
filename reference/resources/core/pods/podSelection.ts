import type { ApiObject } from '../../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';

/** Fields by which pods are selected, besides name and namespace. */
export const podSelection: Readonly<Record<string, (pod: ApiObject) => string>> = {
  'spec.nodeName': (pod) => textOf(objectOf(pod.spec).nodeName),
  'spec.restartPolicy': (pod) => textOf(objectOf(pod.spec).restartPolicy),
  'spec.schedulerName': (pod) => textOf(objectOf(pod.spec).schedulerName),
  'spec.serviceAccountName': (pod) => textOf(objectOf(pod.spec).serviceAccountName),
  'spec.hostNetwork': (pod) => String(objectOf(pod.spec).hostNetwork === true),
  'status.phase': (pod) => textOf(objectOf(pod.status).phase),
  'status.podIP': (pod) => textOf(objectsOf(objectOf(pod.status).podIPs)[0]?.ip) || textOf(objectOf(pod.status).podIP),
  'status.podIPs': () => '',
  'status.nominatedNodeName': (pod) => textOf(objectOf(pod.status).nominatedNodeName),
};

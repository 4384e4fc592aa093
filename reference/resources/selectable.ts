import type { ApiObject } from '../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../api/parts.ts';

/** Fields for field selectors besides name and namespace: path to value. */
type SelectableFields = Readonly<Record<string, (object: ApiObject) => string>>;

const spec = (object: ApiObject) => objectOf(object.spec);
const status = (object: ApiObject) => objectOf(object.status);
const specText = (field: string) => (object: ApiObject) => textOf(spec(object)[field]);
const statusText = (field: string) => (object: ApiObject) => textOf(status(object)[field]);
const count = (field: string) => (object: ApiObject) => String(numberOf(status(object)[field]) ?? 0);

/** By prefix of the group and plural; types with rules of their own say it there. */
const selectable: Readonly<Record<string, SelectableFields>> = {
  '/pods': {
    'spec.nodeName': specText('nodeName'),
    'spec.restartPolicy': specText('restartPolicy'),
    'spec.schedulerName': specText('schedulerName'),
    'spec.serviceAccountName': specText('serviceAccountName'),
    'spec.hostNetwork': (pod) => String(spec(pod).hostNetwork === true),
    'status.phase': statusText('phase'),
    'status.podIP': (pod) => textOf(objectsOf(status(pod).podIPs)[0]?.ip) || textOf(status(pod).podIP),
    'status.podIPs': (pod) => textOf(objectsOf(status(pod).podIPs)[0]?.ip),
    'status.nominatedNodeName': statusText('nominatedNodeName'),
  },
  '/nodes': { 'spec.unschedulable': (node) => String(spec(node).unschedulable === true) },
  '/services': { 'spec.clusterIP': specText('clusterIP'), 'spec.type': specText('type') },
  '/replicationcontrollers': { 'status.replicas': count('replicas') },
  'apps/replicasets': { 'status.replicas': count('replicas') },
  'batch/jobs': { 'status.successful': count('succeeded') },
  'certificates/certificatesigningrequests': { 'spec.signerName': specText('signerName') },
  'resource/resourceslices': { 'spec.nodeName': specText('nodeName'), 'spec.driver': specText('driver') },
};

/** The fields of a type by which its objects can be selected; undefined for most. */
export function selectableFieldsOf(groupPrefix: string, resource: string): SelectableFields | undefined {
  return selectable[`${groupPrefix}/${resource}`];
}

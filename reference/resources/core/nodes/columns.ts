import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { AGE, type ApiObject, column, named, wide } from '../../columns/column.ts';
import { NONE, orNone, UNKNOWN } from '../../columns/labels.ts';

function stateText(node: ApiObject): string {
  const ready = objectsOf(objectOf(node.status).conditions).find((one) => one.type === 'Ready');
  const states = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (objectOf(node.spec).unschedulable === true) states.push('SchedulingDisabled');
  return states.join(',');
}

const ROLE_PREFIX = /^node-role\.[^/]+\/(.+)$/;
const ROLE_LABEL = /^[^/]+\/role$/;

function rolesText({ metadata }: ApiObject): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata.labels ?? {})) {
    const role = ROLE_PREFIX.exec(label)?.[1] ?? (ROLE_LABEL.test(label) ? value : '');
    if (role !== '') roles.add(role);
  }
  return roles.size === 0 ? NONE : [...roles].sort().join(',');
}

const info = (field: string) => (node: ApiObject) => textOf(objectOf(objectOf(node.status).nodeInfo)[field]) || UNKNOWN;
const address = (type: string) => (node: ApiObject) =>
  orNone(textOf(objectsOf(objectOf(node.status).addresses).find((one) => one.type === type)?.address));

export const nodeColumns = named(
  column('Status', 'Whether the node is ready, and takes pods.', stateText),
  column('Roles', 'What the node is for, by its labels.', rolesText),
  AGE,
  column('Version', 'Version of the agent of the node.', (node) =>
    textOf(objectOf(objectOf(node.status).nodeInfo).kubeletVersion),
  ),
  wide('Internal-IP', 'Address inside the cluster.', address('InternalIP')),
  wide('External-IP', 'Address outside the cluster.', address('ExternalIP')),
  wide('OS-Image', 'Operating system of the node.', info('osImage')),
  wide('Kernel-Version', 'Kernel of the node.', info('kernelVersion')),
  wide('Container-Runtime', 'What runs containers on the node.', info('containerRuntimeVersion')),
);

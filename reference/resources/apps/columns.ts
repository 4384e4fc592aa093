import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import { AGE, column, integer, named } from '../columns/column.ts';
import { labelsText, NONE } from '../columns/labels.ts';
import { count, replicaColumns, selector, spec, status } from '../workloads/columns.ts';
import { containerColumns, specTemplate } from '../workloads/podTemplates.ts';

export const deploymentColumns = named(
  column(
    'Ready',
    'Number of the pod with ready state',
    (object) => `${count(status, 'readyReplicas')(object)}/${count(spec, 'replicas')(object)}`,
  ),
  column(
    'Up-to-date',
    'Total number of non-terminating pods targeted by this deployment that have the desired template spec.',
    count(status, 'updatedReplicas'),
  ),
  column(
    'Available',
    'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.',
    count(status, 'availableReplicas'),
  ),
  AGE,
  ...containerColumns(specTemplate),
  selector(
    "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
  ),
);

export const replicaSetColumns = replicaColumns(selector('Which pods are counted.'));

export const statefulSetColumns = named(
  column(
    'Ready',
    'Number of the pod with ready state',
    (object) => `${count(status, 'readyReplicas')(object)}/${count(spec, 'replicas')(object)}`,
  ),
  AGE,
  ...containerColumns(specTemplate),
);

export const daemonSetColumns = named(
  column('Desired', 'Number of nodes that should run the pod.', count(status, 'desiredNumberScheduled'), integer),
  column('Current', 'Number of nodes that do and should.', count(status, 'currentNumberScheduled'), integer),
  column('Ready', 'Number of nodes whose pod is ready.', count(status, 'numberReady'), integer),
  column('Up-to-date', 'Number of nodes with the latest pod.', count(status, 'updatedNumberScheduled'), integer),
  column('Available', 'Number of nodes whose pod is available.', count(status, 'numberAvailable'), integer),
  column('Node Selector', 'Labels of the nodes that should run the pod.', (object) =>
    labelsText(objectOf(objectOf(spec(object).template).spec).nodeSelector),
  ),
  AGE,
  ...containerColumns(specTemplate),
  selector('Which pods are counted.'),
);

export const controllerRevisionColumns = named(
  column('Controller', 'Controller of the object.', controllerText),
  column('Revision', 'Number of the state, rising with time.', (object) => object.revision ?? 0),
  AGE,
);

function controllerText({ metadata }: ApiObject): string {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  if (!owner) return NONE;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}

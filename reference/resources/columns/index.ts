import type { Column } from '../../contracts/resourceType.ts';
import { admissionColumns } from '../admissionregistration/columns.ts';
import { appsColumns, batchColumns } from '../apps/columns.ts';
import { autoscalingColumns } from '../autoscaling/columns.ts';
import { coreColumns } from '../core/columns.ts';
import { eventsColumns } from '../events/columns.ts';
import { discoveryColumns, networkingColumns } from '../networking/columns.ts';
import { storageColumns } from '../storage/columns.ts';
import { certificatesColumns, rbacColumns } from './access.ts';
import type { KindColumns } from './column.ts';
import {
  apiregistrationColumns,
  coordinationColumns,
  flowcontrolColumns,
  nodeGroupColumns,
  policyColumns,
  resourceColumns,
  schedulingColumns,
} from './policies.ts';

/** By prefix of the group; the core group has the empty one. */
const columns: Readonly<Record<string, KindColumns>> = {
  '': coreColumns,
  admissionregistration: admissionColumns,
  apiregistration: apiregistrationColumns,
  apps: appsColumns,
  batch: batchColumns,
  certificates: certificatesColumns,
  coordination: coordinationColumns,
  discovery: discoveryColumns,
  events: eventsColumns,
  'flowcontrol.apiserver': flowcontrolColumns,
  networking: networkingColumns,
  node: nodeGroupColumns,
  policy: policyColumns,
  'rbac.authorization': rbacColumns,
  resource: resourceColumns,
  scheduling: schedulingColumns,
  storage: storageColumns,
};

/** The columns in which objects of a built-in type are shown; undefined: the two that every type has. */
export function builtinColumns(groupPrefix: string, version: string, kind: string): readonly Column[] | undefined {
  if (groupPrefix === 'autoscaling') return autoscalingColumns[version]?.[kind];
  return columns[groupPrefix]?.[kind];
}

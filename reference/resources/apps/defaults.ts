import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, setDefault } from '../../api/parts.ts';
import { fillTemplate } from '../core/pods/spec.ts';
import { fillClaim } from '../core/pods/volumes.ts';

/*
 * Defaults of the workloads of the apps group.
 */

const REVISIONS = 10;

/** Fills how pods are replaced: as `type` says, unless that of `rollout` says otherwise. In place. */
function rollGradually(rollout: JsonObject, limits: JsonObject, type = 'RollingUpdate'): void {
  setDefault(rollout, 'type', type);
  if (rollout.type !== 'RollingUpdate') return;
  const rolling = ensureObject(rollout, 'rollingUpdate');
  for (const [name, value] of Object.entries(limits)) rolling[name] ??= value;
}

/** What a version of Deployment says where a client does not. */
interface DeploymentDefaults {
  readonly revisions?: number;
  /** Seconds. */
  readonly deadline?: number;
  readonly unavailable?: number | string;
  readonly surge?: number | string;
}

/** Fills a Deployment, in place. */
export function fillDeployment(
  deployment: ApiObject,
  { revisions = REVISIONS, deadline = 600, unavailable = '25%', surge = '25%' }: DeploymentDefaults = {},
): void {
  const spec = ensureObject(deployment, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
  rollGradually(ensureObject(spec, 'strategy'), { maxUnavailable: unavailable, maxSurge: surge });
  spec.revisionHistoryLimit ??= revisions;
  spec.progressDeadlineSeconds ??= deadline;
}

/** Fills a ReplicaSet, in place. */
export function fillReplicaSet(replicaSet: ApiObject): void {
  const spec = ensureObject(replicaSet, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
}

/** Fills a DaemonSet, in place. */
export function fillDaemonSet(daemonSet: ApiObject, type?: string): void {
  const spec = ensureObject(daemonSet, 'spec');
  fillTemplate(spec);
  rollGradually(ensureObject(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 }, type);
  spec.revisionHistoryLimit ??= REVISIONS;
}

/** Fills a StatefulSet, in place. */
export function fillStatefulSet(statefulSet: ApiObject, type?: string): void {
  const spec = ensureObject(statefulSet, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
  for (const claim of listOf(spec.volumeClaimTemplates)) if (isObject(claim)) fillOwnClaim(claim);
  setDefault(spec, 'podManagementPolicy', 'OrderedReady');
  fillSetStrategy(ensureObject(spec, 'updateStrategy'), type);
  spec.revisionHistoryLimit ??= REVISIONS;
  const kept = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy');
  setDefault(kept, 'whenDeleted', 'Retain');
  setDefault(kept, 'whenScaled', 'Retain');
}

/** A set that names its strategy itself may leave the details of it open. */
function fillSetStrategy(strategy: JsonObject, type = 'RollingUpdate'): void {
  if (!strategy.type) {
    strategy.type = type;
    if (type === 'RollingUpdate') ensureObject(strategy, 'rollingUpdate');
  }
  if (strategy.type === 'RollingUpdate' && isObject(strategy.rollingUpdate)) strategy.rollingUpdate.partition ??= 0;
}

/** A claim inside a StatefulSet is a whole object, whatever the body calls it. */
function fillOwnClaim(claim: JsonObject): void {
  claim.kind = 'PersistentVolumeClaim';
  claim.apiVersion = 'v1';
  fillClaim(claim);
  setDefault(ensureObject(claim, 'status'), 'phase', 'Pending');
}

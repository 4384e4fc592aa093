import { isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, setDefault } from '../parts.ts';
import { fillTemplate } from '../pods/podSpecDefaults.ts';
import { fillClaim } from '../pods/volumeDefaults.ts';

/*
 * Defaults of the workloads of the apps group.
 */

const REVISIONS = 10;

/** Fills how pods are replaced: gradually, unless the type of `rollout` says otherwise. In place. */
function rollGradually(rollout: JsonObject, limits: JsonObject): void {
  setDefault(rollout, 'type', 'RollingUpdate');
  if (rollout.type !== 'RollingUpdate') return;
  const rolling = ensureObject(rollout, 'rollingUpdate');
  for (const [name, value] of Object.entries(limits)) rolling[name] ??= value;
}

/** Fills a Deployment, in place. */
export function fillDeployment(deployment: ApiObject): void {
  const spec = ensureObject(deployment, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
  rollGradually(ensureObject(spec, 'strategy'), { maxUnavailable: '25%', maxSurge: '25%' });
  spec.revisionHistoryLimit ??= REVISIONS;
  spec.progressDeadlineSeconds ??= 600;
}

/** Fills a ReplicaSet, in place. */
export function fillReplicaSet(replicaSet: ApiObject): void {
  const spec = ensureObject(replicaSet, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
}

/** Fills a DaemonSet, in place. */
export function fillDaemonSet(daemonSet: ApiObject): void {
  const spec = ensureObject(daemonSet, 'spec');
  fillTemplate(spec);
  rollGradually(ensureObject(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
  spec.revisionHistoryLimit ??= REVISIONS;
}

/** Fills a StatefulSet, in place. */
export function fillStatefulSet(statefulSet: ApiObject): void {
  const spec = ensureObject(statefulSet, 'spec');
  spec.replicas ??= 1;
  fillTemplate(spec);
  for (const claim of listOf(spec.volumeClaimTemplates)) if (isObject(claim)) fillOwnClaim(claim);
  setDefault(spec, 'podManagementPolicy', 'OrderedReady');
  fillSetStrategy(ensureObject(spec, 'updateStrategy'));
  spec.revisionHistoryLimit ??= REVISIONS;
  const kept = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy');
  setDefault(kept, 'whenDeleted', 'Retain');
  setDefault(kept, 'whenScaled', 'Retain');
}

/** A set that names its strategy itself may leave the details of it open. */
function fillSetStrategy(strategy: JsonObject): void {
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    ensureObject(strategy, 'rollingUpdate');
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

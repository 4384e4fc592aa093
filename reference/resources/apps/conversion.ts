import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { withAnnotation, withSpec } from '../conversion/reshape.ts';
import { inheritLabels, templateLabels } from '../workloads/podTemplates.ts';
import { validateDaemonSet } from './daemonSet.ts';
import { fillDaemonSet, fillDeployment, fillReplicaSet, fillStatefulSet } from './defaults.ts';
import { validateDeployment, validateReplicaSet } from './deployment.ts';
import { judged, twice } from './rules.ts';

/*
 * Workloads in apps/v1beta1, apps/v1beta2 and extensions/v1beta1
 * (3/removed-api-versions-by-release, rows of release 1.16).
 */

/** Where apps/v1 keeps the revision that a Deployment is to go back to. */
const ROLLBACK = 'deprecated.deployment.rollback.to';
/** Where apps/v1 keeps the count of templates of a DaemonSet. */
const GENERATION = 'deprecated.daemonset.template.generation';
/** As many as can be counted: no deadline, every revision. */
const UNLIMITED = 2 ** 31 - 1;

/** A workload selects the pods of its template, and has their labels, where it says nothing else. In place. */
function inheritFromTemplate(workload: ApiObject): void {
  const spec = ensureObject(workload, 'spec');
  const labels = templateLabels(spec);
  if (Object.keys(labels).length === 0) return;
  if (spec.selector === undefined) spec.selector = { matchLabels: { ...labels } };
  inheritLabels(workload, labels);
}

function rollbackToAnnotation(deployment: ApiObject): ApiObject {
  const { rollbackTo } = objectOf(deployment.spec);
  if (!isObject(rollbackTo)) return deployment;
  const kept = withAnnotation(deployment, ROLLBACK, String(rollbackTo.revision ?? 0));
  return withSpec(kept, ({ rollbackTo: _, ...spec }) => spec);
}

function rollbackFromAnnotation(deployment: ApiObject): ApiObject {
  const kept = deployment.metadata.annotations?.[ROLLBACK];
  if (kept === undefined || !/^-?\d{1,15}$/.test(kept)) return deployment;
  const revision = Number(kept);
  const rollbackTo: JsonObject = revision === 0 ? {} : { revision };
  return withSpec(withAnnotation(deployment, ROLLBACK, undefined), (spec) => ({ ...spec, rollbackTo }));
}

const rollbackConversion = { toStorage: rollbackToAnnotation, fromStorage: rollbackFromAnnotation };

/** Deployments of the group `apps`. */
export const appsDeployments: DeprecatedVersions = (_, context) => ({
  conversions: { v1beta1: rollbackConversion },
  defaults: {
    v1beta1(deployment) {
      inheritFromTemplate(deployment);
      fillDeployment(deployment, { revisions: 2 });
    },
  },
  strategies: { v1beta1: judged(context, validateDeployment) },
});

/** Deployments of the group `extensions`. */
export const extensionsDeployments: DeprecatedVersions = (_, context) => ({
  conversions: { v1beta1: rollbackConversion },
  defaults: {
    v1beta1(deployment) {
      inheritFromTemplate(deployment);
      fillDeployment(deployment, { revisions: UNLIMITED, deadline: UNLIMITED, unavailable: 1, surge: 1 });
    },
  },
  strategies: { v1beta1: judged(context, validateDeployment) },
});

/** DaemonSets of the group `extensions`. */
export const extensionsDaemonSets: DeprecatedVersions = (_, context) => ({
  conversions: {
    v1beta1: {
      toStorage(daemonSet) {
        const count = objectOf(daemonSet.spec).templateGeneration;
        const kept = withAnnotation(daemonSet, GENERATION, String(count ?? 0));
        return withSpec(kept, ({ templateGeneration: _, ...spec }) => spec);
      },
      fromStorage(daemonSet) {
        const count = daemonSet.metadata.annotations?.[GENERATION];
        const plain = withAnnotation(daemonSet, GENERATION, undefined);
        if (count === undefined || count === '0') return plain;
        return withSpec(plain, (spec) => ({ ...spec, templateGeneration: Number(count) }));
      },
    },
  },
  defaults: {
    v1beta1(daemonSet) {
      inheritFromTemplate(daemonSet);
      fillDaemonSet(daemonSet, 'OnDelete');
    },
  },
  strategies: { v1beta1: judged(context, validateDaemonSet, undefined, twice(validateDaemonSet)) },
});

const selectsTemplate: DeprecatedVersions = (_, context) => ({
  defaults: {
    v1beta1(replicaSet) {
      inheritFromTemplate(replicaSet);
      fillReplicaSet(replicaSet);
    },
  },
  strategies: { v1beta1: judged(context, validateReplicaSet, undefined, twice(validateReplicaSet)) },
});
/** ReplicaSets of the group `extensions`. */
export const extensionsReplicaSets = selectsTemplate;
/** ReplicaSets of the group `apps`. */
export const appsReplicaSets = selectsTemplate;

/** StatefulSets of the group `apps`. */
export const appsStatefulSets: DeprecatedVersions = () => ({
  defaults: {
    v1beta1(set) {
      inheritFromTemplate(set);
      fillStatefulSet(set, 'OnDelete');
    },
  },
});

/** The revision wanted of a Deployment, as an operation writes it into the version in which it is kept. */
export function withRollback(deployment: ApiObject, revision: number, annotations: Record<string, string>): ApiObject {
  const own = { ...deployment.metadata.annotations, ...annotations };
  const metadata = { ...deployment.metadata, annotations: own };
  return withAnnotation({ ...deployment, metadata }, ROLLBACK, String(revision));
}

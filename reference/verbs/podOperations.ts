import { notSupported } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { ApiError, conflict, invalidObject } from '../api/status.ts';
import type { Services } from '../contracts/call.ts';
import type { Propagation } from '../contracts/client.ts';
import type { SubresourceOperation, VirtualOperation } from '../contracts/resourceType.ts';
import type { Store } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { type Clock, formatTime } from '../time.ts';
import { internalDeleteOptions } from './deleteOptions.ts';
import { deleteObject } from './deletion.ts';
import { runOnStored } from './operation.ts';

const PODS = { group: '', resource: 'pods' };

/** What operations answer that have nothing to show. */
const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as ApiObject;

/** Assigns a pod to a node, once (`pods/binding`). Throws ApiError 409 where it is assigned or deleting. */
export function podBinding(clock: Clock): SubresourceOperation {
  return async ({ parent, body }) => {
    const { name = '', deletionTimestamp } = parent.metadata;
    const target = objectOf(body.target);
    if (target.kind && target.kind !== 'Node') {
      const fault = notSupported(FieldPath.of('target', 'kind'), target.kind, ['Node', '<empty>']);
      throw invalidObject({ group: '', kind: 'Binding' }, name, [fault]);
    }
    const spec = objectOf(parent.spec);
    if (deletionTimestamp) {
      throw conflict(
        { group: '', resource: 'pods/binding' },
        name,
        `pod ${name} is being deleted, cannot be assigned to a host`,
      );
    }
    if (spec.nodeName) {
      throw conflict(
        { group: '', resource: 'pods/binding' },
        name,
        `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`,
      );
    }
    const annotations = { ...parent.metadata.annotations, ...body.metadata.annotations };
    const metadata = { ...parent.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
    const next: ApiObject = {
      ...parent,
      metadata,
      spec: { ...spec, nodeName: target.name ?? '' },
      status: scheduled(objectOf(parent.status), formatTime(clock.now())),
    };
    return { answer: DONE, code: 201, parent: next };
  };
}

/** Assigns the pod that a Binding is called after to a node (`bindings`), as {@link podBinding} does. */
export function bindings(store: Store, clock: Clock): VirtualOperation {
  const bind = podBinding(clock);
  return async (body, exchange, dryRun) => {
    const { namespace = '', name = '' } = body.metadata;
    const { answer } = await runOnStored(store, PODS, { namespace, name }, { body, exchange, dryRun }, bind);
    return answer;
  };
}

function scheduled(status: JsonObject, now: string): JsonObject {
  const others = listOf(status.conditions).filter((one) => !isObject(one) || one.type !== 'PodScheduled');
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return { ...status, conditions: [...others, condition] };
}

/**
 * Deletes a pod unless a disruption budget stands against it (`pods/eviction`). Throws ApiError 429 where a budget
 * allows no more disruptions, and what deleting throws.
 * @param services the services, which are made later than the types
 */
export function podEviction(services: () => Services): SubresourceOperation {
  return async ({ parent, body, exchange, dryRun }) => {
    const { namespace = '', name = '', uid } = parent.metadata;
    const dependencies = services();
    const type = dependencies.registry.type('', 'pods');
    const version = type?.versions.get(type.storageVersion);
    if (!type || !version) throw new Error('pods are not served');
    await checkBudgets(dependencies, parent);
    const asked = objectOf(body.deleteOptions);
    const preconditions = objectOf(asked.preconditions);
    const seconds = asked.gracePeriodSeconds;
    await deleteObject({
      services: dependencies,
      exchange,
      endpoint: { type, version, subresource: undefined },
      namespace,
      name,
      admissionName: name,
      options: internalDeleteOptions(dependencies.dialect, {
        dryRun: dryRun || listOf(asked.dryRun).length > 0,
        preconditions: { ...(uid ? { uid } : {}), ...preconditions },
        ...(typeof seconds === 'number' ? { gracePeriodSeconds: seconds } : {}),
        ...(asked.propagationPolicy ? { propagationPolicy: asked.propagationPolicy as Propagation } : {}),
      }),
    });
    return { answer: DONE, code: 201 };
  };
}

async function checkBudgets({ store }: Services, pod: ApiObject): Promise<void> {
  const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };
  const { entries } = await store.range({ prefix: collectionPrefix(budgets, pod.metadata.namespace) });
  for (const { object } of entries) {
    const { selector } = objectOf(asJson(object).spec);
    // A budget without a selector is about no pod; one with an empty selector is about all of them.
    if (!isObject(selector) || !selects(selector, pod)) continue;
    const status = objectOf(object.status);
    if (Number(status.disruptionsAllowed ?? 0) > 0) continue;
    const name = object.metadata.name ?? '';
    throw new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`,
        },
      ],
    });
  }
}

/** Whether a label selector of a budget matches a pod; an empty one matches all. */
function selects(selector: JsonObject, { metadata }: ApiObject): boolean {
  const labels = metadata.labels ?? {};
  const value = (key: Json | undefined) =>
    typeof key === 'string' && Object.hasOwn(labels, key) ? labels[key] : undefined;
  for (const [key, wanted] of Object.entries(objectOf(selector.matchLabels))) if (value(key) !== wanted) return false;
  for (const one of listOf(selector.matchExpressions)) {
    const { key, operator, values } = objectOf(one);
    const present = value(key);
    const among = present !== undefined && listOf(values).includes(present);
    const fits =
      operator === 'Exists'
        ? present !== undefined
        : operator === 'DoesNotExist'
          ? present === undefined
          : operator === 'In'
            ? among
            : !among;
    if (!fits) return false;
  }
  return true;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { equalityKey, equalJson, isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { atOnce } from '../api/staged.ts';
import type { PolicyRule } from '../contracts/authorizer.ts';
import { rulesOf } from '../contracts/rbacRules.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { ownedBy } from '../objects/ownFields.ts';
import { type Random, uuid } from '../random.ts';
import { type Clock, formatTime } from '../time.ts';
import { uncoveredRules } from './covering.ts';
import { autoupdateAnnotation, type DefaultObjects, defaultObjects } from './defaults/defaults.ts';

/** What reconciling works with. */
export interface ReconcileDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
}

/**
 * Makes the default roles and bindings stand as they should, at every start (2/rbac-behavior/4): what is missing is
 * created; permissions missing from a role and subjects missing from a binding are added, what is there beyond them
 * stays; a binding to another role is made anew. An object whose annotation autoupdate is `false` is left alone.
 */
export async function reconcileDefaults(dependencies: ReconcileDependencies): Promise<void> {
  const defaults = defaultObjects(dependencies.dialect);
  for (const resource of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const) {
    for (const wanted of defaults[resource]) await reconcile(dependencies, resource, wanted);
  }
}

async function reconcile(
  dependencies: ReconcileDependencies,
  resource: keyof DefaultObjects,
  wanted: ApiObject,
): Promise<void> {
  const { store, dialect } = dependencies;
  const group = groupName(dialect, 'rbac.authorization');
  const key = objectKey({ group, resource }, wanted.metadata.namespace ?? '', wanted.metadata.name as string);
  for (;;) {
    const present = await store.get(key);
    const next = present ? merged(dependencies, present.object, wanted) : created(dependencies, wanted);
    if (!next) return;
    const result = await store.commit({ key, expected: present?.modRevision ?? 0, object: next });
    // Somebody else may write at the same time; then look again.
    if (result.committed) return;
  }
}

function managerOf(dialect: Dialect): string {
  return `${dialect.componentPrefix}apiserver`;
}

function created({ clock, random, dialect }: ReconcileDependencies, wanted: ApiObject): ApiObject {
  const now = clock.now();
  return {
    ...wanted,
    metadata: {
      ...wanted.metadata,
      uid: uuid(random),
      creationTimestamp: formatTime(now),
      managedFields: [ownedBy(managerOf(dialect), wanted, now)],
    },
  };
}

/** The present object with what it lacks; undefined when it lacks nothing or wants to be left alone. */
function merged(dependencies: ReconcileDependencies, present: ApiObject, wanted: ApiObject): ApiObject | undefined {
  const annotation = autoupdateAnnotation(dependencies.dialect);
  if (present.metadata.annotations?.[annotation] === 'false') return undefined;
  if (wanted.roleRef !== undefined && !equalJson(present.roleRef as JsonObject, wanted.roleRef as JsonObject)) {
    return created(dependencies, wanted);
  }
  const { resourceVersion: _, ...metadata } = present.metadata;
  const next: ApiObject = {
    ...present,
    metadata: {
      ...metadata,
      labels: { ...wanted.metadata.labels, ...metadata.labels },
      annotations: { ...wanted.metadata.annotations, ...metadata.annotations },
    },
  };
  if (wanted.roleRef !== undefined) {
    const subjects = union(list(present.subjects), list(wanted.subjects));
    if (subjects.length > 0) next.subjects = subjects;
  } else if (wanted.aggregationRule !== undefined) {
    next.aggregationRule = { clusterRoleSelectors: union(selectors(present), selectors(wanted)) };
  } else {
    const missing = atOnce(uncoveredRules(rulesOf(present), rulesOf(wanted)));
    if (missing.length > 0) next.rules = [...list(present.rules), ...missing.map(ruleJson)];
  }
  if (equalJson({ ...asJson(present), metadata: metadata as unknown as JsonObject }, asJson(next))) return undefined;
  const manager = managerOf(dependencies.dialect);
  const others = (metadata.managedFields ?? []).filter(
    (entry) => !(entry.manager === manager && entry.operation === 'Update'),
  );
  next.metadata.managedFields = [
    ...others,
    ownedBy(manager, { ...next, rules: ownRules(next) }, dependencies.clock.now()),
  ];
  return next;
}

/** Rules of an aggregate belong to the controller that gathers them. */
function ownRules(role: ApiObject): ApiObject['rules'] {
  return role.aggregationRule === undefined ? role.rules : null;
}
function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
function selectors(role: ApiObject): JsonObject[] {
  return isObject(role.aggregationRule) ? list(role.aggregationRule.clusterRoleSelectors) : [];
}
function union(present: JsonObject[], wanted: JsonObject[]): JsonObject[] {
  const keys = new Set(present.map(equalityKey));
  return [...present, ...wanted.filter((one) => !keys.has(equalityKey(one)))];
}
/** A rule as the API writes it: without empty lists. */
export function ruleJson(rule: PolicyRule): JsonObject {
  return Object.fromEntries(
    Object.entries(rule)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, [...values]]),
  );
}

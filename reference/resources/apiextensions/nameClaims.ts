import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { equalJson, type Json, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { formatTime } from '../../time.ts';
import { type Names, readNames } from './definition.ts';

/** Plural of the definitions of custom types. */
export const DEFINITIONS = 'customresourcedefinitions';

/** A condition without the time of its last change. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The names under which a definition's type is served. */
export function acceptedNames(object: ApiObject): Names {
  return readNames(objectOf(objectOf(object.status).acceptedNames));
}

/**
 * The status of a definition beside the others of its group: which of its names are free, and whether the type can be
 * served. Undefined when it is that already.
 * @param others the other definitions
 */
export function conditionsOf(
  object: ApiObject,
  others: readonly ApiObject[],
  dialect: Dialect,
  now: number,
): JsonObject | undefined {
  const group = textOf(objectOf(object.spec).group);
  const taken = takenNames(others.filter((other) => textOf(objectOf(other.spec).group) === group));
  const { names, conflict } = acceptNames(object, taken);
  const accepted: StatusCondition = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  let status: JsonObject = { ...objectOf(object.status), acceptedNames: names };
  status = withCondition(status, accepted, now) ?? status;
  // A type that was served once goes on being served.
  const established = conditionStatus(status, 'Established') === 'True' || !conflict;
  status = withCondition(status, established ? ESTABLISHED : NOT_ESTABLISHED, now) ?? status;
  const approval = approvalOf(object, group, dialect);
  if (approval) status = withCondition(status, approval, now) ?? status;
  return equalJson(status, objectOf(object.status)) ? undefined : status;
}

const ESTABLISHED: StatusCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ESTABLISHED: StatusCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

/** The status with a condition set; undefined when it stands there already. The time moves with the status alone. */
export function withCondition(
  status: ApiObject['status'],
  condition: StatusCondition,
  now: number,
): JsonObject | undefined {
  const object = objectOf(status);
  const conditions = objectsOf(object.conditions);
  const old = conditions.find((one) => one.type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime as Json) : formatTime(now);
  const { type, status: value, reason, message } = condition;
  const next: JsonObject = { type, status: value, lastTransitionTime, reason, message };
  if (old && equalJson(old, next)) return undefined;
  const list = old ? conditions.map((one) => (one === old ? next : one)) : [...conditions, next];
  return { ...object, conditions: list as Json[] };
}

function conditionStatus(status: JsonObject, type: string): string | undefined {
  const found = objectsOf(status.conditions).find((one) => one.type === type);
  return found && textOf(found.status);
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The names that other definitions of the group were given. */
function takenNames(others: readonly ApiObject[]): Taken {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    const { plural, singular, shortNames, kind, listKind } = acceptedNames(other);
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/** Each name is accepted by itself; the last conflict is the one that is told. */
function acceptNames(
  object: ApiObject,
  { resources, kinds }: Taken,
): { names: JsonObject; conflict?: StatusCondition } {
  const wanted = readNames(objectOf(objectOf(object.spec).names));
  const before = acceptedNames(object);
  let conflict: StatusCondition | undefined;
  const accept = (name: string, old: string, taken: ReadonlySet<string>, reason: string): string => {
    if (name === old || !taken.has(name)) return name;
    conflict = { type: 'NamesAccepted', status: 'False', reason, message: `${JSON.stringify(name)} is already in use` };
    return old;
  };
  const plural = accept(wanted.plural, before.plural, resources, 'PluralConflict');
  const singular = accept(wanted.singular, before.singular, resources, 'SingularConflict');
  const kept = new Set(before.shortNames);
  const clashes = wanted.shortNames.filter((name) => !kept.has(name) && resources.has(name));
  if (clashes.length > 0) {
    const texts = clashes.map((name) => `${JSON.stringify(name)} is already in use`);
    const message = texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
    conflict = { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict', message };
  }
  const shortNames = clashes.length > 0 ? before.shortNames : wanted.shortNames;
  const kind = accept(wanted.kind, before.kind, kinds, 'KindConflict');
  const listKind = accept(wanted.listKind, before.listKind, kinds, 'ListKindConflict');
  const names: JsonObject = {
    plural,
    ...(singular ? { singular } : {}),
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    kind,
    ...(listKind ? { listKind } : {}),
    ...(wanted.categories.length > 0 ? { categories: [...wanted.categories] } : {}),
  };
  return conflict ? { names, conflict } : { names };
}

/** Definitions in the service's own domains say whether somebody approved of them. */
function approvalOf(object: ApiObject, group: string, dialect: Dialect): StatusCondition | undefined {
  const own = [dialect.apiDomain, dialect.labelDomain].some(
    (domain) => group === domain || group.endsWith(`.${domain}`),
  );
  const approval = object.metadata.annotations?.[`api-approved.${dialect.labelDomain}`];
  if (!own || !approval) return undefined;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  return approval.startsWith('unapproved')
    ? { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(approval)}` }
    : { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${approval}` };
}

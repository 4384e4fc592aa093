import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import { notNegative } from '../validation/fields.ts';

const STATUS = FieldPath.of('status');

/** What the status of a workload counts, in the order in which the service looks at it. */
export interface StatusCounts {
  /** Numbers that are not below zero. */
  readonly counts: readonly string[];
  /** Pairs of which the first counts a part of the second, and how the service calls the second. */
  readonly within?: readonly (readonly [part: string, whole: string, called: string])[];
  /** Numbers that only rise. */
  readonly rising?: readonly string[];
}

/** Faults of a status that is written over the one of `old`. */
export function validateCounts(object: ApiObject, old: ApiObject, rules: StatusCounts): FieldError[] {
  const status = objectOf(object.status);
  const before = objectOf(old.status);
  return [
    ...rules.counts.flatMap((name) => notNegative(status[name], STATUS.child(name))),
    ...(rules.within ?? []).flatMap(([part, whole, called]) => withinWhole(status, part, whole, called)),
    ...(rules.rising ?? []).flatMap((name) => notFalling(status, before, name)),
  ];
}

function withinWhole(status: JsonObject, part: string, whole: string, called: string): FieldError[] {
  const count = numberOf(status[part]) ?? 0;
  if (count <= (numberOf(status[whole]) ?? 0)) return [];
  return [invalid(STATUS.child(part), count, `cannot be greater than ${called}`)];
}

function notFalling(status: JsonObject, before: JsonObject, name: string): FieldError[] {
  const count = numberOf(status[name]);
  const old = numberOf(before[name]);
  if (old === undefined || (count !== undefined && count >= old)) return [];
  return [invalid(STATUS.child(name), count ?? 0, 'cannot be decremented')];
}

const PARTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
const ofAll = (part: string) => [part, 'replicas', 'status.replicas'] as const;

export const deploymentCounts: StatusCounts = {
  counts: ['observedGeneration', 'replicas', ...PARTS, 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
  within: [...PARTS.map(ofAll), ['availableReplicas', 'readyReplicas', 'readyReplicas']],
  rising: ['collisionCount'],
};

export const replicaSetCounts: StatusCounts = {
  counts: [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
    'terminatingReplicas',
  ],
  within: [
    ...['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'].map(ofAll),
    ['availableReplicas', 'readyReplicas', 'readyReplicas'],
  ],
};

export const statefulSetCounts: StatusCounts = {
  counts: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  within: [
    ...['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'].map(ofAll),
    ['availableReplicas', 'readyReplicas', 'status.readyReplicas'],
  ],
  rising: ['collisionCount'],
};

export const daemonSetCounts: StatusCounts = {
  counts: [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ],
  rising: ['collisionCount'],
};

export const scalerCounts: StatusCounts = { counts: ['currentReplicas', 'desiredReplicas'] };

export const budgetCounts: StatusCounts = {
  counts: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
};

/*
 * Numbers of pods: whole, or in percent of those that are wanted.
 */

const PERCENT = /^[0-9]+%$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a share. */
export function countOrShare(value: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof value !== 'string') return notNegative(value, path);
  return PERCENT.test(value) ? [] : [invalid(path, value, PERCENT_TEXT)];
}

/** A share of all at most. */
export function notOverAll(value: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof value !== 'string' || !PERCENT.test(value) || Number(value.slice(0, -1)) <= 100) return [];
  return [invalid(path, value, 'must not be greater than 100%')];
}

/** Whether a number or a share comes to nothing. */
export function isNothing(value: Json | undefined): boolean {
  if (typeof value === 'string') return !(Number.parseInt(textOf(value), 10) > 0);
  return (numberOf(value) ?? 0) === 0;
}

/** What a field selector compares with `status.replicas`. */
export function replicaCount(workload: ApiObject): string {
  return String(numberOf(objectOf(workload.status).replicas) ?? 0);
}

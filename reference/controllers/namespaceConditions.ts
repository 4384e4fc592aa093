import { formatGroupResource } from '../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { ResourceType } from '../contracts/resourceType.ts';

/** What is left of a type in a namespace: the finalizers of each object that is left. */
export interface Remains {
  readonly type: ResourceType;
  readonly finalizers: readonly (readonly string[])[];
}

/** The conditions of a namespace that is being emptied; `now` is the time of those that change. */
export function remainsConditions(before: Json | undefined, remains: readonly Remains[], now: string): JsonObject[] {
  const known = Array.isArray(before) ? before.filter(isObject) : [];
  return wanted(remains).map((condition) => {
    const old = known.find((one) => one.type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
    return { type: condition.type, status: condition.status, lastTransitionTime, ...said(condition) };
  });
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}
const said = ({ reason, message }: Condition): JsonObject => ({ reason, message });

function wanted(remains: readonly Remains[]): Condition[] {
  const discovery: Condition[] = [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    no(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
  ];
  return [...discovery, contentRemaining(remains), finalizersRemaining(remains)];
}

function contentRemaining(remains: readonly Remains[]): Condition {
  const type = 'NamespaceContentRemaining';
  if (remains.length === 0) return no(type, 'ContentRemoved', 'All content successfully removed');
  const parts = remains.map(({ type: of, finalizers }) => `${dotted(of)} has ${finalizers.length} resource instances`);
  return yes(type, 'SomeResourcesRemain', `Some resources are remaining: ${parts.sort().join(', ')}`);
}

function finalizersRemaining(remains: readonly Remains[]): Condition {
  const type = 'NamespaceFinalizersRemaining';
  const counts = new Map<string, number>();
  for (const { finalizers } of remains) {
    for (const name of finalizers.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) {
    return no(type, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished');
  }
  const parts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${parts.sort().join(', ')}`;
  return yes(type, 'SomeFinalizersRemain', message);
}

/** The core group leaves a bare dot behind the plural. */
function dotted(type: ResourceType): string {
  return type.group === '' ? `${type.resource}.` : formatGroupResource(type);
}

function no(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}
function yes(type: string, reason: string, message: string): Condition {
  return { type, status: 'True', reason, message };
}

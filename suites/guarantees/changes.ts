import type { Scope } from '../../history/scope.ts';
import { type ApiObject, isRecord } from '../harness/json.ts';
import { type History, listOf, type Operation, objectOf, type StreamEvent } from './history.ts';

/** Something that happened to an object, between two moments: no earlier than `start`, no later than `end`. */
export interface ObservedChange {
  readonly scope: Scope;
  readonly uid: string;
  /** The version that the change gave the object; `undefined` for a removal. */
  readonly version: string | undefined;
  /** The object after it; `undefined` for a removal. */
  readonly object: ApiObject | undefined;
  readonly created: boolean;
  readonly start: number;
  readonly end: number;
  /** Number of the operation that made it. */
  readonly number: number;
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The changes that the clients of a history made, each once. A write that was answered with a version that somebody
 * had seen before it began changed nothing; whether a refused or unanswered one did, is not known.
 */
export function changesOf({ operations }: History): readonly ObservedChange[] {
  const seen = firstSightings(operations);
  const changes = new Map<string, ObservedChange>();
  for (const operation of operations) {
    const change = changeOf(operation);
    if (!change) continue;
    const key = keyOf(change.uid, change.version);
    if (change.version !== undefined && (seen.get(key) ?? Infinity) < change.start) continue;
    const other = changes.get(key);
    changes.set(
      key,
      other ? { ...other, start: Math.min(other.start, change.start), end: Math.max(other.end, change.end) } : change,
    );
  }
  return [...changes.values()];
}

/** Tells changes apart; a removal by the object alone, for an object is removed only once. */
export function keyOf(uid: string, version: string | undefined): string {
  return `${uid}@${version ?? 'removed'}`;
}

/** Whether a write was only tried. */
export function isDryRun({ query }: Operation): boolean {
  return query.has('dryRun');
}

function changeOf(operation: Operation): ObservedChange | undefined {
  const { method, scope, status, answer, start, end, number } = operation;
  if (!scope || !WRITES.has(method) || isDryRun(operation)) return undefined;
  if (status === undefined || status < 200 || status > 299) return undefined;
  const object = objectOf(operation);
  if (method === 'DELETE') {
    // An object in the answer may be on its way out or gone already; only a Status is plain.
    const details = isRecord(answer) && answer.kind === 'Status' && isRecord(answer.details) ? answer.details : {};
    if (typeof details.uid !== 'string') return undefined;
    return { scope, uid: details.uid, version: undefined, object: undefined, created: false, start, end, number };
  }
  const { uid, resourceVersion: version } = object?.metadata ?? {};
  if (!object || uid === undefined || version === undefined) return undefined;
  return { scope, uid, version, object, created: method === 'POST' || status === 201, start, end, number };
}

/** When each version of each object was first seen for certain: the end of the first answer that shows it. */
function firstSightings(operations: readonly Operation[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const operation of operations) {
    const object = objectOf(operation);
    for (const { metadata } of [...(object ? [object] : []), ...(listOf(operation)?.items ?? [])]) {
      if (!metadata?.uid || !metadata.resourceVersion) continue;
      const key = keyOf(metadata.uid, metadata.resourceVersion);
      first.set(key, Math.min(first.get(key) ?? Infinity, operation.end));
    }
  }
  return first;
}

/** Event types that tell a state of an object; any other but BOOKMARK and ERROR tells its removal. */
export function isState({ type }: StreamEvent): boolean {
  return type === 'ADDED' || type === 'MODIFIED';
}
export function isRemoval(event: StreamEvent): boolean {
  return !isState(event) && event.type !== 'BOOKMARK' && event.type !== 'ERROR';
}
/** The change that an event tells; `undefined` for bookmarks and errors. */
export function changeKey(event: StreamEvent): string | undefined {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return undefined;
  const { uid = '', resourceVersion } = event.object.metadata;
  return `${event.type} ${keyOf(uid, resourceVersion)}`;
}

import { createHash } from 'node:crypto';
import {
  type AnswerSight,
  type EventEntry,
  type EventSight,
  MARK,
  type ObjectSight,
  type OperationEntry,
  type SentSight,
} from './format.ts';

/** What matters of the answer of an operation: as it is given, or out of its whole text. */
export function answerSight({ seen, answer }: Pick<OperationEntry, 'seen' | 'answer'>): AnswerSight | undefined {
  if (seen !== undefined || answer === undefined) return seen;
  const value = parse(answer);
  return value === undefined ? undefined : sightOfAnswer(value);
}
export function sentSight({ sent, body }: Pick<OperationEntry, 'sent' | 'body'>): SentSight | undefined {
  if (sent !== undefined || body === undefined) return sent;
  const value = parse(body);
  return value === undefined ? undefined : sightOfSent(value);
}
export function eventSight({ seen, event }: Pick<EventEntry, 'seen' | 'event'>): EventSight | undefined {
  if (seen !== undefined || event === undefined) return seen;
  const value = parse(event);
  return value === undefined ? undefined : sightOfEvent(value);
}

/** What matters of an answer in JSON; `undefined` where it is neither an object, a list nor a Status. */
export function sightOfAnswer(value: unknown): AnswerSight | undefined {
  if (!isRecord(value)) return undefined;
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  if (Array.isArray(value.items)) {
    const partial = value.kind === 'PartialObjectMetadataList';
    const items: ObjectSight[] = [];
    for (const item of value.items) {
      const sight = sightOfObject(item);
      if (sight) items.push(partial ? { ...sight, digest: undefined } : sight);
    }
    const unstored = value.items.length - items.length;
    return {
      items,
      ...text('version', metadata.resourceVersion),
      ...text('continue', metadata.continue),
      ...(unstored > 0 ? { unstored } : {}),
    };
  }
  if (value.kind === 'Status') {
    const details = isRecord(value.details) ? value.details : {};
    const removed = value.status === 'Failure' ? undefined : details.uid;
    return { ...text('reason', value.reason), ...text('removed', removed), ...text('continue', metadata.continue) };
  }
  if (value.kind === 'Table') return sightOfTable(value, metadata);
  const object = sightOfObject(value);
  return object && { object };
}
/** A table has a row for each object, with its metadata, or, where somebody asked so, the whole of it or nothing. */
function sightOfTable(
  table: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): AnswerSight | undefined {
  const rows = Array.isArray(table.rows) ? table.rows : [];
  const items = rows.flatMap((row) => (isRecord(row) ? (sightOfObject(row.object) ?? []) : []));
  if (items.length < rows.length) return undefined;
  return { items, ...text('version', metadata.resourceVersion), ...text('continue', metadata.continue) };
}

export function sightOfEvent(value: unknown): EventSight | undefined {
  if (!isRecord(value) || typeof value.type !== 'string' || !isRecord(value.object)) return undefined;
  const { type, object } = value;
  if (type === 'ERROR') {
    return {
      type,
      ...(typeof object.code === 'number' ? { code: object.code } : {}),
      ...text('reason', object.reason),
    };
  }
  const metadata = isRecord(object.metadata) ? object.metadata : undefined;
  if (!metadata) return undefined;
  if (type === 'BOOKMARK') {
    const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
    const initialEnd = Object.keys(annotations).some((name) => name.endsWith('/initial-events-end'));
    return { type, ...text('version', metadata.resourceVersion), ...(initialEnd ? { initialEnd } : {}) };
  }
  const [row] = object.kind === 'Table' && Array.isArray(object.rows) ? (object.rows as readonly unknown[]) : [];
  const sight = sightOfObject(isRecord(row) ? row.object : object);
  return { type, ...(sight ? { object: sight } : {}) };
}

/** `undefined` for what has no uid or no version, and so is stored nowhere. */
export function sightOfObject(value: unknown): ObjectSight | undefined {
  if (!isRecord(value) || !isRecord(value.metadata)) return undefined;
  const { name, namespace, uid, resourceVersion, labels, annotations, deletionTimestamp } = value.metadata;
  const { finalizers, deletionGracePeriodSeconds } = value.metadata;
  if (typeof uid !== 'string' || typeof resourceVersion !== 'string') return undefined;
  const isLeaving = typeof deletionTimestamp === 'string';
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
    uid,
    version: resourceVersion,
    ...(isPartial(value) ? {} : { digest: digestOf(value) }),
    ...(isRecord(labels) && Object.keys(labels).length > 0 ? { labels: labels as Record<string, string> } : {}),
    ...(isLeaving ? { leaving: true as const } : {}),
    ...(isLeaving && !holds(finalizers, deletionGracePeriodSeconds) ? { gone: true as const } : {}),
    ...text('mark', isRecord(annotations) ? annotations[MARK] : undefined),
  };
}

/** Whether only metadata was asked for: its digest is another than that of the whole object. */
function isPartial({ kind }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'PartialObjectMetadata';
}

/** Whether an object that is being deleted is still there for a while. */
function holds(finalizers: unknown, grace: unknown): boolean {
  return (Array.isArray(finalizers) && finalizers.length > 0) || (typeof grace === 'number' && grace > 0);
}

export function sightOfSent(value: unknown): SentSight | undefined {
  const metadata = isRecord(value) && isRecord(value.metadata) ? value.metadata : undefined;
  if (!metadata) return undefined;
  const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
  return {
    ...text('name', metadata.name),
    ...text('namespace', metadata.namespace),
    ...text('version', metadata.resourceVersion === '' ? undefined : metadata.resourceVersion),
    ...text('mark', annotations[MARK]),
  };
}

/** The same for objects that say the same, whatever the order of their members. */
export function digestOf(object: Readonly<Record<string, unknown>>): string {
  const { apiVersion: _, kind: __, ...content } = object;
  return createHash('sha1').update(canonical(content)).digest('hex').slice(0, 13);
}
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? '');
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function text<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [Key in Name]?: string };
}
function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isRecord } from '../harness/json.ts';
import { compare, type SeenDifference } from '../sequences/compare.ts';
import type { Seen } from '../sequences/normal.ts';
import type { Played } from '../sequences/play.ts';
import type { Step } from '../sequences/step.ts';
import { isAnnotationOfAdmission } from './determined.ts';

/**
 * Where two servers differ after steps of the area `crossed`, each of which has an outcome that the text determines:
 * whether it is done, by which code where the text names one, in which encoding and with which warnings it is answered,
 * what is stored, listed and selected, and who is recorded to have written it.
 */
export function crossedDifferences(steps: readonly Step[], first: Played, second: Played): SeenDifference[] {
  const [a, b] = [first, second].map(({ seen }) => seen.map(inOneOrder)) as [Seen[], Seen[]];
  return compare(a, b).filter((difference) => counts(steps, difference));
}

/** Of what the text says that it is so: a client wrote it, or the server keeps it for clients. */
const KEPT =
  /^(items\.\d+\.|rows\.\d+\.)?(metadata\.(name|namespace|labels|annotations|finalizers|uid|deletionTimestamp|creationTimestamp|managers)|data|rules|roleRef|subjects|spec|status\.(size|loadBalancer))(\.|$)/;
const LENGTHS = /^(items|rows|events)\.length$/;
const EVENTS = /^events\./;

function counts(steps: readonly Step[], difference: SeenDifference): boolean {
  const { what, path, first, second, wording } = difference;
  const step = steps[difference.step] as Step;
  if (path === 'warnings')
    return what === 'answer' && step.path.includes('fieldValidation=') && lengthOf(first) !== lengthOf(second);
  if (wording || isAnnotationOfAdmission(steps, path, first, second)) return false;
  if (path === 'status') {
    const [a, b] = [Number(first), Number(second)];
    return what !== 'answer' || a < 300 !== b < 300 || [a, b].some((code) => isNamed(step, code));
  }
  // An answer to a DELETE is the object, or a Status.
  if (what === 'answer' && step.method === 'DELETE') return false;
  if (path === 'metadata.remainingItemCount') return first !== undefined && second !== undefined;
  // A chunk may hold any of what is left.
  if (step.path.includes('limit=')) return LENGTHS.test(path);
  if (path === 'header content-type') return step.headers?.accept !== undefined && !isSameMedia(first, second);
  if (path === 'header content-encoding') return step.method === 'GET';
  if (what === 'events') return EVENTS.test(path);
  return KEPT.test(path) || LENGTHS.test(path) || (what === 'answer' && path === 'kind');
}

/** Whether the text names the code by which the step is refused so. */
function isNamed({ method, headers = {}, body }: Step, code: number): boolean {
  if (code === 401 || code === 403) return true;
  if (code === 404) return method === 'GET' || (method === 'DELETE' && body === undefined);
  if (code === 409) return method === 'POST';
  return code === 415 && method === 'PATCH' && headers['content-type'] !== undefined;
}

const lengthOf = (warnings: unknown): number => (Array.isArray(warnings) ? warnings.length : 0);
const mediaOf = (value: unknown): string =>
  String(value ?? '')
    .split(';')[0]
    ?.toLowerCase() ?? '';
const isSameMedia = (first: unknown, second: unknown): boolean => mediaOf(first) === mediaOf(second);

/** Items in the order of their names, rows by the names alone; without what a server may add. */
function inOneOrder(seen: Seen): Seen {
  const { body } = seen;
  if (seen.what === 'events') return { ...seen, body: { events: eventsIn(body) } };
  if (!isRecord(body)) return seen;
  const { items, rows } = body;
  if (Array.isArray(items)) return { ...seen, body: { ...body, items: sorted(items).map(itemOf) } };
  if (Array.isArray(rows)) {
    const named = sorted(rows.map((row) => (isRecord(row) && isRecord(row.object) ? row.object : row)));
    return { ...seen, body: { ...body, rows: named.map((row) => ({ metadata: { name: nameOf(row) } })) } };
  }
  return { ...seen, body: itemOf(body) };
}

interface ToldEvent {
  readonly name: string;
  readonly type: unknown;
  /** In which form it was told: as itself, in a Table, or by its metadata. */
  readonly kind?: unknown;
  readonly labels?: unknown;
}

/** What a watch told of each object, in the order of the objects' names, and that the first state was whole. */
function eventsIn(body: unknown): readonly ToldEvent[] {
  const told = (Array.isArray(body) ? body : isRecord(body) ? [body] : []).flatMap((event: unknown): ToldEvent[] => {
    if (!isRecord(event) || !isRecord(event.object)) return [];
    const { rows } = event.object;
    const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
    const object = isRecord(row) ? row.object : event.object;
    const { name = '', namespace = '', labels, annotations } = metadataOf(object);
    if (event.type !== 'BOOKMARK') {
      return [{ name: `${namespace}/${name}`, type: event.type, kind: event.object.kind, labels }];
    }
    const marks = Object.keys(isRecord(annotations) ? annotations : {});
    return marks.some((mark) => mark.endsWith('initial-events-end')) ? [{ name: '', type: 'BOOKMARK' }] : [];
  });
  return told.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

/** Those that carry the label of the sequence. */
function sorted(items: readonly unknown[]): unknown[] {
  return items.filter(isOwn).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
const metadataOf = (item: unknown): Record<string, unknown> =>
  isRecord(item) && isRecord(item.metadata) ? item.metadata : {};
const nameOf = (item: unknown): unknown => metadataOf(item).name;
const placeOf = (item: unknown): string => `${metadataOf(item).namespace}/${nameOf(item)}`;
function isOwn(item: unknown): boolean {
  const { labels } = metadataOf(item);
  return isRecord(labels) && labels.seq === '{id}';
}

/** With who is recorded to have written what a client may write, in one order. */
function itemOf(item: unknown): unknown {
  if (!isRecord(item) || !isRecord(item.metadata)) return item;
  const { managedFields, ...metadata } = item.metadata;
  const managers = (Array.isArray(managedFields) ? managedFields : [])
    .flatMap((entry) => {
      if (!isRecord(entry)) return [];
      const owned = ownedIn(entry.fieldsV1, '');
      const { manager, operation, subresource = '' } = entry;
      return owned.length === 0 ? [] : [`${manager} ${operation} ${subresource}: ${owned.join(' ')}`];
    })
    .sort();
  return { ...item, metadata: { ...metadata, managers } };
}

/** Parts of an object of which each that is stored was written by somebody, and that no server fills in. */
const WRITTEN =
  /^f:(metadata f:(labels|annotations)|data|spec f:(note|map|holderIdentity)) f:[\w.~/-]+$|^f:spec f:(note|holderIdentity)$/;

function ownedIn(fields: unknown, path: string): string[] {
  if (!isRecord(fields)) return [];
  return Object.entries(fields)
    .flatMap(([name, inner]) => {
      const at = path === '' ? name : `${path} ${name}`;
      return WRITTEN.test(at) ? [at.replaceAll(' ', '.')] : ownedIn(inner, at);
    })
    .sort();
}

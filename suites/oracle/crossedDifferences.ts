import { isRecord } from '../harness/json.ts';
import { compare, type SeenDifference } from '../sequences/compare.ts';
import type { Seen } from '../sequences/normal.ts';
import type { Played } from '../sequences/play.ts';
import { isGone } from '../sequences/sightings.ts';
import type { Step } from '../sequences/step.ts';
import { isAnnotationOfAdmission } from './determined.ts';

/**
 * Where two servers differ after steps of the area `crossed`, each of which has an outcome that the text determines:
 * whether it is done, by which code where the text names one, in which encoding and with which warnings it is answered,
 * what is stored, listed and selected, and who is recorded to have written it.
 */
export function crossedDifferences(steps: readonly Step[], first: Played, second: Played): SeenDifference[] {
  const ordered = ({ seen }: Played) => seen.map((each) => inOneOrder(collected(each), steps[each.step] as Step));
  const [a, b] = [ordered(first), ordered(second)];
  return compare(a, b).filter((difference) => counts(steps, difference));
}

/** Of what the text says that it is so: a client wrote it, or the server keeps it for clients. */
const KEPT =
  /^((items|rows|gathered)\.\d+\.|events\.\d+\.object\.)?(apiVersion|kind|metadata\.(name|namespace|labels|annotations|finalizers|uid|resourceVersion|deletionTimestamp|creationTimestamp|managers)|data|rules|roleRef|subjects|webhooks|spec|automountServiceAccountToken|status\.(size|loadBalancer))(\.|$)/;
const LENGTHS = /^(items|rows|gathered|events)(\.length)?$/;
const EVENTS = /^events\.\d+\.(name|type|kind)$/;
/** Names of the fields that an answer says offend. */
const NAMED = /^named/;

function counts(steps: readonly Step[], difference: SeenDifference): boolean {
  const { what, path, first, second, wording } = difference;
  const step = steps[difference.step] as Step;
  if (path === 'warnings') return what === 'answer' && saysStrange(step) && lengthOf(first) !== lengthOf(second);
  if (NAMED.test(path)) return true;
  if (wording || isAnnotationOfAdmission(steps, path, first, second)) return false;
  if (path === 'status') {
    const [a, b] = [Number(first), Number(second)];
    // Of what is not there, and of a verb that it has not, the text gives either code.
    if (what === 'answer' && [a, b].every((code) => code === 404 || code === 405)) return false;
    if (what !== 'answer' || a < 300 !== b < 300) return true;
    // That it is refused by 400 for its fields is determined; that something else about it is not, is open.
    return isNamed(step, a) || (b !== 400 && isNamed(step, b));
  }
  // An answer to a DELETE is the object, or a Status.
  if (what === 'answer' && step.method === 'DELETE') return false;
  if (path === 'metadata.remainingItemCount') return first !== undefined && second !== undefined;
  // A chunk may hold any of what is left; together they hold all.
  if (step.path.includes('limit=')) return LENGTHS.test(path) || path.startsWith('gathered.');
  // Versions of what was only tried are open.
  if (path === 'metadata.resourceVersion' && what === 'answer' && isTrial(step)) return false;
  // A server goes on to write into a definition itself, and when is its own.
  if (path.endsWith('metadata.resourceVersion') && step.path.includes('/customresourcedefinitions')) return false;
  if (path === 'header content-type') return !isSameMedia(first, second);
  if (path === 'header content-encoding') return step.method === 'GET';
  return KEPT.test(path) || LENGTHS.test(path) || EVENTS.test(path) || path.startsWith('columns');
}

/** Whether a body has fields that no schema knows. */
const saysStrange = ({ body, path }: Step): boolean =>
  path.includes('fieldValidation=') || JSON.stringify(body ?? '').includes('stranger');
const isTrial = ({ path, body }: Step): boolean =>
  path.includes('dryRun') || JSON.stringify(body ?? '').includes('"dryRun"');

/** Whether the text names the code by which the step is refused so. */
function isNamed({ method, path, headers = {}, body, text }: Step, code: number): boolean {
  if (code === 401 || code === 403) return true;
  if (code === 404) return method === 'GET' || (method === 'DELETE' && body === undefined);
  if (code === 406) return headers.accept !== undefined;
  // A version that has passed; by which code a name in use is refused is open.
  if (code === 409) return method === 'PUT';
  if (code !== 400 || !path.includes('fieldValidation=Strict')) return false;
  return (method === 'POST' || method === 'PUT') && (text ?? JSON.stringify(body ?? '')).includes('stranger');
}

const lengthOf = (warnings: unknown): number => (Array.isArray(warnings) ? warnings.length : 0);
const mediaOf = (value: unknown): string =>
  String(value ?? '')
    .split(';')[0]
    ?.toLowerCase() ?? '';
/** Names of unknown fields that an answer says offend: of a refusal in its message, else in its warnings. */
function namedIn({ status, warnings, body }: Seen): readonly string[] {
  const text = status < 300 ? warnings.join(' ') : JSON.stringify(body);
  return [...new Set([...text.matchAll(/\bstranger\w*/g)].map(([name]) => name))].sort();
}
const isSameMedia = (first: unknown, second: unknown): boolean => mediaOf(first) === mediaOf(second);

/** What a garbage collector takes away by itself: when it comes to it, and whether one runs, is open. */
const BY_COLLECTOR: readonly unknown[] = ['orphan', 'foregroundDeletion'];

/** What is stored, as it is when a collector has done what it still has to do. */
function collected(seen: Seen): Seen {
  const { what, status, body } = seen;
  if (!isRecord(body) || status >= 300) return what === 'object' && status === 404 ? { ...seen, body: {} } : seen;
  if (what === 'object') {
    const left = released(body);
    return left === undefined ? { ...seen, status: 404, body: {} } : { ...seen, body: left };
  }
  if (!Array.isArray(body.items)) return seen;
  return { ...seen, body: { ...body, items: body.items.map(released).filter((each) => each !== undefined) } };
}

/** An object that a collector has let go; undefined where nothing else holds it. */
function released(object: unknown): unknown {
  const { finalizers, ...metadata } = metadataOf(object);
  if (metadata.deletionTimestamp === undefined || !Array.isArray(finalizers)) return object;
  const left = finalizers.filter((each) => !BY_COLLECTOR.includes(each));
  if (left.length === finalizers.length) return object;
  return left.length === 0 ? undefined : { ...(object as object), metadata: { ...metadata, finalizers: left } };
}

/** Items in the order of their names, rows by the names alone; without what a server may add. */
function inOneOrder(whole: Seen, step: Step): Seen {
  const { body } = whole;
  // In which form a refusal comes is open.
  const seen = whole.status < 300 ? whole : { ...whole, headers: {} };
  if (seen.what === 'events') return { ...seen, body: { events: eventsIn(body) } };
  if (!isRecord(body)) return seen;
  const { items, rows, gathered } = body;
  if (Array.isArray(gathered)) {
    // A Table has the metadata of its objects.
    const objects = gathered.map((each) => (isRecord(each) && isRecord(each.object) ? each.object : each));
    return { ...seen, body: { ...body, gathered: sorted(objects).map(listedOf) } };
  }
  if (Array.isArray(items)) return { ...seen, body: { ...body, items: sorted(items).map(listedOf) } };
  if ('items' in body) return seen;
  const isOffending = seen.what === 'answer' && saysStrange(step);
  if (Array.isArray(rows)) {
    const named = sorted(rows.map((row) => (isRecord(row) && isRecord(row.object) ? row.object : row)));
    const columns = /roles(\?|$)/.test(step.path) ? { columns: columnsIn(body.columnDefinitions) } : {};
    return { ...seen, body: { ...body, ...columns, rows: named.map((row) => ({ metadata: { name: nameOf(row) } })) } };
  }
  const named = isOffending ? { named: namedIn(seen) } : {};
  return { ...seen, body: { ...(itemOf(body) as Record<string, unknown>), ...named } };
}

interface ToldEvent {
  readonly name: string;
  readonly type: unknown;
  /** In which form it was told: as itself, in a Table, or by its metadata. */
  readonly kind?: unknown;
  /** As which it was told, where it is there. */
  readonly object?: unknown;
}
/** An event, and whether a collector goes on with what it is of. */
interface PassingEvent extends ToldEvent {
  readonly goesOn?: true;
}
const LIVE: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED']);

/** What a watch told of each object, in the order of the objects' names, and that the first state was whole. */
function eventsIn(body: unknown): readonly ToldEvent[] {
  const told = (Array.isArray(body) ? body : isRecord(body) ? [body] : []).flatMap((event: unknown): PassingEvent[] => {
    if (!isRecord(event) || !isRecord(event.object)) return [];
    const { rows } = event.object;
    const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
    const object = isRecord(row) ? row.object : event.object;
    const { name = '', namespace = '', annotations } = metadataOf(object);
    if (event.type !== 'BOOKMARK') {
      const left = released(object);
      const isLive = LIVE.has(event.type) && left !== undefined;
      const goesOn = left === object ? {} : { goesOn: true as const };
      // What the event of a deletion is called is open.
      const told = {
        name: `${namespace}/${name}`,
        type: isLive ? event.type : 'gone',
        kind: event.object.kind,
        ...goesOn,
      };
      return [isLive ? { ...told, object: itemOf(left) } : told];
    }
    const marks = Object.keys(isRecord(annotations) ? annotations : {});
    return marks.some((mark) => mark.endsWith('initial-events-end')) ? [{ name: '', type: 'BOOKMARK' }] : [];
  });
  const ordered = told.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
  // What a collector did is told, or is still to come.
  return ordered
    .filter(({ goesOn, name }, at) => goesOn === undefined || ordered[at + 1]?.name !== name)
    .map(({ goesOn: _, ...each }) => each);
}

/** Names and types of the columns of a Table, which the text gives for types without columns of their own. */
const columnsIn = (columns: unknown): unknown =>
  (Array.isArray(columns) ? columns : []).map((column) =>
    isRecord(column) ? `${column.name}: ${column.type}` : column,
  );

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

/** Whether items tell their kind is open. */
function listedOf(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { apiVersion: _, kind: __, ...rest } = item;
  return itemOf(rest);
}

/** With who is recorded to have written what a client may write, in one order. */
function itemOf(item: unknown): unknown {
  if (!isRecord(item) || !isRecord(item.metadata) || item.metadata.name === undefined) return item;
  const { managedFields, resourceVersion, ...metadata } = item.metadata;
  const managers = (Array.isArray(managedFields) ? managedFields : [])
    .flatMap((entry) => {
      if (!isRecord(entry)) return [];
      const owned = ownedIn(entry.fieldsV1, '');
      const { manager, operation, subresource = '', apiVersion, fieldsType, time } = entry;
      const written = `${manager} ${operation} ${subresource} of ${apiVersion} in ${fieldsType} at ${time}`;
      return owned.length === 0 ? [] : [`${written}: ${owned.join(' ')}`];
    })
    .sort();
  // Which version is the newest says nothing where versions are opaque.
  const told = typeof resourceVersion === 'string' ? resourceVersion.replace(/, .*$/, '') : resourceVersion;
  const version = isGone(metadata) ? undefined : told;
  const { spec, ...rest } = item;
  // What a namespace waits for is the server's business.
  const kept = isRecord(spec) && Array.isArray(spec.finalizers) ? rest : item;
  return { ...kept, metadata: { ...metadata, resourceVersion: version, managers } };
}

/** Parts of an object of which each that is stored was written by somebody, and that no server fills in. */
const WRITTEN =
  /^f:(metadata f:(labels|annotations)|data|spec f:(note|map|holderIdentity)) f:[\w.~/-]+$|^f:spec f:(note|holderIdentity)$/;

/** What such parts may be in. */
const AROUND = /^f:(metadata( f:(labels|annotations))?|data|spec( f:map)?)$/;

function ownedIn(fields: unknown, path: string): string[] {
  if (!isRecord(fields)) return [];
  return Object.entries(fields)
    .flatMap(([name, inner]) => {
      const at = path === '' ? name : `${path} ${name}`;
      if (WRITTEN.test(at)) return [at.replaceAll(' ', '.')];
      return AROUND.test(at) ? ownedIn(inner, at) : [];
    })
    .sort();
}

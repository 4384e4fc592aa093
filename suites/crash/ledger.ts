import { isRecord } from '../harness/index.ts';
import type { History, Operation, StreamEvent } from './history.ts';
import { isOurs } from './writer.ts';

/** A state of one object, as somebody saw it. */
export interface Sight {
  readonly name: string;
  readonly uid: string;
  readonly version: number;
  /** Of the write that it came from; what it begins with and ends with differ where it is only half there. */
  readonly mark: string;
  readonly lastMark: string;
}
export interface LoggedEvent extends Sight {
  readonly type: string;
}

/** An object of the run in JSON; undefined for anything else. */
export function sightOf(object: unknown): Sight | undefined {
  const { metadata, data } = (isRecord(object) ? object : {}) as {
    metadata?: { name?: string; uid?: string; resourceVersion?: string };
    data?: { first?: string; last?: string };
  };
  if (!isOurs(metadata?.name ?? '')) return undefined;
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    version: Number(metadata?.resourceVersion),
    mark: data?.first ?? '',
    lastMark: data?.last ?? '',
  };
}

/** All that the watches of a client told, one watch after the other. */
export function toldTo(client: string, { streams }: History): LoggedEvent[] {
  const own = streams.filter(({ opening }) => opening.client === client);
  return own.flatMap(({ events }) => events.flatMap((event) => loggedEvent(event) ?? []));
}
function loggedEvent({ type, object }: StreamEvent): LoggedEvent | undefined {
  if (type === 'ERROR') return { type, name: '', uid: '', version: 0, mark: '', lastMark: '' };
  const sight = sightOf(object);
  return sight && { type: NAMED.includes(type) ? type : 'DELETED', ...sight };
}
/** What the text names; how the event of a removal is called is open. */
const NAMED: readonly string[] = ['ADDED', 'MODIFIED', 'BOOKMARK'];

/** Sorts operations by what came of them. */
export type OperationOutcome = 'done' | 'refused' | 'unknown';
export function fateOf({ status }: Operation): OperationOutcome {
  if (status === undefined || status >= 500) return 'unknown';
  return status < 300 ? 'done' : 'refused';
}

/** The mark that a write sent; undefined for other requests. */
export function markSent({ body }: Operation): string | undefined {
  const data = isRecord(body) && isRecord(body.data) ? body.data : {};
  return typeof data.first === 'string' ? data.first : undefined;
}

/** The objects that an answer showed: of a list, its items. */
export function sightsIn({ answer }: Operation): readonly Sight[] {
  if (!isRecord(answer)) return [];
  if (Array.isArray(answer.items)) return answer.items.flatMap((item) => sightOf(item) ?? []);
  const sight = answer.kind === 'ConfigMap' ? sightOf(answer) : undefined;
  return sight ? [sight] : [];
}

import type { Exchange, Query } from '../../harness/index.ts';
import { type Actor, configMaps, named } from '../../harness/index.ts';

/** Data of the config map that the checks of this folder write: a granular map, so that each entry has owners. */
export type Data = Readonly<Record<string, string>>;

/** The config map with this data, as it is created, put or applied. */
export const doc = (data: Data = {}) => named('doc', { data });

/** Applies it. */
export const apply = (actor: Actor, data: Data, query: Query = {}): Promise<Exchange> =>
  actor.apply(configMaps, doc(data), query);

/** Prepares: the actor has applied it. */
export const applied = (actor: Actor, data: Data, query: Query = {}): Promise<Exchange> =>
  actor.prepare((each) => apply(each, data, query));

/** Sends a merge patch of its data. */
export const patch = (actor: Actor, data: Readonly<Record<string, string | null>>, query: Query = {}) =>
  actor.patch(configMaps, 'doc', 'merge', { data }, query);

/** Reads it. */
export const read = (actor: Actor): Promise<Exchange> => actor.get(configMaps, 'doc');

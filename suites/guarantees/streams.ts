import { type ObjectSelection, selectionOf } from '../../history/scope.ts';
import { changeKey } from './changes.ts';
import type { Stream, StreamEvent } from './history.ts';

/** How a watch begins (1/reading-resource-version-semantics/t3): after a version, or with a state of its own choice. */
export type WatchStart = { readonly after: string } | { readonly after: undefined };

export function beginningOf({ opening }: Stream): WatchStart {
  const version = opening.query.get('resourceVersion') ?? '';
  const initial = opening.query.get('sendInitialEvents') === 'true';
  return { after: version === '' || version === '0' || initial ? undefined : version };
}
export function selectionOfStream({ opening }: Stream): ObjectSelection {
  return selectionOf(opening.scope, opening.query);
}

/**
 * The events that tell changes as they happened, without those that tell the state at the beginning, for which no
 * order is promised. A state has no visible end unless a bookmark closes it, so that all leading ADDED are left out.
 */
export function changesTold(stream: Stream): readonly StreamEvent[] {
  return stream.events.slice(endOfState(stream));
}
/** Index of the first event that surely tells no initial state. */
export function endOfState(stream: Stream): number {
  if (beginningOf(stream).after !== undefined) return 0;
  const first = stream.events.findIndex(({ type }) => type !== 'ADDED');
  return first < 0 ? stream.events.length : first;
}
/** The keys of the changes in a run of events, in order. */
export function keysIn(events: readonly StreamEvent[]): readonly string[] {
  return events.flatMap((event) => changeKey(event) ?? []);
}

import { selectionOf } from '../../history/scope.ts';
import { isRemoval, isState } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import { listOf, type Operation, type Stream } from './history.ts';
import { beginningOf, endOfState, selectionOfStream } from './streams.ts';

export const listThenWatch: Guarantee = {
  name: 'list-then-watch',
  sentence:
    'A state and the watch that goes on from it give every later state: nothing is missing, nothing is repeated.',
  examine: (history) => {
    const findings = new Findings();
    const lists = history.operations.flatMap(wholeList);
    for (const stream of history.streams) follow(stream, lists, findings);
    return findings.done();
  },
};

/** Versions of objects by uid. */
type State = ReadonlyMap<string, string>;
interface WholeList {
  readonly key: string;
  readonly version: string;
  readonly state: State;
  readonly number: number;
}

/** A list that is no chunk of a longer one. */
function wholeList(operation: Operation): WholeList[] {
  const list = listOf(operation);
  const { scope, query, number } = operation;
  if (!list || !scope || list.metadata.continue || query.has('continue')) return [];
  const state = new Map(list.items.map(({ metadata }) => [metadata.uid ?? '', metadata.resourceVersion ?? '']));
  return [{ key: selectionOf(scope, query).key, version: list.metadata.resourceVersion ?? '', state, number }];
}

/** Plays the events of a stream upon the state that it began with, and holds what comes of it against the lists. */
function follow(stream: Stream, lists: readonly WholeList[], findings: Findings): void {
  const { key } = selectionOfStream(stream);
  const own = lists.filter((list) => list.key === key);
  const { after } = beginningOf(stream);
  const first = after === undefined ? undefined : own.find(({ version }) => version === after);
  if (after !== undefined && !first) return;
  const state = new Map(first?.state);
  const told = endOfState(stream);
  for (const [at, event] of stream.events.entries()) {
    if (event.type === 'ERROR') return;
    const { uid = '', resourceVersion = '', name } = event.object.metadata;
    const because = [...(first ? [first.number] : []), stream.opening.number];
    if (isState(event)) {
      const expected = event.type === 'ADDED' ? 'ADDED' : 'MODIFIED';
      const right = state.has(uid) ? 'MODIFIED' : 'ADDED';
      findings.case(
        right === expected,
        () => `${name} came as ${expected} where it should have been ${right}`,
        because,
      );
      state.set(uid, resourceVersion);
    } else if (isRemoval(event)) {
      findings.case(state.delete(uid), () => `${name} was removed, though it was not there`, because);
    }
    // Under which version a removal is told is not specified.
    if (at < told || isRemoval(event)) continue;
    for (const list of own.filter(({ version }) => version === resourceVersion)) {
      const same = () =>
        `after ${event.type} at ${resourceVersion} the watch has ${shown(state)}, the list ${shown(list.state)}`;
      findings.case(shown(state) === shown(list.state), same, [...because, list.number]);
    }
  }
}

function shown(state: State): string {
  return JSON.stringify([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
}

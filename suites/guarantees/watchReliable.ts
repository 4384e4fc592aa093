import { changesOf, isRemoval, isState, keyOf, type ObservedChange } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import type { Stream } from './history.ts';
import { beginningOf, selectionOfStream } from './streams.ts';

export const watchReliable: Guarantee = {
  name: 'watch-reliable',
  sentence: 'A watch leaves out no change that was made after it began and before one that it tells.',
  examine: (history) => {
    const findings = new Findings();
    const changes = changesOf(history);
    // A watch that begins with a state chooses its moment: changes before that may be told as one.
    const exact = history.streams.filter((stream) => beginningOf(stream).after !== undefined);
    for (const stream of exact) examineStream(stream, changes, findings);
    return findings.done();
  },
};

function examineStream(stream: Stream, changes: readonly ObservedChange[], findings: Findings): void {
  const { opening, events } = stream;
  const told = new Set(
    events.filter(isState).map(({ object }) => keyOf(object.metadata.uid ?? '', object.metadata.resourceVersion)),
  );
  const removed = new Set(events.filter(isRemoval).map(({ object }) => object.metadata.uid));
  const selection = selectionOfStream(stream);
  // Whatever was over before the last change that is told began must have been told.
  const fence = changes.reduce((latest, { uid, version, start }) => {
    return version !== undefined && told.has(keyOf(uid, version)) ? Math.max(latest, start) : latest;
  }, Number.NEGATIVE_INFINITY);
  for (const change of changes) {
    if (change.scope.type !== opening.scope.type || change.start <= opening.end || change.end >= fence) continue;
    if (change.object === undefined) {
      const within = opening.scope.namespace === '' || opening.scope.namespace === change.scope.namespace;
      if (!selection.everything || !within) continue;
      findings.case(
        removed.has(change.uid),
        () => `${opening.client} was not told that ${change.scope.name} was removed`,
        [opening.number, change.number],
      );
    } else if (selection.selects(change.object.metadata)) {
      const key = keyOf(change.uid, change.version);
      findings.case(told.has(key), () => `${opening.client} was not told ${key} of ${change.object?.metadata.name}`, [
        opening.number,
        change.number,
      ]);
    }
  }
}

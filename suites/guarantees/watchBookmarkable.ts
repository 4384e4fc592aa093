import { changesOf, isState, keyOf, type ObservedChange } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import type { Stream } from './history.ts';

export const watchBookmarkable: Guarantee = {
  name: 'watch-bookmarkable',
  sentence: 'When a watch sends a bookmark it has told every change up to its version.',
  examine: (history) => {
    const findings = new Findings();
    const changes = changesOf(history);
    for (const stream of history.streams) {
      stream.events.forEach((event, at) => {
        if (event.type === 'BOOKMARK') {
          examineBookmark(stream, at, event.object.metadata.resourceVersion ?? '', changes, findings);
        }
      });
    }
    return findings.done();
  },
};

/** A streamed list without a version is synced to at least the start of its request; to when, for others, is open. */
function syncedFrom({ opening }: Stream): number {
  const streamed = opening.query.get('sendInitialEvents') === 'true';
  return streamed && !opening.query.get('resourceVersion') ? opening.start : Number.NEGATIVE_INFINITY;
}

/** Changes that are told after the bookmark may be neither the one of its version nor any that was made before that. */
function examineBookmark(
  stream: Stream,
  at: number,
  version: string,
  changes: readonly ObservedChange[],
  findings: Findings,
) {
  const marked = changes.filter((change) => change.version === version);
  const later = new Set(
    stream.events
      .slice(at + 1)
      .filter(isState)
      .map(({ object }) => keyOf(object.metadata.uid ?? '', object.metadata.resourceVersion)),
  );
  for (const change of changes) {
    const before =
      change.version === version || marked.some(({ start }) => change.end < start) || change.end < syncedFrom(stream);
    if (!before || change.version === undefined) continue;
    const key = keyOf(change.uid, change.version);
    findings.case(
      !later.has(key),
      () => `${stream.opening.client} was told ${key} after the bookmark at ${version}, which includes it`,
      [stream.opening.number, change.number],
    );
  }
}

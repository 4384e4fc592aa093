import { isState } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import type { Stream } from './history.ts';
import { beginningOf, endOfState, keysIn, selectionOfStream } from './streams.ts';

export const watchResumable: Guarantee = {
  name: 'watch-resumable',
  sentence: 'A watch that starts at the version of an event of another tells exactly what that one told after it.',
  examine: ({ streams }) => {
    const findings = new Findings();
    for (const stream of streams) {
      for (const other of streams) if (stream !== other) compare(stream, other, findings);
    }
    return findings.done();
  },
};

function compare(resumed: Stream, first: Stream, findings: Findings): void {
  const { after } = beginningOf(resumed);
  if (after === undefined || selectionOfStream(resumed).key !== selectionOfStream(first).key) return;
  const place = placeOf(first, after);
  if (place === undefined) return;
  const wanted = keysIn(first.events.slice(place));
  const got = keysIn(resumed.events);
  // Either may have been left before the other; as far as both go they are the same.
  const length = Math.min(wanted.length, got.length);
  const at = wanted.slice(0, length).findIndex((key, index) => key !== got[index]);
  findings.case(
    at < 0,
    () => `${resumed.opening.client} resumed after ${after} and was told ${got[at]} where ${wanted[at]} came`,
    [first.opening.number, resumed.opening.number],
  );
}

/** Index of the first event after a version; `undefined` where the stream does not pass it. */
function placeOf(stream: Stream, version: string): number | undefined {
  if (beginningOf(stream).after === version) return 0;
  const from = endOfState(stream);
  // Under which version a removal is told is not specified, so that nobody can count on resuming there.
  const at = stream.events.slice(from).findIndex((event) => {
    return (isState(event) || event.type === 'BOOKMARK') && event.object.metadata.resourceVersion === version;
  });
  return at < 0 ? undefined : from + at + 1;
}

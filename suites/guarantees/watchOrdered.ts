import { changesOf, isState, keyOf } from './changes.ts';
import { Findings, type Guarantee } from './guarantee.ts';
import type { History, Stream } from './history.ts';
import { changesTold, keysIn } from './streams.ts';

export const watchOrdered: Guarantee = {
  name: 'watch-ordered',
  sentence: 'Watches tell changes in the order in which they were made, and all in the same order.',
  examine: (history) => {
    const findings = new Findings();
    history.streams.forEach((stream, at) => {
      for (const other of history.streams.slice(at + 1)) agree(stream, other, findings);
    });
    followWrites(history, findings);
    return findings.done();
  },
};

/** What two watches both tell, they tell in one order. Which of the two is right is not asked. */
function agree(one: Stream, other: Stream, findings: Findings): void {
  const places = new Map(keysIn(changesTold(other)).map((key, place) => [key, place]));
  let last: { readonly key: string; readonly place: number } | undefined;
  for (const key of keysIn(changesTold(one))) {
    const place = places.get(key);
    if (place === undefined) continue;
    const before = last;
    findings.case(
      before === undefined || before.place < place,
      () => `${one.opening.client} was told ${before?.key} before ${key}, ${other.opening.client} after it`,
      [one.opening.number, other.opening.number],
    );
    last = { key, place };
  }
}

/** A write that was answered before another began comes before it. */
function followWrites(history: History, findings: Findings): void {
  const changes = new Map(changesOf(history).map((change) => [keyOf(change.uid, change.version), change]));
  for (const stream of history.streams) {
    // Beyond the latest begin so far no earlier change may come.
    let latest: { readonly key: string; readonly start: number; readonly number: number } | undefined;
    for (const event of changesTold(stream)) {
      const { uid = '', resourceVersion } = event.object.metadata ?? {};
      const key = keyOf(uid, resourceVersion);
      const change = isState(event) ? changes.get(key) : undefined;
      if (!change) continue;
      const before = latest;
      findings.case(
        before === undefined || change.end >= before.start,
        () => `${stream.opening.client} was told ${before?.key} before ${key}, which was written earlier`,
        [stream.opening.number, change.number, before?.number ?? change.number],
      );
      if (!before || change.start > before.start) latest = { key, start: change.start, number: change.number };
    }
  }
}

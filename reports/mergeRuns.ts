import type { PlannedCheck, RunEvent, RunFinished, RunStarted } from './events.ts';

/** Streams that are not of one run; the message is one sentence for a user. */
export class CannotMerge extends Error {
  override readonly name = 'CannotMerge';
}

/**
 * The event streams of the shards of one run as one. A check that several of them have is that of the last.
 * @throws CannotMerge where they were judged by other requirements, or where a shard is missing.
 */
export function mergeRuns(streams: readonly (readonly RunEvent[])[]): RunEvent[] {
  const headers = streams
    .map((events) => events[0])
    .filter((event): event is RunStarted => event?.type === 'run-started');
  const [first] = headers;
  if (!first || headers.length !== streams.length) throw new CannotMerge('There is nothing to merge.');
  const other = headers.find(({ ledger }) => ledger.digest !== first.ledger.digest);
  if (other) {
    throw new CannotMerge(
      `The runs were judged by different requirements: ${first.ledger.digest} and ${other.ledger.digest}.`,
    );
  }
  if (headers.some(({ parts }) => parts !== first.parts)) {
    throw new CannotMerge('The shards are not parts of one whole: they chose of other checks, or by other durations.');
  }
  refuseMissing(headers);
  const owner = new Map<string, number>();
  for (const [at, events] of streams.entries()) for (const key of keysOf(events)) owner.set(key, at);
  const isOwn = (at: number, check: string, variant: string) => owner.get(`${variant}\n${check}`) === at;
  const planned: PlannedCheck[] = streams.flatMap((events, at) =>
    plannedIn(events).filter(({ id, variant }) => isOwn(at, id, variant)),
  );
  const narrowed = first.narrowed.filter((words) => !/^--(shard|durations) /.test(words));
  const { parts: _, ...header } = first;
  const without = (text: string) => text.replace(/ --(shard|durations) \S+/g, '');
  return [
    { ...header, narrowed, reproduce: without(first.reproduce) },
    { type: 'checks-planned', time: first.time, checks: planned },
    ...streams.flatMap((events, at) =>
      events.filter((event) => 'check' in event && isOwn(at, event.check, event.variant)),
    ),
    ...finishedOf(streams),
    ...leftoversOf(streams, first.time),
  ];
}

function plannedIn(events: readonly RunEvent[]): readonly PlannedCheck[] {
  return events.flatMap((event) => (event.type === 'checks-planned' ? event.checks : []));
}
function keysOf(events: readonly RunEvent[]): string[] {
  return plannedIn(events).map(({ id, variant }) => `${variant}\n${id}`);
}

/** Throws CannotMerge where not every one of the parts is there. */
function refuseMissing(headers: readonly RunStarted[]): void {
  const parts = headers.flatMap(({ narrowed }) => /--shard (\d+)\/(\d+)/.exec(narrowed.join(' '))?.slice(1) ?? []);
  const of = Number(parts[1] ?? 0);
  const there = new Set(parts.filter((_, index) => index % 2 === 0).map(Number));
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((part) => !there.has(part));
  if (missing.length === 0) return;
  throw new CannotMerge(`Of ${of} shards ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`);
}

/** One end of all; none where one of them did not come to its own. */
function finishedOf(streams: readonly (readonly RunEvent[])[]): RunFinished[] {
  const ends = streams.map((events) => events.findLast((event) => event.type === 'run-finished'));
  const known = ends.filter((event): event is RunFinished => event?.type === 'run-finished');
  const last = known.at(-1);
  if (!last || known.length < streams.length) return [];
  const stopped = known.find((each) => each.stopped)?.stopped;
  return [
    {
      ...last,
      duration: Math.max(...known.map(({ duration }) => duration)),
      interrupted: known.some(({ interrupted }) => interrupted),
      problems: known.flatMap(({ problems }) => problems),
      ...(stopped ? { stopped } : {}),
    },
  ];
}
function leftoversOf(streams: readonly (readonly RunEvent[])[], time: string): RunEvent[] {
  const all = streams.flatMap((events) =>
    events.flatMap((event) => (event.type === 'clean-up-verified' ? [event] : [])),
  );
  return all.length === 0
    ? []
    : [{ type: 'clean-up-verified', time, leftovers: all.flatMap(({ leftovers }) => leftovers) }];
}

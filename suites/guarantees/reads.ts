import { sumOfUid } from './columns.ts';
import type { ListFact, SelectionFact } from './facts.ts';
import type { AllFindings, Findings } from './guarantee.ts';
import type { SelectionLog, Timeline } from './timeline.ts';

/** Holds lists, chunks and reads of one object against the states that there were at their versions. */
export function examineReads(timeline: Timeline, found: AllFindings): void {
  const { facts } = timeline;
  for (const { row, number, before } of facts.digestConflicts) {
    found['read-at-version'].broken(
      `${facts.nameOf(row)} at version ${facts.stateVersion.at(row)} has one content for operation ${before} and another for operation ${number}`,
      [before, number],
    );
  }
  found['read-at-version'].held(facts.stateUid.length);
  for (const { row, asked, number } of facts.notOlder) examineMinimum(timeline, row, asked, number, found['not-older']);
  const walks = walksOf(facts.lists);
  for (const [at, list] of facts.lists.entries()) {
    const chunked = list.hasMore || list.parent !== -1;
    const findings = chunked ? found['one-snapshot'] : found['read-at-version'];
    if (Number.isNaN(list.version)) continue;
    examineItems(timeline, list, findings);
    if (!chunked) examineWhole(timeline, [list], findings);
    examineAge(timeline, list, found['not-older']);
    if (list.parent >= 0) {
      const parent = facts.lists[list.parent] as ListFact;
      findings.case(
        parent.version === list.version,
        () => `a walk began at version ${parent.version} and went on at ${list.version}`,
        [parent.number, list.number],
      );
    }
    if (chunked && !list.hasMore) {
      const walk = walks(at);
      if (walk) examineWhole(timeline, walk, findings);
    }
  }
}

/** The chunks from the first one to the last; `undefined` where the first is not in the history. */
function walksOf(lists: readonly ListFact[]): (last: number) => readonly ListFact[] | undefined {
  return (last) => {
    const walk: ListFact[] = [];
    for (let at = last; at >= 0; at = (lists[at] as ListFact).parent) walk.unshift(lists[at] as ListFact);
    return walk[0]?.parent === -1 ? walk : undefined;
  };
}

function examineItems(timeline: Timeline, list: ListFact, findings: Findings): void {
  const { facts } = timeline;
  const log = timeline.log(list.selection);
  for (let at = list.first; at < list.first + list.count; at += 1) {
    const row = facts.items.at(at);
    const version = facts.stateVersion.at(row);
    const until = timeline.until[row] as number;
    findings.case(version <= list.version && list.version < until, () => wrongItem(timeline, row, list), [
      list.number,
      facts.witness(timeline.next[row] === -1 ? row : (timeline.next[row] as number)),
    ]);
    if (log.matches(row) === false) {
      findings.broken(`a list showed ${facts.nameOf(row)} at version ${version}, which it does not select`, [
        list.number,
      ]);
    }
  }
}
function wrongItem(timeline: Timeline, row: number, list: ListFact): string {
  const { facts } = timeline;
  const version = facts.stateVersion.at(row);
  const next = timeline.next[row] as number;
  const shown = `a list at version ${list.version} showed ${facts.nameOf(row)} as of ${version}`;
  if (version > list.version) return `${shown}, which is later`;
  return next < 0
    ? `${shown}, which was removed at ${timeline.removal[facts.stateUid.at(row)]}`
    : `${shown}, though it was ${facts.stateVersion.at(next)} by then`;
}

/** Whether all that was surely there is in a list, once. */
function examineWhole(timeline: Timeline, chunks: readonly ListFact[], findings: Findings): void {
  const [first] = chunks;
  if (!first) return;
  const { facts } = timeline;
  const log = timeline.log(first.selection);
  if (!log.judged) return;
  let count = 0;
  let sum = 0;
  for (const { first: from, count: length } of chunks) {
    count += length;
    for (let at = from; at < from + length; at += 1) sum += sumOfUid(facts.stateUid.at(facts.items.at(at)));
  }
  const there = log.at(first.version);
  const numbers = chunks.map(({ number }) => number);
  findings.case(count === there.count && sum === there.sum, () => difference(timeline, log, chunks, first), numbers);
}
function difference(timeline: Timeline, log: SelectionLog, chunks: readonly ListFact[], { version }: ListFact): string {
  const { facts } = timeline;
  const shown = new Set<number>();
  const twice: number[] = [];
  for (const { first, count } of chunks) {
    for (let at = first; at < first + count; at += 1) {
      const uid = facts.stateUid.at(facts.items.at(at));
      if (shown.has(uid)) twice.push(uid);
      shown.add(uid);
    }
  }
  const said = `a list at version ${version}`;
  const [again] = twice;
  if (again !== undefined) return `${said} showed ${facts.nameOfUid(again)} twice`;
  for (const row of log.statesAt(version)) {
    if (!shown.has(facts.stateUid.at(row)))
      return `${said} left out ${facts.nameOf(row)}, which was there as of ${facts.stateVersion.at(row)}`;
  }
  return `${said} showed more than was there`;
}

function examineAge(timeline: Timeline, list: ListFact, findings: Findings): void {
  const { facts } = timeline;
  if (!Number.isNaN(list.asked) && list.parent === -1) {
    findings.case(
      list.exact ? list.version === list.asked : list.version >= list.asked,
      () => `a list was asked for at version ${list.asked}${list.exact ? ' exactly' : ''} and came at ${list.version}`,
      [list.number],
    );
  }
  if (!list.recent) return;
  const { resource } = facts.selections[list.selection] as SelectionFact;
  const before = facts.knownBefore(resource, list.start);
  findings.case(
    list.version >= before.version,
    () =>
      `a list of ${resource} came at version ${list.version}, though ${before.version} had been answered before it began`,
    [list.number, before.number],
  );
}

/** A read that may be no older than a version does not show what was replaced by then. */
function examineMinimum(timeline: Timeline, row: number, asked: number, number: number, findings: Findings): void {
  if (Number.isNaN(asked)) return;
  const { facts } = timeline;
  const next = timeline.next[row] as number;
  const until = next < 0 ? (timeline.removal[facts.stateUid.at(row)] as number) : facts.stateVersion.at(next);
  findings.case(
    !(until <= asked),
    () =>
      `${facts.nameOf(row)} was asked for as of version ${asked} or later and came as of ${facts.stateVersion.at(row)}, which was over at ${until}`,
    [number],
  );
}

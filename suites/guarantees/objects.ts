import { CREATED_HERE, type MomentFact } from './facts.ts';
import type { AllFindings, Findings } from './guarantee.ts';
import type { Timeline } from './timeline.ts';

/**
 * Holds what was seen of each object against the order of its versions. The states of a name, and the absences between
 * them, follow one another; each begins between two moments, and all of them can, if and only if no earliest beginning
 * is later than the latest beginning of one that comes after it.
 */
export function examineObjects(timeline: Timeline, found: AllFindings): void {
  const absent = byKey(timeline.facts.absent);
  const existed = byKey(timeline.facts.existed);
  for (let rank = 0; rank < timeline.names; rank += 1) {
    const key = timeline.facts.keys.find(timeline.keyText(rank)) ?? -1;
    const states = timeline.statesOf(rank);
    const periods = periodsOf(timeline, states, found['never-returns']);
    inOrder(timeline, periods, found.linearizable);
    examineMoments(timeline, periods, absent.get(key) ?? [], existed.get(key) ?? [], found.linearizable);
  }
  for (const { number, sentence, refused } of timeline.facts.denied) {
    found['rights-kept'].case(refused, () => sentence, [number]);
  }
  if (timeline.facts.alone) examineRemovals(timeline, found['nothing-unasked']);
  examineWrites(timeline, found.linearizable);
  risingVersions(timeline, found.linearizable);
}

/** A state of a name, or that nothing has it, and when it began: after `earliest`, before `latest`. */
interface Period {
  /** -1: nothing has the name. */
  readonly row: number;
  earliest: number;
  earliestNumber: number;
  /** What the operation that says so had found: this period, or the one before it. */
  earliestRow: number;
  latest: number;
  latestNumber: number;
}

function periodsOf(timeline: Timeline, states: Uint32Array, returns: Findings): Period[] {
  const { facts } = timeline;
  const periods: Period[] = [NOTHING];
  const done = new Set<number>();
  let before = -1;
  for (const row of states) {
    const uid = facts.stateUid.at(row);
    const earlier = before < 0 ? uid : facts.stateUid.at(before);
    if (uid !== earlier) {
      done.add(earlier);
      periods.push(absenceAfter(timeline, earlier));
    }
    const removed = timeline.removal[uid] as number;
    const back = done.has(uid) || facts.stateVersion.at(row) > removed;
    if (!back) returns.held();
    else {
      returns.broken(
        facts.stateVersion.at(row) > removed
          ? `${facts.nameOf(row)} (${facts.uids.text(uid)}) is there at version ${facts.stateVersion.at(row)}, though it was removed at ${removed}`
          : `${facts.nameOf(row)} (${facts.uids.text(uid)}) is there again at version ${facts.stateVersion.at(row)}, after another object of that name`,
        [facts.witness(row), facts.uidRemovedNumber.at(uid)].filter((number) => number >= 0),
      );
    }
    periods.push(presence(timeline, row));
    before = row;
  }
  if (before >= 0) {
    // After the last state that anybody saw somebody else may have removed it.
    periods.push(absenceAfter(timeline, facts.stateUid.at(before)));
  }
  // Whoever read a state when it was the latest read it before the next one began.
  for (let at = 1; at < periods.length; at += 1) {
    const { row } = periods[at - 1] as Period;
    const period = periods[at] as Period;
    if (row < 0 || facts.stateCurrent.at(row) <= period.earliest) continue;
    period.earliest = facts.stateCurrent.at(row);
    period.earliestNumber = facts.stateCurrentNumber.at(row);
    period.earliestRow = row;
  }
  return periods;
}
/** Before the first state that anybody saw. */
const NOTHING: Period = {
  row: -1,
  earliest: Number.NEGATIVE_INFINITY,
  earliestNumber: -1,
  earliestRow: -1,
  latest: Number.POSITIVE_INFINITY,
  latestNumber: -1,
};
function absenceAfter({ facts }: Timeline, uid: number): Period {
  const number = facts.uidRemovedNumber.at(uid);
  return {
    row: -1,
    earliest: facts.uidRemovedFrom.at(uid),
    earliestNumber: number,
    earliestRow: -1,
    latest: facts.uidRemovedBy.at(uid),
    latestNumber: number,
  };
}
function presence({ facts }: Timeline, row: number): Period {
  const latest = facts.stateSeen.at(row);
  const made = facts.stateMade.at(row);
  // An update that was answered with a state that somebody saw before it began did not make it.
  const byIt = Number.isFinite(made) && (made <= latest || facts.stateCreated.at(row) === CREATED_HERE);
  return {
    row,
    earliest: byIt ? made : Number.NEGATIVE_INFINITY,
    earliestNumber: byIt ? facts.stateMadeNumber.at(row) : -1,
    earliestRow: row,
    latest,
    latestNumber: facts.stateSeenNumber.at(row),
  };
}

function inOrder(timeline: Timeline, periods: readonly Period[], findings: Findings): void {
  if (periods.length < 2) return;
  let most = periods[0] as Period;
  for (const [at, period] of periods.entries()) {
    const before = most.earliest > period.earliest ? most : period;
    if (before.earliest <= period.latest) findings.held();
    else {
      findings.broken(outOfOrder(timeline, periods, at, before), [before.earliestNumber, period.latestNumber]);
    }
    if (period.earliest > most.earliest) most = period;
  }
}
function outOfOrder(timeline: Timeline, periods: readonly Period[], at: number, before: Period): string {
  const { facts } = timeline;
  const period = periods[at] as Period;
  const name = facts.nameOf([period, before, ...periods].find((each) => each.row >= 0)?.row ?? -1);
  const later = shown(timeline, before.earliestRow);
  const earlier = shown(timeline, period.row);
  return `${name}: operation ${before.earliestNumber} found ${later} after operation ${period.latestNumber} had found ${earlier}`;
}
function shown({ facts }: Timeline, row: number): string {
  return row < 0 ? 'that it was not there' : `version ${facts.stateVersion.at(row)}`;
}

/** The periods of one kind in order, each with the moments within which the name surely may have been in it. */
class Windows {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(periods: readonly Period[], absent: boolean) {
    const until = new Float64Array(periods.length).fill(Number.POSITIVE_INFINITY);
    for (let at = periods.length - 2; at >= 0; at -= 1) {
      until[at] = Math.min(until[at + 1] as number, (periods[at + 1] as Period).latest);
    }
    let from = Number.NEGATIVE_INFINITY;
    for (const [at, { row, earliest }] of periods.entries()) {
      from = Math.max(from, earliest);
      if (row < 0 !== absent) continue;
      this.#from.push(from);
      this.#to.push(until[at] as number);
    }
  }
  /** Whether one of the periods may have been at some moment of an operation. */
  meets({ start, end }: MomentFact): boolean {
    let low = 0;
    let high = this.#to.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#to[middle] as number) >= start) high = middle;
      else low = middle + 1;
    }
    return low < this.#from.length && (this.#from[low] as number) <= end;
  }
}

function examineMoments(
  timeline: Timeline,
  periods: readonly Period[],
  absent: readonly MomentFact[],
  existed: readonly MomentFact[],
  findings: Findings,
): void {
  const { facts } = timeline;
  const row = periods[1]?.row;
  if (row === undefined) return;
  const absences = absent.length > 0 ? new Windows(periods, true) : undefined;
  for (const moment of absent) {
    findings.case(
      absences?.meets(moment) === true,
      () => `${facts.nameOf(row)} was not found by operation ${moment.number}, though it was there all the while`,
      [moment.number, facts.witness(row)],
    );
  }
  const presences = existed.length > 0 ? new Windows(periods, false) : undefined;
  for (const moment of existed) {
    // A creation that nobody answered may have been there for a while and gone again, without anybody seeing it.
    if ((facts.unanswered.get(moment.key) ?? 0) > 0) continue;
    findings.case(
      presences?.meets(moment) === true,
      () => `${facts.nameOf(row)} was said to be there already, though it was not there`,
      [moment.number, facts.witness(row)],
    );
  }
}

/** What clients made is removed only after somebody asked for it, since it was there. */
function examineRemovals(timeline: Timeline, findings: Findings): void {
  const { facts } = timeline;
  for (let uid = 0; uid < facts.uidKey.length; uid += 1) {
    const removed = facts.uidRemovedBy.at(uid);
    const first = timeline.first[uid] as number;
    if (!Number.isFinite(removed) || first < 0 || facts.stateCreated.at(first) !== CREATED_HERE) continue;
    const made = facts.stateMade.at(first);
    const asked = (facts.removals.get(facts.uidKey.at(uid)) ?? []).some(
      ({ start, end }) => start <= removed && end >= made,
    );
    findings.case(
      asked,
      () => `${facts.nameOfUid(uid)} (${facts.uids.text(uid)}) was removed, and nobody had asked for it`,
      [facts.uidRemovedNumber.at(uid), facts.witness(first)],
    );
  }
}

function examineWrites(timeline: Timeline, findings: Findings): void {
  const { facts } = timeline;
  for (let at = 0; at < facts.conditionalRow.length; at += 1) {
    const row = facts.conditionalRow.at(at);
    const expected = facts.conditionalVersion.at(at);
    const before = timeline.previous[row] as number;
    const version = facts.stateVersion.at(row);
    if (Number.isNaN(expected) || version === expected) continue;
    if (before < 0 || facts.stateVersion.at(before) <= expected) {
      findings.held();
      continue;
    }
    findings.broken(
      `${facts.nameOf(row)}: an update of version ${expected} was accepted as ${version}, though ${facts.stateVersion.at(before)} came between and is lost`,
      [facts.conditionalNumber.at(at), facts.witness(before)],
    );
  }
  for (let at = 0; at < facts.creationRow.length; at += 1) {
    const row = facts.creationRow.at(at);
    const before = timeline.previous[row] as number;
    if (before < 0) {
      findings.held();
      continue;
    }
    findings.broken(
      `${facts.nameOf(row)} was created at version ${facts.stateVersion.at(row)}, though it was there at ${facts.stateVersion.at(before)}`,
      [facts.creationNumber.at(at), facts.witness(before)],
    );
  }
  for (const { key, version = Number.NaN, start, end, number } of facts.conflicts) {
    const row = rowAt(timeline, key, version);
    if (row < 0) continue;
    const still = facts.stateSeen.at(row) <= start && facts.stateCurrent.at(row) >= end;
    findings.case(
      !still,
      () => `${facts.nameOf(row)}: an update of version ${version} was refused, though it was the latest`,
      [number, facts.stateCurrentNumber.at(row)],
    );
  }
  if (facts.refusals === 0) return;
  for (let row = 0; row < facts.stateUid.length; row += 1) {
    const number = facts.refusedBehind(row);
    if (number === undefined) findings.held();
    else {
      findings.broken(
        `${facts.nameOf(row)} at version ${facts.stateVersion.at(row)} is what operation ${number} wrote, which was refused`,
        [number, facts.witness(row)],
      );
    }
  }
}
function rowAt(timeline: Timeline, key: number, version: number): number {
  const [resource = '', namespace = '', name = ''] = timeline.facts.keys.text(key).split('\0');
  const states = timeline.slice(resource, namespace, name);
  let low = 0;
  let high = states.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeline.facts.stateVersion.at(states[middle] as number) >= version) high = middle;
    else low = middle + 1;
  }
  const row = states[low];
  return row !== undefined && timeline.facts.stateVersion.at(row) === version ? row : -1;
}

/** A write gets a higher version than all that was answered before it began. */
function risingVersions({ facts }: Timeline, findings: Findings): void {
  for (let row = 0; row < facts.stateUid.length; row += 1) {
    const made = facts.stateMade.at(row);
    if (!Number.isFinite(made) || made > facts.stateSeen.at(row)) continue;
    const before = facts.knownBefore(facts.resourceOf(row), made);
    const version = facts.stateVersion.at(row);
    if (version > before.version) findings.held();
    else {
      findings.broken(
        `${facts.nameOf(row)} was written at version ${version}, though ${before.version} had been answered before`,
        [facts.stateMadeNumber.at(row), before.number],
      );
    }
  }
}

/** Fewer writes than this say nothing about versions at large. */
const ENOUGH = 10;

/** Whether writes by and large get higher versions than those that were over before they began. */
export function versionsRise({ facts }: Timeline): boolean {
  let rising = 0;
  let writes = 0;
  const last = new Map<string, { moment: number; version: number }>();
  for (let row = 0; row < facts.stateUid.length; row += 1) {
    const made = facts.stateMade.at(row);
    if (!Number.isFinite(made) || made > facts.stateSeen.at(row)) continue;
    const resource = facts.resourceOf(row);
    const before = last.get(resource);
    const version = facts.stateVersion.at(row);
    if (before && before.moment < made) {
      writes += 1;
      if (version > before.version) rising += 1;
    }
    last.set(resource, { moment: facts.stateSeen.at(row), version });
  }
  return writes < ENOUGH || rising * 2 > writes;
}

function byKey(moments: readonly MomentFact[]): Map<number, MomentFact[]> {
  const found = new Map<number, MomentFact[]>();
  for (const moment of moments) {
    const own = found.get(moment.key);
    if (own) own.push(moment);
    else found.set(moment.key, [moment]);
  }
  return found;
}

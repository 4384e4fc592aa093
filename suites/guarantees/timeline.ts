import { firstAbove, mix, NumberColumn, orderOf, sumOfUid } from './columns.ts';
import { EVENT, type Facts, keyOf, type SelectionFact } from './facts.ts';

/** How many members a set has, and a sum that tells sets of as many apart. */
export interface SetSum {
  readonly count: number;
  readonly sum: number;
}
/** A change that watches of a selection have to tell: the row of a state, or the uid of what left the selection. */
export interface SelectionChange {
  readonly version: number;
  readonly removal: boolean;
  readonly row: number;
}

/** All states of a history in the order of their versions, and until when each was the latest. */
export class Timeline {
  readonly facts: Facts;
  /** Rows of states, by name and then by version. */
  readonly order: Uint32Array;
  /** Rows by version alone, and of a row where it stands there. */
  readonly #byVersion: Uint32Array;
  readonly #place: Uint32Array;
  /** Of a row: the version from which on it was no more, or as far as is known, a half above the last proof. */
  readonly until: Float64Array;
  /** Of a row: the state of the same object after it; -1 for the last. */
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Of a uid: the version of its removal; NaN where none is known. */
  readonly removal: Float64Array;
  /** Of a uid: its first and its last state; -1 where nobody saw one. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** From which version to which the whole of a place was watched, by resource and namespace, in order. */
  readonly covered: ReadonlyMap<string, readonly Cover[]>;
  /** Of a uid: 1 where a watch told its removal, under whatever version. */
  readonly toldRemoved: Uint8Array;
  /** Where the states of a name begin and end in {@link order}. */
  readonly #sortedKeys: string[];
  readonly #keyStarts: Uint32Array;
  readonly #logs = new Map<number, SelectionLog>();
  /** Leavings of selections, by states that nobody saw. */
  readonly #leaves = new Map<number, SelectionChange[]>();
  /** Of a uid: versions from which on its labels are not known until its next state. */
  readonly unknown = new Map<number, number[]>();

  constructor(facts: Facts) {
    this.facts = facts;
    const rows = facts.stateUid.length;
    const keys = Array.from({ length: facts.keys.size }, (_, at) => at);
    keys.sort((a, b) => (facts.keys.text(a) < facts.keys.text(b) ? -1 : 1));
    this.#sortedKeys = keys.map((key) => facts.keys.text(key));
    const rank = new Uint32Array(keys.length);
    for (const [at, key] of keys.entries()) rank[key] = at;
    // Counted by name first, so that only the few states of each name have to be compared.
    const starts = new Uint32Array(keys.length + 1);
    const rankOf = (row: number) => rank[facts.uidKey.at(facts.stateUid.at(row))] as number;
    for (let row = 0; row < rows; row += 1) starts[rankOf(row) + 1] = (starts[rankOf(row) + 1] as number) + 1;
    for (let at = 1; at <= keys.length; at += 1) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
    this.#keyStarts = starts;
    this.order = new Uint32Array(rows);
    const filled = starts.slice();
    for (let row = 0; row < rows; row += 1) {
      const at = rankOf(row);
      this.order[filled[at] as number] = row;
      filled[at] = (filled[at] as number) + 1;
    }
    this.#byVersion = orderOf(facts.stateVersion.values());
    this.#place = new Uint32Array(rows);
    for (let at = 0; at < rows; at += 1) this.#place[this.#byVersion[at] as number] = at;
    for (let at = 0; at < keys.length; at += 1) {
      const own = this.order.subarray(starts[at], starts[at + 1]);
      if (!this.#rises(own)) own.set(this.inOrder(own));
    }
    const uids = facts.uidKey.length;
    this.first = new Int32Array(uids).fill(-1);
    this.last = new Int32Array(uids).fill(-1);
    this.next = new Int32Array(rows).fill(-1);
    this.previous = new Int32Array(rows).fill(-1);
    for (const row of this.order) {
      const uid = facts.stateUid.at(row);
      const before = this.last[uid] as number;
      if (before >= 0) this.next[before] = row;
      else this.first[uid] = row;
      this.previous[row] = before;
      this.last[uid] = row;
    }
    this.toldRemoved = new Uint8Array(uids);
    this.removal = this.#removals();
    this.until = new Float64Array(rows);
    const covered = this.#covered();
    this.covered = covered;
    for (const row of this.order) {
      const after = this.next[row] as number;
      this.until[row] = after >= 0 ? facts.stateVersion.at(after) : this.#endOf(row);
    }
  }

  #rises(rows: Uint32Array): boolean {
    const { stateVersion } = this.facts;
    for (let at = 1; at < rows.length; at += 1) {
      if (stateVersion.at(rows[at] as number) < stateVersion.at(rows[at - 1] as number)) return false;
    }
    return true;
  }

  /** Under which version watches told that objects were removed, where that is one of its own. */
  #removals(): Float64Array {
    const { facts } = this;
    const removal = new Float64Array(facts.uidKey.length).fill(Number.NaN);
    const unversioned = new Set<number>();
    const narrow: number[] = [];
    for (let at = 0; at < facts.eventKind.length; at += 1) {
      if (facts.eventKind.at(at) !== EVENT.removed) continue;
      const stream = facts.streams[facts.eventStream.at(at)];
      const uid = facts.eventRow.at(at);
      const version = facts.eventVersion.at(at);
      this.toldRemoved[uid] = 1;
      if (!facts.selections[stream?.selection ?? -1]?.selection.everything) narrow.push(at);
      else if (facts.rowOf(uid, version) >= 0) unversioned.add(uid);
      else if (Number.isNaN(removal[uid] as number)) removal[uid] = version;
    }
    for (const uid of unversioned) removal[uid] = Number.NaN;
    // A watch that selects also says "removed" of what only left its selection.
    for (const at of narrow) {
      const uid = facts.eventRow.at(at);
      const version = facts.eventVersion.at(at);
      if (unversioned.has(uid) || removal[uid] === version || facts.rowOf(uid, version) >= 0) continue;
      const last = this.last[uid] as number;
      const goesOn = last >= 0 && facts.stateVersion.at(last) > version;
      if (!goesOn && Number.isNaN(removal[uid] as number) && facts.uidProof.at(uid) < version) removal[uid] = version;
      else if (removal[uid] !== version) {
        const { selection } = facts.streams[facts.eventStream.at(at)] ?? { selection: -1 };
        const leaves = this.#leaves.get(selection) ?? [];
        leaves.push({ version, removal: true, row: uid });
        this.#leaves.set(selection, leaves);
        this.unknown.set(uid, [...(this.unknown.get(uid) ?? []), version]);
      }
    }
    return removal;
  }

  #endOf(row: number): number {
    const { facts } = this;
    const uid = facts.stateUid.at(row);
    const removed = this.removal[uid] as number;
    if (!Number.isNaN(removed)) return removed;
    const proof = Math.max(facts.stateVersion.at(row), facts.uidProof.at(uid));
    if (Number.isFinite(facts.uidRemovedBy.at(uid))) return proof + 0.5;
    // What a whole watch did not tell to be removed was there as long as the watch went on.
    const [resource = '', namespace = ''] = facts.keys.text(facts.uidKey.at(uid)).split('\0');
    return this.watchedUntil(resource, namespace, proof) + 0.5;
  }
  /**
   * Whether it is known that a state was over at a version: by a later state, by a removal that was told, or by one that
   * was answered before a moment. Where a history breaks off, nobody may have seen an object again.
   */
  isOver(row: number, version: number, moment: number): boolean {
    if (version < (this.until[row] as number)) return false;
    const uid = this.facts.stateUid.at(row);
    const isTold = (this.next[row] as number) >= 0 || !Number.isNaN(this.removal[uid] as number);
    return isTold || this.facts.uidRemovedBy.at(uid) < moment;
  }
  /** To which version the whole of a place was watched from a version on; that version where it was not. */
  watchedUntil(resource: string, namespace: string, version: number): number {
    let end = version;
    for (const place of namespace === '' ? [`${resource}\0`] : [`${resource}\0`, `${resource}\0${namespace}`]) {
      for (const { from, to } of this.covered.get(place) ?? []) if (from <= end && to > end) end = to;
    }
    return end;
  }

  /** From which version to which the whole of a place was watched, by resource and namespace, in order. */
  #covered(): Map<string, readonly Cover[]> {
    const { facts } = this;
    const to = new Float64Array(facts.streams.length).fill(Number.NaN);
    const from = Float64Array.from(facts.streams, ({ begins, asked }) => (begins === 'after' ? asked : Number.NaN));
    for (let at = 0; at < facts.eventKind.length; at += 1) {
      const stream = facts.eventStream.at(at);
      const version = facts.eventVersion.at(at);
      if (facts.eventKind.at(at) === EVENT.initialEnd) from[stream] = version;
      if (version >= (from[stream] as number) && !(version <= (to[stream] as number))) to[stream] = version;
    }
    const places = new Map<string, Cover[]>();
    for (const [at, { selection }] of facts.streams.entries()) {
      const fact = facts.selections[selection] as SelectionFact;
      if (!fact.selection.everything || Number.isNaN(to[at] as number)) continue;
      const place = `${fact.resource}\0${fact.selection.scope.namespace}`;
      const covers = places.get(place) ?? [];
      covers.push({ from: from[at] as number, to: to[at] as number });
      places.set(place, covers);
    }
    const covered = new Map<string, readonly Cover[]>();
    for (const [place, covers] of places) {
      covers.sort((a, b) => a.from - b.from);
      const merged: Cover[] = [];
      for (const { from, to } of covers) {
        const before = merged.at(-1);
        if (before && from <= before.to) merged[merged.length - 1] = { from: before.from, to: Math.max(before.to, to) };
        else merged.push({ from, to });
      }
      covered.set(place, merged);
    }
    return covered;
  }

  /** The states of one name, in order. */
  statesOf(rank: number): Uint32Array {
    return this.order.subarray(this.#keyStarts[rank], this.#keyStarts[rank + 1]);
  }
  get names(): number {
    return this.#sortedKeys.length;
  }
  keyText(rank: number): string {
    return this.#sortedKeys[rank] ?? '';
  }
  /** The states of a place, by name and version. */
  slice(resource: string, namespace: string, name: string): Uint32Array {
    const from = namespace === '' && name === '' ? `${resource}\0` : keyOf(resource, namespace, name);
    const to = name !== '' ? `${from}\0` : namespace !== '' ? `${resource}\0${namespace}\u0001` : `${resource}\u0001`;
    return this.order.subarray(this.#keyStarts[this.#rankFrom(from)], this.#keyStarts[this.#rankFrom(to)]);
  }
  /** The states of a place as {@link slice} gives them, by version alone. */
  inOrder(states: Uint32Array): Uint32Array {
    const places = states.map((row) => this.#place[row] as number).sort();
    return places.map((place) => this.#byVersion[place] as number);
  }
  #rankFrom(text: string): number {
    let low = 0;
    let high = this.#sortedKeys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sortedKeys[middle] as string) >= text) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** What lists and watches of a selection have to show. */
  log(selection: number): SelectionLog {
    const known = this.#logs.get(selection);
    if (known) return known;
    const log = new SelectionLog(this, this.facts.selections[selection] as SelectionFact, this.#leaves.get(selection));
    this.#logs.set(selection, log);
    return log;
  }
}
export interface Cover {
  readonly from: number;
  readonly to: number;
}

/** What was selected at each version, and every change of that, as far as anybody saw it. */
export class SelectionLog {
  /** Whether it is known of each state if it is selected. */
  readonly judged: boolean = true;
  readonly #timeline: Timeline;
  readonly #matches: (row: number) => boolean | undefined;
  readonly #rows: Uint32Array;
  readonly everything: boolean;
  readonly #presence: PrefixSums;
  readonly #changes: PrefixSums;
  /** Of each change, in the order of {@link #changes}: the row, or of a removal the uid. */
  readonly #changed: Uint32Array;
  readonly #removals: Uint8Array;

  constructor(timeline: Timeline, { resource, selection }: SelectionFact, leaves: readonly SelectionChange[] = []) {
    const { facts } = timeline;
    this.#timeline = timeline;
    this.everything = selection.everything;
    const { namespace, name } = selection.scope;
    // In the order of versions, so that what is made of them is nearly in order as well.
    this.#rows = timeline.inOrder(timeline.slice(resource, namespace, namespace === '' ? '' : name));
    const byLabels = new Map<number, boolean | undefined>();
    this.#matches = (row) => {
      if (selection.everything) return true;
      const labels = facts.stateLabels.at(row);
      if (!selection.named) {
        const known = byLabels.get(labels);
        if (known !== undefined || byLabels.has(labels)) return known;
      }
      const [, place = '', own = ''] = facts.keys.text(facts.uidKey.at(facts.stateUid.at(row))).split('\0');
      const selected = selection.selects({ name: own, namespace: place, labels: facts.labels[labels] });
      byLabels.set(labels, selected);
      return selected;
    };
    const changes = new ChangeColumns();
    for (const leave of leaves) changes.push(leave.version, true, leave.row);
    const present = new StepColumns();
    const ends: number[] = [];
    for (const row of this.#rows) {
      const now = this.#matches(row);
      if (now === undefined) this.judged = false;
      const previous = timeline.previous[row] as number;
      const before = previous >= 0 && this.#matches(previous) === true;
      const uid = facts.stateUid.at(row);
      const sum = sumOfUid(uid);
      const version = facts.stateVersion.at(row);
      if (before) present.push(this.#knownUntil(previous), -1, -sum);
      if (now) {
        changes.push(version, false, row);
        present.push(version, 1, sum);
      } else if (before) changes.push(version, true, uid);
      if (now && (timeline.next[row] as number) < 0) ends.push(row);
    }
    for (const row of ends) {
      const uid = facts.stateUid.at(row);
      const removal = timeline.removal[uid] as number;
      present.push(this.#knownUntil(row), -1, -sumOfUid(uid));
      if (!Number.isNaN(removal)) changes.push(removal, true, uid);
    }
    const order = orderOf(changes.steps.version.values());
    this.#changed = order.map((at) => changes.row.at(at));
    this.#removals = Uint8Array.from(order, (at) => changes.removal.at(at));
    this.#changes = new PrefixSums(changes.steps, order);
    this.#presence = new PrefixSums(present, orderOf(present.version.values()));
  }

  matches(row: number): boolean | undefined {
    return this.#matches(row);
  }
  /** The uids that are surely there at a version. */
  at(version: number): SetSum {
    return this.#presence.upTo(version);
  }
  /** The changes after one version, up to another. */
  between(after: number, upTo: number): SetSum {
    const before = this.#changes.upTo(after);
    const all = this.#changes.upTo(upTo);
    return { count: all.count - before.count, sum: all.sum - before.sum };
  }
  /** The changes themselves, for telling which of them is missing. */
  *changesBetween(after: number, upTo: number): Generator<SelectionChange> {
    for (let at = this.#changes.indexAbove(after); at < this.#changed.length; at += 1) {
      const version = this.#changes.versionAt(at);
      if (version > upTo) return;
      yield { version, removal: this.#removals[at] === 1, row: this.#changed[at] as number };
    }
  }
  /** The states that are surely there at a version, for telling which of them is missing. */
  *statesAt(version: number): Generator<number> {
    const { facts } = this.#timeline;
    for (const row of this.#rows) {
      if (facts.stateVersion.at(row) <= version && version < this.#knownUntil(row) && this.#matches(row)) yield row;
    }
  }
  #knownUntil(row: number): number {
    const { facts, until, unknown } = this.#timeline;
    let end = until[row] as number;
    if (this.everything || unknown.size === 0) return end;
    for (const version of unknown.get(facts.stateUid.at(row)) ?? []) {
      if (version > facts.stateVersion.at(row) && version < end) end = version;
    }
    return end;
  }
}

/** What tells a change apart in sums: of a removal the uid and the version, of a state its row. */
export function sumOf({ removal, row, version }: SelectionChange): number {
  return sumOfChange(version, removal, row);
}
export function sumOfChange(version: number, removal: boolean, row: number): number {
  return removal ? mix(row, version) : mix(row, -1);
}

/** How many come and go at versions, and what they add to a sum. */
class StepColumns {
  readonly version = new NumberColumn();
  readonly count = new NumberColumn();
  readonly sum = new NumberColumn();

  push(version: number, count: number, sum: number): void {
    this.version.push(version);
    this.count.push(count);
    this.sum.push(sum);
  }
}
class ChangeColumns {
  readonly steps = new StepColumns();
  readonly row = new NumberColumn();
  readonly removal = new NumberColumn();

  push(version: number, removal: boolean, row: number): void {
    this.steps.push(version, 1, sumOfChange(version, removal, row));
    this.row.push(row);
    this.removal.push(removal ? 1 : 0);
  }
}

class PrefixSums {
  readonly #versions: Float64Array;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  constructor(steps: StepColumns, order: Uint32Array) {
    this.#versions = new Float64Array(order.length);
    this.#counts = new Float64Array(order.length + 1);
    this.#sums = new Float64Array(order.length + 1);
    let count = 0;
    let sum = 0;
    for (let at = 0; at < order.length; at += 1) {
      const step = order[at] as number;
      this.#versions[at] = steps.version.at(step);
      count += steps.count.at(step);
      sum += steps.sum.at(step);
      this.#counts[at + 1] = count;
      this.#sums[at + 1] = sum;
    }
  }
  versionAt(at: number): number {
    return this.#versions[at] as number;
  }
  indexAbove(version: number): number {
    return firstAbove(this.#versions, version);
  }
  upTo(version: number): SetSum {
    const at = this.indexAbove(version);
    return { count: this.#counts[at] as number, sum: this.#sums[at] as number };
  }
}

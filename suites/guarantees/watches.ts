import { firstAbove, mix, NumberColumn, orderOf } from './columns.ts';
import { EVENT, type Facts, type SelectionFact, type StreamFact } from './facts.ts';
import type { AllFindings, Findings, GuaranteeName } from './guarantee.ts';
import { type SelectionChange, type SelectionLog, sumOf, sumOfChange, type Timeline } from './timeline.ts';

/** Holds every watch against the changes that there were, in the order of their versions. */
export function examineWatches(timeline: Timeline, found: AllFindings): void {
  const { facts } = timeline;
  const events = eventsByStream(facts);
  const marks = new WatchMarks(facts);
  for (const [at, stream] of facts.streams.entries()) {
    if (stream.begins === 'after' && Number.isNaN(stream.asked)) continue;
    new WatchExam(timeline, stream, at, found, marks).read(events(at));
  }
  untoldRemovals(timeline, found['watch-reliable']);
  examineLife(timeline, events, found['watch-live']);
}

/** What a client was told to be removed has to be told by a watch that went on to what was written after that. */
function untoldRemovals(timeline: Timeline, findings: Findings): void {
  const { facts } = timeline;
  const later = new Map<string, (moment: number) => number>();
  for (let uid = 0; uid < facts.uidKey.length; uid += 1) {
    const removed = facts.uidRemovedBy.at(uid);
    const last = timeline.last[uid] as number;
    if (!Number.isFinite(removed) || last < 0) continue;
    const [resource = '', namespace = ''] = facts.keys.text(facts.uidKey.at(uid)).split('\0');
    let firstAfter = later.get(resource);
    if (!firstAfter) {
      firstAfter = firstWritten(timeline, resource);
      later.set(resource, firstAfter);
    }
    const proof = Math.max(facts.stateVersion.at(last), facts.uidProof.at(uid));
    const watched = timeline.watchedUntil(resource, namespace, proof);
    if (watched === proof) continue;
    const next = firstAfter(removed);
    findings.case(
      timeline.toldRemoved[uid] === 1 || !(next <= watched),
      () =>
        `${facts.nameOfUid(uid)} was removed, and no watch told it, though they told version ${next}, which was written after that`,
      [facts.uidRemovedNumber.at(uid)],
    );
  }
}
/** The lowest version that was given to a write which began after a moment; Infinity where there was none. */
function firstWritten(timeline: Timeline, resource: string): (moment: number) => number {
  const { facts } = timeline;
  const versions = new NumberColumn();
  const moments = new NumberColumn();
  for (const row of timeline.inOrder(timeline.slice(resource, '', ''))) {
    const made = facts.stateMade.at(row);
    if (!Number.isFinite(made) || made > facts.stateSeen.at(row)) continue;
    versions.push(facts.stateVersion.at(row));
    moments.push(made);
  }
  const order = orderOf(moments.values());
  const starts = Float64Array.from(order, (at) => moments.at(at));
  const lowest = new Float64Array(order.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let at = order.length - 1; at >= 0; at -= 1) {
    lowest[at] = Math.min(lowest[at + 1] as number, versions.at(order[at] as number));
  }
  return (moment) => lowest[firstAbove(starts, moment)] as number;
}

/** The events of each stream, in the order in which they came. */
function eventsByStream({ streams, eventStream }: Facts): (stream: number) => Uint32Array {
  const starts = new Uint32Array(streams.length + 1);
  for (let at = 0; at < eventStream.length; at += 1) {
    const after = eventStream.at(at) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let at = 1; at <= streams.length; at += 1) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  const filled = starts.slice();
  const order = new Uint32Array(eventStream.length);
  for (let at = 0; at < eventStream.length; at += 1) {
    const stream = eventStream.at(at);
    order[filled[stream] as number] = at;
    filled[stream] = (filled[stream] as number) + 1;
  }
  return (stream) => order.subarray(starts[stream], starts[stream + 1]);
}

/** In which watch each change was told last: one column for all watches, which are read one after the other. */
class WatchMarks {
  readonly #states: Int32Array;
  readonly #removals: Int32Array;
  /** Versions of lists, by selection: where a watch begins that goes on from one. */
  readonly #lists = new Set<string>();

  constructor(facts: Facts) {
    this.#states = new Int32Array(facts.stateUid.length).fill(-1);
    this.#removals = new Int32Array(facts.uidKey.length).fill(-1);
    for (const { selection, version } of facts.lists) this.#lists.add(`${selection} ${version}`);
  }
  /** Whether a watch told a state before; from now on it has. */
  tells(stream: number, row: number): boolean {
    const before = this.#states[row] === stream;
    this.#states[row] = stream;
    return before;
  }
  removed(stream: number, uid: number): boolean {
    return this.#removals[uid] === stream;
  }
  remove(stream: number, uid: number, removed: boolean): void {
    this.#removals[uid] = removed ? stream : -1;
  }
  isList(selection: number, version: number): boolean {
    return this.#lists.has(`${selection} ${version}`);
  }
}

class WatchExam {
  readonly #timeline: Timeline;
  readonly #facts: Facts;
  readonly #stream: StreamFact;
  readonly #at: number;
  readonly #found: AllFindings;
  readonly #marks: WatchMarks;
  readonly #log: SelectionLog;
  /** The version after which every change has to be told; NaN before that is known. */
  #from = Number.NaN;
  /** The highest version so far. */
  #last = Number.NaN;
  #bookmark = Number.NEGATIVE_INFINITY;
  #count = 0;
  #sum = 0;
  /** What was told before the place where it begins is known: the state at the beginning. */
  readonly #initial = new Map<number, number>();
  /** What was told, as long as nothing was missed: events are read again when something is. */
  #events: Uint32Array = new Uint32Array();
  /** Missing changes are told once. */
  #missed = 0;

  constructor(timeline: Timeline, stream: StreamFact, at: number, found: AllFindings, marks: WatchMarks) {
    this.#timeline = timeline;
    this.#facts = timeline.facts;
    this.#stream = stream;
    this.#at = at;
    this.#found = found;
    this.#marks = marks;
    this.#log = timeline.log(stream.selection);
    if (stream.begins === 'after') {
      this.#from = stream.asked;
      this.#last = stream.asked;
    }
  }

  read(events: Uint32Array): void {
    this.#events = events;
    for (const event of events) {
      const kind = this.#facts.eventKind.at(event);
      if (kind === EVENT.error) break;
      const version = this.#facts.eventVersion.at(event);
      if (kind === EVENT.bookmark || kind === EVENT.initialEnd) this.#mark(version, kind === EVENT.initialEnd);
      else if (kind === EVENT.removed) this.#removal(this.#facts.eventRow.at(event), version);
      else this.#state(this.#facts.eventRow.at(event), version, kind === EVENT.added);
    }
    this.#holdAgainstLog(this.#last, this.#found['watch-reliable']);
  }

  #state(row: number, version: number, added: boolean): void {
    const { stateUid } = this.#facts;
    const selected = this.#log.matches(row);
    if (selected !== undefined) {
      this.#found['watch-filtered'].case(
        selected,
        () => `${this.#who} was told of ${this.#change(version, false, row)}, which it does not select`,
        [this.#stream.number],
      );
    }
    const again = this.#marks.tells(this.#at, row);
    this.#once(again, version, false, row);
    const uid = stateUid.at(row);
    const left = this.#marks.removed(this.#at, uid);
    this.#marks.remove(this.#at, uid, false);
    if (again) return;
    if (Number.isNaN(this.#from)) {
      this.#initial.set(uid, row);
      // Without a bookmark nothing says where the state ends, but that what changes comes after it.
      if (this.#stream.begins === 'state' && !added) this.#begin(version);
      return;
    }
    this.#inOrder(version, false, row);
    if (version > this.#from) this.#tell(version, false, row);
    this.#rightWord(row, added, left);
  }
  #rightWord(row: number, added: boolean, left: boolean): void {
    const previous = this.#timeline.previous[row] as number;
    const created = this.#facts.stateCreated.at(row) > 0;
    const before = previous >= 0 ? this.#log.matches(previous) : created ? false : undefined;
    if (before === undefined || (left && before)) return;
    this.#found['list-then-watch'].case(
      added !== before,
      () =>
        `${this.#who} was told ${this.#facts.nameOf(row)} at version ${this.#facts.stateVersion.at(row)} as ${added ? 'ADDED' : 'MODIFIED'}, though it was ${before ? 'there before' : 'new to it'}`,
      [this.#stream.number, this.#facts.witness(row)],
    );
  }

  #removal(uid: number, version: number): void {
    const again = this.#marks.removed(this.#at, uid);
    this.#once(again, version, true, uid);
    this.#marks.remove(this.#at, uid, true);
    if (again) return;
    if (Number.isNaN(this.#from)) {
      this.#initial.delete(uid);
      if (this.#stream.begins === 'state') this.#begin(version);
      return;
    }
    // A server that tells removals under the version of the last state gives them no place of their own.
    const everything = this.#log.everything;
    if (everything && Number.isNaN(this.#timeline.removal[uid] as number)) return;
    this.#inOrder(version, true, uid);
    if (version > this.#from) this.#tell(version, true, uid);
  }

  #mark(version: number, initialEnd: boolean): void {
    const { number } = this.#stream;
    if (initialEnd && this.#stream.begins === 'streamed' && Number.isNaN(this.#from)) {
      this.#holdInitial(version);
      this.#begin(version);
    }
    if (Number.isNaN(this.#from)) return;
    if (version >= this.#last) {
      const missed = this.#holdAgainstLog(version, this.#found['watch-bookmarkable']);
      if (missed) this.#found['watch-reliable'].broken(missed, [number]);
      this.#last = version;
    }
    this.#bookmark = Math.max(this.#bookmark, version);
  }

  #begin(version: number): void {
    this.#from = version;
    this.#last = version;
  }
  /** How a finding names what was told. */
  #change(version: number, removal: boolean, row: number): string {
    return removal
      ? `the removal of ${this.#facts.nameOfUid(row)} at version ${version}`
      : `${this.#facts.nameOf(row)} at version ${version}`;
  }
  #once(again: boolean, version: number, removal: boolean, row: number): void {
    const findings = this.#found['watch-unique'];
    if (!again) findings.held();
    else findings.broken(`${this.#who} was told ${this.#change(version, removal, row)} twice`, [this.#stream.number]);
  }
  #inOrder(version: number, removal: boolean, row: number): void {
    const { asked, begins } = this.#stream;
    if (begins === 'after') {
      const after = version > asked;
      if (after) this.#found['watch-resumable'].held();
      else this.#wrong('watch-resumable', version, removal, row, `went on after version ${asked} and`);
      if (!after) return;
    }
    if (this.#bookmark > Number.NEGATIVE_INFINITY) {
      if (version > this.#bookmark) this.#found['watch-bookmarkable'].held();
      else {
        const which = `the bookmark at ${this.#bookmark}, which includes it`;
        this.#wrong('watch-bookmarkable', version, removal, row, '', ` after ${which}`);
      }
    }
    if (version > this.#last || version === this.#from) this.#found['watch-ordered'].held();
    else this.#wrong('watch-ordered', version, removal, row, '', ` after version ${this.#last}`);
    if (version > this.#last) this.#last = version;
  }
  #wrong(name: GuaranteeName, version: number, removal: boolean, row: number, before: string, after = ''): void {
    const told = `was told ${this.#change(version, removal, row)}${after}`;
    const witness = removal ? this.#facts.uidRemovedNumber.at(row) : this.#facts.witness(row);
    this.#found[name].broken([this.#who, before, told].filter(Boolean).join(' '), [this.#stream.number, witness]);
  }
  #tell(version: number, removal: boolean, row: number): void {
    this.#count += 1;
    this.#sum += sumOfChange(version, removal, row);
  }

  /** Holds what was told up to a version against what there was. @returns what is missing, as a sentence */
  #holdAgainstLog(upTo: number, findings: Findings): string | undefined {
    if (Number.isNaN(this.#from) || !this.#log.judged) return undefined;
    const wanted = this.#log.between(this.#from, upTo);
    const { selection, asked, begins, number } = this.#stream;
    const whole = wanted.count === this.#count && wanted.sum === this.#sum;
    findings.held(Math.max(1, wanted.count > 0 ? 1 : 0));
    const goesOn =
      begins !== 'after' ? undefined : this.#marks.isList(selection, asked) ? 'list-then-watch' : 'watch-resumable';
    if (goesOn && wanted.count > 0) this.#found[goesOn].held();
    if (whole || wanted.count - this.#count === this.#missed) return undefined;
    const missing = this.#missing(upTo);
    this.#missed = wanted.count - this.#count;
    const [first] = missing;
    if (!first) return undefined;
    const { facts } = this.#timeline;
    const what = first.removal ? `the removal of ${facts.nameOfUid(first.row)}` : facts.nameOf(first.row);
    const more = missing.length > 1 ? `, and ${missing.length - 1} more` : '';
    const sentence = `${this.#who} was told up to version ${upTo}, but not ${what} at version ${first.version}${more}`;
    const witness = first.removal ? facts.uidRemovedNumber.at(first.row) : facts.witness(first.row);
    findings.broken(sentence, [number, witness]);
    if (goesOn) this.#found[goesOn].broken(`${sentence}, after it went on from ${asked}`, [number, witness]);
    return sentence;
  }
  /** The changes that were not told, by reading the stream again. */
  #missing(upTo: number): SelectionChange[] {
    const told = new Set<number>();
    for (const event of this.#events) {
      const kind = this.#facts.eventKind.at(event);
      const row = this.#facts.eventRow.at(event);
      if (kind === EVENT.added || kind === EVENT.modified) told.add(mix(row, -1));
      if (kind === EVENT.removed) told.add(mix(row, this.#facts.eventVersion.at(event)));
    }
    return [...this.#log.changesBetween(this.#from, upTo)].filter((change) => !told.has(sumOf(change)));
  }

  /** The state that a streamed list tells is the one at its bookmark. */
  #holdInitial(version: number): void {
    const { facts } = this.#timeline;
    const findings = this.#found['list-then-watch'];
    for (const row of this.#initial.values()) {
      const right = facts.stateVersion.at(row) <= version && !this.#timeline.isOver(row, version, this.#stream.start);
      findings.case(
        right || Number.isNaN(version),
        () =>
          `${this.#who} began with ${facts.nameOf(row)} as of ${facts.stateVersion.at(row)}, which is not what it was at ${version}`,
        [this.#stream.number, facts.witness(row)],
      );
    }
    if (this.#log.judged) {
      for (const row of this.#log.statesAt(version)) {
        findings.case(
          this.#initial.has(facts.stateUid.at(row)),
          () => `${this.#who} began at version ${version} without ${facts.nameOf(row)}, which was there`,
          [this.#stream.number, facts.witness(row)],
        );
      }
    }
    const { asked, selection, start, number } = this.#stream;
    const { resource } = facts.selections[selection] as SelectionFact;
    const before = Number.isNaN(asked) ? facts.knownBefore(resource, start) : { version: asked, number };
    this.#found['not-older'].case(
      version >= before.version,
      () => `${this.#who} began with the state at version ${version}, though ${before.version} was to be included`,
      [number, before.number],
    );
    this.#initial.clear();
  }

  get #who(): string {
    return this.#stream.client;
  }
}

/** Holds every watch that stood against the writes that it had to tell within the patience of the run. */
function examineLife(timeline: Timeline, events: (stream: number) => Uint32Array, findings: Findings): void {
  const { facts } = timeline;
  if (Number.isNaN(facts.patience)) return;
  for (const { version: text = '', at, path = '' } of facts.fences) {
    const version = Number(text);
    for (const [index, { selection, start, closed, number, client, asked }] of facts.streams.entries()) {
      if (start > at || closed < facts.patience || asked >= version) continue;
      const { scope } = (facts.selections[selection] as SelectionFact).selection;
      const log = timeline.log(selection);
      const wanted = [...log.changesBetween(version - 1, version)];
      if (!path.endsWith(`/${scope.type.split('/').at(-1)}`) || wanted.length === 0) continue;
      let reached = false;
      for (const event of events(index)) if (facts.eventVersion.at(event) >= version) reached = true;
      findings.case(
        reached,
        () =>
          `${client} waited ${Math.round(facts.patience - at)} ms for version ${version}, which was written while it watched`,
        [number],
      );
    }
  }
}

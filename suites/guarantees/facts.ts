import type { EventEntry, HistoryEntry, MarkEntry, ObjectSight, OperationEntry } from '../../history/format.ts';
import { type ObjectSelection, type Scope, scopeOf, selectionOf } from '../../history/scope.ts';
import { answerSight, eventSight, sentSight } from '../../history/sight.ts';
import { firstAbove, hashOf, Names, NumberColumn, orderOf, PairIndex } from './columns.ts';

/** A list, or one chunk of it, as far as it is judged. */
export interface ListFact {
  readonly number: number;
  readonly selection: number;
  readonly start: number;
  readonly end: number;
  readonly version: number;
  /** Where its items stand in {@link Facts.items}. */
  readonly first: number;
  readonly count: number;
  /** The version that was asked for; NaN where none was. */
  readonly asked: number;
  /** Whether it was asked for as it is at this moment. */
  readonly recent: boolean;
  readonly exact: boolean;
  /** The chunk before it; -1 for a first one, -2 where that is not in the history. */
  readonly parent: number;
  readonly hasMore: boolean;
}
/** A watch that was opened. */
export interface StreamFact {
  readonly number: number;
  readonly client: string;
  readonly selection: number;
  readonly start: number;
  /** `after`: from a version on. `streamed`: a list as events, closed by a bookmark. `state`: from a state of its choice. */
  readonly begins: 'after' | 'streamed' | 'state';
  /** The version that was asked for; NaN where none was. */
  readonly asked: number;
  closed: number;
}
export interface SelectionFact {
  readonly resource: string;
  readonly selection: ObjectSelection;
}
export const EVENT = { added: 0, modified: 1, removed: 2, bookmark: 3, initialEnd: 4, error: 5 } as const;

/** Kinds of answers that tell what an object was at one moment, beside those that show it. */
export interface MomentFact {
  readonly key: number;
  readonly start: number;
  readonly end: number;
  readonly number: number;
  /** The version that the request was conditional on. */
  readonly version?: number;
}

/**
 * All that a history tells and guarantees are about, in columns: the states of objects (a row for each uid and version
 * that anybody saw), the lists, the watches and their events. What it needs grows by some hundred bytes an operation.
 */
export class Facts {
  readonly keys = new Names();
  readonly uids = new Names();
  readonly labels: (Readonly<Record<string, string>> | undefined)[] = [{}];
  readonly #labelNames = new Map<string, number>();
  /** Of labels that a reader gives as one object each time. */
  readonly #labelObjects = new WeakMap<object, number>();
  readonly #views = new Names();

  /** By name: the number of its resource in {@link resources}. */
  readonly keyResource = new NumberColumn();
  /** Groups and plurals. */
  readonly resources = new Names();
  /** By uid: the name it has, the latest version at which a list showed it, and how it was removed. */
  readonly uidKey = new NumberColumn();
  readonly uidProof = new NumberColumn();
  readonly uidRemovedVersion = new NumberColumn();
  readonly uidRemovedBy = new NumberColumn();
  readonly uidRemovedNumber = new NumberColumn();
  /** The latest start of a deletion that was answered to have removed it. */
  readonly uidRemovedFrom = new NumberColumn();

  readonly #states = new PairIndex();
  readonly #recent = new RecentStates();
  readonly stateUid = new NumberColumn();
  readonly stateVersion = new NumberColumn();
  readonly stateLabels = new NumberColumn();
  /** When it was surely there: the earliest end of what showed it, and the number of that. */
  readonly stateSeen = new NumberColumn();
  readonly stateSeenNumber = new NumberColumn();
  /** When it was surely still the latest: the latest start of what read it. */
  readonly stateCurrent = new NumberColumn();
  readonly stateCurrentNumber = new NumberColumn();
  /** The earliest start of a write that was answered with it. */
  readonly stateMade = new NumberColumn();
  readonly stateMadeNumber = new NumberColumn();
  readonly stateCreated = new NumberColumn();
  readonly stateLeaving = new NumberColumn();
  readonly #stateDigest = new NumberColumn();
  readonly #stateView = new NumberColumn();
  readonly #stateMark = new NumberColumn();

  readonly lists: ListFact[] = [];
  readonly items = new NumberColumn();
  readonly streams: StreamFact[] = [];
  /** Streams that sent a bookmark. */
  readonly #bookmarked = new Set<number>();
  readonly #streamsByNumber = new Map<number, number>();
  readonly eventStream = new NumberColumn();
  readonly eventKind = new NumberColumn();
  /** The row of its state, or of a removal the uid. */
  readonly eventRow = new NumberColumn();
  readonly eventVersion = new NumberColumn();
  readonly eventAt = new NumberColumn();

  readonly selections: SelectionFact[] = [];
  readonly #selectionNumbers = new Map<string, number>();
  readonly #places = new Map<string, RequestPlace>();
  /** Types, groups and namespaces. */
  readonly #words = new Names();
  readonly #requests = new Map<string, Request>();
  readonly #tokens = new Map<string, number>();

  /** What was known when, by resource: versions and the end of the answer that told them. */
  readonly #told = new Map<string, Told>();
  readonly #clocks = new Map<string, Clock>();

  readonly absent: MomentFact[] = [];
  readonly existed: MomentFact[] = [];
  readonly conflicts: MomentFact[] = [];
  /** Writes that were conditional on a version and accepted: the row that they made, what they expected, their number. */
  readonly conditionalRow = new NumberColumn();
  readonly conditionalVersion = new NumberColumn();
  readonly conditionalNumber = new NumberColumn();
  readonly creationRow = new NumberColumn();
  readonly creationNumber = new NumberColumn();
  /** Reads of one object that had to be no older than a version. */
  readonly notOlder: { readonly row: number; readonly asked: number; readonly number: number }[] = [];
  readonly digestConflicts: { readonly row: number; readonly number: number; readonly before: number }[] = [];
  /** Writes that were refused, by their marks. */
  readonly #refused = new Map<number, number>();
  /** Creations and updates that nobody answered, by the name that they were about. */
  readonly unanswered = new Map<number, number>();
  /** Requests to remove, by the name that they were about; those that were refused asked for nothing. */
  readonly removals = new Map<number, { readonly start: number; readonly end: number }[]>();
  /** Requests of users without a right to them, and whether they were refused. */
  readonly denied: { readonly number: number; readonly sentence: string; readonly refused: boolean }[] = [];
  /** Whether all that is at work there is in the history. */
  alone = false;
  readonly fences: MarkEntry[] = [];
  patience = Number.NaN;
  /** The end of the latest answer or event. */
  ended = 0;
  /** A version that a server gave and that is no decimal number; then the order of versions is not known. */
  opaque: string | undefined;
  operations = 0;

  take(entry: HistoryEntry): void {
    switch (entry.type) {
      case 'operation':
        this.#operation(entry);
        return;
      case 'event':
        this.#event(entry);
        return;
      case 'closed': {
        const stream = this.streams[this.#streamsByNumber.get(entry.number) ?? -1];
        if (stream) stream.closed = entry.at;
        return;
      }
      case 'history':
        this.alone = entry.by === 'storm';
        return;
      case 'mark':
        if (entry.mark === 'fence') this.fences.push(entry);
        if (entry.mark === 'patience') this.patience = entry.at;
    }
  }

  #operation(entry: OperationEntry): void {
    this.operations += 1;
    const { path, method } = entry;
    const request = this.#requestOf(path);
    if (!request || request.dryRun) return;
    const { scope, resource, query } = request;
    if (entry.end !== undefined && entry.status !== undefined) this.ended = Math.max(this.ended, entry.end);
    if (entry.denied && entry.status !== undefined) {
      const sentence = `${entry.user ?? entry.client} has no right to ${method} ${path} and was answered ${entry.status}`;
      this.denied.push({ number: entry.number, sentence, refused: entry.status >= 400 });
    }
    const whole = scope.subresource === '' || scope.subresource === 'status';
    if (method === 'GET') {
      if (request.watch) this.#open(entry, scope, resource, query);
      else if (entry.status === undefined) return;
      else if (scope.name === '') this.#list(entry, scope, resource, query);
      else if (whole) this.#get(entry, request);
    } else if (whole && isWrite(method)) this.#write(entry, scope, resource);
  }

  #requestOf(path: string): Request | undefined {
    const known = this.#requests.get(path);
    if (known) return known;
    const question = path.indexOf('?');
    const place = this.#placeOf(question < 0 ? path : path.slice(0, question));
    if (!place) return undefined;
    const query = question < 0 ? NO_QUERY : new URLSearchParams(path.slice(question + 1));
    const asked = query.get('resourceVersion');
    const { scope, resource } = place;
    // Written out: what is spread has a shape of its own each time, so that each look at a member searches for it.
    const request = {
      scope,
      resource,
      query,
      dryRun: query.has('dryRun'),
      watch: isWatch(query),
      asked: asked ?? '',
    };
    // What names a version or a step of a walk hardly comes again.
    if (asked !== null || query.has('continue')) return request;
    if (this.#requests.size > PLACES) this.#requests.clear();
    this.#requests.set(path, request);
    return request;
  }
  #placeOf(path: string): RequestPlace | undefined {
    const known = this.#places.get(path);
    if (known) return known;
    const read = scopeOf(path);
    if (!read) return undefined;
    if (this.#places.size > PLACES) this.#places.clear();
    // The same texts for every path of a type: then comparing them is comparing where they are.
    const scope = { ...read, type: this.#same(read.type), namespace: this.#same(read.namespace) };
    const place = { scope, resource: this.#same(resourceOf(scope)) };
    this.#places.set(path, place);
    return place;
  }

  #same(text: string): string {
    return this.#words.text(this.#words.of(text));
  }

  #get(entry: OperationEntry, { scope, resource, asked }: Request): void {
    const end = entry.end ?? entry.start;
    if (entry.status === 404 && asked === '') {
      const key = this.#key(resource, scope.namespace, scope.name);
      this.absent.push({ key, start: entry.start, end, number: entry.number });
    }
    const object = entry.status === 200 ? answerSight(entry)?.object : undefined;
    if (!object) return;
    const row = this.#saw(object, scope.type, resource, entry.number, end);
    if (row < 0) return;
    if (asked === '' && this.stateCurrent.raise(row, entry.start)) this.stateCurrentNumber.set(row, entry.number);
    this.#learn(resource, end, this.stateVersion.at(row), entry.number);
    const least = asked === '0' ? Number.NaN : decimalOf(asked);
    if (!Number.isNaN(least)) this.notOlder.push({ row, asked: least, number: entry.number });
  }

  #write(entry: OperationEntry, scope: Scope, resource: string): void {
    const { method, status, number, start } = entry;
    const sent = method === 'DELETE' ? undefined : sentSight(entry);
    const end = entry.end ?? Number.POSITIVE_INFINITY;
    const name = scope.name || sent?.name || '';
    const namespace = scope.namespace;
    // What has to be refused asks for nothing, and leaves nothing behind, answered or not.
    if (entry.denied && sent?.mark !== undefined) this.#refused.set(hashOf(sent.mark), number);
    if (
      method === 'DELETE' &&
      name !== '' &&
      !entry.denied &&
      (status === undefined || status < 400 || status >= 500)
    ) {
      const key = this.#key(resource, namespace, name);
      const asked = this.removals.get(key);
      if (asked) asked.push({ start, end });
      else this.removals.set(key, [{ start, end }]);
    }
    if (status === undefined || status >= 500) {
      if (name !== '' && method !== 'DELETE' && !entry.denied) {
        const key = this.#key(resource, namespace, name);
        this.unanswered.set(key, (this.unanswered.get(key) ?? 0) + 1);
      }
      return;
    }
    if (status >= 400) {
      this.#refuse(entry, resource, namespace, name, sent);
      return;
    }
    if (scope.name === '' && method !== 'POST') return;
    const answer = answerSight(entry);
    const object = answer?.object;
    // 202 says that it will be gone, and a Status of an eviction may name the pod too.
    const told = method === 'DELETE' && status !== 202 ? answer?.removed : undefined;
    const removed = told === undefined ? undefined : this.uids.find(told);
    if (removed !== undefined && removed < this.uidKey.length) {
      this.#removed(removed, end, number);
      this.uidRemovedFrom.raise(removed, start);
    }
    if (!object) return;
    if (object.gone || (method === 'DELETE' && !object.leaving)) {
      this.#removed(this.#uid(object, resource), end, number);
      return;
    }
    const row = this.#saw(object, scope.type, resource, number, end);
    if (row < 0) return;
    const version = this.stateVersion.at(row);
    if (this.stateCurrent.raise(row, start)) this.stateCurrentNumber.set(row, number);
    if (this.stateMade.lower(row, start)) this.stateMadeNumber.set(row, number);
    this.#learn(resource, end, version, number);
    if (status === 201) {
      this.stateCreated.set(row, CREATED_HERE);
      this.creationRow.push(row);
      this.creationNumber.push(number);
    }
    const expected = decimalOf(sent?.version ?? '');
    // Version 0 asks for none.
    if (expected > 0 && method !== 'POST') {
      this.conditionalRow.push(row);
      this.conditionalVersion.push(expected);
      this.conditionalNumber.push(number);
    }
  }

  #refuse(
    entry: OperationEntry,
    resource: string,
    namespace: string,
    name: string,
    sent: ReturnType<typeof sentSight>,
  ): void {
    const { method, status, number, start } = entry;
    const end = entry.end ?? start;
    if (sent?.mark !== undefined) this.#refused.set(hashOf(sent.mark), number);
    if (name === '') return;
    const moment = { key: this.#key(resource, namespace, name), start, end, number };
    if (status === 404 && method !== 'POST') this.absent.push(moment);
    // By which code a name in use is refused is open.
    if (method === 'POST') {
      if (answerSight(entry)?.reason === 'AlreadyExists') this.existed.push(moment);
      return;
    }
    const expected = decimalOf(sent?.version ?? '');
    if (status === 409 && !Number.isNaN(expected)) this.conflicts.push({ ...moment, version: expected });
  }

  #list(entry: OperationEntry, scope: Scope, resource: string, query: URLSearchParams): void {
    if (entry.status !== 200) return;
    const answer = answerSight(entry);
    if (!answer?.items || answer.version === undefined) return;
    const { start, number } = entry;
    const end = entry.end ?? start;
    const version = this.#number(answer.version);
    const first = this.items.length;
    for (const item of answer.items) {
      const row = this.#saw(item, scope.type, resource, number, end);
      if (row < 0) continue;
      this.items.push(row);
      this.uidProof.raise(this.stateUid.at(row), version);
    }
    const token = query.get('continue') ?? '';
    const asked = query.get('resourceVersion') ?? '';
    this.lists.push({
      number,
      selection: this.#selection(scope, resource, query),
      start,
      end,
      version,
      first,
      count: this.items.length - first,
      asked: asked === '0' ? Number.NaN : decimalOf(asked),
      recent: asked === '' && token === '',
      exact: query.get('resourceVersionMatch') === 'Exact',
      parent: token === '' ? -1 : (this.#tokens.get(token) ?? -2),
      hasMore: (answer.continue ?? '') !== '',
    });
    if (answer.continue) this.#tokens.set(answer.continue, this.lists.length - 1);
    this.#learn(resource, end, version, number);
  }

  #open(entry: OperationEntry, scope: Scope, resource: string, query: URLSearchParams): void {
    if (entry.status !== 200 || entry.unread) return;
    const version = query.get('resourceVersion') ?? '';
    const streamed = query.get('sendInitialEvents') === 'true';
    this.#streamsByNumber.set(entry.number, this.streams.length);
    this.streams.push({
      number: entry.number,
      client: entry.client,
      selection: this.#selection(scope, resource, query),
      start: entry.start,
      begins: streamed ? 'streamed' : version === '' || version === '0' ? 'state' : 'after',
      asked: version === '' || version === '0' ? Number.NaN : this.#number(version),
      closed: Number.POSITIVE_INFINITY,
    });
  }

  #event(entry: EventEntry): void {
    const index = this.#streamsByNumber.get(entry.number);
    const stream = this.streams[index ?? -1];
    const sight = stream && eventSight(entry);
    if (index === undefined || !stream || !sight) return;
    const fact = this.selections[stream.selection] as SelectionFact;
    const at = entry.at ?? Number.POSITIVE_INFINITY;
    if (entry.at !== undefined) this.ended = Math.max(this.ended, entry.at);
    if (sight.type === 'ERROR') {
      this.#pushEvent(index, EVENT.error, -1, Number.NaN, at);
      return;
    }
    const text = sight.type === 'BOOKMARK' ? sight.version : sight.object?.version;
    if (text === undefined) return;
    const version = this.#number(text);
    if (!sight.object) {
      // The first bookmark of a streamed list ends it, whether or not it is marked so.
      const isFirst = stream.begins === 'streamed' && !this.#bookmarked.has(index);
      this.#bookmarked.add(index);
      this.#pushEvent(index, isFirst || sight.initialEnd ? EVENT.initialEnd : EVENT.bookmark, -1, version, at);
    } else if (sight.type === 'ADDED' || sight.type === 'MODIFIED') {
      const row = this.#saw(sight.object, fact.selection.scope.type, fact.resource, entry.number, at);
      if (row < 0) return;
      const added = sight.type === 'ADDED';
      const plain = stream.begins === 'after' && fact.selection.everything;
      if (added && plain) this.stateCreated.raise(row, 1);
      this.#learn(fact.resource, at, version, entry.number);
      this.#pushEvent(index, added ? EVENT.added : EVENT.modified, row, version, at);
    } else {
      const uid = this.#uid(sight.object, fact.resource);
      if (fact.selection.everything) this.#removed(uid, at, entry.number);
      this.#pushEvent(index, EVENT.removed, uid, version, at);
    }
  }
  #pushEvent(stream: number, kind: number, row: number, version: number, at: number): void {
    this.eventStream.push(stream);
    this.eventKind.push(kind);
    this.eventRow.push(row);
    this.eventVersion.push(version);
    this.eventAt.push(at);
  }

  /** The row of a state that somebody saw; -1 where its version is no number. */
  #saw(object: ObjectSight, view: string, resource: string, number: number, end: number): number {
    const version = this.#number(object.version);
    if (Number.isNaN(version)) return -1;
    const recent = this.#recent.find(object, view, version);
    if (recent >= 0) {
      if (this.stateSeen.lower(recent, end)) this.stateSeenNumber.set(recent, number);
      return recent;
    }
    const uid = this.#uid(object, resource);
    let row = this.#states.find(uid, version);
    if (row < 0) {
      row = this.stateUid.push(uid);
      this.#states.set(uid, version, row);
      this.stateVersion.push(version);
      this.stateLabels.push(this.#labels(object.labels));
      this.stateSeen.push(end);
      this.stateSeenNumber.push(number);
      this.stateCurrent.push(Number.NEGATIVE_INFINITY);
      this.stateCurrentNumber.push(number);
      this.stateMade.push(Number.POSITIVE_INFINITY);
      this.stateMadeNumber.push(number);
      this.stateCreated.push(0);
      this.stateLeaving.push(object.leaving ? 1 : 0);
      this.#stateDigest.push(object.digest === undefined ? -1 : hashOf(object.digest));
      this.#stateView.push(this.#views.of(view));
      this.#stateMark.push(object.mark === undefined ? -1 : hashOf(object.mark));
      this.#recent.keep(object, view, version, row);
      return row;
    }
    let agrees = true;
    if (object.digest !== undefined) {
      const known = this.#stateDigest.at(row);
      if (known < 0) {
        this.#stateDigest.set(row, hashOf(object.digest));
        this.#stateView.set(row, this.#views.of(view));
      } else if (known !== hashOf(object.digest) && this.#views.text(this.#stateView.at(row)) === view) {
        this.digestConflicts.push({ row, number, before: this.stateSeenNumber.at(row) });
        agrees = false;
      }
    }
    if (agrees) this.#recent.keep(object, view, version, row);
    if (this.stateSeen.lower(row, end)) this.stateSeenNumber.set(row, number);
    return row;
  }
  #key(resource: string, namespace: string, name: string): number {
    const key = this.keys.of(keyOf(resource, namespace, name));
    if (key === this.keyResource.length) this.keyResource.push(this.resources.of(resource));
    return key;
  }
  #uid(object: ObjectSight, resource: string): number {
    const uid = this.uids.of(object.uid);
    if (uid === this.uidKey.length) {
      this.uidKey.push(this.#key(resource, object.namespace ?? '', object.name));
      this.uidProof.push(Number.NEGATIVE_INFINITY);
      this.uidRemovedVersion.push(Number.NaN);
      this.uidRemovedBy.push(Number.POSITIVE_INFINITY);
      this.uidRemovedNumber.push(-1);
      this.uidRemovedFrom.push(Number.NEGATIVE_INFINITY);
    }
    return uid;
  }
  #removed(uid: number | undefined, end: number, number: number): void {
    if (uid === undefined || uid >= this.uidKey.length) return;
    if (this.uidRemovedBy.lower(uid, end) || this.uidRemovedNumber.at(uid) < 0) this.uidRemovedNumber.set(uid, number);
  }
  #labels(labels: ObjectSight['labels']): number {
    if (labels === undefined) return 0;
    const before = this.#labelObjects.get(labels);
    if (before !== undefined) return before;
    const text = JSON.stringify(labels);
    let number = this.#labelNames.get(text);
    if (number === undefined) {
      number = this.labels.push(labels) - 1;
      this.#labelNames.set(text, number);
    }
    this.#labelObjects.set(labels, number);
    return number;
  }
  #learn(resource: string, end: number, version: number, number: number): void {
    let told = this.#told.get(resource);
    if (!told) {
      told = new Told();
      this.#told.set(resource, told);
    }
    if (Number.isNaN(version) || !Number.isFinite(end)) return;
    // Who asks later than the highest so far was told learns nothing from a lower one that came after it.
    if (version <= told.highest && end >= told.highestEnd) return;
    if (version > told.highest) {
      told.highest = version;
      told.highestEnd = end;
    }
    told.end.push(end);
    told.version.push(version);
    told.number.push(number);
  }
  #selection(scope: Scope, resource: string, query: URLSearchParams): number {
    const selection = selectionOf(scope, query);
    const key = `${resource}${selection.key}`;
    const known = this.#selectionNumbers.get(key);
    if (known !== undefined) return known;
    this.#selectionNumbers.set(key, this.selections.length);
    return this.selections.push({ resource, selection }) - 1;
  }
  /** A version that a server gave, or went on from; what clients send may be anything. */
  #number(text: string): number {
    const number = decimalOf(text);
    if (Number.isNaN(number)) this.opaque ??= text;
    return number;
  }

  /** The highest version of a resource that was answered before a moment, and the operation that was. */
  knownBefore(resource: string, moment: number): { readonly version: number; readonly number: number } {
    let clock = this.#clocks.get(resource);
    if (!clock) {
      clock = new Clock(this.#told.get(resource));
      this.#clocks.set(resource, clock);
    }
    return clock.before(moment);
  }

  /** The row of a state; -1 where nobody saw it. */
  rowOf(uid: number, version: number): number {
    return this.#states.find(uid, version);
  }
  /** The refused write whose content a state has. */
  refusedBehind(row: number): number | undefined {
    const mark = this.#stateMark.at(row);
    return mark < 0 ? undefined : this.#refused.get(mark);
  }
  get refusals(): number {
    return this.#refused.size;
  }
  /** The resource of a state. */
  resourceOf(row: number): string {
    return this.resources.text(this.keyResource.at(this.uidKey.at(this.stateUid.at(row))));
  }
  /** How a finding names an object. */
  nameOfKey(key: number): string {
    const [resource, namespace, name] = this.keys.text(key).split('\0');
    return `${resource} ${namespace ? `${namespace}/` : ''}${name}`;
  }
  nameOfUid(uid: number): string {
    return this.nameOfKey(this.uidKey.at(uid));
  }
  nameOf(row: number): string {
    return this.nameOfUid(this.stateUid.at(row));
  }
  /** The operation that shows a state best: the write that made it, or who saw it first. */
  witness(row: number): number {
    return Number.isFinite(this.stateMade.at(row)) ? this.stateMadeNumber.at(row) : this.stateSeenNumber.at(row);
  }
}

interface RequestPlace {
  readonly scope: Scope;
  readonly resource: string;
}
/** How many paths are remembered as they are understood. */
const PLACES = 20_000;

/** What is asked, and where. */
interface Request extends RequestPlace {
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  readonly watch: boolean;
  /** The version that is asked for; empty where none is. */
  readonly asked: string;
}

/** Versions of a resource that somebody was told, and when, by which operation. */
class Told {
  readonly end = new NumberColumn();
  readonly version = new NumberColumn();
  readonly number = new NumberColumn();
  highest = Number.NEGATIVE_INFINITY;
  highestEnd = Number.POSITIVE_INFINITY;
}

/** Finds the state that an object shows which was looked at before: a reader gives one object for the same bytes. */
class RecentStates {
  readonly #objects = new Array<ObjectSight | undefined>(RECENT).fill(undefined);
  readonly #views = new Array<string>(RECENT).fill('');
  readonly #rows = new Int32Array(RECENT);

  /** The row; -1 for an object that is another, or seen by another version of its type. */
  find(object: ObjectSight, view: string, version: number): number {
    const at = version & (RECENT - 1);
    return this.#objects[at] === object && this.#views[at] === view ? (this.#rows[at] as number) : -1;
  }
  keep(object: ObjectSight, view: string, version: number, row: number): void {
    const at = version & (RECENT - 1);
    this.#objects[at] = object;
    this.#views[at] = view;
    this.#rows[at] = row;
  }
}
/** How many are remembered, a power of two: few, as what is kept for long has to be moved by the collector of garbage. */
const RECENT = 1 << 12;

/** What was known at which moment. */
class Clock {
  readonly #ends: Float64Array;
  readonly #most: Float64Array;
  readonly #numbers: Float64Array;

  constructor(told: Told | undefined) {
    const length = told?.end.length ?? 0;
    const order = told ? orderOf(told.end.values()) : new Uint32Array();
    this.#ends = new Float64Array(length);
    this.#most = new Float64Array(length);
    this.#numbers = new Float64Array(length);
    let most = Number.NEGATIVE_INFINITY;
    let number = -1;
    for (let at = 0; told && at < length; at += 1) {
      const entry = order[at] as number;
      if (told.version.at(entry) > most) {
        most = told.version.at(entry);
        number = told.number.at(entry);
      }
      this.#ends[at] = told.end.at(entry);
      this.#most[at] = most;
      this.#numbers[at] = number;
    }
  }
  before(moment: number): { readonly version: number; readonly number: number } {
    // What ended at the very moment may have been answered after it.
    const at = firstAbove(this.#ends, previousNumber(moment)) - 1;
    if (at < 0) return { version: Number.NEGATIVE_INFINITY, number: -1 };
    return { version: this.#most[at] as number, number: this.#numbers[at] as number };
  }
}
/** So little less that nothing of the clocks that write histories lies between. */
const previousNumber = (moment: number): number => moment - 1e-6;

/** In {@link Facts.stateCreated}: by an operation of the history; 1 says by anybody. */
export const CREATED_HERE = 2;
const NO_QUERY = new URLSearchParams();

/** What a text of at most 15 decimal digits says; NaN for another. */
function decimalOf(text: string): number {
  if (text.length === 0 || text.length > 15) return Number.NaN;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

export function keyOf(resource: string, namespace: string, name: string): string {
  return `${resource}\0${namespace}\0${name}`;
}
/** Group and plural: the same objects are there in each version. */
function resourceOf({ type }: Scope): string {
  const parts = type.split('/');
  return parts.length === 3 ? `${parts[0]}/${parts[2]}` : (parts[1] ?? type);
}
function isWrite(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE';
}
function isWatch(query: URLSearchParams): boolean {
  const watch = query.get('watch');
  return watch !== null && watch !== '0' && watch.toLowerCase() !== 'false';
}

/**
 * The one format in which Touchstone keeps what clients did and saw: JSON lines, each an {@link HistoryEntry}, in the
 * order in which they became known. docs/history.md tells it in words. A file may end anywhere, also within a line: what
 * stands before that holds. Times are milliseconds since the history, or its check, began.
 */
export type HistoryEntry = HistoryHeader | OperationEntry | EventEntry | ClosedEntry | MarkEntry;

/** The first line of a file; one without it is read as well. */
export interface HistoryHeader {
  readonly type: 'history';
  readonly format: 1;
  /** What wrote it: `run`, `storm`, `record`. */
  readonly by: string;
  /** RFC 3339. */
  readonly began: string;
  readonly seed?: string | undefined;
  /** Base addresses, by which operations name their `server`. */
  readonly servers?: readonly string[];
  /** The command that made it. */
  readonly command?: string | undefined;
}

/** A request, written down when its answer was there or it was given up. */
export interface OperationEntry {
  readonly type: 'operation';
  /** Of several checks in one file, which; each counts its operations anew. */
  readonly check?: string | undefined;
  readonly client: string;
  /** As whom the client asked, where it asks as several. */
  readonly user?: string | undefined;
  /** Whoever asked has no right to it: the server has to refuse. */
  readonly denied?: true | undefined;
  /** Counts within the file, or within the check; an event names its watch by it. */
  readonly number: number;
  readonly start: number;
  /** When the whole answer had come, of a watch its head; absent where none came and the client still waited. */
  readonly end?: number | undefined;
  /** Which of the servers was asked, counted from 0. */
  readonly server?: number | undefined;
  /** Tells the connections of a client apart. */
  readonly connection?: number | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string | undefined;
  /** What was sent, whole, or what matters of it. */
  readonly body?: string | undefined;
  readonly sent?: SentSight | undefined;
  /** Absent where no answer came: the operation may have happened, or not, or may still happen. */
  readonly status?: number | undefined;
  /** What was answered, whole, or what matters of it. */
  readonly answer?: string | undefined;
  readonly seen?: AnswerSight | undefined;
  /** What was answered is not known; of a watch, none of its events. */
  readonly unread?: true | undefined;
  /** Why no whole answer came. */
  readonly failure?: string | undefined;
}

/** An event of a watch, when it arrived. */
export interface EventEntry {
  readonly type: 'event';
  readonly check?: string | undefined;
  /** Of the operation that opened the watch. */
  readonly number: number;
  readonly at?: number | undefined;
  /** What came, whole, or what matters of it. */
  readonly event?: string | undefined;
  readonly seen?: EventSight | undefined;
}

/** The end of a watch. A watch without one was still open when the history ended. */
export interface ClosedEntry {
  readonly type: 'closed';
  readonly check?: string | undefined;
  readonly number: number;
  readonly at: number;
  readonly by: 'client' | 'server' | 'fault';
  readonly failure?: string | undefined;
}

/** Something that is no request: a fault, the beginning of a phase. */
export interface MarkEntry {
  readonly type: 'mark';
  readonly check?: string | undefined;
  readonly at: number;
  /** `fault`, `phase`, `fence` (a write that every open watch has to tell), `patience` (until when it had to). */
  readonly mark: string;
  readonly text: string;
  /** Of a fence: the version of its write, and the collection that it was in. */
  readonly version?: string | undefined;
  readonly path?: string | undefined;
}

/** What matters of a stored object that somebody saw. */
export interface ObjectSight {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid: string;
  readonly version: string;
  /** Of the content without apiVersion and kind, which items of lists may lack; whatever the order of members. */
  readonly digest?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  /** It has a deletionTimestamp. */
  readonly leaving?: true | undefined;
  /** It is being deleted and nothing holds it: what is answered is the last that there was of it. */
  readonly gone?: true | undefined;
  /** The write that it came from, as that write marked it (annotation `storm.touchstone/write`). */
  readonly mark?: string | undefined;
}
/** What matters of a request's body. */
export interface SentSight {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** The version that it is conditional on. */
  readonly version?: string | undefined;
  readonly mark?: string | undefined;
}
/** What matters of an answer: an object, a list, or a Status. */
export interface AnswerSight {
  readonly object?: ObjectSight | undefined;
  readonly items?: readonly ObjectSight[];
  /** Of a list. */
  readonly version?: string | undefined;
  readonly continue?: string | undefined;
  /** Items of the list that are made for the answer and stored nowhere, and so have no uid. */
  readonly unstored?: number | undefined;
  /** Of a Status: its reason, the uid of what was removed, and the token with which a walk may go on after 410. */
  readonly reason?: string | undefined;
  readonly removed?: string | undefined;
}
export interface EventSight {
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`, `ERROR`, or what else the server said. */
  readonly type: string;
  readonly object?: ObjectSight | undefined;
  /** Of a bookmark. */
  readonly version?: string | undefined;
  /** A bookmark that ends the initial events of a streamed list. */
  readonly initialEnd?: true | undefined;
  /** Of an error. */
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
}

/** The annotation by which a write says which one it is. */
export const MARK = 'storm.touchstone/write';

/** Whether a file of this name holds a history. */
export function isHistoryFile(name: string): boolean {
  return /^history-\d+\.ndjson$/.test(name);
}

import type {
  AnswerSight,
  EventEntry,
  EventSight,
  HistoryEntry,
  ObjectSight,
  OperationEntry,
  SentSight,
} from './format.ts';
import { RecentObjects } from './recentObjects.ts';
import { RecentTexts } from './recentTexts.ts';

/**
 * Reads the lines that histories mostly consist of, operations and events with what matters of their bodies, out of
 * bytes: no text is made of a whole line, and none again of a path, a uid or a version that came lately. An object that
 * is told again in the same bytes is the same object. Lines with anything else (escapes, letters beyond ASCII, whole
 * bodies, members that are not known) are left to JSON.parse.
 */
export class LineScanner {
  #bytes: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(new ArrayBuffer(0));
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #paths = new RecentTexts(LASTING);
  /** What else is told again and again: names, uids, clients. */
  readonly #lasting = new RecentTexts(LASTING);
  /** What is soon told no more: versions, digests, marks. They do not take the place of what is. */
  readonly #passing = new RecentTexts(PASSING);
  readonly #labels = new Map<string, Readonly<Record<string, string>>>();
  readonly #recent = new RecentObjects();
  /** Of each kind of record: what came last after each of its members. */
  readonly #orders = Array.from({ length: KINDS }, () => new Array<Word>(WORDS.length).fill(FIRST));

  /** The entry between two places; `undefined` for a line that is to be parsed as any JSON is. */
  entry(buffer: Buffer, from: number, to: number): HistoryEntry | undefined {
    if (this.#buffer !== buffer) {
      this.#buffer = buffer;
      this.#bytes = buffer;
      this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    this.#at = from;
    try {
      const entry = this.#entry();
      return this.#at === to ? entry : undefined;
    } catch (error) {
      if (error === OTHER) return undefined;
      throw error;
    }
  }

  #entry(): HistoryEntry | undefined {
    if (this.#begins(EVENT_BEGINS)) return this.#event();
    return this.#begins(OPERATION_BEGINS) ? this.#operation() : undefined;
  }

  #operation(): OperationEntry | undefined {
    let check: string | undefined;
    let client: string | undefined;
    let user: string | undefined;
    let denied: true | undefined;
    let number: number | undefined;
    let start: number | undefined;
    let end: number | undefined;
    let server: number | undefined;
    let connection: number | undefined;
    let method: string | undefined;
    let path: string | undefined;
    let contentType: string | undefined;
    let sent: SentSight | undefined;
    let status: number | undefined;
    let seen: AnswerSight | undefined;
    let unread: true | undefined;
    let failure: string | undefined;
    const order = this.#orders[OPERATION] as Word[];
    let word = FIRST;
    do {
      word = this.#member(order, word);
      switch (word.name) {
        case 'number':
          number = this.#number();
          break;
        case 'client':
          client = this.#text(this.#lasting);
          break;
        case 'user':
          user = this.#text(this.#lasting);
          break;
        case 'denied':
          denied = this.#true();
          break;
        case 'start':
          start = this.#number();
          break;
        case 'end':
          end = this.#number();
          break;
        case 'method':
          method = this.#text(this.#lasting);
          break;
        case 'path':
          path = this.#text(this.#paths);
          break;
        case 'status':
          status = this.#number();
          break;
        case 'seen':
          seen = this.#answer();
          break;
        case 'sent':
          sent = this.#sent();
          break;
        case 'server':
          server = this.#number();
          break;
        case 'connection':
          connection = this.#number();
          break;
        case 'contentType':
          contentType = this.#text(this.#lasting);
          break;
        case 'check':
          check = this.#text(this.#lasting);
          break;
        case 'failure':
          failure = this.#text(this.#passing);
          break;
        case 'unread':
          unread = this.#true();
          break;
        default:
          throw OTHER;
      }
    } while (this.#goesOn());
    if (number === undefined || client === undefined || start === undefined) return undefined;
    if (method === undefined || path === undefined) return undefined;
    return {
      type: 'operation',
      check,
      client,
      user,
      denied,
      number,
      start,
      end,
      server,
      connection,
      method,
      path,
      contentType,
      sent,
      status,
      seen,
      unread,
      failure,
    };
  }

  #event(): EventEntry | undefined {
    let check: string | undefined;
    let number: number | undefined;
    let at: number | undefined;
    let seen: EventSight | undefined;
    const order = this.#orders[EVENT] as Word[];
    let word = FIRST;
    do {
      word = this.#member(order, word);
      switch (word.name) {
        case 'number':
          number = this.#number();
          break;
        case 'at':
          at = this.#number();
          break;
        case 'seen':
          seen = this.#told();
          break;
        case 'check':
          check = this.#text(this.#lasting);
          break;
        default:
          throw OTHER;
      }
    } while (this.#goesOn());
    return number === undefined || seen === undefined ? undefined : { type: 'event', check, number, at, seen };
  }

  #told(): EventSight {
    let type: string | undefined;
    let object: ObjectSight | undefined;
    let version: string | undefined;
    let initialEnd: true | undefined;
    let code: number | undefined;
    let reason: string | undefined;
    const order = this.#orders[TOLD] as Word[];
    let word = FIRST;
    for (let more = this.#enter(); more; more = this.#goesOn()) {
      word = this.#member(order, word);
      switch (word.name) {
        case 'type':
          type = this.#text(this.#lasting);
          break;
        case 'object':
          object = this.#object();
          break;
        case 'version':
          version = this.#text(this.#passing);
          break;
        case 'initialEnd':
          initialEnd = this.#true();
          break;
        case 'code':
          code = this.#number();
          break;
        case 'reason':
          reason = this.#text(this.#passing);
          break;
        default:
          throw OTHER;
      }
    }
    if (type === undefined) throw OTHER;
    return { type, object, version, initialEnd, code, reason };
  }

  #answer(): AnswerSight {
    let object: ObjectSight | undefined;
    let items: ObjectSight[] | undefined;
    let version: string | undefined;
    let token: string | undefined;
    let unstored: number | undefined;
    let reason: string | undefined;
    let removed: string | undefined;
    const order = this.#orders[ANSWER] as Word[];
    let word = FIRST;
    for (let more = this.#enter(); more; more = this.#goesOn()) {
      word = this.#member(order, word);
      switch (word.name) {
        case 'object':
          object = this.#object();
          break;
        case 'items':
          items = this.#items();
          break;
        case 'version':
          version = this.#text(this.#passing);
          break;
        case 'continue':
          token = this.#text(this.#passing);
          break;
        case 'reason':
          reason = this.#text(this.#passing);
          break;
        case 'removed':
          removed = this.#text(this.#passing);
          break;
        case 'unstored':
          unstored = this.#number();
          break;
        default:
          throw OTHER;
      }
    }
    if (items === undefined) return { object, version, continue: token, unstored, reason, removed };
    return { items, object, version, continue: token, unstored, reason, removed };
  }

  #items(): ObjectSight[] {
    const items: ObjectSight[] = [];
    this.#take(OPENING_BRACKET);
    if (this.#bytes[this.#at] !== CLOSING_BRACKET) {
      do items.push(this.#object());
      while (this.#skips(COMMA));
    }
    this.#take(CLOSING_BRACKET);
    return items;
  }

  #sent(): SentSight {
    let name: string | undefined;
    let namespace: string | undefined;
    let version: string | undefined;
    let mark: string | undefined;
    const order = this.#orders[SENT] as Word[];
    let word = FIRST;
    for (let more = this.#enter(); more; more = this.#goesOn()) {
      word = this.#member(order, word);
      switch (word.name) {
        case 'name':
          name = this.#text(this.#lasting);
          break;
        case 'namespace':
          namespace = this.#text(this.#lasting);
          break;
        case 'version':
          version = this.#text(this.#passing);
          break;
        case 'mark':
          mark = this.#text(this.#passing);
          break;
        default:
          throw OTHER;
      }
    }
    return { name, namespace, version, mark };
  }

  #object(): ObjectSight {
    const recent = this.#recent;
    const from = this.#at;
    const place = recent.placeOf(this.#view, from);
    const length = recent.lengthAt(place, this.#view, from);
    const known = length === 0 ? undefined : recent.at(place);
    if (known) {
      this.#at = from + length;
      return known;
    }
    const object = this.#newObject();
    recent.keep(place, object, this.#bytes, from, this.#at);
    return object;
  }
  #newObject(): ObjectSight {
    let name: string | undefined;
    let namespace: string | undefined;
    let uid: string | undefined;
    let version: string | undefined;
    let digest: string | undefined;
    let labels: Readonly<Record<string, string>> | undefined;
    let leaving: true | undefined;
    let gone: true | undefined;
    let mark: string | undefined;
    const order = this.#orders[OBJECT] as Word[];
    let word = FIRST;
    for (let more = this.#enter(); more; more = this.#goesOn()) {
      word = this.#member(order, word);
      switch (word.name) {
        case 'name':
          name = this.#text(this.#lasting);
          break;
        case 'namespace':
          namespace = this.#text(this.#lasting);
          break;
        case 'uid':
          uid = this.#text(this.#lasting);
          break;
        case 'version':
          version = this.#text(this.#passing);
          break;
        case 'digest':
          digest = this.#text(this.#passing);
          break;
        case 'labels':
          labels = this.#labelsOf();
          break;
        case 'mark':
          mark = this.#text(this.#passing);
          break;
        case 'leaving':
          leaving = this.#true();
          break;
        case 'gone':
          gone = this.#true();
          break;
        default:
          throw OTHER;
      }
    }
    if (name === undefined || uid === undefined || version === undefined) throw OTHER;
    // Not spread: each would have a shape of its own, in which every look at a member searches.
    if (labels === undefined) return { name, namespace, uid, version, digest, leaving, gone, mark };
    return { name, namespace, uid, version, digest, labels, leaving, gone, mark };
  }
  #labelsOf(): Readonly<Record<string, string>> {
    const from = this.#at;
    this.#take(OPENING_BRACE);
    const end = this.#bytes.indexOf(CLOSING_BRACE, from);
    if (end < 0) throw OTHER;
    let hash = SEED;
    for (let at = from; at <= end; at += 1) {
      const byte = this.#bytes[at] as number;
      if (byte < SPACE || byte > TILDE) throw OTHER;
      hash = Math.imul(hash ^ byte, PRIME);
    }
    this.#at = end + 1;
    const text = this.#lasting.of(this.#buffer, this.#view, from, end + 1, hash) ?? other();
    const known = this.#labels.get(text);
    if (known) return known;
    const labels = parseLabels(text);
    if (this.#labels.size > LASTING) this.#labels.clear();
    this.#labels.set(text, labels);
    return labels;
  }

  /** Whether an object has a member. */
  #enter(): boolean {
    this.#take(OPENING_BRACE);
    return !this.#skips(CLOSING_BRACE);
  }
  /** Whether another member follows the one that was read. */
  #goesOn(): boolean {
    if (this.#skips(COMMA)) return true;
    this.#take(CLOSING_BRACE);
    return false;
  }
  #take(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw OTHER;
    this.#at += 1;
  }
  #skips(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  /** The name of a member and the colon after it: mostly the one that came after the same member before. */
  #member(order: Word[], before: Word): Word {
    const expected = order[before.number] as Word;
    if (this.#begins(expected.text)) return expected;
    const word = this.#word();
    order[before.number] = word;
    return word;
  }
  /** One of the names that the format has. */
  #word(): Word {
    const bytes = this.#bytes;
    this.#take(QUOTE);
    const from = this.#at;
    let at = from;
    let hash = SEED;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      if (byte === undefined) throw OTHER;
      hash = Math.imul(hash ^ byte, PRIME);
      at += 1;
    }
    const word = BY_HASH.get(hash);
    this.#at = from - 1;
    if (word === undefined || !this.#begins(word.text)) throw OTHER;
    return word;
  }
  /** Whether a text comes next; then it goes on after it. */
  #begins({ length, words, last }: FixedText): boolean {
    const view = this.#view;
    const from = this.#at;
    if (from + length > view.byteLength) return false;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(from + word * 4, true) !== words[word]) return false;
    }
    if (view.getInt32(from + length - 4, true) !== last) return false;
    this.#at = from + length;
    return true;
  }

  /** Four bytes at a time: what was read before is found without looking at each. */
  #text(recent: RecentTexts): string {
    this.#take(QUOTE);
    const view = this.#view;
    const from = this.#at;
    const end = view.byteLength - 4;
    let hash = SEED;
    for (let at = from; at <= end; at += 4) {
      const word = view.getInt32(at, true);
      const differs = word ^ QUOTES;
      // The lowest bit that is set is that of the first byte which is a quote.
      const quotes = (differs - 0x01010101) & ~differs & 0x80808080;
      if (quotes === 0) {
        hash = Math.imul(hash ^ word, MULTIPLIER);
        hash ^= hash >>> 15;
        continue;
      }
      const bits = 31 - Math.clz32(quotes & -quotes) - 7;
      const to = at + (bits >>> 3);
      hash = Math.imul(hash ^ (word & ((1 << bits) - 1)), MULTIPLIER);
      this.#at = to + 1;
      return recent.of(this.#buffer, view, from, to, hash) ?? other();
    }
    throw OTHER;
  }
  /** A number with no sign and no exponent, as the number that JSON.parse makes of it. */
  #number(): number {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    let value = 0;
    let point = -1;
    for (let byte = bytes[at] as number; ; byte = bytes[at] as number) {
      if (byte >= ZERO && byte <= NINE) value = value * 10 + (byte - ZERO);
      else if (byte === POINT && point < 0) point = at;
      else break;
      at += 1;
    }
    const digits = at - from - (point < 0 ? 0 : 1);
    const leading = bytes[from] === ZERO && digits > 1 && point !== from + 1;
    if (digits === 0 || leading || point === from || point === at - 1) throw OTHER;
    this.#at = at;
    if (digits > EXACT_DIGITS) return Number(this.#buffer.toString('latin1', from, at));
    return point < 0 ? value : value / (POWERS[at - point - 1] as number);
  }
  #true(): true {
    for (let at = 0; at < TRUE.length; at += 1) this.#take(TRUE[at] as number);
    return true;
  }
}

function parseLabels(text: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>;
  } catch {
    throw OTHER;
  }
}

/** A line of another form; thrown and caught here. */
const OTHER = new Error('a line for JSON.parse');

function other(): never {
  throw OTHER;
}

/** How many texts of each sort are kept, powers of two. */
const LASTING = 1 << 15;
const PASSING = 1 << 11;

const [QUOTE, COMMA, POINT] = [0x22, 0x2c, 0x2e];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, SPACE, TILDE] = [0x30, 0x39, 0x20, 0x7e];
const TRUE = Buffer.from('true');

/** So many digits, and a power of ten by which they are divided, are exact: then so is the quotient, rounded once. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

// FNV-1a.
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const MULTIPLIER = 0x9e3779b1 | 0;
/** Four quotes. */
const QUOTES = 0x22222222;

/** The name of a member. */
interface Word {
  readonly name: string;
  /** Its place in {@link WORDS}. */
  readonly number: number;
  /** With quotes and the colon. */
  readonly text: FixedText;
}
/** A text of four bytes or more, as the numbers that are read where it stands. */
interface FixedText {
  readonly length: number;
  readonly words: Int32Array;
  /** The last four bytes. */
  readonly last: number;
}
function fixedText(text: string): FixedText {
  const view = new DataView(Uint8Array.from(Buffer.from(text)).buffer);
  const words = Int32Array.from({ length: text.length >>> 2 }, (_, word) => view.getInt32(word * 4, true));
  return { length: text.length, words, last: view.getInt32(text.length - 4, true) };
}
const WORDS: readonly Word[] = [
  // Stands for the beginning of a record, and is none of its names.
  '-',
  ...['check', 'client', 'number', 'start', 'end', 'server', 'connection', 'method'],
  ...['path', 'contentType', 'sent', 'status', 'seen', 'unread', 'failure', 'at', 'object', 'version', 'initialEnd'],
  ...['code', 'reason', 'items', 'continue', 'removed', 'unstored', 'name', 'namespace', 'uid', 'digest', 'labels'],
  ...['mark', 'leaving', 'gone', 'user', 'denied', 'type'],
].map((name, number) => ({ name, number, text: fixedText(`"${name}":`) }));
const FIRST = WORDS[0] as Word;
const BY_HASH: ReadonlyMap<number, Word> = new Map(
  WORDS.slice(1).map((word) => [
    [...Buffer.from(word.name)].reduce((hash, byte) => Math.imul(hash ^ byte, PRIME), SEED),
    word,
  ]),
);
const OPERATION_BEGINS = fixedText('{"type":"operation",');
const EVENT_BEGINS = fixedText('{"type":"event",');
/** Kinds of records, each with an order of its members. */
const [OPERATION, EVENT, TOLD, ANSWER, SENT, OBJECT] = [0, 1, 2, 3, 4, 5];
const KINDS = 6;

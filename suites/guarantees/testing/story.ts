import {
  type EventEntry,
  type HistoryEntry,
  MARK,
  type MarkEntry,
  type OperationEntry,
} from '../../../history/format.ts';

/** Where all of a story takes place unless it says otherwise. */
const PLACE = '/api/v1/namespaces/n/configmaps';

/** When all events come: after everything else. */
const LATE = 1_000;

interface Told {
  readonly client?: string;
  /** Milliseconds; each step takes one and follows the one before unless told. */
  readonly start?: number;
  readonly end?: number;
  readonly query?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly uid?: string;
  /** What the object says, beside its metadata. */
  readonly data?: string;
  /** How the write is marked. */
  readonly mark?: string;
  /** Whoever asks has no right to it. */
  readonly denied?: true;
}

/** Tells a history step by step, for tests of checkers: what is not said is usual. */
export class Story {
  readonly #operations: OperationEntry[] = [];
  readonly #events: EventEntry[] = [];
  readonly #marks: MarkEntry[] = [];
  #time = 0;
  #by = 'story';

  /** A write of an object that was answered with a version. The uid is the name unless told. */
  write(name: string, version: string, told: Told & { readonly from?: string } = {}): this {
    const object = shown(name, version, told);
    const body = { kind: 'ConfigMap', metadata: { name, resourceVersion: told.from, annotations: marked(told) } };
    return this.#step('PUT', `${PLACE}/${name}`, 200, object, told, body);
  }
  create(name: string, version: string, told: Told = {}): this {
    return this.#step('POST', PLACE, 201, shown(name, version, told), told, { metadata: { name } });
  }
  /** A DELETE that was answered with a Status that names the object: 202 where it is only begun. */
  remove(name: string, told: Told & { readonly status?: 200 | 202 } = {}): this {
    const { uid = name, status = 200 } = told;
    return this.#step('DELETE', `${PLACE}/${name}`, status, { kind: 'Status', details: { uid } }, told);
  }
  refuse(method: string, name: string, status: number, told: Told & { readonly from?: string } = {}): this {
    const body = { metadata: { name, resourceVersion: told.from, annotations: marked(told) } };
    const answer = { kind: 'Status', status: 'Failure', reason: method === 'POST' ? 'AlreadyExists' : 'Conflict' };
    return this.#step(method, method === 'POST' ? PLACE : `${PLACE}/${name}`, status, answer, told, body);
  }
  /** A write that nobody answered. */
  lose(method: string, name: string, told: Told = {}): this {
    const body = { metadata: { name, annotations: marked(told) } };
    return this.#step(method, method === 'POST' ? PLACE : `${PLACE}/${name}`, undefined, undefined, told, body);
  }
  get(name: string, version: string | undefined, told: Told = {}): this {
    const answer = version === undefined ? { kind: 'Status' } : shown(name, version, told);
    return this.#step('GET', `${PLACE}/${name}`, version === undefined ? 404 : 200, answer, told);
  }
  /** `items` as `name@version`; without a version, an object that was never stored. */
  list(version: string, items: readonly string[], told: Told & { readonly token?: string } = {}): this {
    const answer = { metadata: { resourceVersion: version, continue: told.token }, items: items.map(item) };
    return this.#step('GET', PLACE, 200, answer, told);
  }
  /** A watch, `events` as `TYPE name@version`; a bookmark as `BOOKMARK @version`, one that ends a streamed list `END`. */
  watch(after: string | undefined, events: readonly string[], told: Told = {}): this {
    const version = after === undefined ? '' : `&resourceVersion=${after}`;
    this.#step('GET', PLACE, 200, undefined, { ...told, query: `watch=true${version}&${told.query ?? ''}` });
    const number = this.#operations.length;
    for (const event of events) {
      const [type = '', what = ''] = event.split(' ');
      this.#events.push({ type: 'event', number, at: LATE, event: JSON.stringify(eventOf(type, what)) });
    }
    return this;
  }
  /** A write that every watch has to tell until so many milliseconds have passed. */
  fence(name: string, version: string, patience = 100): this {
    this.create(name, version);
    this.#marks.push(
      { type: 'mark', mark: 'fence', text: '', at: this.#time, version, path: PLACE },
      { type: 'mark', mark: 'patience', text: '', at: this.#time + patience },
    );
    return this;
  }
  /** Nobody is at work beside those of the story. */
  alone(): this {
    this.#by = 'storm';
    return this;
  }
  history(): readonly HistoryEntry[] {
    const header: HistoryEntry = { type: 'history', format: 1, by: this.#by, began: '2026-01-01T00:00:00Z' };
    return [header, ...this.#operations, ...this.#events, ...this.#marks];
  }

  #step(method: string, path: string, status: number | undefined, answer: unknown, told: Told, body?: unknown): this {
    const { client = 'author', start = this.#time + 1, query = '' } = told;
    const end = told.end ?? start + 1;
    this.#time = Math.max(this.#time, end);
    this.#operations.push({
      type: 'operation',
      client,
      denied: told.denied,
      number: this.#operations.length + 1,
      start,
      end,
      method,
      path: query === '' ? path : `${path}?${query}`,
      status,
      answer: JSON.stringify(answer),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return this;
  }
}

function eventOf(type: string, what: string): object {
  if (type === 'ERROR') return { type, object: { kind: 'Status', code: 410 } };
  if (type !== 'END') return { type, object: item(what) };
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: what.slice(1), annotations } } };
}
/** `name@version`, `name~uid@version#label`. */
function item(text: string): object {
  if (!text.includes('@')) return { metadata: { name: text } };
  const [, name = '', uid, version = '', label] = /^([^@~]*)(?:~([^@]*))?@([^#]*)(?:#(.*))?$/.exec(text) ?? [];
  const labels = label === undefined ? {} : { labels: { mine: label } };
  return shown(name, version, { ...labels, ...(uid === undefined ? {} : { uid }) });
}
function shown(name: string, resourceVersion: string, told: Told): object {
  const { labels, uid = name, data } = told;
  return {
    kind: 'ConfigMap',
    metadata: { name, namespace: 'n', uid, resourceVersion, labels, annotations: marked(told) },
    data,
  };
}
function marked({ mark }: Told): object | undefined {
  return mark === undefined ? undefined : { [MARK]: mark };
}

import type { EventEntry, OperationEntry } from '../../../history/format.ts';
import { type History, historyOf } from '../history.ts';

/** Where all of a story takes place unless it says otherwise. */
const PLACE = '/api/v1/namespaces/n/configmaps';

interface Told {
  readonly client?: string;
  /** Milliseconds; each step takes one and follows the one before unless told. */
  readonly start?: number;
  readonly end?: number;
  readonly query?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Tells a history step by step, for tests of checkers: what is not said is usual. */
export class Story {
  readonly #operations: OperationEntry[] = [];
  readonly #events: EventEntry[] = [];
  #time = 0;

  /** A write of an object that was answered with a version. The uid is the name. */
  write(name: string, version: string, told: Told & { readonly from?: string } = {}): this {
    const object = shown(name, version, told.labels);
    const body = { kind: 'ConfigMap', metadata: { name, resourceVersion: told.from } };
    return this.#step('PUT', `${PLACE}/${name}`, 200, object, told, body);
  }
  create(name: string, version: string, told: Told = {}): this {
    return this.#step('POST', PLACE, 201, shown(name, version, told.labels), told, { metadata: { name } });
  }
  remove(name: string, told: Told = {}): this {
    return this.#step('DELETE', `${PLACE}/${name}`, 200, { kind: 'Status', details: { uid: name } }, told);
  }
  refuse(method: string, name: string, status: number, told: Told & { readonly from?: string } = {}): this {
    const body = { metadata: { name, resourceVersion: told.from } };
    return this.#step(method, method === 'POST' ? PLACE : `${PLACE}/${name}`, status, { kind: 'Status' }, told, body);
  }
  get(name: string, version: string | undefined, told: Told = {}): this {
    const answer = version === undefined ? { kind: 'Status' } : shown(name, version);
    return this.#step('GET', `${PLACE}/${name}`, version === undefined ? 404 : 200, answer, told);
  }
  /** `items` as `name@version`; without a version, an object that was never stored. */
  list(version: string, items: readonly string[], told: Told & { readonly token?: string } = {}): this {
    const answer = { metadata: { resourceVersion: version, continue: told.token }, items: items.map(item) };
    return this.#step('GET', PLACE, 200, answer, told);
  }
  /** A watch, `events` as `TYPE name@version`; a bookmark as `BOOKMARK @version`. */
  watch(after: string | undefined, events: readonly string[], told: Told = {}): this {
    const version = after === undefined ? '' : `&resourceVersion=${after}`;
    this.#step('GET', PLACE, 200, undefined, { ...told, query: `watch=true${version}&${told.query ?? ''}` });
    const number = this.#operations.length;
    for (const event of events) {
      const [type = '', what = ''] = event.split(' ');
      const object = type === 'ERROR' ? { kind: 'Status', code: 410 } : item(what);
      this.#events.push({ type: 'event', number, event: JSON.stringify({ type, object }) });
    }
    return this;
  }
  history(): History {
    return historyOf(this.#operations, this.#events);
  }

  #step(method: string, path: string, status: number, answer: unknown, told: Told, body?: unknown): this {
    const { client = 'author', start = this.#time + 1, query = '' } = told;
    const end = told.end ?? start + 1;
    this.#time = Math.max(this.#time, end);
    this.#operations.push({
      type: 'operation',
      client,
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

function item(text: string): object {
  if (!text.includes('@')) return { metadata: { name: text } };
  const [, name = '', version = '', label] = /^([^@]*)@([^#]*)(?:#(.*))?$/.exec(text) ?? [];
  return shown(name, version, label === undefined ? undefined : { mine: label });
}
function shown(name: string, resourceVersion: string, labels?: Readonly<Record<string, string>>): object {
  return {
    kind: 'ConfigMap',
    metadata: { name, namespace: 'n', uid: name, resourceVersion, ...(labels ? { labels } : {}) },
  };
}

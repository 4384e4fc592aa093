import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { type Look, withAdditions } from './additions.ts';
import type { Client, RequestOptions } from './client/client.ts';
import type { Exchange } from './client/exchange.ts';
import type { WatchStream } from './client/watchStream.ts';
import { inconclusive, unsupported } from './endings.ts';
import type { Evidence } from './evidence.ts';
import { type ApiObject, isRecord, type JsonObject } from './json.ts';
import { apiVersionOf, type Kind, pathOf, type Query, queryText } from './kinds.ts';
import { show } from './matching/matcher.ts';
import { timeOf } from './should.ts';
import type { Space } from './space.ts';
import { heedStreaming } from './streamingLists.ts';
import type { Identity, Target } from './target/target.ts';

/** An object as a check writes it down: the kind's own words are filled in, `undefined` members are left out. */
export interface Draft {
  readonly metadata?: { readonly name?: string; readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}
/** `named('a', { data })` for `{ metadata: { name: 'a' }, data }`. */
export function named(name: string, rest: JsonObject = {}): Draft {
  return { ...rest, metadata: { name } };
}

/** The four patch types (1/updating-and-patching/2). */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Somebody with a name who does things to the target, in the check's own namespace unless told otherwise. */
export class Actor {
  readonly name: string;
  readonly space: Space;
  readonly #client: Client;
  readonly #administrator: Client | undefined;
  readonly #target: Target;
  readonly #evidence: Evidence;
  readonly #namespace: () => Promise<string>;
  readonly #streams: WatchStream[];

  constructor(parts: {
    readonly client: Client;
    readonly space: Space;
    readonly target: Target;
    readonly evidence: Evidence;
    /** The administrator of the same server, as whom the actor may be asked about. */
    readonly administrator?: Client | undefined;
    /** Where the actor works; the check's namespace unless told. */
    readonly namespace?: () => Promise<string>;
    readonly streams?: WatchStream[];
  }) {
    this.name = parts.client.actor;
    this.space = parts.space;
    this.#client = parts.client;
    this.#administrator = parts.administrator;
    this.#target = parts.target;
    this.#evidence = parts.evidence;
    this.#namespace = parts.namespace ?? (() => parts.space.namespace());
    this.#streams = parts.streams ?? [];
  }

  /** The names that the target's dialect gives to what the specification leaves open. */
  get target(): Target {
    return this.#target;
  }
  get dialect(): Dialect {
    return this.#target.dialect;
  }
  /** The user name that the target knows this actor by; without it the check is unsupported. */
  get user(): string {
    return this.#client.identity.user ?? unsupported(`the user name of the ${this.name} could not be learned`);
  }
  /** How the actor proves who it is. */
  get identity(): Identity {
    return this.#client.identity;
  }
  /** The administrator in the place of the actor: who is asked about it. */
  get administrator(): Actor {
    return this.#working(this.#namespace, this.#administrator);
  }
  /** The namespace the actor works in, which exists when this returns. */
  namespace(): Promise<string> {
    return this.#namespace();
  }
  /** The same actor in the second namespace of the check. */
  elsewhere(): Actor {
    return this.#working(() => this.space.otherNamespace());
  }
  /** The same actor in a namespace that exists. */
  in(namespace: string): Actor {
    return this.#working(async () => namespace);
  }
  #working(namespace: () => Promise<string>, client = this.#client): Actor {
    return new Actor({
      client,
      administrator: this.#administrator,
      space: this.space,
      target: this.#target,
      evidence: this.#evidence,
      namespace,
      streams: this.#streams,
    });
  }

  /** Anything at all: method and path (with query) as they are, told in these words where some are given. */
  request(method: string, path: string, options: RequestOptions & { readonly words?: string } = {}): Promise<Exchange> {
    const { words = `${this.name} sends ${method} ${path}`, ...rest } = options;
    return this.#client.send(words, method, path, rest);
  }

  async get(kind: Kind, name: string, query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    const path = (await this.#item(kind, name)) + queryText(query);
    return this.#client.send(`${this.name} gets ${about(kind, name)}`, 'GET', path, options);
  }
  async list(kind: Kind, query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    const path = (await this.#collection(kind)) + queryText(query);
    return this.#client.send(`${this.name} lists ${kind.plural}${asked(query)}`, 'GET', path, options);
  }
  /** The collection of a namespaced kind over all namespaces. */
  listEverywhere(kind: Kind, query: Query = {}): Promise<Exchange> {
    this.#needs(kind);
    const path = pathOf(kind, this.#target.dialect, '') + queryText(query);
    return this.#client.send(`${this.name} lists ${kind.plural} of all namespaces${asked(query)}`, 'GET', path);
  }

  async create(kind: Kind, draft: Draft = {}, query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    const path = (await this.#collection(kind)) + queryText(query);
    const body = await this.fill(kind, draft);
    const name = body.metadata.name ?? body.metadata.generateName;
    this.space.note(kind, body.metadata.name ?? '');
    const words = `${this.name} creates ${about(kind, String(name ?? ''))}${asked(query)}`;
    const answer = await this.#client.send(words, 'POST', path, { ...options, body });
    if (answer.succeeded) this.space.note(kind, nameIn(answer.json));
    if (answer.succeeded) await this.#noteHeld(kind, nameIn(answer.json), draft);
    await this.#noteGuest(kind, answer);
    return answer;
  }
  /**
   * Prepares: creates what the check starts from. A check whose preparation fails has seen nothing of its own
   * subject, so it ends as inconclusive; that creation works is for the checks of creation to judge.
   */
  async given(kind: Kind, draft: Draft = {}): Promise<ApiObject> {
    const answer = await this.prepare(async (actor) => {
      const made = await actor.create(kind, draft);
      // Which types there have to be is for the checks of types to judge; those of a check's own are not named before.
      if (made.status === 404 && kind.group === undefined) this.#named(kind);
      return made;
    });
    if (nameIn(answer.json) === '') inconclusive(`its preparation failed: ${answer.words}: the answer is no object`);
    return answer.json as ApiObject;
  }
  /**
   * As {@link given} for any other step a check starts from, which has to succeed. What is created is returned with all
   * that the target adds to it by itself.
   */
  async prepare(step: (actor: Actor) => Promise<Exchange>): Promise<Exchange> {
    const look: Look = (words, path) => this.#client.send(words, 'GET', path);
    const answer = await this.#evidence.during('preparation', async () =>
      withAdditions(this.#target, await this.#onceReady(step), look),
    );
    if (!answer.succeeded) {
      inconclusive(`its preparation failed: ${answer.words}: ${answer.failure ?? `answer ${answer.status}`}`);
    }
    return answer;
  }

  /** Comes again where a target is not ready yet and says so, as one whose accounts get their tokens a moment later. */
  async #onceReady(step: (actor: Actor) => Promise<Exchange>): Promise<Exchange> {
    const deadline = performance.now() + timeOf({});
    for (;;) {
      const answer = await step(this);
      const [after] = answer.header('retry-after');
      const left = deadline - performance.now();
      if (answer.status < 500 || after === undefined || left <= 0) return answer;
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 250)));
    }
  }

  async update(kind: Kind, object: Draft, query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    const name = object.metadata?.name ?? '';
    const path = (await this.#item(kind, name)) + queryText(query);
    this.space.note(kind, this.space.nameOf(kind, name));
    const words = `${this.name} updates ${about(kind, name)}${asked(query)}`;
    return this.#client.send(words, 'PUT', path, { ...options, body: await this.fill(kind, object) });
  }
  async patch(
    kind: Kind,
    name: string,
    type: keyof typeof PATCH_TYPES,
    patch: object,
    query: Query = {},
    options: RequestOptions = {},
  ): Promise<Exchange> {
    const path = (await this.#item(kind, name)) + queryText(query);
    await this.#noteHeld(kind, name, patch);
    const words = `${this.name} sends a ${type} patch to ${about(kind, name)}${asked(query)}`;
    const headers = { ...options.headers, 'content-type': PATCH_TYPES[type] };
    return this.#client.send(words, 'PATCH', path, { ...options, headers, body: patch });
  }
  /** Server-side apply as `manager`, which is this actor's name unless told otherwise. */
  async apply(kind: Kind, draft: Draft, query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    const name = draft.metadata?.name ?? '';
    const asking = { fieldManager: this.name, ...query };
    const path = (await this.#item(kind, name)) + queryText(asking);
    this.space.note(kind, this.space.nameOf(kind, name));
    const answer = await this.#client.send(`${this.name} applies ${about(kind, name)}${asked(asking)}`, 'PATCH', path, {
      ...options,
      headers: { ...options.headers, 'content-type': PATCH_TYPES.apply },
      body: await this.fill(kind, draft, false),
    });
    await this.#noteGuest(kind, answer);
    return answer;
  }

  async delete(
    kind: Kind,
    name: string,
    query: Query = {},
    body?: object,
    options: RequestOptions = {},
  ): Promise<Exchange> {
    const path = (await this.#item(kind, name)) + queryText(query);
    const words = `${this.name} deletes ${about(kind, name)}${asked(query)}`;
    return this.#client.send(words, 'DELETE', path, body ? { ...options, body } : options);
  }
  /** Deletes the collection; of a cluster-scoped kind only what this check made, for the rest is somebody else's. */
  async deleteAll(kind: Kind, query: Query = {}, body?: object, options: RequestOptions = {}): Promise<Exchange> {
    const own = kind.namespaced ? undefined : this.space.selector;
    const selector = [query.labelSelector, own].filter((part) => part !== undefined).join(',');
    const asking = selector === '' ? query : { ...query, labelSelector: selector };
    const path = (await this.#collection(kind)) + queryText(asking);
    const title = `${this.name} deletes all ${kind.plural}${asked(asking)}`;
    return this.#client.send(title, 'DELETE', path, { ...options, body });
  }

  /** Opens a watch on the collection; closed by itself when the check is over. */
  async watch(kind: Kind, query: Query = {}, options: RequestOptions = {}): Promise<WatchStream> {
    const words = `${this.name} watches ${kind.plural}${asked(query)}`;
    return this.watchAt(words, await this.#collection(kind), query, options);
  }
  /** Opens a watch on the collection of a path; the check is unsupported where the release streams no lists unless told. */
  async watchAt(words: string, collection: string, query: Query, options: RequestOptions = {}): Promise<WatchStream> {
    const stream = await this.openStream(words, collection + queryText({ watch: true, ...query }), options);
    heedStreaming(stream, query, this.#target);
    return stream;
  }
  async openStream(words: string, path: string, options: RequestOptions = {}): Promise<WatchStream> {
    const stream = await this.#client.open(words, path, options);
    this.#streams.push(stream);
    return stream;
  }
  closeStreams(): void {
    for (const stream of this.#streams) stream.close();
  }

  /** Path of an item in the check's namespace, for requests that no method above sends. */
  async pathOf(kind: Kind, name = '', subresource = ''): Promise<string> {
    this.#needs(kind);
    const namespace = kind.namespaced ? await this.#namespace() : '';
    return pathOf(kind, this.#target.dialect, namespace, this.space.nameOf(kind, name), subresource);
  }
  /** A draft as it is sent: with `apiVersion`, `kind`, the least the kind asks for, namespace and labels. */
  async fill(kind: Kind, draft: Draft, least = true): Promise<Draft & { metadata: NonNullable<Draft['metadata']> }> {
    const { metadata = {}, ...rest } = draft;
    const { name, generateName } = metadata;
    return {
      apiVersion: apiVersionOf(kind, this.#target.dialect),
      kind: kind.kind,
      ...(least ? kind.least(this.#target.dialect) : {}),
      ...rest,
      metadata: {
        ...(kind.namespaced ? { namespace: await this.#namespace() } : {}),
        ...metadata,
        ...(name === undefined ? {} : { name: this.space.nameOf(kind, name) }),
        ...(typeof generateName === 'string' ? { generateName: this.space.nameOf(kind, generateName) } : {}),
        ...(kind.namespaced ? {} : { labels: { ...this.space.labels, ...(metadata.labels as object | undefined) } }),
      },
    };
  }

  async #noteHeld(kind: Kind, name: string, body: object): Promise<void> {
    if (kind.namespaced && JSON.stringify(body).includes('finalizers'))
      this.space.noteHeld(await this.#item(kind, name));
  }
  /** What came to be in a namespace that will stay has to be removed by itself. */
  async #noteGuest(kind: Kind, answer: Exchange): Promise<void> {
    const name = nameIn(answer.json);
    if (answer.status < 200 || answer.status > 202 || name === '' || !kind.namespaced) return;
    const namespace = await this.#namespace();
    if (namespace.startsWith(this.space.prefix)) return;
    this.space.noteGuest(await this.#item(kind, name), `${kind.plural} ${name} of ${namespace}`);
  }
  #item(kind: Kind, name: string): Promise<string> {
    return this.pathOf(kind, name);
  }
  #collection(kind: Kind): Promise<string> {
    return this.pathOf(kind);
  }
  #needs(kind: Kind): void {
    if (!kind.specified) this.#named(kind);
  }
  /** Ends the check as unsupported where discovery does not name a type. */
  #named(kind: Kind): void {
    const claimed = this.#target.served.includes(`${apiVersionOf(kind, this.#target.dialect)}/${kind.plural}`);
    if (!claimed) unsupported(`discovery does not name ${kind.plural}, which this check works with`);
  }
}

function about(kind: Kind, name: string): string {
  return name === '' ? kind.plural : `${kind.plural} ${show(name)}`;
}
function asked(query: Query): string {
  const text = queryText(query);
  return text === '' ? '' : ` with ${decodeURIComponent(text.slice(1))}`;
}
function nameIn(value: unknown): string {
  const metadata = isRecord(value) ? value.metadata : undefined;
  return isRecord(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
}

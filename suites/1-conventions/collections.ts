import type { CollectionName, OtherType, SubjectName } from '../../fixtures/ledger/index.ts';
import type { ApiObject, Capability, Exchange, JsonObject, WatchStream } from '../harness/index.ts';
import {
  type Actor,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  defineType,
  type Kind,
  match,
  pathOf,
  type Query,
  queryText,
  roles,
  webhookConfigurations,
} from '../harness/index.ts';
import { type Content, tested } from './testedTypes.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  configmaps: configMaps,
  roles,
  clusterroles: clusterRoles,
  clusterrolebindings: clusterRoleBindings,
  validatingwebhookconfigurations: webhookConfigurations,
};
const LABEL = 'touchstone/part';

/** What a target must offer for a collection to be looked at. */
export function needsOfCollection(name: CollectionName): readonly Capability[] {
  return name.startsWith('custom') ? ['custom-types'] : [];
}

/** One collection as a check reads it: its own objects alone, which a label tells from all others. */
export class Collection {
  readonly name: CollectionName;
  readonly kind: Kind;
  /** Selects the objects of the check, and those that a check selects by more labels. */
  readonly selector: string;
  readonly #author: Actor;
  readonly #mark: string;

  constructor(name: CollectionName, kind: Kind, author: Actor) {
    this.name = name;
    this.kind = kind;
    this.#author = author;
    this.#mark = author.space.prefix.slice(-8);
    this.selector = `${LABEL}=${this.#mark}`;
  }

  get everywhere(): boolean {
    return this.name.endsWith('-all');
  }
  /** Name under which a word is stored. */
  nameOf(word: string): string {
    return this.#author.space.nameOf(this.kind, word);
  }
  namesOf(words: readonly string[]): string[] {
    return words.map((word) => this.nameOf(word));
  }

  /**
   * Prepares an object; over all namespaces those of odd length of name stand in the second one.
   * @param type of the body, which is JSON and so YAML too.
   */
  async add(
    word: string,
    labels: JsonObject = {},
    metadata: JsonObject = {},
    content: Content = this.#content(word),
    type = 'application/json',
  ): Promise<ApiObject> {
    const all = { ...labels, [LABEL]: this.#mark };
    const draft = { ...content, metadata: { ...metadata, name: word, labels: all } };
    if (type === 'application/json') return this.#at(word).given(this.kind, draft);
    const headers = { 'content-type': type };
    const made = await this.#at(word).prepare((actor) => actor.create(this.kind, draft, {}, { headers }));
    return made.json as ApiObject;
  }
  async change(word: string, metadata: JsonObject): Promise<ApiObject> {
    const written = await this.#author.prepare(() => this.#at(word).patch(this.kind, word, 'merge', { metadata }));
    return written.json as ApiObject;
  }
  /** Changes an annotation. */
  async mark(word: string, value: string): Promise<ApiObject> {
    return this.change(word, { annotations: { word: value } });
  }
  async remove(word: string): Promise<void> {
    await this.#author.prepare(() => this.#at(word).delete(this.kind, word));
  }

  /** @param selector of labels; empty: all objects, those of others too. */
  async list(
    query: Query = {},
    selector = this.selector,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Exchange> {
    const path = (await this.#path()) + queryText({ labelSelector: selector || undefined, ...query });
    const words = `${this.#author.name} lists ${this.name}${queryText(query)}`;
    return this.#author.request('GET', path, { words, headers });
  }
  /** Reads one object. */
  get(word: string, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.#at(word).get(this.kind, word, {}, { headers });
  }
  async watch(
    query: Query = {},
    selector = this.selector,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WatchStream> {
    const words = `${this.#author.name} watches ${this.name}${queryText(query)}`;
    return this.#author.watchAt(words, await this.#path(), { labelSelector: selector, ...query }, { headers });
  }
  /** The names of a list, as words are stored. */
  holds(words: readonly string[]): match.Matcher<Exchange> {
    return match.names(match.sameItems(this.namesOf(words)));
  }

  /** What an object holds, so that what is shown of it can be less than the whole. */
  #content(word: string): Content {
    const [type = ''] = this.name.split('-');
    return type in KINDS ? tested(type as SubjectName | OtherType).content(this.#author, word) : { spec: {} };
  }
  async #path(): Promise<string> {
    const namespace = this.kind.namespaced && !this.everywhere ? await this.#author.namespace() : '';
    return pathOf(this.kind, this.#author.dialect, namespace);
  }
  #at(word: string): Actor {
    return this.everywhere && word.length % 2 === 1 ? this.#author.elsewhere() : this.#author;
  }
}

/** A collection of a type that is served when this returns. */
export async function collectionOf(author: Actor, name: CollectionName): Promise<Collection> {
  const [type = ''] = name.split('-');
  const kind =
    KINDS[type] ??
    (await defineType(author, author.dialect, () => ({ type: 'object', properties: { spec: { type: 'object' } } })));
  return new Collection(name, kind, author);
}

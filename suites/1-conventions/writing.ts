import { type OtherType, type SubjectName, WRITES, type Write } from '../../fixtures/ledger/index.ts';
import type { ApiObject, Exchange, JsonObject } from '../harness/index.ts';
import { type Actor, inconclusive, type Kind, PATCH_TYPES, type Query, queryText, yamlText } from '../harness/index.ts';
import { type Content, type TestedType, tested } from './testedTypes.ts';

/** What a check says of one write; what is left out is as usual. */
export interface Sending {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Differs for each write that is to change something; `new` unless told. */
  readonly word?: string;
  /** Members beside or in place of the content of the word. */
  readonly content?: Content;
  readonly metadata?: JsonObject;
  /** Gives the last member of the body, or of a JSON patch the value of its last operation, twice. */
  readonly twice?: boolean;
  /** Another text than the JSON of the body, for what no object can say. */
  readonly rewrite?: (text: string) => string;
  /** Of a DELETE: its body. */
  readonly options?: object;
  /** Name that the body gives, where it is not that of the path. */
  readonly renamed?: string;
  /** Name of the object that is written; the one that a POST makes is another one than the rest change. */
  readonly name?: string;
}

/** Sends any kind of write about objects of one type, so that one rule can be put to each. */
export class Writer {
  readonly kind: Kind;
  readonly subject: TestedType;
  readonly #author: Actor;
  readonly #reader: Actor;

  /** @param reader reads what a PUT replaces, where the author may not. */
  constructor(author: Actor, subject: TestedType, kind: Kind, reader = author) {
    this.#author = author;
    this.#reader = reader;
    this.subject = subject;
    this.kind = kind;
  }

  /** The writes that the type takes. */
  get writes(): readonly Write[] {
    return WRITES.filter((write) => write !== 'strategic' || !this.subject.name.startsWith('custom'));
  }
  content(word: string): Content {
    return this.subject.content(this.#author, word);
  }
  /** Prepares an object; its content is that of `word`. */
  given(name: string, word = 'old', metadata: JsonObject = {}): Promise<ApiObject> {
    return this.#author.given(this.kind, { ...this.content(word), metadata: { ...metadata, name } });
  }
  get(name: string): Promise<Exchange> {
    return this.#author.get(this.kind, name);
  }

  /** Sends one write: a POST of a new object `made`, a DELETE of all objects, or another of the object `doc`. */
  async send(write: Write, sending: Sending = {}): Promise<Exchange> {
    const { query = {}, word = 'new', options, headers = {} } = sending;
    const { renamed } = sending;
    const metadata = renamed === undefined ? (sending.metadata ?? {}) : { ...sending.metadata, name: renamed };
    const author = this.#author;
    const { kind } = this;
    const typed = options === undefined ? {} : { headers: { 'content-type': this.subject.sentAs } };
    if (write === 'deletecollection') return author.deleteAll(kind, query, options, typed);
    const name = sending.name ?? (write === 'post' ? 'made' : 'doc');
    if (write === 'delete') return author.delete(kind, name, query, options, typed);
    const content = { ...this.content(word), ...sending.content };
    const draft = { ...content, metadata: { name, ...metadata } };
    if (write === 'post') author.space.note(kind, author.space.nameOf(kind, name));
    const path = await author.pathOf(kind, write === 'post' ? '' : name);
    const words = `${author.name} sends ${WORDS[write]} ${kind.plural} ${name}${queryText(query)}`;
    // What stands twice is the same mistake in both, but told otherwise: checks of it say how they send it.
    const usual = sending.twice || sending.rewrite ? 'application/json' : this.subject.sentAs;
    const send = (method: string, whole: object, type: string = usual, asked: Query = query) => {
      const sent = { 'content-type': type, ...headers };
      const applied = type === PATCH_TYPES.apply && this.subject.sentAs === 'application/yaml';
      const inBlocks = applied || sent['content-type'] === 'application/yaml';
      const rewritten = sending.rewrite ? sending.rewrite(JSON.stringify(whole)) : whole;
      const body = sending.twice ? withDuplicate(whole, inBlocks) : rewritten;
      return author.request(method, path + queryText(asked), { words, body, headers: sent });
    };
    const merge = Object.keys(metadata).length > 0 ? { ...content, metadata } : content;
    switch (write) {
      case 'post':
        return send('POST', await author.fill(kind, draft));
      case 'put':
        return send('PUT', await this.#replacement(name, content, metadata));
      case 'json':
        return send('PATCH', replacing(content, metadata), PATCH_TYPES.json);
      case 'merge':
      case 'strategic':
        return send('PATCH', merge, PATCH_TYPES[write]);
      case 'apply':
        return send('PATCH', await author.fill(kind, draft), PATCH_TYPES.apply, APPLYING(query));
    }
  }

  /** What is stored now, with other content: a PUT has to name the version that it replaces, at least for some types. */
  async #replacement(name: string, content: Content, metadata: JsonObject): Promise<object> {
    const stored = await this.#reader.get(this.kind, name);
    if (!stored.succeeded) inconclusive(`there is no ${this.kind.plural} ${name} to replace`);
    const live = stored.json as ApiObject;
    return { ...live, ...content, metadata: { ...live.metadata, ...metadata } };
  }
}

/** A writer for a type that is served when this returns. */
export async function writerOf(author: Actor, name: SubjectName | OtherType): Promise<Writer> {
  const subject = tested(name);
  return new Writer(author, subject, await subject.kind(author));
}

const WORDS: Readonly<Record<Write, string>> = {
  post: 'POST of',
  put: 'PUT of',
  json: 'a JSON patch of',
  merge: 'a merge patch of',
  strategic: 'a strategic merge patch of',
  apply: 'an apply of',
  delete: 'DELETE of',
  deletecollection: 'DELETE of all',
};
const APPLYING = (query: Query): Query => ({ fieldManager: 'touchstone-applier', force: true, ...query });

/** A JSON patch that gives an object this content. */
function replacing(content: Content, metadata: JsonObject): object[] {
  const add = (path: string, value: unknown) => ({ op: 'add', path, value });
  return [
    ...Object.entries(content).map(([member, value]) => add(`/${member}`, value)),
    ...Object.entries(metadata).map(([member, value]) => add(`/metadata/${member}`, value)),
  ];
}

/** A body in which a member stands twice: YAML in blocks, or JSON. */
function withDuplicate(body: object, inBlocks: boolean): string {
  const last = Array.isArray(body) ? (body.at(-1) as object) : body;
  const [member = '', value] = Object.entries(last).findLast(([name]) => name !== 'metadata') ?? [];
  if (inBlocks) return yamlText(body) + yamlText({ [member]: value });
  const text = JSON.stringify(body);
  const again = `,${JSON.stringify(member)}:${JSON.stringify(value)}}`;
  return Array.isArray(body) ? text.replace(/\}\]$/, `${again}]`) : text.replace(/\}$/, again);
}

import type { Duplex } from 'node:stream';
import { isObject, type Json, type JsonObject } from '../reference/api/json.ts';
import { parseQuery } from '../reference/api/query.ts';
import type { RequestInfo } from '../reference/api/request.ts';
import { requestInfo } from '../reference/transport/requestInfo.ts';
import { type EventChange, EventChanges } from './events.ts';
import { type Headers, Request, Response } from './message.ts';

/** Sends a request to the server behind. */
export type Send = (request: Request) => Promise<Response>;

/** What an exchange is made of by whoever carries it. */
export interface ExchangeParts {
  readonly request: Request;
  readonly send: Send;
  /** As {@link send}, as somebody who may do everything. */
  readonly sendAsAdmin: Send;
  /** Where interceptors remember something from one exchange to the next: one for each server. */
  readonly memory: Map<string, unknown>;
  /** The connection to the client; undefined where there is none, as inside a server. */
  readonly client: Duplex | undefined;
}

/** Which requests are meant. Of each member a word, several with spaces between them, or a list; absent: any. */
export interface Pattern {
  readonly method?: string | readonly string[];
  /** As in rules of roles: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb?: string | readonly string[];
  readonly group?: string | readonly string[];
  readonly version?: string | readonly string[];
  /** As in rules of roles: `pods`, `pods/status`; `*` for either part is any. Without a subresource, objects themselves. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly name?: string | readonly string[];
  readonly patch?: string | readonly string[];
}
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** A request on its way to a server, and the answer on its way back. */
export class Exchange {
  readonly request: Request;
  readonly memory: Map<string, unknown>;
  readonly client: Duplex | undefined;
  readonly admin: Admin;
  /** What the request asked for when it came in; changing the request does not change this. */
  readonly asked: RequestInfo;
  readonly #send: Send;
  readonly #events: EventChange[] = [];
  #response: Response | undefined;

  constructor(parts: ExchangeParts) {
    this.request = parts.request;
    this.memory = parts.memory;
    this.client = parts.client;
    this.#send = parts.send;
    this.admin = new Admin(parts.sendAsAdmin);
    this.asked = infoOf(parts.request);
  }

  get verb(): string {
    return this.asked.verb;
  }
  get group(): string {
    return this.asked.isResource ? this.asked.group : '';
  }
  get version(): string {
    return this.asked.isResource ? this.asked.version : '';
  }
  /** Empty where the path is none of a resource. */
  get resource(): string {
    return this.asked.isResource ? this.asked.resource : '';
  }
  get subresource(): string {
    return this.asked.isResource ? this.asked.subresource : '';
  }
  get namespace(): string {
    return this.asked.isResource ? this.asked.namespace : '';
  }
  /** Empty of a collection. */
  get name(): string {
    return this.asked.isResource ? this.asked.name : '';
  }
  get patch(): PatchType | undefined {
    if (this.request.method !== 'PATCH') return undefined;
    const type = this.request.header('content-type');
    return PATCHES.find(([words]) => type.includes(words))?.[1];
  }
  /** It would store nothing. */
  get dryRun(): boolean {
    return this.request.query.has('dryRun');
  }
  /** The token of its `Authorization` header; empty: it shows none. */
  get token(): string {
    return /^bearer\s+(.*)$/i.exec(this.request.header('authorization'))?.[1] ?? '';
  }
  /** What its token says where that is a JWT, without any proof of it; otherwise empty. */
  get claims(): JsonObject {
    try {
      const claims: unknown = JSON.parse(Buffer.from(this.token.split('.')[1] ?? '', 'base64url').toString());
      return isObject(claims) ? claims : {};
    } catch {
      return {};
    }
  }

  /** Whether the request is one of those that a pattern means. */
  is(pattern: Pattern): boolean {
    return (
      means(pattern.method, this.request.method) &&
      means(pattern.verb, this.verb) &&
      means(pattern.group, this.group) &&
      means(pattern.version, this.version) &&
      means(pattern.namespace, this.namespace) &&
      means(pattern.name, this.name) &&
      means(pattern.patch, this.patch ?? '') &&
      (pattern.resource === undefined ||
        words(pattern.resource).some((each) => meansResource(each, this.resource, this.subresource)))
    );
  }

  /** The answer. @throws Error before there is one */
  get response(): Response {
    if (!this.#response) throw new Error('there is no answer yet');
    return this.#response;
  }
  set response(response: Response) {
    this.#response = response;
  }
  get answered(): boolean {
    return this.#response !== undefined;
  }

  /** Answers in the place of the server behind, or with something else than it said. */
  answer(status: number, object?: Json, headers: Headers = {}): void {
    const body = object === undefined ? new Uint8Array() : Buffer.from(`${JSON.stringify(object)}\n`);
    const type = object === undefined ? {} : { 'content-type': 'application/json' };
    this.#response = new Response({ status, headers: { ...type, ...headers }, body });
  }
  /** Answers with a Status, as every refusal is. */
  refuse(code: number, reason: string, message: string): void {
    this.answer(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
  }

  /** Asks the server behind with the request as it is by now, and takes what it says as the answer. */
  async pass(): Promise<void> {
    this.#response = await this.#send(this.request);
  }
  /** Asks the server behind with the request as it is by now, and lets the client know nothing of it. */
  async forward(): Promise<Response> {
    await this.request.bytes();
    const response = await this.#send(this.request);
    await response.bytes();
    return response;
  }

  /** The object that the request is about, as it is stored now; undefined: there is none. */
  stored(name = this.name): Promise<JsonObject | undefined> {
    return this.admin.get(this.itemPath(name));
  }
  /** Path of the object that the request is about, or of another one of its collection, without subresource. */
  itemPath(name = this.name): string {
    if (!this.asked.isResource) return this.request.path;
    const { group, version, below, resource } = this.asked;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const within = below === '' ? '' : `/namespaces/${encodeURIComponent(below)}`;
    return `${root}${within}/${resource}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
  }

  /** Puts something between the events of a watch and who reads them. */
  onEvent(change: EventChange): void {
    this.#events.push(change);
  }
  /** For whoever carries the answer on; undefined where nobody wants to see its events. */
  get events(): EventChanges | undefined {
    if (this.#events.length === 0 || !this.response.live) return undefined;
    return new EventChanges(this.#events, this.response.header('content-type'));
  }
}

const PATCHES: readonly (readonly [words: string, patch: PatchType])[] = [
  ['strategic-merge-patch', 'strategic'],
  ['merge-patch', 'merge'],
  ['json-patch', 'json'],
  ['apply-patch', 'apply'],
];

/** Somebody who may do everything, at the server behind. */
export class Admin {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }

  /** The object at a path; undefined where the answer is another than 200. */
  async get(target: string): Promise<JsonObject | undefined> {
    const response = await this.send('GET', target);
    return response.status === 200 ? response.object() : undefined;
  }
  async send(method: string, target: string, object?: Json, headers: Headers = {}): Promise<Response> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await this.#send(
      new Request({
        method,
        target,
        headers: { accept: 'application/json', ...(object === undefined ? {} : { 'content-type': type }), ...headers },
        body: object === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(object)),
      }),
    );
    await response.bytes();
    return response;
  }
}

function infoOf({ method, path, target }: Request): RequestInfo {
  const mark = target.indexOf('?');
  try {
    return requestInfo(method, decodeURIComponent(path), parseQuery(mark < 0 ? '' : target.slice(mark + 1)), 'spec');
  } catch {
    // What names nothing is refused by the server behind.
    return { isResource: false, verb: method.toLowerCase(), path };
  }
}

function words(wanted: string | readonly string[]): readonly string[] {
  return typeof wanted === 'string' ? wanted.split(' ') : wanted;
}
function means(wanted: string | readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || words(wanted).includes(value);
}
function meansResource(wanted: string, resource: string, subresource: string): boolean {
  const [type = '', part = ''] = wanted.split('/');
  if (resource === '') return false;
  return (type === '*' || type === resource) && (part === '*' ? subresource !== '' : part === subresource);
}

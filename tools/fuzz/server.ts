import type { Json, JsonObject } from '../../reference/api/json.ts';
import { parseQuery } from '../../reference/api/query.ts';
import type { IncomingRequest, PeerCertificate } from '../../reference/api/request.ts';
import { stringify } from '../../reference/codecs/jsonText.ts';
import type { Reply } from '../../reference/contracts/reply.ts';
import type { ResourceType, TypeVersion } from '../../reference/contracts/resourceType.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { diskFiles } from '../../reference/ports/disk.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import type { Seams } from '../../reference/seams.ts';

/** Something that no input may bring a server to. The message is one sentence; the requests stand in `sent`. */
export class Finding extends Error {
  readonly sent: readonly string[];

  constructor(message: string, sent: readonly string[]) {
    super(message);
    this.name = 'Finding';
    this.sent = sent;
  }
}

export interface Sending {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: Uint8Array | string | JsonObject | readonly Json[] | undefined;
  readonly certificate?: PeerCertificate;
  /** Whoever sends it; the admin unless told. */
  readonly as?: 'admin' | 'nobody';
}

export interface Heard {
  readonly code: number;
  readonly headers: Reply['headers'];
  /** Of a stream, what it had written when it was stopped. */
  readonly body: Uint8Array;
}

/** A version of a type whose objects can be stored. */
export interface Stored {
  readonly type: ResourceType;
  readonly version: TypeVersion;
  readonly apiVersion: string;
  /** Path of the collection that is written to. */
  readonly collection: string;
}

/** Hears of every request. */
export interface Listener {
  /** Before it is sent, as text. */
  begins(text: string): void;
  /** @param work milliseconds of the processor */
  ended(work: number): void;
}

/** Milliseconds of the processor that no request of a few kilobytes may take. */
const DEAR = 3_000;

export const ADMIN_TOKEN = 'fuzz-admin';
const TOKENS = 'tokens.csv';
/**
 * What may be told with a 500 or a 503: that who is behind a proxy or a webhook does not answer. The real service calls
 * two faults of the client its own, of which the specification says nothing: groups without a user, and no version.
 */
const TOLD_SO =
  /failed calling webhook|conversion webhook|no endpoints available|error trying to reach|no address|dial tcp|not (?:be )?reach|without impersonating a user|resourceVersion: Invalid value/;

/** The reference in this process, without network. Where it does what it must not, a {@link Finding} is thrown. */
export class FuzzServer {
  readonly #reference: Reference;
  readonly #sent: string[] = [];
  #listener: Listener | undefined;

  private constructor(reference: Reference) {
    this.#reference = reference;
  }

  /**
   * @param files further files that flags name, by path
   * @param seams where a test puts a fault in
   * @throws Error when the flags are refused
   */
  static async start(
    flags: readonly string[] = [],
    files: Readonly<Record<string, string>> = {},
    seams: Seams = {},
  ): Promise<FuzzServer> {
    const loaded = readOptions(
      ['--clock=virtual', '--seed=1', '--enable-bootstrap-token-auth', `--token-auth-file=${TOKENS}`, ...flags],
      {
        read: (path) =>
          path === TOKENS ? `${ADMIN_TOKEN},admin,1,"system:masters"\n` : (files[path] ?? diskFiles.read(path)),
      },
    );
    if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
    return new FuzzServer(await createReference(loaded.options, { seams }));
  }

  /** Another one that begins where this one stands. */
  async fork(): Promise<FuzzServer> {
    const fork = new FuzzServer(await this.#reference.fork());
    fork.#sent.push(...this.#sent);
    fork.#listener = this.#listener;
    return fork;
  }

  /** Has every request told, those to its forks as well. */
  listen(listener: Listener): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    return this.#reference.close();
  }

  /** Every version of a type whose objects can be created. */
  stored(): Stored[] {
    const found: Stored[] = [];
    for (const type of this.#reference.services.registry.types()) {
      for (const version of type.versions.values()) {
        if (!version.served || version.operation || type.computed || !version.verbs.includes('create')) continue;
        const apiVersion = type.group === '' ? version.version : `${type.group}/${version.version}`;
        const root = `${type.group === '' ? '/api' : '/apis'}/${apiVersion}`;
        const collection = `${root}${type.namespaced ? '/namespaces/default' : ''}/${type.resource}`;
        found.push({ type, version, apiVersion, collection });
      }
    }
    return found;
  }

  /** @throws Finding when the answer is one that no request may get */
  async send(sending: Sending): Promise<Heard> {
    const { method, target, as = 'admin' } = sending;
    const body =
      sending.body === undefined
        ? new Uint8Array()
        : sending.body instanceof Uint8Array
          ? sending.body
          : Buffer.from(typeof sending.body === 'string' ? sending.body : stringify(sending.body as Json));
    const headers: Record<string, string> = {
      ...(as === 'admin' ? { authorization: `Bearer ${ADMIN_TOKEN}` } : {}),
      ...(typeof sending.body === 'object' && !(sending.body instanceof Uint8Array)
        ? { 'content-type': 'application/json' }
        : {}),
      ...sending.headers,
    };
    const text = written(method, target, headers, body);
    this.#sent.push(text);
    this.#listener?.begins(text);
    const mark = target.indexOf('?');
    const path = decoded(mark < 0 ? target : target.slice(0, mark));
    // The listener refuses it before the engine sees it.
    if (path === undefined) return { code: 400, headers: {}, body: new Uint8Array() };
    const request: IncomingRequest = {
      method,
      target,
      path,
      query: parseQuery(mark < 0 ? '' : target.slice(mark + 1)),
      headers,
      headerLines: (name) => (headers[name] === undefined ? [] : [headers[name]]),
      remoteAddress: '127.0.0.1',
      secure: true,
      peerCertificate: sending.certificate,
      signal: new AbortController().signal,
      body: () => Promise.resolve(body),
    };
    let heard: Heard;
    const before = process.cpuUsage();
    try {
      heard = await collected(await this.#reference.handler(request));
      // What controllers do of it must not come between two requests that are compared.
      if (method !== 'GET' && method !== 'HEAD') await this.#reference.settled();
    } catch (error) {
      throw this.finding(`the server threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    const { user, system } = process.cpuUsage(before);
    const work = (user + system) / 1_000;
    this.#listener?.ended(work);
    if (work > DEAR) throw this.finding(`the request took ${Math.round(work)} ms of work`);
    if (heard.code >= 500 && !(heard.code === 501 || TOLD_SO.test(textOf(heard.body)))) {
      throw this.finding(`${heard.code}: ${textOf(heard.body).slice(0, 600)}`);
    }
    if (heard.code >= 400) this.#refusal(heard);
    return heard;
  }

  /** A refusal in JSON says the same code as its head. */
  #refusal(heard: Heard): void {
    const type = String(heard.headers['content-type'] ?? '');
    if (!type.startsWith('application/json')) return;
    const status = this.json(heard);
    if (status.kind === 'Status' && status.code !== heard.code) {
      throw this.finding(`the head says ${heard.code} and the body ${String(status.code)}`);
    }
  }

  /** The body of an answer. @throws Finding when it is no JSON object */
  json(heard: Heard): JsonObject {
    try {
      return JSON.parse(textOf(heard.body)) as JsonObject;
    } catch (error) {
      throw this.finding(`an answer is no JSON (${String(error)}): ${textOf(heard.body).slice(0, 300)}`);
    }
  }

  finding(message: string): Finding {
    return new Finding(message, this.#sent);
  }
}

/** All of an answer; a stream is stopped as soon as it waits. */
async function collected(reply: Reply): Promise<Heard> {
  if (reply.kind === 'whole') return reply;
  const frames: Uint8Array[] = [];
  const running = reply.start({
    write: (frame) => {
      frames.push(frame);
      return true;
    },
    pending: 0,
    whenReady: undefined,
    end: () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  running.stop();
  return { code: reply.code, headers: reply.headers, body: Buffer.concat(frames) };
}

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A request as text; bytes that are no text stand in base64. */
function written(method: string, target: string, headers: Readonly<Record<string, string>>, body: Uint8Array): string {
  const head = Object.entries(headers)
    .filter(([, value]) => value !== `Bearer ${ADMIN_TOKEN}`)
    .map(([name, value]) => `${name}: ${JSON.stringify(value).slice(1, -1)}\n`);
  const text = textOf(body);
  const legible = Buffer.from(text).equals(body);
  return `${method} ${target}\n${head.join('')}${body.length === 0 ? '' : legible ? text : `base64 ${Buffer.from(body).toString('base64')}`}`;
}

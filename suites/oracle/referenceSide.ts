import type { Reply } from '../../reference/contracts/reply.ts';
import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import type { Seams } from '../../reference/seams.ts';
import { collect, inProcessRequest } from '../../reference/transport/inProcess.ts';
import { onePerLane } from '../harness/running/lane.ts';
import { rsaPair } from '../harness/services/rsaKeys.ts';
import type { WireRequest } from '../sequences/fill.ts';
import type { Answer, OpenAnswer, Side } from '../sequences/side.ts';

const TOKEN = 'sequences-admin';
const FLAGS = [
  '--seed=1',
  '--clock=virtual',
  '--enable-bootstrap-token-auth=true',
  '--identity-lease-renew-interval-seconds=0',
  '--token-auth-file=admin',
  '--service-account-signing-key-file=signing',
];
const ADMIN = `${TOKEN},admin,admin-uid,system:masters\n`;
/** What the references of a lane sign tokens with, which nobody compares: a seed's own takes longer for each. */
const signing = onePerLane(() => ({ pem: String(rsaPair().privateKey.export({ type: 'pkcs8', format: 'pem' })) }));
const FILES = {
  read(name: string): string {
    return name === 'signing' ? signing().pem : ADMIN;
  },
};

/** Stands for the root certificate that a server over TLS publishes in each namespace; certificates are not compared. */
const ROOT = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';

/** Turns of the event loop without any change after which the controllers are thought to be done. */
const QUIET_TURNS = 4;
const MOST_TURNS = 500;
/** Turns within which a request is answered that waits for nothing. */
const TURNS_OF_WORK = 40;

/** How a reference in this process is started, beside its flags. */
export interface ReferenceParts {
  readonly seams?: Seams;
  readonly options?: (options: ServerOptions) => ServerOptions;
  /** Whether its clock is helped on while a request waits; not where it asks others, whose answers take real time. */
  readonly helped?: boolean;
}

/** A reference in this process whose clock stands still, as a side of a comparison. */
export class ReferenceSide implements Side {
  readonly name: string;
  readonly dialect: Side['dialect'];
  readonly #reference: Reference;
  readonly #helped: boolean;

  private constructor(name: string, reference: Reference, helped: boolean) {
    this.name = name;
    this.#reference = reference;
    this.#helped = helped;
    const { apiDomain, vendor, labelDomain, systemNamespace, publicNamespace } = reference.services.dialect;
    this.dialect = { domain: apiDomain, vendor, label: labelDomain, system: systemNamespace, public: publicNamespace };
  }

  /** @throws Error with a sentence for each flag that is not as it should be. */
  static async start(name: string, flags: readonly string[], parts: ReferenceParts = {}): Promise<ReferenceSide> {
    const loaded = readOptions([...FLAGS, ...flags], FILES);
    if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
    const options = parts.options?.(loaded.options) ?? loaded.options;
    const reference = await createReference(options, { rootCa: ROOT, ...(parts.seams ? { seams: parts.seams } : {}) });
    const side = new ReferenceSide(name, reference, parts.helped ?? true);
    await side.settle();
    return side;
  }

  async ask(request: WireRequest): Promise<Answer> {
    const reply = await this.#handle(request);
    if (reply.kind === 'whole') {
      // What carries an answer to a HEAD leaves the body out.
      const bytes = request.method === 'HEAD' ? new Uint8Array() : reply.body;
      return { status: reply.code, headers: reply.headers, bytes };
    }
    const open = collect(reply);
    await this.settle();
    open.stop();
    return { status: reply.code, headers: reply.headers, bytes: Buffer.from(open.text()) };
  }

  async open(request: WireRequest): Promise<OpenAnswer> {
    const reply = await this.#handle(request);
    const { code: status, headers } = reply;
    if (reply.kind === 'whole') {
      return { status, headers, bytes: reply.body, frames: () => reply.body, stop: () => undefined };
    }
    const frames: Uint8Array[] = [];
    const running = reply.start({
      write: (frame) => {
        frames.push(Uint8Array.from(frame));
        return true;
      },
      pending: 0,
      whenReady: undefined,
      end: () => undefined,
    });
    return {
      status,
      headers,
      bytes: new Uint8Array(),
      frames: () => Buffer.concat(frames),
      stop: () => running.stop(),
    };
  }

  async settle(longer = false): Promise<void> {
    // Signing goes on outside of the event loop.
    if (longer) await new Promise((resolve) => setTimeout(resolve, 15));
    const { store } = this.#reference.services;
    let last = -1;
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const now = await store.revision();
      quiet = now === last ? quiet + 1 : 0;
      last = now;
    }
  }

  close(): Promise<void> {
    return this.#reference.close();
  }

  /** A request that waits for time to pass, such as one for a version to come, is helped on. */
  async #handle(request: WireRequest): Promise<Reply> {
    let reply: Reply | undefined;
    const handled = this.#send(request).then((given) => {
      reply = given;
    });
    for (let turns = 1; this.#helped && reply === undefined && turns < MOST_TURNS; turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (turns % TURNS_OF_WORK === 0) this.#reference.advance(1_000);
    }
    await handled;
    if (!reply) throw new Error(`${request.method} ${request.path} was not answered`);
    return reply;
  }

  #send({ method, path, headers, body, admin }: WireRequest): Promise<Reply> {
    const sent = {
      accept: 'application/json',
      'user-agent': 'touchstone-sequences',
      ...(admin ? { authorization: `Bearer ${TOKEN}` } : {}),
      ...headers,
    };
    const lines = (name: string): readonly string[] => {
      const value = (sent as WireRequest['headers'])[name];
      return value === undefined ? [] : typeof value === 'string' ? [value] : value;
    };
    const joined = Object.fromEntries(Object.keys(sent).map((name) => [name, lines(name).join(', ')]));
    const request = { method, target: path, headers: joined, ...(body === undefined ? {} : { body }) };
    return this.#reference.handler({ ...inProcessRequest(request), headerLines: lines });
  }
}

import type { Actor } from '../harness/index.ts';
import { inconclusive } from '../harness/index.ts';
import type { WireRequest } from '../sequences/fill.ts';
import type { Answer, OpenAnswer, Side } from '../sequences/side.ts';

/** Milliseconds that the target gets for what it does by itself after a write, and where that is not enough. */
const PAUSE = 2;
const LONGER = 300;

/** The target of a check as a side of a comparison. */
export class TargetSide implements Side {
  readonly name = 'the target';
  readonly dialect: Side['dialect'];
  readonly #admin: Actor;
  readonly #nobody: Actor;

  constructor(admin: Actor, nobody: Actor) {
    this.#admin = admin;
    this.#nobody = nobody;
    const { apiDomain, vendor, labelDomain, systemNamespace, publicNamespace } = admin.dialect;
    this.dialect = { domain: apiDomain, vendor, label: labelDomain, system: systemNamespace, public: publicNamespace };
  }

  async ask({ method, path, headers, body, admin }: WireRequest): Promise<Answer> {
    const actor = admin ? this.#admin : this.#nobody;
    const { received, failure } = await actor.request(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (!received) inconclusive(`${method} ${path} was not answered: ${failure}`);
    return { status: received.status, headers: received.all, bytes: received.bytes };
  }

  async open({ method, path, headers, admin }: WireRequest): Promise<OpenAnswer> {
    const stream = await (admin ? this.#admin : this.#nobody).openStream(`${method} ${path}`, path, { headers });
    const { received, failure } = stream.opening;
    if (!received) inconclusive(`${method} ${path} was not answered: ${failure}`);
    return {
      status: received.status,
      headers: received.all,
      bytes: received.bytes,
      frames: () => Buffer.from(stream.seen.map((event) => JSON.stringify(event)).join('\n')),
      stop: () => stream.close(),
    };
  }

  settle(longer = false): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, longer ? LONGER : PAUSE));
  }

  async close(): Promise<void> {}
}

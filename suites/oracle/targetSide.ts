import type { Actor } from '../harness/index.ts';
import { inconclusive } from '../harness/index.ts';
import type { WireRequest } from '../sequences/fill.ts';
import { keepDecoded } from '../sequences/normal.ts';
import type { Answer, OpenAnswer, Side } from '../sequences/side.ts';

/**
 * Milliseconds that the target gets for what it does by itself after a write, and where that is not enough: as many of
 * its answers' times as it may need, and no more than some seconds.
 */
const PAUSE = 2;
const LONGER = 300;
const LONGEST = 3_000;
const ANSWERS = 20;
/** How much of the mean time of an answer comes from those before the last. */
const KEPT = 0.95;

/** The target of a check as a side of a comparison. */
export class TargetSide implements Side {
  readonly name = 'the target';
  readonly dialect: Side['dialect'];
  readonly #admin: Actor;
  readonly #nobody: Actor;
  /** Milliseconds that an answer took of late. */
  #mean = 0;

  constructor(admin: Actor, nobody: Actor) {
    this.#admin = admin;
    this.#nobody = nobody;
    const { apiDomain, vendor, labelDomain, systemNamespace, publicNamespace } = admin.dialect;
    this.dialect = { domain: apiDomain, vendor, label: labelDomain, system: systemNamespace, public: publicNamespace };
  }

  async ask({ method, path, headers, body, admin }: WireRequest): Promise<Answer> {
    const actor = admin ? this.#admin : this.#nobody;
    const asked = performance.now();
    const { received, failure } = await actor.request(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (!received) inconclusive(`${method} ${path} was not answered: ${failure}`);
    this.#mean = KEPT * this.#mean + (1 - KEPT) * (performance.now() - asked);
    const { json } = received;
    if (json !== undefined) keepDecoded(received.bytes, String(received.all['content-type'] ?? ''), json);
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
    const pause = longer ? Math.min(LONGEST, Math.max(LONGER, ANSWERS * this.#mean)) : PAUSE;
    return new Promise((resolve) => setTimeout(resolve, pause));
  }

  async close(): Promise<void> {}
}

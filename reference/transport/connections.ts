import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SystemClock } from '../time.ts';

/** How long a port waits for those on the other side, in milliseconds. */
export interface Patience {
  /** For a connection to begin, for a head to be whole, and for the rest of a body that was answered before its end. */
  readonly head: number;
  /** For anything at all on a connection on which the server has nothing to do. */
  readonly idle: number;
  /** For what was asked to be answered, at the end of the server. */
  readonly grace: number;
}

/** As the real service waits; the last is our own. */
export const PATIENCE: Patience = { head: 32_000, idle: 90_000, grace: 5_000 };

/** Milliseconds without a request after which those that were busy when the end began have heard of it. */
const QUIET = 50;

/** Of requests and connections, which side they come from. */
interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** A request, from its head until the last byte of its answer has left or its connection has gone. */
export interface UnderWay {
  /** The whole answer is there: from now on the client is waited for, and no longer than for any other. */
  answered(): void;
  /** Called once. */
  over(): void;
}

/** How much is under way on a connection. */
interface Load {
  underWay: number;
}

/**
 * The connections of a port and what is under way on them. One on which nothing is under way is closed after a time; one
 * that waits for the server, or has a stream open, never is.
 */
export class Connections {
  readonly #patience: Patience;
  readonly #sockets = new Set<Socket>();
  /** By the peer's address and port, which TLS and HTTP/2 tell as the socket below does. */
  readonly #loads = new Map<string, Load>();
  /** The same by what requests have for a socket, so that only the first one is asked for its peer. */
  readonly #known = new WeakMap<object, Load>();
  #underWay = 0;
  readonly #streams = new Set<() => void>();
  readonly #sessions = new Set<() => void>();
  #drained: (() => void) | undefined;
  /** Called when the last connection has gone. */
  #left: (() => void) | undefined;
  #asked = 0;
  #ending = false;

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    const peer = nameOf(socket);
    const load: Load = { underWay: 0 };
    this.#loads.set(peer, load);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#left?.();
      if (this.#loads.get(peer) === load) this.#loads.delete(peer);
    });
    socket.setTimeout(this.#patience.head);
    socket.on('timeout', () => {
      if (load.underWay === 0) socket.destroy();
    });
  }

  /** The first bytes of a connection have come. */
  begun(socket: Socket): void {
    socket.setTimeout(this.#patience.idle);
  }

  [Symbol.iterator](): Iterator<Socket> {
    return this.#sockets.values();
  }

  /** Something was asked. @param peer of all requests of a connection the same */
  begin(peer: Peer): UnderWay {
    let load = this.#known.get(peer);
    if (!load) {
      load = this.#loads.get(nameOf(peer)) ?? { underWay: 0 };
      this.#known.set(peer, load);
    }
    this.#underWay++;
    this.#asked++;
    return new Asked(load, this.#ended);
  }
  readonly #ended = (): void => {
    this.#underWay--;
    if (this.#underWay === 0) this.#drained?.();
  };

  /**
   * Waits for the rest of a body that was answered before its end, so that the connection can be used again, and calls
   * `cut` where it does not come in time.
   */
  awaitRest(body: Readable, cut: () => void): void {
    const timer = new SystemClock().after(this.#patience.head, cut);
    body.once('close', () => timer.cancel());
    body.resume();
  }

  /** Keeps a way to end a stream, for the end of the server; the result forgets it. */
  stream(end: () => void): () => void {
    this.#streams.add(end);
    return () => this.#streams.delete(end);
  }

  /** Keeps a way to tell a client of HTTP/2 to ask nothing more on its connection; the result forgets it. */
  session(tell: () => void): () => void {
    this.#sessions.add(tell);
    return () => this.#sessions.delete(tell);
  }

  /** Whether the end has begun: whoever is answered now is to ask nothing more on its connection. */
  get ending(): boolean {
    return this.#ending;
  }

  /**
   * Ends all streams, lets what was asked be answered for a while, and closes every connection. Where requests are under
   * way besides, clients have a moment to read that they shall ask nothing more, so that no request is cut off meanwhile.
   */
  async close(): Promise<void> {
    const clock = new SystemClock();
    const over = clock.elapsed() + this.#patience.grace;
    const busy = this.#underWay > this.#streams.size;
    this.#ending = true;
    for (const end of this.#streams) end();
    for (const tell of this.#sessions) tell();
    await this.#drain(over - clock.elapsed());
    for (let asked = -1; busy && asked !== this.#asked && over - clock.elapsed() > QUIET; ) {
      asked = this.#asked;
      // Nothing but the connections keeps the process alive meanwhile.
      if (this.#sockets.size === 0) break;
      await new Promise<void>((resolve) => {
        this.#left = resolve;
        clock.after(QUIET, resolve);
      });
      await this.#drain(over - clock.elapsed());
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resolves when nothing is under way, or after so many milliseconds. */
  async #drain(atMost: number): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      const timer = new SystemClock().after(Math.max(0, atMost), resolve);
      this.#drained = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}

/** A request that is under way on a connection. */
class Asked implements UnderWay {
  readonly #load: Load;
  readonly #ended: () => void;
  #waitedFor = true;

  constructor(load: Load, ended: () => void) {
    load.underWay++;
    this.#load = load;
    this.#ended = ended;
  }
  answered(): void {
    if (!this.#waitedFor) return;
    this.#waitedFor = false;
    this.#load.underWay--;
  }
  over(): void {
    this.answered();
    this.#ended();
  }
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

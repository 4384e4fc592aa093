import type { StreamReply, Wire } from '../../contracts/reply.ts';

/**
 * A stream that tells when it is over, once: when it ends by itself, when it is stopped, or when its client goes away
 * before it began.
 */
export function endingOf(reply: StreamReply, signal: AbortSignal, ended: () => void): StreamReply {
  let told = false;
  const tell = () => {
    if (told) return;
    told = true;
    signal.removeEventListener('abort', tell);
    ended();
  };
  if (signal.aborted) tell();
  else signal.addEventListener('abort', tell);
  return {
    ...reply,
    start(wire) {
      const running = reply.start(new EndingWire(wire, tell));
      return {
        stop() {
          running.stop();
          tell();
        },
      };
    },
  };
}

class EndingWire implements Wire {
  readonly #wire: Wire;
  readonly #ended: () => void;
  readonly whenReady: Wire['whenReady'];

  constructor(wire: Wire, ended: () => void) {
    this.#wire = wire;
    this.#ended = ended;
    // Whether a wire can tell that its reader has caught up decides how a watch waits.
    this.whenReady = wire.whenReady && ((resume) => wire.whenReady?.(resume));
  }
  write(frame: Uint8Array): boolean {
    return this.#wire.write(frame);
  }
  get pending(): number {
    return this.#wire.pending;
  }
  end(): void {
    this.#wire.end();
    this.#ended();
  }
}

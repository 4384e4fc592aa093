import type { Dialect } from '../fixtures/dialects/dialect.ts';
import type { IncomingRequest } from '../reference/api/request.ts';
import type { Handler, Reply } from '../reference/contracts/reply.ts';
import type { ServerOptions } from '../reference/contracts/serverOptions.ts';
import type { Reference } from '../reference/reference.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  type Snapshot,
  SnapshotFault,
} from '../reference/storage/snapshot/snapshot.ts';
import type { StoreImage } from '../reference/storage/storeImage.ts';
import { SystemClock } from '../reference/time.ts';
import { type StateChange, stateChanges } from './changes.ts';
import { History, type RecordedRequest } from './history.ts';

/** What a server has in common with all that are forked from it. */
export interface ControlledFamily {
  readonly clock: ServerOptions['clock'];
  /** How many requests are remembered. */
  readonly remembered: number;
  /** Another server of these options that begins with an image, and takes the place of one. */
  readonly begin: (image: StoreImage, inPlaceOf: Reference) => Promise<Reference>;
  /** Called with the server that was in the place of another, which still has what that had taken; closes it. */
  readonly replaced: (before: Reference, now: Reference) => Promise<void>;
}

const DAY = 86_400_000;
/** Milliseconds that a clock is moved ahead at once at most: all that falls due on the way is done. */
export const LONGEST_ADVANCE = 366 * DAY;

/** A server that can go back to where it began, become what a snapshot says, and be forked, while clients talk to it. */
export class ControlledServer {
  readonly #family: ControlledFamily;
  readonly #history: History;
  /** As it began; undefined where its objects are kept elsewhere than in memory. */
  readonly #start: Reference | undefined;
  #current: Reference;
  /** As it stood last when it was forked. */
  #still: Still | undefined;

  private constructor(family: ControlledFamily, current: Reference, start: Reference | undefined) {
    this.#family = family;
    this.#history = new History(family.remembered);
    this.#start = start;
    this.#current = current;
    this.#still = start && { of: current, ...standing(start), reference: start };
  }

  /**
   * @param first a server that nobody has asked yet
   * @param resettable whether it is to be reset and forked, where its objects are in memory
   */
  static async of(family: ControlledFamily, first: Reference, resettable = true): Promise<ControlledServer> {
    return new ControlledServer(family, first, resettable && first.forkable ? await stillOf(first) : undefined);
  }

  get current(): Reference {
    return this.#current;
  }

  readonly handler: Handler = async (request: IncomingRequest): Promise<Reply> => {
    const { handler, services, explanations } = this.#current;
    const recording = this.#history.begin(request, services.clock.now(), explanations);
    return recording.answered(await handler(recording.request));
  };

  history(): readonly RecordedRequest[] {
    return this.#history.list();
  }

  /** @throws Error on the machine's clock, RangeError for less than 0 and for more than {@link LONGEST_ADVANCE} */
  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) throw new RangeError(`time cannot be advanced by ${milliseconds}`);
    if (milliseconds > LONGEST_ADVANCE) {
      throw new RangeError(`time cannot be advanced by more than 366 days (${LONGEST_ADVANCE} milliseconds) at once`);
    }
    let left = milliseconds;
    // Day by day, so that others are answered meanwhile.
    do {
      const step = Math.min(left, DAY);
      this.#current.advance(step);
      await this.#current.settled();
      left -= step;
    } while (left > 0);
  }

  async snapshot(): Promise<Uint8Array> {
    const image = await this.#current.image();
    return encodeSnapshot({ image, dialect: this.#current.services.dialect.name, taken: new SystemClock().now() });
  }

  /** @throws Error when it is no snapshot, or of another dialect, or objects are kept elsewhere than in memory */
  async restore(snapshot: Uint8Array): Promise<void> {
    const { clock, begin } = this.#family;
    if (!this.#start) throw new Error(ELSEWHERE);
    const next = await begin(imageIn(snapshot, this.#current.services.dialect), this.#current);
    const ahead = this.#current.services.clock.now() - next.services.clock.now();
    if (ahead > 0 && clock !== 'system') next.advance(ahead);
    await this.#become(next);
  }

  /** @throws Error where objects are kept elsewhere than in memory */
  async reset(): Promise<void> {
    if (!this.#start) throw new Error(ELSEWHERE);
    await this.#become(await this.#start.fork(this.#current.lineage));
  }

  async #become(next: Reference): Promise<void> {
    const before = this.#current;
    this.#current = next;
    this.#history.clear();
    await this.#family.replaced(before, next);
  }

  /** @throws Error where objects are kept elsewhere than in memory */
  async fork(): Promise<ControlledServer> {
    const still = await this.#stillNow();
    return new ControlledServer(this.#family, await still.fork(), still);
  }

  async #stillNow(): Promise<Reference> {
    await this.#current.settled();
    if (!this.#still) throw new Error(ELSEWHERE);
    const now = standing(this.#current);
    const { of, revision, at, reference } = this.#still;
    // Time that goes by itself goes by for a still as well.
    const unmoved = this.#family.clock !== 'virtual' || at === now.at;
    if (of === this.#current && revision === now.revision && unmoved) return reference;
    const still = await stillOf(this.#current);
    this.#still = { of: this.#current, ...standing(still), reference: still };
    return still;
  }

  /** @throws Error where objects are kept elsewhere than in memory */
  async changes(): Promise<readonly StateChange[]> {
    if (!this.#start) throw new Error(ELSEWHERE);
    return stateChanges(this.#start.services.store, this.#current.services.store);
  }
}

const ELSEWHERE = 'this can only be done where objects are kept in memory';

interface Still {
  readonly of: Reference;
  readonly revision: number;
  readonly at: number;
  readonly reference: Reference;
}

/** A server as it stood at some time, which serves nobody and is forked. */
async function stillOf(reference: Reference): Promise<Reference> {
  const still = await reference.fork(reference.lineage);
  still.freeze();
  return still;
}

/** Where a server stands: what two that are forked at the same point have in common. */
function standing({ services: { store, clock } }: Reference): { readonly revision: number; readonly at: number } {
  // A store in memory answers at once.
  return { revision: store.revision() as number, at: clock.now() };
}

/** @throws Error when it is no snapshot, or of another dialect */
export function imageIn(snapshot: Uint8Array, own: Dialect): StoreImage {
  const { image, dialect } = decoded(snapshot);
  if (dialect === own.name) return image;
  throw new Error(`the snapshot holds the objects of dialect ${dialect}, not of ${own.name}`);
}

function decoded(snapshot: Uint8Array): Snapshot {
  try {
    return decodeSnapshot(snapshot);
  } catch (error) {
    throw error instanceof SnapshotFault ? new Error(`what was sent ${error.message}`) : error;
  }
}

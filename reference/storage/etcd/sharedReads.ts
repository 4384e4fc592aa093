import { afterThisTurn } from '../../time.ts';
import type { EtcdConnection } from './connection.ts';
import { RANGE, type RangeRequest, type RangeResponse, TXN } from './messages.ts';

/** A read of what there is now; without `limit` it is of one key, or of none. */
export type PresentRange = Pick<RangeRequest, 'key' | 'rangeEnd' | 'limit' | 'countOnly'>;

/** Reads in one call at most; etcd takes 128 unless it is told otherwise. */
const READS = 64;
/** Objects in the answer to one call at most, so that nobody waits for much that is not theirs. */
const OBJECTS = 1_000;

interface Read {
  readonly request: PresentRange;
  readonly response: Promise<RangeResponse>;
  readonly resolve: (response: RangeResponse) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads that are asked for in one turn of the event loop share a call to etcd, which costs most of what a read costs:
 * the busier the server, the more share one. Each still sees all that was answered before it was asked for, since
 * nothing is sent before.
 */
export class SharedReads {
  readonly #connection: Pick<EtcdConnection, 'read'>;
  #waiting = new Map<string, Read>();

  constructor(connection: Pick<EtcdConnection, 'read'>) {
    this.#connection = connection;
  }

  /** The answer; those who ask for the same get the same. @throws StoreUnavailable */
  ask(request: PresentRange): Promise<RangeResponse> {
    const name = nameOf(request);
    let read = this.#waiting.get(name);
    if (!read) {
      if (this.#waiting.size === 0) afterThisTurn(() => this.#send());
      read = begun(request);
      this.#waiting.set(name, read);
    }
    return read.response;
  }

  #send(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (const reads of calls(waiting)) void this.#call(reads);
  }

  async #call(reads: readonly Read[]): Promise<void> {
    try {
      const responses = await this.#responses(reads.map(({ request }) => request));
      for (const [i, { resolve }] of reads.entries()) resolve(responses[i] as RangeResponse);
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  async #responses(requests: readonly PresentRange[]): Promise<readonly RangeResponse[]> {
    const [only] = requests;
    if (requests.length === 1 && only) return [await this.#connection.read(RANGE, only)];
    const success = requests.map((requestRange) => ({ requestRange }));
    const { header, responses } = await this.#connection.read(TXN, { compare: [], success, failure: [] });
    return responses.map(({ responseRange }) => ({ kvs: [], count: 0, ...responseRange, header }));
  }
}

function begun(request: PresentRange): Read {
  let settle: Pick<Read, 'resolve' | 'reject'> | undefined;
  const response = new Promise<RangeResponse>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { request, response, ...(settle as unknown as Pick<Read, 'resolve' | 'reject'>) };
}

/** Tells reads apart. */
function nameOf({ key, rangeEnd, limit = 0, countOnly = false }: PresentRange): string {
  const text = (bytes: Uint8Array = new Uint8Array()) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return `${text(key)}\0${text(rangeEnd)}\0${limit}${countOnly}`;
}

/** Divides reads into calls. */
function* calls(reads: readonly Read[]): Iterable<readonly Read[]> {
  let together: Read[] = [];
  let objects = 0;
  for (const read of reads) {
    const { limit = 1 } = read.request;
    if (together.length === READS || objects + limit > OBJECTS) {
      yield together;
      together = [];
      objects = 0;
    }
    together.push(read);
    objects += limit;
  }
  yield together;
}

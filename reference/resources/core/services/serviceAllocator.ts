import type { Cidr } from '../../../api/addresses/cidr.ts';
import { contains, formatCidr, parseCidr } from '../../../api/addresses/cidr.ts';
import { formatIp, parseIp } from '../../../api/addresses/ipAddress.ts';
import type { JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { numberOf, objectsOf, textsOf } from '../../../api/parts.ts';
import type { Entry } from '../../../contracts/entry.ts';
import type { Store } from '../../../contracts/store.ts';
import { UnreadableObject } from '../../../contracts/store.ts';
import { collectionPrefix } from '../../../contracts/storeKeys.ts';
import type { Random } from '../../../random.ts';
import { specOf } from './serviceParts.ts';

/** The range of cluster IPs, and the range of node ports. */
const ADDRESSES = parseCidr('10.0.0.0/24') as Cidr;
const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;

const SERVICES = collectionPrefix({ group: '', resource: 'services' });

/** What is allocated to services: offsets of addresses in their range, or node ports. */
export type AllocationKind = 'addresses' | 'ports';

/** How many numbers a range has, and how many of the first are kept for requests that name their number. */
const RANGES: Readonly<Record<AllocationKind, { first: number; count: number; reserved: number }>> = {
  // Neither the first nor the last number of the range is an address that one can have.
  addresses: { first: 1, count: 2 ** ADDRESSES.hostBits - 2, reserved: 16 },
  ports: { first: FIRST_PORT, count: LAST_PORT - FIRST_PORT + 1, reserved: 86 },
};

/**
 * The allocator of cluster IPs and node ports: which service has which. It reads the services in the store, follows
 * them by a watch, and counts what writes under way have allocated. There is one allocator for each store.
 */
export class ServiceAllocator {
  static readonly #allocators = new WeakMap<Store, ServiceAllocator>();

  readonly #store: Store;
  /** Number to uid of the service that has it. */
  readonly #owners: Readonly<Record<AllocationKind, Map<number, string>>> = { addresses: new Map(), ports: new Map() };
  #ready: Promise<void> | undefined;

  private constructor(store: Store) {
    this.#store = store;
  }

  /** The allocator of a store, up to date. */
  static async of(store: Store): Promise<ServiceAllocator> {
    let allocator = ServiceAllocator.#allocators.get(store);
    if (!allocator) {
      allocator = new ServiceAllocator(store);
      ServiceAllocator.#allocators.set(store, allocator);
    }
    allocator.#ready ??= allocator.#read();
    await allocator.#ready;
    return allocator;
  }

  ownerOf(supply: AllocationKind, number: number): string | undefined {
    return this.#owners[supply].get(number);
  }
  take(supply: AllocationKind, number: number, uid: string): void {
    this.#owners[supply].set(number, uid);
  }
  /** Gives back a number, unless it has another owner by now. */
  release(supply: AllocationKind, number: number, uid: string): void {
    if (this.#owners[supply].get(number) === uid) this.#owners[supply].delete(number);
  }

  /** A number that nobody has, by chance and from the upper part of the supply while that has any. */
  free(supply: AllocationKind, random: Random, isFree: (number: number) => boolean): number | undefined {
    const { first, count, reserved } = RANGES[supply];
    return (
      scan(first + reserved, count - reserved, random, isFree) ?? scan(first, reserved, random, isFree) ?? undefined
    );
  }

  async #read(): Promise<void> {
    try {
      const { revision, entries } = await this.#store.range({ prefix: SERVICES });
      for (const supply of Object.values(this.#owners)) supply.clear();
      for (const entry of entries) this.#note(undefined, entry);
      this.#store.watch(SERVICES, revision, {
        event: ({ type, entry, previous }) => this.#note(previous, type === 'delete' ? undefined : entry),
        failed: () => {
          this.#ready = undefined;
        },
      });
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  #note(before: Entry | undefined, after: Entry | undefined): void {
    const old = readable(before);
    const now = readable(after);
    if (old) for (const [supply, number] of numbersOf(old)) this.release(supply, number, uidOf(old));
    if (now) for (const [supply, number] of numbersOf(now)) this.take(supply, number, uidOf(now));
  }
}

/** The number of an address in the range; undefined outside of what one can have. */
export function numberOfAddress(text: string): number | undefined {
  const ip = parseIp(text);
  if (!ip || !contains(ADDRESSES, ip)) return undefined;
  const number = Number(ip.value - ADDRESSES.base);
  const { first, count } = RANGES.addresses;
  return number >= first && number < first + count ? number : undefined;
}
export function addressOfNumber(number: number): string {
  return formatIp(ADDRESSES.family, ADDRESSES.base + BigInt(number));
}
export function isNodePort(port: number): boolean {
  return port >= FIRST_PORT && port <= LAST_PORT;
}
export const ADDRESS_RANGE: string = formatCidr(ADDRESSES);
export const PORT_RANGE: string = `${FIRST_PORT}-${LAST_PORT}`;

export function uidOf({ metadata }: ApiObject): string {
  return metadata.uid ?? '';
}

/** What a stored service has. */
function numbersOf(service: ApiObject): [AllocationKind, number][] {
  const spec: JsonObject = specOf(service);
  const addresses = textsOf(spec.clusterIPs)
    .map(numberOfAddress)
    .filter((number) => number !== undefined);
  const ports = [...objectsOf(spec.ports).map((port) => numberOf(port.nodePort)), numberOf(spec.healthCheckNodePort)];
  return [
    ...addresses.map((number): [AllocationKind, number] => ['addresses', number]),
    ...ports.filter((port) => port).map((port): [AllocationKind, number] => ['ports', port as number]),
  ];
}

/** The first free number from one picked by chance, going round. */
function scan(first: number, count: number, random: Random, isFree: (number: number) => boolean): number | undefined {
  const bytes = random.bytes(4);
  const start = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) % count;
  for (let i = 0; i < count; i++) {
    const number = first + ((start + i) % count);
    if (isFree(number)) return number;
  }
  return undefined;
}

function readable(entry: Entry | undefined): ApiObject | undefined {
  try {
    return entry?.object;
  } catch (error) {
    if (error instanceof UnreadableObject) return undefined;
    throw error;
  }
}

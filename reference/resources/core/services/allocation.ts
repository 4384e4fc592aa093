import type { FieldError } from '../../../api/fieldError.ts';
import { invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { isObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, numberOf, objectsOf, textsOf } from '../../../api/parts.ts';
import { internalError, invalidObject } from '../../../api/status.ts';
import type { AllocationDependencies, Settle } from '../../../contracts/resourceType.ts';
import { CLUSTER_IPS } from './addressFields.ts';
import { keepAllocated, settlePrimary } from './allocated.ts';
import { settleFamilies } from './ipFamilies.ts';
import {
  ADDRESS_RANGE,
  type AllocationKind,
  addressOfNumber,
  isNodePort,
  numberOfAddress,
  PORT_RANGE,
  ServiceAllocator,
  uidOf,
} from './serviceAllocator.ts';
import { isHeadless, needsAddress, needsHealthPort, needsNodePorts, specOf } from './serviceParts.ts';

/** What one write takes out of the book: all of it is given back together when the write stores nothing. */
class Takings {
  readonly #book: ServiceAllocator;
  readonly #dependencies: AllocationDependencies;
  readonly #uid: string;
  readonly #taken = new Map<string, readonly [AllocationKind, number]>();

  private constructor(book: ServiceAllocator, dependencies: AllocationDependencies, uid: string) {
    this.#book = book;
    this.#dependencies = dependencies;
    this.#uid = uid;
  }

  static async of(dependencies: AllocationDependencies, service: ApiObject): Promise<Takings> {
    return new Takings(await ServiceAllocator.of(dependencies.store), dependencies, uidOf(service));
  }

  /** Takes one number; false when it has an owner. A dry run takes nothing that others would miss. */
  take(supply: AllocationKind, number: number): boolean {
    if (!this.#isFree(supply, number)) return false;
    this.#taken.set(`${supply}/${number}`, [supply, number]);
    if (!this.#dependencies.dryRun) this.#book.take(supply, number, this.#uid);
    return true;
  }

  /** Takes any number; undefined when there is none left. */
  takeAny(supply: AllocationKind): number | undefined {
    const number = this.#book.free(supply, this.#dependencies.random, (one) => this.#isFree(supply, one));
    if (number !== undefined) this.take(supply, number);
    return number;
  }

  giveBack(): void {
    if (this.#dependencies.dryRun) return;
    for (const [supply, number] of this.#taken.values()) this.#book.release(supply, number, this.#uid);
  }

  #isFree(supply: AllocationKind, number: number): boolean {
    return this.#book.ownerOf(supply, number) === undefined && !this.#taken.has(`${supply}/${number}`);
  }
}

const TAKEN = 'already allocated';

/**
 * Gives a service the addresses and node ports that its type needs, in place: those it asks for, or any.
 * @throws ApiError 422 for families, addresses or ports that cannot be had, 500 when all are taken
 */
export function allocateService(
  release: number,
): (service: ApiObject, old: ApiObject | undefined, dependencies: AllocationDependencies) => Promise<Settle> {
  return async (service, old, dependencies) => {
    const spec = ensureObject(service, 'spec');
    const before = old && specOf(old);
    const faulty = (errors: readonly FieldError[]): void => {
      if (errors.length > 0) {
        throw invalidObject({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
      }
    };
    if (before) keepAllocated(spec, before);
    settlePrimary(spec, before);
    faulty(settleFamilies(spec, before, { release, old: textsOf(before?.clusterIPs) }));
    const takings = await Takings.of(dependencies, service);
    try {
      if (needsAddress(spec) && !isHeadless(spec) && !(before && needsAddress(before))) {
        faulty(takeAddresses(spec, takings));
      }
      if (needsNodePorts(spec)) faulty(takePorts(spec, before && needsNodePorts(before) ? before : {}, takings));
      if (needsHealthPort(spec)) takeHealthPort(spec, before && needsHealthPort(before) ? before : {}, takings);
    } catch (error) {
      takings.giveBack();
      throw error;
    }
    return (stored) => {
      if (!stored) takings.giveBack();
    };
  };
}

function takeAddresses(spec: JsonObject, takings: Takings): FieldError[] {
  const asked = textsOf(spec.clusterIPs);
  const addresses: string[] = [];
  for (const [index] of textsOf(spec.ipFamilies).entries()) {
    const address = asked[index] ?? '';
    if (address === '') {
      const number = takings.takeAny('addresses');
      if (number === undefined) throw internalError('failed to allocate a serviceIP: range is full');
      addresses.push(addressOfNumber(number));
      continue;
    }
    const fault = takeAddress(address, takings);
    if (fault !== undefined) return [invalid(CLUSTER_IPS, [...asked], `failed to allocate IP ${address}: ${fault}`)];
    addresses.push(address);
  }
  spec.clusterIPs = addresses;
  spec.clusterIP = addresses[0] ?? '';
  return [];
}

function takeAddress(address: string, takings: Takings): string | undefined {
  const number = numberOfAddress(address);
  if (number === undefined) {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${ADDRESS_RANGE}`;
  }
  return takings.take('addresses', number) ? undefined : `provided IP is ${TAKEN}`;
}

/** Ports of the same number share a node port: they differ in their protocol only. */
function takePorts(spec: JsonObject, before: JsonObject, takings: Takings): FieldError[] {
  const had = new Set(objectsOf(before.ports).map((port) => numberOf(port.nodePort) ?? 0));
  const ports = listOf(spec.ports).filter(isObject);
  const byPort = new Map<number, number>();
  for (const port of ports) {
    const asked = numberOf(port.nodePort) ?? 0;
    const number = numberOf(port.port) ?? 0;
    if (asked !== 0 && !byPort.has(number)) byPort.set(number, asked);
  }
  const done = new Set<number>(had);
  for (const [index, port] of ports.entries()) {
    const asked = numberOf(port.nodePort) ?? 0;
    if (asked === 0 || done.has(asked)) continue;
    const fault = takePort(asked, takings);
    if (fault !== undefined) {
      return [invalid(FieldPath.of('spec', 'ports').index(index).child('nodePort'), asked, fault)];
    }
    done.add(asked);
  }
  for (const port of ports) {
    if ((numberOf(port.nodePort) ?? 0) !== 0) continue;
    const number = numberOf(port.port) ?? 0;
    const nodePort = byPort.get(number) ?? takings.takeAny('ports');
    if (nodePort === undefined) throw internalError('failed to allocate a nodePort: range is full');
    byPort.set(number, nodePort);
    port.nodePort = nodePort;
  }
  return [];
}

function takePort(port: number, takings: Takings): string | undefined {
  if (!isNodePort(port)) {
    return `provided port is not in the valid range. The range of valid ports is ${PORT_RANGE}`;
  }
  return takings.take('ports', port) ? undefined : `provided port is ${TAKEN}`;
}

function takeHealthPort(spec: JsonObject, before: JsonObject, takings: Takings): void {
  const asked = numberOf(spec.healthCheckNodePort) ?? 0;
  if (asked !== 0) {
    if (asked === numberOf(before.healthCheckNodePort)) return;
    const fault = takePort(asked, takings);
    if (fault === undefined) return;
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${fault}`);
  }
  const port = takings.takeAny('ports');
  if (port === undefined) throw internalError('failed to allocate a HealthCheck NodePort : range is full');
  spec.healthCheckNodePort = port;
}

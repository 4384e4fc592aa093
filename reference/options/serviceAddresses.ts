import { FieldFaults, parseObject } from '../codecs/yamlFile.ts';
import { isIP } from '../ports/addresses.ts';

/** Where a service is: a name or an address, and a port. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

const SERVICE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-a-z0-9]*[a-z0-9])?(:[1-9]\d{0,4})?$/;

/**
 * Reads where services are: an object (YAML or JSON) of `namespace/name: host:port`, or `namespace/name:port:
 * host:port` for one port of a service.
 *
 * @throws ContentFault with every entry that says something else
 */
export function readServiceAddresses(text: string): ReadonlyMap<string, ServiceAddress> {
  const faults = new FieldFaults();
  const addresses = new Map<string, ServiceAddress>();
  for (const [service, where] of Object.entries(parseObject(text))) {
    if (!SERVICE.test(service)) {
      faults.add(service, 'a service is named namespace/name or namespace/name:port');
      continue;
    }
    const address = typeof where === 'string' ? addressOf(where) : undefined;
    if (address) addresses.set(service, address);
    else faults.add(service, 'it must be a host and a port, such as 127.0.0.1:8443');
  }
  faults.check();
  return addresses;
}

function addressOf(text: string): ServiceAddress | undefined {
  const colon = text.lastIndexOf(':');
  const given = text.slice(0, Math.max(colon, 0));
  const bracketed = given.startsWith('[') && given.endsWith(']');
  const host = bracketed ? given.slice(1, -1) : given;
  const port = /^\d{1,5}$/.test(text.slice(colon + 1)) ? Number(text.slice(colon + 1)) : 0;
  if (port < 1 || port > 65535 || bracketed !== (isIP(host) === 6)) return undefined;
  return isIP(host) > 0 || /^[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?$/.test(host) ? { host, port } : undefined;
}

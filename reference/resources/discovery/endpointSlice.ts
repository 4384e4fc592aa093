import { ipFaults, ipWarnings } from '../../api/addresses/addressFaults.ts';
import { parseIp } from '../../api/addresses/ipAddress.ts';
import { validateSpecialAddress } from '../../api/addresses/specialAddress.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalityKey, isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../api/nameRules.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { listOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { choiceFaults, immutableFaults, nameFaults } from '../validation/fields.ts';

const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MOST_ENDPOINTS = 1000;
const MOST_ADDRESSES = 100;
const MOST_PORTS = 20_000;
const MOST_HINTS = 8;

export const endpointSliceRules: RuleMaker = ({ release }) => ({
  strategy: {
    prepareForCreate: (slice, { version }) => leaveTopology(slice, undefined, version),
    prepareForUpdate: (slice, old, { version }) => leaveTopology(slice, old, version),
    validate: (slice) => validate(slice, undefined, release),
    validateUpdate: (slice, old) => [
      ...validate(slice, old, release),
      ...immutableFaults(typeOf(slice), typeOf(old), FieldPath.of('addressType')),
    ],
    warnings: (slice) =>
      typeOf(slice) === 'FQDN'
        ? ['FQDN endpoints are deprecated']
        : objectsOf(slice.endpoints).flatMap((endpoint, index) => {
            const path = FieldPath.of('endpoints').index(index).child('addresses');
            return textsOf(endpoint.addresses).flatMap((address, at) => ipWarnings(address, path.index(at)));
          }),
  },
  defaults: {
    v1(slice) {
      for (const port of listOf(slice.ports)) {
        if (!isObject(port)) continue;
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
  },
});

/**
 * The older topology can be read in v1 and not written: what was not there before is left out. In place
 * (3/removed-api-versions-by-release/t1.7).
 */
function leaveTopology(slice: ApiObject, old: ApiObject | undefined, version: string): void {
  if (version !== 'v1') return;
  const before = new Set(
    objectsOf(old?.endpoints).flatMap(({ deprecatedTopology: one }) => (one === undefined ? [] : [equalityKey(one)])),
  );
  for (const endpoint of listOf(slice.endpoints)) {
    if (!isObject(endpoint) || endpoint.deprecatedTopology === undefined) continue;
    if (!before.has(equalityKey(endpoint.deprecatedTopology))) delete endpoint.deprecatedTopology;
  }
}

function typeOf(slice: ApiObject): string {
  return textOf(slice.addressType as Json | undefined);
}

function validate(slice: ApiObject, old: ApiObject | undefined, release: number): FieldError[] {
  const type = typeOf(slice);
  const before = objectsOf(old?.endpoints).flatMap((endpoint) => textsOf(endpoint.addresses));
  const errors =
    type === ''
      ? [required(FieldPath.of('addressType'))]
      : choiceFaults(asJson(slice), 'addressType', TYPES, FieldPath.root);
  const endpoints = objectsOf(slice.endpoints);
  const path = FieldPath.of('endpoints');
  if (endpoints.length > MOST_ENDPOINTS) errors.push(tooMany(path, endpoints.length, MOST_ENDPOINTS));
  else {
    for (const [index, endpoint] of endpoints.entries()) {
      errors.push(...validateEndpoint(endpoint, path.index(index), type, { release, old: before }));
    }
  }
  return [...errors, ...validatePorts(objectsOf(slice.ports))];
}

function validateEndpoint(
  endpoint: JsonObject,
  path: FieldPath,
  type: string,
  rules: { release: number; old: readonly string[] },
): FieldError[] {
  const addresses = textsOf(endpoint.addresses);
  const at = path.child('addresses');
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'));
  else if (addresses.length > MOST_ADDRESSES) errors.push(tooMany(at, addresses.length, MOST_ADDRESSES));
  for (const [index, address] of addresses.entries()) {
    errors.push(...validateAddress(address, at.index(index), type, rules));
  }
  for (const [name, rule] of [
    ['nodeName', dns1123Subdomain],
    ['zone', qualifiedName],
    ['hostname', dns1123Label],
  ] as const) {
    if (typeof endpoint[name] === 'string') errors.push(...nameFaults(endpoint[name], rule, path.child(name)));
  }
  const hints = objectOf(endpoint.hints);
  for (const [name, rule] of [
    ['forZones', labelValue],
    ['forNodes', dns1123Subdomain],
  ] as const) {
    errors.push(...validateHints(objectsOf(hints[name]), rule, path.child('hints', name)));
  }
  return errors;
}

/** Whom an endpoint is meant for: not many, and each once. */
function validateHints(hints: readonly JsonObject[], rule: typeof labelValue, path: FieldPath): FieldError[] {
  if (hints.length > MOST_HINTS) return [tooMany(path, hints.length, MOST_HINTS)];
  const names = new Set<string>();
  return hints.flatMap((hint, index) => {
    const at = path.index(index).child('name');
    const name = textOf(hint.name);
    const errors = names.has(name) ? [duplicate(at, name)] : [];
    names.add(name);
    return [...errors, ...nameFaults(name, rule, at)];
  });
}

function validateAddress(
  address: string,
  path: FieldPath,
  type: string,
  rules: { release: number; old: readonly string[] },
): FieldError[] {
  if (type === 'FQDN') return nameFaults(address, dns1123Subdomain, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = ipFaults(address, path, rules);
  const family = parseIp(address)?.family;
  if (family !== undefined && `IPv${family}` !== type) {
    errors.push(invalid(path, address, `must be an ${type} address`));
  }
  return [...errors, ...validateSpecialAddress(address, path)];
}

function validatePorts(ports: readonly JsonObject[]): FieldError[] {
  const path = FieldPath.of('ports');
  if (ports.length > MOST_PORTS) return [tooMany(path, ports.length, MOST_PORTS)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = textOf(port.name);
    const errors = name === '' ? [] : nameFaults(name, dns1123Label, at.child('name'));
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (port.protocol === undefined) errors.push(required(at.child('protocol')));
    else errors.push(...choiceFaults(port, 'protocol', PROTOCOLS, at));
    if (typeof port.appProtocol === 'string') {
      errors.push(...nameFaults(port.appProtocol, qualifiedName, at.child('appProtocol')));
    }
    return errors;
  });
}

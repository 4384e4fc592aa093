import { ipFaults, ipWarnings } from '../../api/addresses/addressFaults.ts';
import { parseIp } from '../../api/addresses/ipAddress.ts';
import { validateSpecialAddress } from '../../api/addresses/specialAddress.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Label, dns1123Subdomain, portNumber, qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, numberOf, objectsOf, setDefault, textOf } from '../../api/parts.ts';
import { Pace, type Staged } from '../../api/staged.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults } from '../validation/fields.ts';
import { judgedInParts } from '../validation/inParts.ts';
import { validateProtocol } from './services/ports.ts';

const SUBSETS = FieldPath.of('subsets');
const LISTS = ['addresses', 'notReadyAddresses'] as const;

/** The addresses behind a service, in the older form. */
export const endpointsRules: RuleMaker = ({ release }) => ({
  strategy: {
    ...judgedInParts((endpoints, old) => validate(endpoints, old, release)),
    warnings: (endpoints) =>
      addressesOf(endpoints).flatMap(({ address, path }) => ipWarnings(textOf(address.ip), path.child('ip'))),
  },
  defaults: {
    v1(endpoints) {
      for (const subset of objectsOf(endpoints.subsets)) {
        for (const port of listOf(subset.ports)) if (isObject(port)) setDefault(port, 'protocol', 'TCP');
      }
    },
  },
});

function addressesOf(endpoints: ApiObject): { address: JsonObject; path: FieldPath }[] {
  return objectsOf(endpoints.subsets).flatMap((subset, index) =>
    LISTS.flatMap((name) =>
      objectsOf(subset[name]).map((address, at) => ({ address, path: SUBSETS.index(index).child(name).index(at) })),
    ),
  );
}

/** Entries that long work passes in the time that an address takes. */
const OF_AN_ADDRESS = 4;

function* validate(endpoints: ApiObject, old: ApiObject | undefined, release: number): Staged<FieldError[]> {
  const before = old ? addressesOf(old).map(({ address }) => textOf(address.ip)) : [];
  const errors: FieldError[] = [];
  const pace = new Pace();
  for (const [index, subset] of objectsOf(endpoints.subsets).entries()) {
    const path = SUBSETS.index(index);
    if (LISTS.every((name) => listOf(subset[name]).length === 0)) {
      errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const name of LISTS) {
      for (const [at, address] of objectsOf(subset[name]).entries()) {
        errors.push(...validateAddress(address, path.child(name).index(at), { release, old: before }));
        if (pace.due(OF_AN_ADDRESS)) yield;
      }
    }
    const ports = objectsOf(subset.ports);
    for (const [at, port] of ports.entries()) {
      errors.push(...validatePort(port, path.child('ports').index(at), ports.length > 1));
      if (pace.due(OF_AN_ADDRESS)) yield;
    }
  }
  return errors;
}

function validateAddress(
  address: JsonObject,
  path: FieldPath,
  rules: { release: number; old: readonly string[] },
): FieldError[] {
  const ip = textOf(address.ip);
  const errors = ipFaults(ip, path.child('ip'), rules);
  const hostname = textOf(address.hostname);
  if (hostname !== '') errors.push(...nameFaults(hostname, dns1123Label, path.child('hostname')));
  if (typeof address.nodeName === 'string') {
    errors.push(...nameFaults(address.nodeName, dns1123Subdomain, path.child('nodeName')));
  }
  if (!parseIp(ip)) errors.push(invalid(path.child('ip'), ip, 'must be a valid IP address'));
  return [...errors, ...validateSpecialAddress(ip, path.child('ip'))];
}

function validatePort(port: JsonObject, path: FieldPath, named: boolean): FieldError[] {
  const name = textOf(port.name);
  const errors: FieldError[] = [];
  if (name !== '') errors.push(...nameFaults(name, dns1123Label, path.child('name')));
  else if (named) errors.push(required(path.child('name')));
  const number = numberOf(port.port) ?? 0;
  for (const fault of portNumber(number)) errors.push(invalid(path.child('port'), number, fault));
  errors.push(...validateProtocol(textOf(port.protocol), path.child('protocol')));
  if (typeof port.appProtocol === 'string') {
    errors.push(...nameFaults(port.appProtocol, qualifiedName, path.child('appProtocol')));
  }
  return errors;
}

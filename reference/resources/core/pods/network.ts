import { ipFaults } from '../../../api/addresses/addressFaults.ts';
import { duplicate, type FieldError, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain, portName, portNumber } from '../../../api/nameRules.ts';
import { numberOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';
import { named, oneOf } from '../../validation/fields.ts';
import { type PodScope, SINCE } from './scope.ts';

/** What resolvers can hold. */
const MOST_SERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES = 2048;

const PART = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const UNDERSCORE_FORM = `${PART}(\\.${PART})*`;
const UNDERSCORE = new RegExp(`^${UNDERSCORE_FORM}$`);
const UNDERSCORE_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${UNDERSCORE_FORM}')`;
const LONGEST_NAME = 253;

function searchDomain(name: string): string[] {
  if (Buffer.byteLength(name) > LONGEST_NAME) return [`must be no more than ${LONGEST_NAME} characters`];
  return UNDERSCORE.test(name) ? [] : [UNDERSCORE_TEXT];
}

/** Faults of how a pod resolves names. */
export function validateDns(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === 'None') {
    if (!isObject(config)) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (textsOf(config.nameservers).length === 0) {
      return [required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
    }
  }
  if (!isObject(config)) return [];
  const errors: FieldError[] = [];
  const servers = textsOf(config.nameservers);
  if (servers.length > MOST_SERVERS) {
    const detail = `must not have more than ${MOST_SERVERS} nameservers`;
    errors.push(invalid(path.child('nameservers'), config.nameservers, detail));
  }
  servers.forEach((server, index) => {
    errors.push(...ipFaults(server, path.child('nameservers').index(index), addressRules(scope)));
  });
  errors.push(...validateSearches(config, path.child('searches'), scope));
  objectsOf(config.options).forEach((option, index) => {
    if (textOf(option.name) === '') errors.push(required(path.child('options').index(index), 'must not be empty'));
  });
  return errors;
}

function addressRules({ release, oldAddresses }: PodScope) {
  return oldAddresses ? { release, old: oldAddresses } : { release };
}

function validateSearches(config: JsonObject, path: FieldPath, { release }: PodScope): FieldError[] {
  const searches = textsOf(config.searches);
  const errors: FieldError[] = [];
  if (searches.length > MOST_SEARCHES) {
    errors.push(invalid(path, config.searches, `must not have more than ${MOST_SEARCHES} search paths`));
  }
  if (Buffer.byteLength(searches.join(' ')) > LONGEST_SEARCHES) {
    const detail = `must not have more than ${LONGEST_SEARCHES} characters (including spaces) in the search list`;
    errors.push(invalid(path, config.searches, detail));
  }
  const relaxed = release >= SINCE.underscoreSearch;
  searches.forEach((search, index) => {
    if (relaxed && search === '.') return;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    errors.push(...named(name, relaxed ? searchDomain : dns1123Subdomain, path.index(index)));
  });
  return errors;
}

/** Faults of names that a pod knows without asking. */
export function validateHostAliases(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  return objectsOf(spec.hostAliases).flatMap((alias, index) => {
    const at = path.index(index);
    return [
      ...ipFaults(textOf(alias.ip), at.child('ip'), addressRules(scope)),
      ...textsOf(alias.hostnames).flatMap((name, place) =>
        named(name, dns1123Subdomain, at.child('hostnames').index(place)),
      ),
    ];
  });
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Faults of the ports of one container. */
export function validatePorts(ports: Json | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  objectsOf(ports).forEach((port, index) => {
    const at = path.index(index);
    const name = textOf(port.name);
    if (name !== '') {
      const faults = portName(name);
      if (faults.length > 0) errors.push(...faults.map((fault) => invalid(at.child('name'), name, fault)));
      else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
      else names.add(name);
    }
    const number = numberOf(port.containerPort) ?? 0;
    if (number === 0) errors.push(required(at.child('containerPort')));
    else errors.push(...portNumber(number).map((fault) => invalid(at.child('containerPort'), number, fault)));
    const host = numberOf(port.hostPort) ?? 0;
    if (host !== 0) errors.push(...portNumber(host).map((fault) => invalid(at.child('hostPort'), host, fault)));
    errors.push(...oneOf(port.protocol, PROTOCOLS, at.child('protocol')));
  });
  return errors;
}

/** Ports of the node that several of these containers ask for. */
export function hostPortConflicts(containers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  containers.forEach((container, index) => {
    objectsOf(container.ports).forEach((port, place) => {
      const host = numberOf(port.hostPort) ?? 0;
      if (host === 0) return;
      const key = `${textOf(port.protocol)}/${textOf(port.hostIP)}/${host}`;
      if (taken.has(key)) {
        errors.push(duplicate(path.index(index).child('ports').index(place).child('hostPort'), key));
      } else taken.add(key);
    });
  });
  return errors;
}

/** On the network of its node, a container's ports are the node's; a template may leave that to the pod. */
export function hostNetworkPorts(spec: JsonObject, path: FieldPath, isPod: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const errors: FieldError[] = [];
  objectsOf(spec.containers).forEach((container, index) => {
    objectsOf(container.ports).forEach((port, place) => {
      const host = numberOf(port.hostPort) ?? 0;
      if ((!isPod && host === 0) || host === (numberOf(port.containerPort) ?? 0)) return;
      errors.push(
        invalid(
          path.child('containers').index(index).child('ports').index(place).child('hostPort'),
          host,
          'must match `containerPort` when `hostNetwork` is true',
        ),
      );
    });
  });
  return errors;
}

interface Taken {
  readonly at: FieldPath;
  readonly hostPort: number;
  readonly hostIp: string;
}

/** Warnings about ports that containers of a pod have twice. */
export function portWarnings(spec: JsonObject, path: FieldPath): string[] {
  const warnings: string[] = [];
  const taken = new Map<string, Taken[]>();
  eachContainer(spec, path, (container, place) => {
    objectsOf(container.ports).forEach((port, index) => {
      const next = {
        at: place.child('ports').index(index),
        hostPort: numberOf(port.hostPort) ?? 0,
        hostIp: textOf(port.hostIP),
      };
      if (next.hostIp !== '' && next.hostPort === 0) {
        const shown = `{Name:${textOf(port.name)} HostPort:0 ContainerPort:${port.containerPort} Protocol:${port.protocol} HostIP:${next.hostIp}}`;
        warnings.push(`${next.at}: hostIP set without hostPort: ${shown}`);
      }
      const key = `${port.containerPort}/${textOf(port.protocol)}`;
      const others = taken.get(key) ?? [];
      for (const other of others) {
        const clash = clashOf(next, other);
        if (clash !== undefined) warnings.push(`${next.at}: ${clash} port definition with ${other.at}`);
      }
      taken.set(key, [...others, next]);
    });
  });
  return warnings;
}

function clashOf(next: Taken, other: Taken): string | undefined {
  if (next.hostIp === other.hostIp && next.hostPort === other.hostPort) return 'duplicate';
  if (next.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const oneOpen = (next.hostIp === '') !== (other.hostIp === '');
  return next.hostPort === other.hostPort && oneOpen ? 'dangerously ambiguous' : undefined;
}

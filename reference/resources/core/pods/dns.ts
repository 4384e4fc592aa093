import { ipFaults } from '../../../api/addresses/addressFaults.ts';
import { type FieldError, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain } from '../../../api/nameRules.ts';
import { objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { named } from '../../validation/values.ts';
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

import { type AddressRules, ipFaults } from '../../../api/addresses/addressFaults.ts';
import { parseIp } from '../../../api/addresses/ipAddress.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { textOf, textsOf } from '../../../api/parts.ts';
import { isHeadless, NO_ADDRESS } from './serviceParts.ts';

export const CLUSTER_IPS = FieldPath.of('spec', 'clusterIPs');
export const IP_FAMILIES = FieldPath.of('spec', 'ipFamilies');
export const IP_FAMILY_POLICY = FieldPath.of('spec', 'ipFamilyPolicy');
const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** The family that an address is of: `IPv4` or `IPv6`; the text must be an address. */
export function familyOf(address: string): string {
  return parseIp(address)?.family === 6 ? 'IPv6' : 'IPv4';
}

/** Faults of addresses, families and policy, by themselves and against each other. */
export function validateAddressFields(spec: JsonObject, rules: AddressRules): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const addresses = [...textsOf(spec.clusterIPs)];
  const errors = validatePrimary(textOf(spec.clusterIP), addresses);
  errors.push(...validateFamilies(spec));
  const bad = validateAddresses(addresses, rules);
  errors.push(...bad);
  if (addresses.length > 2) errors.push(invalid(CLUSTER_IPS, addresses, 'may only hold up to 2 values'));
  if (bad.length > 0) return errors;
  if (addresses.length > 1 && !(addresses.length === 2 && new Set(addresses.map(familyOf)).size === 2)) {
    errors.push(invalid(CLUSTER_IPS, addresses, 'may specify no more than one IP for each IP family'));
  }
  if (!isHeadless(spec)) errors.push(...validateMatch(addresses, textsOf(spec.ipFamilies)));
  return errors;
}

/** The single address is the first of the list. */
function validatePrimary(address: string, addresses: string[]): FieldError[] {
  if (address === '') {
    return addresses.length > 0
      ? [invalid(CLUSTER_IPS, addresses, 'must be empty when `clusterIP` is not specified')]
      : [];
  }
  if (addresses.length === 0) return [required(CLUSTER_IPS)];
  return addresses[0] === address ? [] : [invalid(CLUSTER_IPS, addresses, 'first value must match `clusterIP`')];
}

function validateFamilies(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, family] of textsOf(spec.ipFamilies).entries()) {
    if (!FAMILIES.includes(family)) errors.push(notSupported(IP_FAMILIES.index(index), family, FAMILIES));
    if (seen.has(family)) errors.push(duplicate(IP_FAMILIES.index(index), family));
    seen.add(family);
  }
  if (typeof spec.ipFamilyPolicy === 'string' && !POLICIES.includes(spec.ipFamilyPolicy)) {
    errors.push(notSupported(IP_FAMILY_POLICY, spec.ipFamilyPolicy, POLICIES));
  }
  return errors;
}

function validateAddresses(addresses: string[], rules: AddressRules): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== NO_ADDRESS) return ipFaults(address, CLUSTER_IPS.index(index), rules);
    return addresses.length > 1 ? [invalid(CLUSTER_IPS, addresses, "'None' must be the first and only value")] : [];
  });
}

function validateMatch(addresses: readonly string[], families: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    if (family === undefined) break;
    if (FAMILIES.includes(family) && familyOf(address) !== family) {
      errors.push(
        invalid(
          CLUSTER_IPS.index(index),
          address,
          `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
        ),
      );
    }
  }
  return errors;
}

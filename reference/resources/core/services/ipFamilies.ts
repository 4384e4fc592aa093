import type { AddressRules } from '../../../api/addresses/addressFaults.ts';
import { type FieldError, invalid } from '../../../api/fieldError.ts';
import type { JsonObject } from '../../../api/json.ts';
import { textOf, textsOf } from '../../../api/parts.ts';
import { CLUSTER_IPS, familyOf, IP_FAMILIES, IP_FAMILY_POLICY, validateAddressFields } from './addressFields.ts';
import { hasSelector, isHeadless, NO_ADDRESS, sameText, sameTexts } from './serviceParts.ts';

/** The one family that this service gives addresses of. */
const OWN_FAMILY = 'IPv4';

/**
 * Fills families and policy of a service that has some, in place; answers the faults that keep it from getting an
 * address. Services have one family, but one that is only a name for other addresses may have both.
 */
export function settleFamilies(spec: JsonObject, old: JsonObject | undefined, rules: AddressRules): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  if (old && keepsPreference(spec, old)) return [];
  spec.ipFamilyPolicy ??= policyFor(spec, old);
  const faults = validateAddressFields(spec, rules);
  if (faults.length > 0) return faults;
  const errors = [...(old ? settleChange(spec, old) : []), ...validatePolicy(spec), ...inferFamilies(spec)];
  if (errors.length > 0) return errors;
  const families = textsOf(spec.ipFamilies);
  if (spec.clusterIP === NO_ADDRESS && !hasSelector(spec)) {
    const [first = OWN_FAMILY, ...more] = families;
    if (more.length === 0 && spec.ipFamilyPolicy !== 'SingleStack') more.push(first === 'IPv4' ? 'IPv6' : 'IPv4');
    spec.ipFamilies = [first, ...more];
    return [];
  }
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const policy = textOf(spec.ipFamilyPolicy);
    errors.push(invalid(IP_FAMILY_POLICY, policy, 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of families.entries()) {
    if (family !== OWN_FAMILY) {
      errors.push(invalid(IP_FAMILIES.index(index), family, 'not configured on this cluster'));
    }
  }
  if (errors.length === 0 && families.length === 0) spec.ipFamilies = [OWN_FAMILY];
  return errors;
}

/** A service that would like two families stays as it was unless it changes what it asks for. */
function keepsPreference(spec: JsonObject, old: JsonObject): boolean {
  const prefers = (one: JsonObject) => one.ipFamilyPolicy === 'PreferDualStack';
  if (!prefers(spec) || !prefers(old) || old.type === 'ExternalName') return false;
  return sameTexts(spec, old, 'ipFamilies') && sameText(spec, old, 'clusterIP') && sameTexts(spec, old, 'clusterIPs');
}

function policyFor(spec: JsonObject, old: JsonObject | undefined): string {
  const before = textOf(old?.ipFamilyPolicy);
  if (before !== '') return before;
  return spec.clusterIP === NO_ADDRESS && !hasSelector(spec) ? 'RequireDualStack' : 'SingleStack';
}

/** A second address or family goes only with the policy that says so, and goes with it. */
function settleChange(spec: JsonObject, old: JsonObject): FieldError[] {
  const policy = textOf(spec.ipFamilyPolicy);
  if (policy === 'SingleStack') {
    for (const name of ['clusterIPs', 'ipFamilies']) {
      const values = textsOf(spec[name]);
      if (values.length > 1 && sameTexts(spec, old, name)) spec[name] = values.slice(0, 1);
    }
    return [];
  }
  const reduced = (name: string): boolean =>
    textsOf(spec[name]).length === 1 &&
    textsOf(old[name]).length === 2 &&
    textsOf(spec[name])[0] === textsOf(old[name])[0];
  const errors: FieldError[] = [];
  if (reduced('clusterIPs')) {
    errors.push(invalid(IP_FAMILY_POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP"));
  }
  if (reduced('ipFamilies')) {
    errors.push(invalid(IP_FAMILY_POLICY, policy, "must be 'SingleStack' to release the secondary IP family"));
  }
  return errors;
}

function validatePolicy(spec: JsonObject): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  return [
    ['clusterIPs', 'cluster IPs'],
    ['ipFamilies', 'IP families'],
  ]
    .filter(([name = '']) => textsOf(spec[name]).length === 2)
    .map(([, what]) =>
      invalid(
        IP_FAMILY_POLICY,
        'SingleStack',
        `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
      ),
    );
}

/** Addresses that are asked for say which families are meant. */
function inferFamilies(spec: JsonObject): FieldError[] {
  if (isHeadless(spec)) return [];
  const addresses = textsOf(spec.clusterIPs);
  const families = [...textsOf(spec.ipFamilies)];
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (index < families.length) continue;
    const family = familyOf(address);
    if (family === OWN_FAMILY) families.push(family);
    else errors.push(invalid(CLUSTER_IPS.index(index), [...addresses], `${family} is not configured on this cluster`));
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

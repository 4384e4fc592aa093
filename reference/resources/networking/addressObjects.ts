import { formatCidr, parseCidr } from '../../api/addresses/cidr.ts';
import { canonicalIp, parseIp } from '../../api/addresses/ipAddress.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject } from '../../api/json.ts';
import { dns1123Subdomain, type ObjectNameRule, pathSegment } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { immutableFaults, nameFaults, requiredNameFaults } from '../validation/fields.ts';

const PARENT = FieldPath.of('spec', 'parentRef');
const CIDRS = FieldPath.of('spec', 'cidrs');

/** The name of an address object is the address, in its canonical form. */
const addressName: ObjectNameRule = (name) => {
  const ip = parseIp(name);
  if (!ip || ip.zeros) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (ip.mapped) return ['must not be an IPv4-mapped IPv6 address'];
  const canonical = canonicalIp(ip);
  return name === canonical ? [] : [`must be in canonical form ("${canonical}")`];
};

/** An address that somebody has. */
export const ipAddressRules: RuleMaker = () => ({
  strategy: {
    validateName: addressName,
    validate: validateAddress,
    validateUpdate: (address, old) =>
      immutableFaults(objectOf(address.spec).parentRef, objectOf(old.spec).parentRef, PARENT),
  },
});

function validateAddress({ spec }: ApiObject): FieldError[] {
  const { parentRef } = objectOf(spec);
  if (!isObject(parentRef)) return [required(PARENT)];
  const group = textOf(parentRef.group);
  const namespace = textOf(parentRef.namespace);
  return [
    ...(group === '' ? [] : nameFaults(group, dns1123Subdomain, PARENT.child('group'))),
    ...requiredNameFaults(parentRef.resource, pathSegment, PARENT.child('resource')),
    ...requiredNameFaults(parentRef.name, pathSegment, PARENT.child('name')),
    ...(namespace === '' ? [] : nameFaults(namespace, pathSegment, PARENT.child('namespace'))),
  ];
}

/** A range of addresses for services. */
export const serviceCidrRules: RuleMaker = () => ({
  strategy: {
    validate: (range) => validateRanges([...textsOf(objectOf(range.spec).cidrs)]),
    validateUpdate(range, old) {
      const now = [...textsOf(objectOf(range.spec).cidrs)];
      const before = [...textsOf(objectOf(old.spec).cidrs)];
      // A range of the other family may come.
      if (before.length === 1 && now.length === 2 && now[0] === before[0]) return validateRanges(now);
      return immutableFaults(now, before, CIDRS);
    },
  },
});

function validateRanges(ranges: string[]): FieldError[] {
  if (ranges.length === 0) return [required(CIDRS, 'at least one CIDR required')];
  const families = ranges.map((range) => parseCidr(range)?.family);
  const errors: FieldError[] = [];
  if (ranges.length > 2) errors.push(invalid(CIDRS, ranges, 'may only hold up to 2 values'));
  else if (ranges.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    errors.push(
      invalid(
        CIDRS,
        ranges,
        'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/96',
      ),
    );
  }
  for (const [index, text] of ranges.entries()) {
    const range = parseCidr(text);
    const path = CIDRS.index(index);
    if (!range) {
      errors.push(invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
    } else if (range.given.value !== range.base) {
      errors.push(invalid(path, text, 'must not have bits set beyond the prefix length'));
    } else if (formatCidr(range) !== text) {
      errors.push(invalid(path, text, `must be in canonical form ("${formatCidr(range)}")`));
    }
  }
  return errors;
}

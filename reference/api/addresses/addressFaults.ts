import { type FieldError, invalid } from '../fieldError.ts';
import type { FieldPath } from '../fieldPath.ts';
import { formatCidr, parseCidr } from './cidr.ts';
import { canonicalIp, formatIp, parseIp } from './ipAddress.ts';

const NO_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** First release that takes addresses in their unambiguous forms only, in objects that did not have them before. */
const STRICT_SINCE = 36;

/** How strictly addresses are read: by the release, and not for those that the object had before. */
export interface AddressRules {
  readonly release: number;
  readonly old?: readonly string[];
}

const HAD = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Whether the object had an address before; the list of an object is made a set once. */
function had(old: readonly string[], text: string): boolean {
  let texts = HAD.get(old);
  if (!texts) {
    texts = new Set(old);
    HAD.set(old, texts);
  }
  return texts.has(text);
}

/** Faults of a field that holds an IP address. */
export function ipFaults(text: string, path: FieldPath, { release, old }: AddressRules): FieldError[] {
  if (old && had(old, text)) return [];
  const ip = parseIp(text);
  if (!ip) return [invalid(path, text, NO_IP)];
  if (release < STRICT_SINCE) return [];
  if (ip.zeros) return [invalid(path, text, 'must not have leading 0s')];
  return ip.mapped ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Faults of a field that holds a range of addresses. */
export function cidrFaults(text: string, path: FieldPath, { release, old }: AddressRules): FieldError[] {
  if (old && had(old, text)) return [];
  const cidr = parseCidr(text);
  if (!cidr) return [invalid(path, text, NO_CIDR)];
  if (release < STRICT_SINCE) return [];
  if (cidr.zeros || cidr.given.zeros) return [invalid(path, text, 'must not have leading 0s in IP or prefix length')];
  if (cidr.given.mapped) return [invalid(path, text, 'must not have an IPv4-mapped IPv6 address')];
  if (cidr.given.value !== cidr.base) return [invalid(path, text, 'must not have bits set beyond the prefix length')];
  return [];
}

/** Warnings about an address that is taken but not written as it should be. */
export function ipWarnings(text: string, path: FieldPath): string[] {
  const ip = parseIp(text);
  if (!ip) return [];
  const better = canonicalIp(ip);
  if (ip.zeros || ip.mapped) return [nonStandard(path, 'IP address', text, better)];
  if (ip.family === 4 || better === text) return [];
  return [`${path}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${better}")`];
}

/** The same for a range of addresses. */
export function cidrWarnings(text: string, path: FieldPath): string[] {
  const cidr = parseCidr(text);
  if (!cidr) return [];
  const { family, given } = cidr;
  const better = formatCidr(cidr);
  const warnings: string[] = [];
  if (given.value !== cidr.base) {
    const single = `${formatIp(family, given.value)}/${family === 4 ? 32 : 128}`;
    warnings.push(`${path}: CIDR value "${text}" is ambiguous in this context (should be "${better}" or "${single}"?)`);
  }
  if (cidr.zeros || given.zeros || given.mapped) warnings.push(nonStandard(path, 'CIDR value', text, better));
  if (warnings.length === 0 && family === 6 && better !== text) {
    warnings.push(`${path}: IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${better}")`);
  }
  return warnings;
}

function nonStandard(path: FieldPath, what: string, text: string, better: string): string {
  return `${path}: non-standard ${what} "${text}" will be considered invalid in a future Kubernetes release: use "${better}"`;
}

import { type FieldError, invalid } from '../fieldError.ts';
import type { FieldPath } from '../fieldPath.ts';
import { type Cidr, contains, parseCidr } from './cidr.ts';
import { parseIp } from './ipAddress.ts';

/** Ranges that no traffic can be sent to over a network, with what the service calls them. */
const SPECIAL: readonly (readonly [Cidr, string])[] = (
  [
    ['0.0.0.0/32', 'may not be unspecified (0.0.0.0 or ::)'],
    ['::/128', 'may not be unspecified (0.0.0.0 or ::)'],
    ['127.0.0.0/8', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['::1/128', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['169.254.0.0/16', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['fe80::/10', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['224.0.0.0/24', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ['ff02::/16', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ] as const
).map(([text, fault]) => [parseCidr(text) as Cidr, fault]);

/** Faults of an address to which traffic is to be sent; the text must be an address. */
export function validateSpecialAddress(text: string, path: FieldPath): FieldError[] {
  const ip = parseIp(text);
  if (!ip) return [];
  return SPECIAL.filter(([range]) => contains(range, ip)).map(([, fault]) => invalid(path, text, fault));
}

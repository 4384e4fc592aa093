import type { Environment } from '@marcbachmann/cel-js';
import { type Cidr, contains, parseCidr } from '../../api/addresses/cidr.ts';
import { canonicalIp, formatIp, type IpAddress, parseIp } from '../../api/addresses/ipAddress.ts';
import { FunctionFault } from './faults.ts';
import { registerAll, registerNamespace, registerOpaque } from './register.ts';

class IpValue {
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    this.address = address;
  }
  equals(other: unknown): boolean {
    return (
      other instanceof IpValue &&
      other.address.family === this.address.family &&
      other.address.value === this.address.value
    );
  }
  get text(): string {
    return formatIp(this.address.family, this.address.value);
  }
}

class CidrValue {
  readonly text: string;
  readonly cidr: Cidr;
  readonly bits: number;
  readonly address: IpAddress;

  constructor(text: string, cidr: Cidr, address: IpAddress, bits: number) {
    this.text = text;
    this.cidr = cidr;
    this.address = address;
    this.bits = bits;
  }
  equals(other: unknown): boolean {
    return other instanceof CidrValue && other.text === this.text;
  }
}

const IP = 'net.IP';
const CIDR = 'net.CIDR';

function readIp(text: string): IpValue {
  const address = addressOf(text);
  if (!address) throw new FunctionFault(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return new IpValue(address);
}

/** Zones and IPv4 addresses in IPv6 clothes are refused. */
function addressOf(text: string): IpAddress | undefined {
  if (text.includes('%') || /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(text)) return undefined;
  if (/(^|\.)0\d/.test(text) && text.includes('.')) return undefined;
  return parseIp(text);
}

function cidrOf(text: string): CidrValue | undefined {
  const [address = '', bits = ''] = text.split('/');
  const ip = addressOf(address);
  const cidr = ip && parseCidr(text);
  return ip && cidr && new CidrValue(text, cidr, ip, Number(bits));
}

function readCidr(text: string): CidrValue {
  const cidr = cidrOf(text);
  if (!cidr)
    throw new FunctionFault(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return cidr;
}

/** Ranges by what they are for. */
const RANGES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linkLocal: ['169.254.0.0/16', 'fe80::/10'],
  linkLocalMulticast: ['224.0.0.0/24', 'ff02::/16'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  unspecified: ['0.0.0.0/32', '::/128'],
  broadcast: ['255.255.255.255/32'],
} as const;
const ranges = Object.fromEntries(
  Object.entries(RANGES).map(([name, texts]) => [name, texts.map((text) => parseCidr(text) as Cidr)]),
) as Record<keyof typeof RANGES, Cidr[]>;

function isIn(range: keyof typeof RANGES): (ip: IpValue) => boolean {
  return ({ address }) => ranges[range].some((cidr) => contains(cidr, address));
}

/** The range lies inside another one. */
function holds(outer: CidrValue, inner: CidrValue): boolean {
  return inner.bits >= outer.bits && contains(outer.cidr, inner.address);
}

/** IP addresses and ranges of them. */
export function registerAddresses(environment: Environment): void {
  registerOpaque(environment, IP, IpValue);
  registerOpaque(environment, CIDR, CidrValue);
  environment.registerOperator(`${IP} == ${IP}`, (a: IpValue, b: IpValue) => a.equals(b));
  environment.registerOperator(`${CIDR} == ${CIDR}`, (a: CidrValue, b: CidrValue) => a.equals(b));
  registerAll(environment, {
    [`ip(string): ${IP}`]: readIp,
    'isIP(string): bool': (text: string) => addressOf(text) !== undefined,
    [`string(${IP}): string`]: (ip: IpValue) => ip.text,
    [`${IP}.family(): int`]: ({ address }: IpValue) => BigInt(address.family),
    [`${IP}.isUnspecified(): bool`]: isIn('unspecified'),
    [`${IP}.isLoopback(): bool`]: isIn('loopback'),
    [`${IP}.isLinkLocalMulticast(): bool`]: isIn('linkLocalMulticast'),
    [`${IP}.isLinkLocalUnicast(): bool`]: isIn('linkLocal'),
    [`${IP}.isGlobalUnicast(): bool`]: (ip: IpValue) =>
      !(['unspecified', 'loopback', 'multicast', 'linkLocal', 'broadcast'] as const).some((name) => isIn(name)(ip)),
    [`cidr(string): ${CIDR}`]: readCidr,
    'isCIDR(string): bool': (text: string) => cidrOf(text) !== undefined,
    [`string(${CIDR}): string`]: ({ text }: CidrValue) => text,
    [`${CIDR}.ip(): ${IP}`]: ({ address }: CidrValue) => new IpValue(address),
    [`${CIDR}.prefixLength(): int`]: ({ bits }: CidrValue) => BigInt(bits),
    [`${CIDR}.masked(): ${CIDR}`]: ({ cidr, bits }: CidrValue) =>
      readCidr(`${formatIp(cidr.family, cidr.base)}/${bits}`),
    [`${CIDR}.containsIP(${IP}): bool`]: ({ cidr }: CidrValue, { address }: IpValue) => contains(cidr, address),
    [`${CIDR}.containsIP(string): bool`]: ({ cidr }: CidrValue, text: string) => contains(cidr, readIp(text).address),
    [`${CIDR}.containsCIDR(${CIDR}): bool`]: holds,
    [`${CIDR}.containsCIDR(string): bool`]: (outer: CidrValue, text: string) => holds(outer, readCidr(text)),
  });
  registerNamespace(environment, 'ip', 'IpNamespace');
  registerAll(environment, {
    'IpNamespace.isCanonical(string): bool': (_: unknown, text: string) => canonicalIp(readIp(text).address) === text,
  });
}

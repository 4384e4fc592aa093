import { formatIp, type IpAddress, parseIp } from './ipAddress.ts';

/** A range of addresses, `10.0.0.0/24`. */
export interface Cidr {
  readonly family: 4 | 6;
  /** The first address of the range. */
  readonly base: bigint;
  /** How many addresses the range has, as a power of two. */
  readonly hostBits: number;
  /** The address as given, which may lie inside the range. */
  readonly given: IpAddress;
  /** Whether the length was written with zeros in front. */
  readonly zeros: boolean;
}

/** Reads a range leniently: an address inside it and zeros in front of numbers are taken. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const given = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!given || !/^\d{1,16}$/.test(length)) return undefined;
  const width = given.family === 4 && !given.mapped ? 32 : 128;
  const bits = Number(length);
  if (bits > width) return undefined;
  // An IPv4 address inside an IPv6 one has the length of the latter.
  const hostBits = Math.min(width - bits, given.family === 4 ? 32 : 128);
  const base = (given.value >> BigInt(hostBits)) << BigInt(hostBits);
  return { family: given.family, base, hostBits, given, zeros: length.length > 1 && length.startsWith('0') };
}

export function contains(cidr: Cidr, { family, value }: IpAddress): boolean {
  return family === cidr.family && value >> BigInt(cidr.hostBits) === cidr.base >> BigInt(cidr.hostBits);
}

/** The canonical text of the range. */
export function formatCidr({ family, base, hostBits }: Cidr): string {
  return `${formatIp(family, base)}/${(family === 4 ? 32 : 128) - hostBits}`;
}

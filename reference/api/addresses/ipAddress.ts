/** An IP address as a number; an IPv4 address written inside an IPv6 one (`::ffff:1.2.3.4`) counts as IPv4. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** How it was written: zeros in front of a number, or an IPv4 address inside an IPv6 one. */
  readonly zeros: boolean;
  readonly mapped: boolean;
}

const MAPPED = 0xffffn << 32n;

/** Reads an address leniently, zeros in front of numbers included; undefined when the text is none. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const four = parseFour(text);
    return four && { family: 4, value: four.value, zeros: four.zeros, mapped: false };
  }
  const six = parseSix(text);
  if (!six) return undefined;
  const mapped = six.value >> 32n === MAPPED >> 32n;
  return mapped
    ? { family: 4, value: six.value & 0xffffffffn, zeros: six.zeros, mapped }
    : { family: 6, value: six.value, zeros: six.zeros, mapped };
}

/** The canonical text: RFC 5952 for IPv6. */
export function formatIp(family: 4 | 6, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** The text of an address in the form that is preferred for it. */
export function canonicalIp({ family, value }: IpAddress): string {
  return formatIp(family, value);
}

function parseFour(text: string): { value: bigint; zeros: boolean } | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  let zeros = false;
  for (const part of parts) {
    if (!/^\d{1,16}$/.test(part) || Number(part) > 255) return undefined;
    zeros ||= part.length > 1 && part.startsWith('0');
    value = (value << 8n) | BigInt(part);
  }
  return { value, zeros };
}

function parseSix(text: string): { value: bigint; zeros: boolean } | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  let zeros = false;
  const read = (half: string | undefined, last: boolean): number[] | undefined => {
    if (half === undefined || half === '') return [];
    const groups: number[] = [];
    const parts = half.split(':');
    for (const [index, part] of parts.entries()) {
      if (last && index === parts.length - 1 && part.includes('.')) {
        const four = parseFour(part);
        if (!four) return undefined;
        zeros ||= four.zeros;
        groups.push(Number(four.value >> 16n), Number(four.value & 0xffffn));
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
      else return undefined;
    }
    return groups;
  };
  const head = read(halves[0], halves.length === 1);
  const tail = read(halves[1], true);
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return { value: groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n), zeros };
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
    start += length;
  }
  return best;
}

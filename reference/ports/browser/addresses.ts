const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`);
const GROUP = /^[0-9a-fA-F]{1,4}$/;
/** Of an address of 128 bits; an IPv4 address at its end stands for two. */
const GROUPS = 8;

export function isIPv4(text: string): boolean {
  return IPV4.test(text);
}

export function isIPv6(text: string): boolean {
  const zone = text.indexOf('%');
  if (zone >= 0 && !/^%[0-9a-zA-Z\-.:]+$/.test(text.slice(zone))) return false;
  const halves = (zone < 0 ? text : text.slice(0, zone)).split('::');
  if (halves.length > 2) return false;
  let count = 0;
  for (const [index, half] of halves.entries()) {
    if (half === '') continue;
    const groups = half.split(':');
    const last = groups.at(-1) as string;
    if (index === halves.length - 1 && last.includes('.')) {
      if (!isIPv4(last)) return false;
      groups.splice(-1, 1, '0', '0');
    }
    if (!groups.every((group) => GROUP.test(group))) return false;
    count += groups.length;
  }
  return halves.length === 2 ? count < GROUPS : count === GROUPS;
}

/** 4, 6 or 0. */
export function isIP(text: string): number {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

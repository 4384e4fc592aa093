const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Digits of the nanoseconds that fit 64 bits. */
const MOST_DIGITS = 19;

/** Nanoseconds of a text such as `1h30m` or `-1.5s`; undefined when it is none. */
export function parseDuration(text: string): bigint | undefined {
  const sign = text.startsWith('-') ? -1n : 1n;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') return undefined;
  let nanos = 0n;
  while (rest !== '') {
    const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    const [whole, digits = '', fraction = '', unit = ''] = part ?? [];
    if (whole === undefined || (digits === '' && fraction === '')) return undefined;
    const size = UNITS[unit] as bigint;
    const count = digits.replace(/^0+/, '');
    // What has more digits is longer than any length of time, whatever its unit.
    if (count.length > MOST_DIGITS) return undefined;
    nanos += BigInt(count || '0') * size;
    if (fraction !== '') nanos += (BigInt(fraction.slice(0, 18)) * size) / 10n ** BigInt(Math.min(fraction.length, 18));
    rest = rest.slice(whole.length);
  }
  return sign * nanos;
}

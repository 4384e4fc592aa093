const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Reads a length of time as flags and configuration files write it: `5m0s`, `1h30m`, `250ms`, `0`.
 *
 * @returns milliseconds, perhaps negative or with a fraction; undefined when the text is no length of time
 */
export function parseDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  let at = text.startsWith('-') || text.startsWith('+') ? 1 : 0;
  if (text.slice(at) === '0') return 0;
  if (at === text.length) return undefined;
  let total = 0;
  while (at < text.length) {
    PART.lastIndex = at;
    const part = PART.exec(text);
    if (!part) return undefined;
    total += Number(part[1]) * (UNITS[part[2] as string] as number);
    at = PART.lastIndex;
  }
  return sign * total;
}

/** The same length of time in words that {@link parseDuration} reads: `2m0s`, `500ms`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (Math.abs(milliseconds) < 1000) return `${milliseconds}ms`;
  const seconds = Math.abs(milliseconds) / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${Number((seconds % 60).toFixed(3))}s`;
  const sign = milliseconds < 0 ? '-' : '';
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${sign}${minutes}m${rest}` : `${sign}${rest}`;
}

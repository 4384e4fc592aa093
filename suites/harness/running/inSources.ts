import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Where a place in the bundle of all checks stands in the sources, so that stacks name files and lines that somebody
 * wrote; tools/checksBundle.mjs makes bundle and table. Outside the bundle every place is that of a source already.
 */

/** The bundle that this is in; any other file where it is in none. */
const BUNDLE = fileURLToPath(import.meta.url);
/** What the bundle is called in stacks. */
const CALLED = BUNDLE.endsWith('.cjs') ? BUNDLE.replace(/\.cjs$/, '.ts') : undefined;

const COLUMNS = 5;

interface Places {
  readonly sources: readonly string[];
  /** Line and column in the bundle, the source, line and column in it; ordered by the first two. */
  readonly table: Int32Array;
}
let known: Places | undefined;

function places(): Places {
  if (known) return known;
  const bytes = readFileSync(`${BUNDLE}.places`);
  const end = bytes.indexOf('\n');
  const table = new Int32Array(bytes.buffer, bytes.byteOffset + end + 1, (bytes.length - end - 1) / 4);
  known = { sources: JSON.parse(bytes.toString('utf8', 0, end)) as string[], table };
  return known;
}

/** A place in the sources. */
interface WrittenAt {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The last row of the table that does not stand behind a place. */
function found(line: number, column: number): WrittenAt | undefined {
  const { table, sources } = places();
  let low = 0;
  let high = table.length / COLUMNS;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = middle * COLUMNS;
    const before = table[row] ?? 0;
    if (before < line || (before === line && (table[row + 1] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  const row = (low - 1) * COLUMNS;
  if (low === 0 || table[row] !== line) return undefined;
  const file = sources[table[row + 2] ?? -1];
  return file === undefined ? undefined : { file, line: table[row + 3] ?? 0, column: table[row + 4] ?? 0 };
}

function ofBundle(site: NodeJS.CallSite): WrittenAt | undefined {
  if (CALLED === undefined || site.getFileName() !== CALLED) return undefined;
  return found(site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0);
}

/** The source file that a call stands in. */
export function sourceOf(site: NodeJS.CallSite): string | null {
  return ofBundle(site)?.file ?? site.getFileName();
}

/** A call as a line of a stack has it. The runner, which leaves its own calls out, knows those alone that are not `async`. */
function frame(site: NodeJS.CallSite): string {
  const written = ofBundle(site);
  const text = String(site).replace(/^async /, '');
  return written ? text.replace(PLACE, `${written.file}:${written.line}:${written.column}`) : text;
}
/** Where a call stands, in such a line. */
const PLACE = /[^\s(]*:\d+:\d+/;

/**
 * Has stacks in this process name the sources. Nothing else in it has a source map: whoever looks for one for each
 * frame does so in vain, and errors that nobody reads have stacks too.
 */
function nameSources(): void {
  if (CALLED === undefined) return;
  Error.prepareStackTrace = (error, sites) =>
    [heading(error), ...sites.map((site) => `    at ${frame(site)}`)].join('\n');
}
function heading(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    // Whatever was thrown has a name or message that is no text.
    return 'Error';
  }
}
nameSources();

import type { GroupRow, Release, Track } from './history.ts';

/** A time in which releases served a version without a gap. */
export interface Stint {
  readonly version: string;
  /** The rows of the releases that served it, oldest first; never empty. */
  readonly rows: readonly GroupRow[];
  readonly introduced: Release;
  readonly last: Release;
  /** The first release without it; `undefined` where the history ends with it. */
  readonly removed: Release | undefined;
}

/** A time in which a version was deprecated without a break: a release that takes the mark back ends it. */
export interface Deprecation {
  readonly since: Release;
  readonly last: Release;
}

/** Every time in which a version of a group was served. */
export function stints(track: Track): Stint[] {
  return versionsOf(track).flatMap((version) =>
    runs(track.rows, (row) => row.versions.has(version)).map(({ rows, next }) => ({
      version,
      rows,
      introduced: first(rows).release,
      last: last(rows).release,
      removed: next?.release,
    })),
  );
}

/** Every time in which a version was deprecated while it was served. */
export function deprecations({ rows, version }: Stint): Deprecation[] {
  return runs(rows, (row) => row.versions.get(version) === 'deprecated').map((run) => ({
    since: first(run.rows).release,
    last: last(run.rows).release,
  }));
}

/** Every version that a release of the group served, in the order of appearance. */
export function versionsOf({ rows }: Track): string[] {
  return [...new Set(rows.flatMap(({ versions }) => [...versions.keys()]))];
}

interface Run {
  readonly rows: readonly GroupRow[];
  /** The row that ended it. */
  readonly next: GroupRow | undefined;
}

function runs(rows: readonly GroupRow[], holds: (row: GroupRow) => boolean): Run[] {
  const found: Run[] = [];
  let open: GroupRow[] = [];
  for (const row of rows) {
    if (holds(row)) open.push(row);
    else if (open.length > 0) {
      found.push({ rows: open, next: row });
      open = [];
    }
  }
  if (open.length > 0) found.push({ rows: open, next: undefined });
  return found;
}

function first(rows: readonly GroupRow[]): GroupRow {
  return rows[0] as GroupRow;
}

function last(rows: readonly GroupRow[]): GroupRow {
  return rows.at(-1) as GroupRow;
}

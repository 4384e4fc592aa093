import type { ApiHistory, GroupRow, Release, Service } from '../history.ts';

/** A timeline as a table of cells, for tests that change one of them. */
export interface Table {
  readonly dates: readonly string[];
  readonly versions: readonly string[];
  /** A row a release, a column a version: `''` where the release does not serve it. */
  readonly cells: readonly (readonly (Service | '')[])[];
  readonly preferred: readonly string[];
  readonly storage: readonly string[];
}

/** The table of the first group of a history. */
export function tableOf({ releases, tracks }: ApiHistory): Table {
  const rows = tracks[0]?.rows ?? [];
  const versions = [...new Set(rows.flatMap((row) => [...row.versions.keys()]))];
  return {
    dates: releases.map(({ date }) => date),
    versions,
    cells: rows.map((row) => versions.map((version) => row.versions.get(version) ?? '')),
    preferred: rows.map((row) => row.preferred ?? ''),
    storage: rows.map((row) => row.storage ?? ''),
  };
}

/** The history that a table tells. Releases are called R0, R1, … */
export function historyOf({ dates, versions, cells, preferred, storage }: Table): ApiHistory {
  const releases = dates.map((date, place): Release => ({ name: `R${place}`, date, place, major: '1' }));
  const rows = releases.map((release, place): GroupRow => {
    const served = versions.flatMap((version, column) => {
      const cell = cells[place]?.[column];
      return cell ? [[version, cell] as const] : [];
    });
    return { release, versions: new Map(served), preferred: preferred[place], storage: storage[place] };
  });
  return {
    releases,
    tracks: [{ name: 'g', what: 'API group', rows, successors: new Map(), elements: [] }],
    commandLine: [],
    behaviors: [],
    gates: [],
    metrics: [],
    exceptions: [],
  };
}

/** A table with one cell changed. */
export interface Change {
  readonly what: string;
  readonly table: Table;
}

/** Every table that differs from this one in one cell. */
export function* changesOf(table: Table): Generator<Change> {
  const { versions } = table;
  for (const [row, cells] of table.cells.entries()) {
    for (const [column, cell] of cells.entries()) {
      for (const other of ['', 'served', 'deprecated'] as const) {
        if (other === cell) continue;
        const changed = table.cells.with(row, cells.with(column, other));
        yield { what: `R${row}: ${versions[column]} is ${other || 'absent'}`, table: { ...table, cells: changed } };
      }
    }
    for (const version of versions) {
      if (version === table.preferred[row]) continue;
      const preferred = table.preferred.with(row, version);
      const storage = table.storage.with(row, version);
      yield { what: `R${row}: ${version} is preferred`, table: { ...table, preferred } };
      yield { what: `R${row}: ${version} is stored`, table: { ...table, storage } };
      yield { what: `R${row}: ${version} is both`, table: { ...table, preferred, storage } };
    }
  }
}

/** Every table in which one release has moved by days, and still stands between its neighbours. */
export function* movesOf(table: Table): Generator<Change> {
  for (const [row, date] of table.dates.entries()) {
    for (const days of [-119, -91, -60, -31, -1, 1, 31, 60, 91, 119]) {
      const moved = new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
      const [before, after] = [table.dates[row - 1] ?? '', table.dates[row + 1] ?? '9999-12-31'];
      if (moved <= before || moved >= after) continue;
      yield { what: `R${row} is on ${moved}`, table: { ...table, dates: table.dates.with(row, moved) } };
    }
  }
}

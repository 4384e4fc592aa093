import type { Table } from './table.ts';

/**
 * A second judgement of a timeline, made as slowly and as literally as can be: it looks at every pair of releases and
 * shares no code with the checker. Out: `rule version release` for each break, sorted.
 */
export function bruteForce(table: Table): string[] {
  const { versions, cells } = table;
  const all = [...cells.keys()];
  const cell = (release: number, version: string) => cells[release]?.[versions.indexOf(version)] ?? '';
  const between = (from: number, to: number) => all.filter((each) => each >= from && each <= to);
  const broken = new Set<string>();

  for (const version of versions) {
    for (const i of all) {
      const here = cell(i, version);
      if (here === '') continue;
      const goes = i + 1 < all.length && cell(i + 1, version) === '';
      if (isGa(version) && goes) broken.add(`4a ${version} R${i + 1}`);
      if (isBeta(version)) {
        if (goes && !all.some((d) => isStartOfMark(d, i) && longEnough(d, i + 1)))
          broken.add(`4a ${version} R${i + 1}`);
        const marks = all.filter((d) => isStartOfMark(d, i));
        for (const d of marks) {
          if (longEnough(d, i) && !between(d, i - 1).some((k) => longEnough(d, k))) broken.add(`4a ${version} R${i}`);
        }
        if (i === 0 || cell(i - 1, version) === '') tooLate(i);
      }
      const favored = versions.filter((each) => cell(i, each) !== '' && order(each) > order(version));
      const starts = here === 'deprecated' && (i === 0 || cell(i - 1, version) !== 'deprecated');
      if (starts && favored.length > 0 && favored.every((each) => level(each) < level(version))) {
        broken.add(`3 ${version} R${i}`);
      }
    }

    /** Whether a mark set at `d` stands through `to`. */
    function isStartOfMark(d: number, to: number): boolean {
      return (
        d <= to &&
        between(d, to).every((k) => cell(k, version) === 'deprecated') &&
        (d === 0 || cell(d - 1, version) !== 'deprecated')
      );
    }

    function tooLate(introduced: number): void {
      const third = table.dates[introduced + 3];
      if (third === undefined) return;
      const limit = Math.max(Date.parse(third), nineMonthsAfter(introduced));
      if (!all.some((each) => time(each) >= limit)) return;
      const latest = Math.max(...all.filter((each) => time(each) <= limit));
      const late = all.find(
        (each) =>
          each >= latest &&
          cell(each, version) === 'served' &&
          between(introduced, each).every((k) => cell(k, version) !== ''),
      );
      if (late !== undefined) broken.add(`4a ${version} R${late}`);
    }
  }

  for (const named of [table.preferred, table.storage]) {
    for (const i of all) {
      const [now, old] = [named[i] as string, named[i - 1]];
      if (cell(i, now) === '') {
        broken.add(`4b ${now} R${i}`);
        continue;
      }
      if (old === undefined || old === now || cell(i - 1, old) === '') continue;
      const promises = versions.some((each) => !isAlpha(each) && cell(i - 1, each) !== '');
      if (!promises) continue;
      const both = all.some((each) => each < i && cell(each, old) !== '' && cell(each, now) !== '');
      if (!both || cell(i - 1, now) === '') broken.add(`4b ${now} R${i}`);
      if (both && named === table.storage && cell(i, old) === '') broken.add(`4b ${old} R${i}`);
    }
  }
  return [...broken].sort();

  function time(release: number): number {
    return Date.parse(table.dates[release] as string);
  }
  function nineMonthsAfter(release: number): number {
    const date = new Date(time(release));
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + 9);
    const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    return date.setUTCDate(Math.min(day, lastDay));
  }
  function longEnough(from: number, to: number): boolean {
    return to - from >= 3 && time(to) >= nineMonthsAfter(from);
  }
}

function isAlpha(version: string): boolean {
  return version.includes('alpha');
}
function isBeta(version: string): boolean {
  return version.includes('beta');
}
function isGa(version: string): boolean {
  return /^v\d+$/.test(version);
}
function level(version: string): number {
  if (isAlpha(version)) return 0;
  return isBeta(version) ? 1 : 2;
}
/** `v1alpha2` is 102, `v1beta1` is 111, `v1` is 120, `v2alpha1` is 201. */
function order(version: string): number {
  const [track = 0, number = 0] = version.match(/\d+/g)?.map(Number) ?? [];
  return track * 100 + level(version) * 10 + number;
}

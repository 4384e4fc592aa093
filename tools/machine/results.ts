import { type MachineMutant, type MutantName, roomOf } from './mutants.ts';
import type { JobDone } from './pool.ts';

/**
 * What became of a mutant: `killed` by a check that says the server is broken; `died`: it does not start, ends by an
 * error of its own, or never comes back; `unmet`: no check comes to where it is; `undecided`: not all checks that come
 * there were asked.
 */
export type Verdict = 'killed' | 'died' | 'survived' | 'undecided' | 'unmet';

export interface Result extends MutantName {
  readonly line: number;
  readonly verdict: Verdict;
  /** The check that killed it, or the last one that was put to it before it died. */
  readonly by?: string;
  /** The sentence that did not hold, or how it died. */
  readonly because?: string;
  /** How many checks it was put to, of how many that come to where it is. */
  readonly asked: number;
  readonly reaching: number;
  /** How long checks took that were put to it alone, at the end. */
  readonly seconds: number;
}

/**
 * @param reaching how many checks come to it
 * @param before how many of them passed already
 */
export function verdictOf(mutant: MachineMutant, { checks, died }: JobDone, reaching: number, before = 0): Result {
  const { site: _, ...name } = mutant;
  const killer = checks.find(({ outcome }) => outcome === 'fail');
  const seconds = Math.round(checks.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 100) / 10;
  const asked = before + checks.length;
  const told = { ...name, asked, reaching, seconds };
  if (killer) return { ...told, verdict: 'killed', by: killer.check, because: killer.because };
  const last = checks.at(-1)?.check;
  if (died !== undefined)
    return { ...told, verdict: 'died', because: died, ...(last === undefined ? {} : { by: last }) };
  if (reaching === 0) return { ...told, verdict: 'unmet' };
  return { ...told, verdict: asked < reaching ? 'undecided' : 'survived' };
}

/** Survivors one by one, then how many of each room became what. */
export function tell(results: readonly Result[]): string {
  const alive = results.filter(({ verdict }) => verdict !== 'killed' && verdict !== 'died');
  const lines = [...alive]
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(
      ({ file, line, within, operator, from, to, verdict, asked, reaching }) =>
        `${file}:${line} ${within} ${operator} ${verdict} (${asked} of ${reaching} checks)\n    ${from}  →  ${to || '(nothing)'}`,
    );
  return [...lines, '', table(results)].join('\n');
}

const VERDICTS: readonly Verdict[] = ['killed', 'died', 'survived', 'undecided', 'unmet'];

/** A table in Markdown, a line for each room. */
export function table(results: readonly Result[]): string {
  const rooms = [...new Set(results.map(({ file }) => roomOf(file)))].sort();
  const row = (name: string, own: readonly Result[]) => {
    const counts = VERDICTS.map((verdict) => own.filter((each) => each.verdict === verdict).length);
    const dead = (counts[0] ?? 0) + (counts[1] ?? 0);
    const met = own.length - (counts[4] ?? 0);
    return `| ${[name, own.length, ...counts, percent(dead, own.length), percent(dead, met)].join(' | ')} |`;
  };
  return [
    `| room | mutants | ${VERDICTS.join(' | ')} | dead | dead of those met |`,
    `|---|${'---:|'.repeat(VERDICTS.length + 3)}`,
    ...rooms.map((room) =>
      row(
        room,
        results.filter(({ file }) => roomOf(file) === room),
      ),
    ),
    row('all', results),
  ].join('\n');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}

import { ledger } from '../fixtures/ledger/index.ts';
import { counted } from '../reports/counted.ts';
import { type Step, wordsOf } from '../suites/sequences/step.ts';
import type { Cause } from './cause.ts';
import type { Ignored } from './ignoring.ts';
import type { Investigated } from './investigate.ts';

/** What came of a comparison. */
export interface Compared extends Omit<Investigated, 'findings'> {
  readonly names: readonly [string, string];
  readonly seed: string;
  readonly causes: readonly Cause[];
  readonly stale: readonly Ignored[];
  /** How many causes are known and were left out. */
  readonly known: number;
}

/** One sentence where two servers are the same; else each difference in a few lines. */
export function textOf(
  { names, seed, causes, stale, known, sequences, requests, passing }: Compared,
  files: readonly string[],
): string {
  const [first, second] = names;
  const asked = `${counted(requests, 'request')} in ${counted(sequences, 'sequence')} (seed ${seed})`;
  const left = known === 0 ? '' : `, beside ${counted(known, 'known difference')}`;
  const lines = [
    causes.length === 0
      ? `${first} and ${second} do the same: no difference in ${asked}${left}.`
      : `${first} and ${second} differ in ${counted(causes.length, 'way')}; ${asked}${left}.`,
    ...causes.flatMap((cause, at) => ['', ...causeText(cause, at + 1, files[at])]),
  ];
  if (passing.length > 0)
    lines.push(
      '',
      `${counted(passing.length, 'difference')} did not show again when the same was asked anew: ${[...new Set(passing)].join('; ')}.`,
    );
  for (const { cause } of stale)
    lines.push('', `No difference fits "${cause}" any more; take it out of the file of known differences.`);
  return lines.join('\n');
}

function causeText(
  { name, sentence, requirement, statements, shown, count }: Cause,
  number: number,
  file: string | undefined,
): string[] {
  const decided = requirement
    ? `${requirement} decides (${statements.join(', ')}): ${ledger[requirement].statement}`
    : 'The text leaves it open.';
  return [
    `${number}. ${name}${count > 1 ? `  (${count} times)` : ''}`,
    `   ${sentence}.`,
    `   ${decided}`,
    ...shown.steps.map(
      (step: Step, at) =>
        `   ${at + 1}) ${wordsOf(step)}${step.body === undefined ? '' : `  ${shortened(JSON.stringify(step.body))}`}`,
    ),
    ...(file === undefined
      ? []
      : [`   again: touchstone replay ${file}`, `   by curl: ${script(file, 'first')}, ${script(file, 'second')}`]),
  ];
}

/** The script of one server, which lies beside what is replayed. */
const script = (file: string, side: string): string => file.replace(/json$/, `${side}.sh`);

const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}…` : text);

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TWINS } from '../../mutants/permissive/index.ts';
import type { Twin } from '../../mutants/permissive/twin.ts';
import type { CheckResult } from '../../reports/checkResult.ts';
import { type Outcome, parseEvents } from '../../reports/events.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { folderToWrite } from '../files.ts';
import { readFlags } from '../flags.ts';
import { suggestion } from '../nearest.ts';
import { ROOT } from '../root.ts';
import { UsageError } from '../usageError.ts';
import { run } from './run.ts';
import { TWINS_FLAGS } from './twinsFlags.ts';

type Choice = Pick<Twin, 'id' | 'sentence' | 'side'>;

/** What a check comes to on a server that is as right as the reference. */
const RIGHT: ReadonlySet<Outcome> = new Set(['pass', 'warn', 'unsupported', 'skipped']);

/**
 * `touchstone twins`: runs every check on references that choose otherwise where the specification leaves a choice.
 * @returns 0 when all pass, 1 when a check asks for more than the specification does.
 */
export async function twins(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, TWINS_FLAGS);
  if (words.length > 0) throw new UsageError(`twins takes no words; give a name with --twin ${words[0]}.`);
  const all: readonly Choice[] = TWINS;
  if (flags.list) {
    for (const { id, sentence } of TWINS) console.log(`${id.padEnd(40)} ${sentence}`);
    return EXIT.conformant;
  }
  for (const name of flags.twin) {
    const names = all.map(({ id }) => id);
    if (!names.includes(name)) throw new UsageError(`There is no twin ${name}.${suggestion(name, names)}`);
  }
  const chosen = all.filter(({ id }) => flags.twin.length === 0 || flags.twin.includes(id));
  const output = folderToWrite(flags.output ?? 'reports/out/twins');
  const more = [
    ...flags.only.map((id) => `--only=${id}`),
    ...(flags.workers === undefined ? [] : ['--workers', flags.workers]),
  ];
  const strict: string[] = [];
  for (const side of [...new Set(chosen.map((choice) => choice.side))].sort()) {
    const together = chosen.filter((choice) => choice.side === side);
    const wrong = await put(together, more, join(output, side));
    const alone = await eachAlone(together, wrong, join(output, 'alone'));
    for (const check of wrong) {
      const culprits = together.filter(({ id }) => alone.get(id)?.has(check.id));
      strict.push(
        `✗ ${check.id} does not pass on ${culprits.map(({ id }) => id).join(', ') || `side ${side} as a whole`}`,
      );
      strict.push(...culprits.map(({ id, sentence }) => `    ${id}: ${sentence}`));
      strict.push(
        `    ${check.outcome}: ${check.assertions.find(({ holds }) => !holds)?.sentence ?? check.reason ?? ''}`,
      );
    }
  }
  if (strict.length > 0) console.log(strict.join('\n'));
  console.log(
    `${chosen.length} choices made otherwise, ${strict.filter((line) => line.startsWith('✗')).length} checks too strict`,
  );
  return strict.length > 0 ? EXIT.notConformant : EXIT.conformant;
}

/** The checks that do not come out right on a reference that makes these choices. */
async function put(choices: readonly Choice[], more: readonly string[], output: string): Promise<CheckResult[]> {
  await run(argumentsOf(choices, more, output));
  return wrongIn(output);
}

function argumentsOf(choices: readonly Choice[], more: readonly string[], output: string): string[] {
  const choose = choices.map(({ id }) => id).join(',');
  return ['--choose', choose, '--quiet', '--no-reference', '--seed=twins', '--output', output, ...more];
}

function wrongIn(output: string): CheckResult[] {
  const result = resultOf(parseEvents(readFileSync(join(output, EVENTS_FILE), 'utf8')));
  return result.checks.filter(({ outcome }) => !RIGHT.has(outcome));
}

/** Of each choice, made alone, the checks among some that do not come out right. */
async function eachAlone(
  choices: readonly Choice[],
  checks: readonly CheckResult[],
  output: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (checks.length === 0) return found;
  for (const choice of choices) {
    const only = checks.map(({ id }) => `--only=${id}`);
    // In silence: what they say of it stands in what we tell.
    const words = [join(ROOT, 'cli/launch.mjs'), 'run', ...argumentsOf([choice], only, output)];
    spawnSync(process.execPath, words, { stdio: 'ignore' });
    found.set(choice.id, new Set(wrongIn(output).map(({ id }) => id)));
  }
  return found;
}

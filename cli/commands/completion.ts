import { EXIT } from '../../reports/outcome.ts';
import { COMMANDS } from '../help.ts';
import { suggestion } from '../nearest.ts';
import { type Completed, completionScript, SHELLS } from '../shells.ts';
import { UsageError } from '../usageError.ts';

/** `touchstone completion SHELL`: prints the script for a shell. @returns 0. Throws UsageError. */
export function completion(argv: readonly string[]): number {
  const [name, ...more] = argv;
  const shell = SHELLS.find((each) => each === name);
  if (!shell || more.length > 0) {
    const hint = name === undefined ? '' : suggestion(name, SHELLS);
    throw new UsageError(`completion takes one of ${SHELLS.join(', ')}: touchstone completion bash.${hint}`);
  }
  process.stdout.write(completionScript(shell, completed()));
  return EXIT.conformant;
}

/** Every command and each part of one. */
function completed(): Completed[] {
  return Object.entries(COMMANDS).flatMap(([name, { about, flags = {}, parts = {} }]): Completed[] => [
    { words: [name], about, flags },
    ...Object.entries(parts).map(([part, below]) => ({ words: [name, part], about, flags: below.flags })),
    ...(name === 'completion'
      ? SHELLS.map((shell) => ({ words: [name, shell], about: `for ${shell}`, flags: {} }))
      : []),
  ]);
}

import { writeFileSync } from 'node:fs';
import { judge } from '../../../lifecycle/judge.ts';
import { svg } from '../../../lifecycle/plot/svg.ts';
import { EXIT } from '../../../reports/outcome.ts';
import { reasonOf } from '../../files.ts';
import { longNames, readFlags } from '../../flags.ts';
import { UsageError } from '../../usageError.ts';
import { PLOT_FLAGS } from './flags.ts';
import { namedHistory } from './history.ts';

/** `touchstone lifecycle plot FILE`: the versions of each group over the releases. @returns 0. Throws UsageError. */
export function plot(argv: readonly string[]): number {
  const { flags, words } = readFlags(longNames(argv, { '-o': '--output' }), PLOT_FLAGS);
  const { path, history } = namedHistory(words, 'touchstone lifecycle plot FILE');
  if (history.tracks.length === 0) throw new UsageError(`${path} has neither groups nor configurations to draw.`);
  const drawing = svg(history, judge(history).findings);
  if (flags.output === undefined) process.stdout.write(drawing);
  else write(flags.output, drawing);
  return EXIT.conformant;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`The drawing cannot be written to ${file}: ${reasonOf(error)}.`);
  }
}

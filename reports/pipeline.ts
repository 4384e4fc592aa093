import { cardOf } from './card.ts';
import { briefText } from './cardText.ts';
import type { RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

/** Annotations that a step may have on GitHub. */
const MOST = 10;

/**
 * Lines by which GitHub shows what failed beside the run: `::error title=…::…`. The verdict first, then the failures
 * as far as there is room.
 */
export function annotations(result: RunResult): string[] {
  const { word, because, exitCode } = verdictOfRun(result);
  const failed = result.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'harness-error');
  const level = exitCode === 0 ? 'notice' : exitCode === 2 ? 'warning' : 'error';
  return [
    `::${level} title=${property(`Conformance: ${word}`)}::${message(`${result.header.target.base}: ${because}`)}`,
    ...failed
      .slice(0, MOST - 1)
      .map((check) => `::error title=${property(check.title)}::${message(briefText(cardOf(result, check)))}`),
  ];
}

/** What a message may not hold is written as GitHub reads it. */
function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

import { judge } from '../../../lifecycle/judge.ts';
import { judgementJson, judgementText } from '../../../lifecycle/judgementText.ts';
import { EXIT } from '../../../reports/outcome.ts';
import { plainText } from '../../../reports/plainText.ts';
import { choice, readFlags } from '../../flags.ts';
import { CHECK_FLAGS } from './flags.ts';
import { namedHistory } from './history.ts';

/** `touchstone lifecycle check FILE`. @returns 0 when the policy is kept, 1 when not. Throws UsageError. */
export function check(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, CHECK_FLAGS);
  const output = choice('output', flags.output ?? 'text', ['text', 'json']);
  const { history } = namedHistory(words, 'touchstone lifecycle check FILE');
  const judgement = judge(history);
  console.log(
    output === 'json' ? judgementJson(judgement) : plainText(judgementText(history, judgement), 'many lines'),
  );
  return judgement.findings.length === 0 ? EXIT.conformant : EXIT.notConformant;
}

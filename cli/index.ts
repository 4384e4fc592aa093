/** What the command can do, for programs: every command with its flags, and what a run came to. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEvents } from '../reports/events.ts';
import { EVENTS_FILE } from '../reports/render.ts';
import { type RunResult, resultOf } from '../reports/results.ts';

export type { Expectation } from '../fixtures/expectations/expectation.ts';
export type { CheckResult } from '../reports/checkResult.ts';
export type { Outcome, RunEvent } from '../reports/events.ts';
export { EXIT, type ExitCode } from '../reports/outcome.ts';
export type { ProfileResult, RequirementResult, RunResult } from '../reports/results.ts';
export { type RunVerdict, verdictOfRun } from '../reports/verdictOfRun.ts';
export { main as touchstone } from './main.ts';

/**
 * What a run came to.
 * @param folder where its reports are: `reports/out`
 * @throws Error when there is no event stream of a run in it
 */
export function readRun(folder: string): RunResult {
  return resultOf(parseEvents(readFileSync(join(folder, EVENTS_FILE), 'utf8')));
}

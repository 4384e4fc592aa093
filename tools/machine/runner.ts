import { CheckRun, type Declaration } from '../../suites/harness/running/checkRun.ts';
import { inLane, newLane } from '../../suites/harness/running/lane.ts';

// Runs one check at a time as often as is asked for: the runner itself takes all its tests before it begins, and starts
// each on its own.

type Test = (() => void) & { extend(): Test };

/** What the harness imports as the runner's `test` without browsers: here nobody asks for tests. */
export const _baseTest: Test = Object.assign(() => {}, { extend: () => _baseTest });

/** What running a check came to, as the runner tells its reporter. */
export interface Run {
  readonly status: 'passed' | 'failed' | 'timedOut';
  readonly errors: readonly { readonly message: string; readonly stack: string }[];
  readonly attachments: ReadonlyMap<string, string>;
}

const lane = newLane();

/**
 * Runs a check.
 * @param given stands in the place of fixtures, by name
 * @param within milliseconds that it may take, unless it asks for more itself, and that it may take to tidy up
 */
export async function runCheck(
  check: Declaration,
  given: ConstructorParameters<typeof CheckRun>[1],
  within: number,
): Promise<Run> {
  const time = deadline(within);
  const run = inLane(lane, () => new CheckRun(check, given, process.pid));
  run.whenAsksForTime(time.extend);
  let timedOut = (await Promise.race([run.over, time.over])) === OVER;
  time.clear();
  if (timedOut) {
    const tidying = deadline(within);
    await Promise.race([run.end(), tidying.over]);
    tidying.clear();
  }
  timedOut ||= !run.isOver;
  const errors = run.errors.map(readable);
  const status = timedOut ? 'timedOut' : errors.length > 0 ? 'failed' : 'passed';
  return { status, errors, attachments: new Map(run.attachments.map(({ name, body }) => [name, String(body)])) };
}

const OVER = Symbol('over');
function deadline(within: number) {
  let timer: NodeJS.Timeout | undefined;
  let end: () => void = () => {};
  const over = new Promise<typeof OVER>((resolve) => {
    end = () => resolve(OVER);
    timer = setTimeout(end, within);
  });
  const clear = () => clearTimeout(timer);
  const extend = (milliseconds: number) => {
    clear();
    timer = setTimeout(end, milliseconds);
  };
  return { over, clear, extend };
}

function readable(error: unknown): { message: string; stack: string } {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  return { message: error.message, stack: error.stack ?? '' };
}

import { _baseTest, type TestInfo } from '@playwright/test';
import { TOOK } from '../../../reports/annotations.ts';
import { keyOf, titleWith } from '../../../reports/checkId.ts';
import { loadTargetFile } from '../target/target.ts';
import type { CheckRun, Declaration } from './checkRun.ts';
import { optimizeLate } from './engine.ts';
import { LANES, Lanes } from './lanes.ts';

// Of the runner and of each worker, which load this before anything of the suites.
optimizeLate();

/** All checks that this process has loaded, in order. */
export const declared: Declaration[] = [];

/** Fixtures that are no steps of a test for Playwright, which would tell the reporter of the begin and the end of each. */
function unseen<Given extends object>(fixtures: Given): Given {
  const boxed = Object.entries(fixtures).map(([name, fixture]: [string, unknown]) => {
    const [body, options]: unknown[] = Array.isArray(fixture) ? fixture : [fixture];
    return [name, [body, { ...(options ?? {}), box: 'self' }]];
  });
  return Object.fromEntries(boxed) as Given;
}

/**
 * Playwright's test, of which each waits for a check. It is the one without browsers: what sets them up would run
 * before and after every check, and note a stack each time.
 */
const test = _baseTest.extend<{ run: CheckRun }, { lanes: Lanes }>(
  unseen({
    lanes: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
      async ({}, use, { workerIndex }) => {
        const lanes = new Lanes(declared, loadTargetFile(), workerIndex, Number(process.env[LANES] ?? 1));
        await use(lanes);
        await lanes.close();
      },
      { scope: 'worker', timeout: 60_000 },
    ],
    run: async ({ lanes }, use, info) => {
      const run = await lanes.runOf(keyOf(info.annotations));
      await use(run);
      // The runner ends what takes too long.
      if (!run.isOver) await run.end();
      // Pushed, they are no steps of the test.
      info.attachments.push(...run.attachments);
      info.annotations.push({ type: TOOK, description: String(Math.round(run.took)) });
    },
  }),
);

/** Declares a test that stands for a check. */
export function declareTest(declaration: Omit<Declaration, 'key'>, tags: readonly string[]): void {
  const { title, annotations } = declaration;
  const key = keyOf(annotations);
  declared.push({ ...declaration, key });
  test(titleWith(title, key), { tag: [...tags], annotation: [...annotations] }, ({ run }, info) => ended(run, info));
}

async function ended(run: CheckRun, info: TestInfo): Promise<void> {
  run.whenAsksForTime((milliseconds) => info.setTimeout(milliseconds));
  await run.over;
  if (run.leftOut !== undefined) info.skip(true, run.leftOut);
  const [error] = run.errors;
  if (error !== undefined) throw error;
}

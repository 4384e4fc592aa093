// Loads the bundle of all checks, of which each file of checks takes its own; see tools/checksBundle.mjs.
import { join } from 'node:path';
// @ts-expect-error: a script without types
import { keepAllCode, loadBundle } from '../cli/loadBundle.mjs';
import { optimizeLate } from '../suites/harness/running/engine.ts';

const BUNDLE = join(__dirname, 'checks.cjs');

/** What it is called in stacks: the runner takes the file of a check for that of its call where both end alike. */
const CALLED = join(__dirname, 'checks.ts');

// Compiled code is of use only where the engine has the same flags.
optimizeLate();

let checks: Readonly<Record<string, () => void>> | undefined;

/** Declares the checks of a file, named from `suites/`. */
export function load(file: string): void {
  checks ??= loadBundle(BUNDLE, CALLED).exports.checks as NonNullable<typeof checks>;
  checks[file]?.();
}

// Most of it is called in every process of a run.
if (process.argv.includes('--keep-code')) keepAllCode(BUNDLE, CALLED);

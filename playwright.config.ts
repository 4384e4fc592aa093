import { extname } from 'node:path';
import { defineConfig } from '@playwright/test';

/** `.ts` in a checkout, `.js` in the package. */
const SCRIPTS = extname(import.meta.filename);

// Started by `touchstone run` and `touchstone mutants`, which say by the environment whom to test and where the
// events go; see suites/harness/target/target.ts and reports/reporter.ts.
const parts = process.env.TOUCHSTONE_PARTS;
export default defineConfig({
  testDir: parts ?? './suites',
  testMatch: parts === undefined ? `**/*.spec${SCRIPTS}` : '*.spec.?js',
  outputDir: process.env.TOUCHSTONE_SCRATCH ?? './test-results',
  // Of a part, all checks are one process's: it runs some of them side by side.
  fullyParallel: parts === undefined,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  reporter: `./reports/reporter${SCRIPTS}`,
});

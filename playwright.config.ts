import { extname } from 'node:path';
import { defineConfig } from '@playwright/test';

/** `.ts` in a checkout, `.js` in the package. */
const SCRIPTS = extname(import.meta.filename);

// Started by `touchstone run` and `touchstone mutants`, which say by the environment whom to test and where the
// events go; see suites/harness/target.ts and reports/reporter.ts.
export default defineConfig({
  testDir: './suites',
  testMatch: `**/*.spec${SCRIPTS}`,
  outputDir: process.env.TOUCHSTONE_SCRATCH ?? './test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  reporter: `./reports/reporter${SCRIPTS}`,
});

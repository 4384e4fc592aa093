import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PlannedCheck } from '../reports/events.ts';
import type { ReporterSettings } from '../reports/reporter.ts';

const ROOT = join(import.meta.dirname, '..');

/** Every check there is, as the runner itself finds them. */
export async function listedChecks(): Promise<readonly PlannedCheck[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-checks-'));
  try {
    const events = join(folder, 'events.ndjson');
    writeFileSync(events, '');
    const settings: ReporterSettings = { events, root: ROOT, strict: false, quiet: true, terminal: false };
    const env = {
      ...process.env,
      TOUCHSTONE_REPORTER: JSON.stringify(settings),
      NODE_OPTIONS: '',
      // The runner reads what maps lines back to the sources out of its cache, and writes it there in place: another
      // process that fills the same cache at that moment would make it tell wrong lines.
      PWTEST_CACHE_DIR: join(folder, 'cache'),
    };
    const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
    // Its standard input stays open: the reporter ends where whoever started it has gone.
    await promisify(execFile)(process.execPath, [cli, 'test', '--list'], { cwd: ROOT, env });
    const planned = readFileSync(events, 'utf8')
      .split('\n')
      .find((line) => line.includes('"type":"checks-planned"'));
    return (JSON.parse(planned ?? '{"checks":[]}') as { checks: readonly PlannedCheck[] }).checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

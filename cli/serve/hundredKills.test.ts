import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCrashes } from '../../suites/crash/crashRun.ts';
import { examineCrashes, PROMISES, type Promised } from '../../suites/crash/examine.ts';
import { crashPlan } from '../../suites/crash/plan.ts';
import { judge } from '../../suites/guarantees/index.ts';
import { type Launched, launch } from '../../suites/harness/starting/launch.ts';
import { builtServe } from '../testing/built.ts';

const SEED = 9;
/** Servers that die beside each other. */
const SERVERS = 4;
/** How often each: TOUCHSTONE_KILLS says how often all of them, a hundred times unless it does. */
const KILLS = Math.ceil(killsAsked(process.env.TOUCHSTONE_KILLS ?? '100') / SERVERS);
const WRITERS = 4;
/** Everything is watched once more from the first version at the end, however long that took. */
const REMEMBERED = '--etcd-compaction-interval=24h';
/** Milliseconds until a server of a busy machine is ready, or shows what was written before. */
const PATIENCE = 120_000;

function killsAsked(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`TOUCHSTONE_KILLS is the number of kills, at least 1, not ${text}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-crash-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
describe('a server that keeps its objects in a directory', { concurrency: SERVERS }, () => {
  for (let server = 1; server <= SERVERS; server++) {
    it(`loses nothing when it is killed ${KILLS} times under load (seed ${SEED + server})`, async () => {
      const plan = crashPlan(SEED + server, KILLS, WRITERS);
      const command = await builtServe('--data-dir', join(scratch, String(server)), REMEMBERED);
      let launched: Launched | undefined;
      const run = await runCrashes(
        {
          begin: async () => {
            launched = await launch(command, PATIENCE);
            return launched.ready;
          },
          kill: async () => launched?.kill(),
        },
        plan,
        PATIENCE,
      ).finally(() => launched?.stop());
      for (const [name, finding] of Object.entries(examineCrashes(run))) {
        const told = finding.violations.map(({ sentence }) => sentence).slice(0, 5);
        assert.deepEqual(told, [], PROMISES[name as Promised]);
        assert.ok(finding.cases > KILLS, `${name} looked at ${finding.cases} cases`);
      }
      const unanswered = run.history.operations.filter(({ status }) => status === undefined);
      assert.ok(unanswered.length > KILLS, `${unanswered.length} requests were cut off`);
      for (const { guarantee, finding } of judge(run.entries)) {
        const told = finding.violations.map(({ sentence }) => sentence).slice(0, 5);
        assert.deepEqual(told, [], guarantee.sentence);
      }
    });
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Connections } from '../../suites/harness/client/connections.ts';
import { isRecord } from '../../suites/harness/json.ts';
import { Prober } from '../../suites/harness/target/probe.ts';
import { startRunning } from '../serve/running.ts';
import { touchstone } from '../testing/command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'diff-'));
after(() => rmSync(scratch, { recursive: true }));

describe('touchstone diff', () => {
  it('takes away what it made when it is interrupted, and writes what it knows', async () => {
    const running = await startRunning(['--embedded', '--clock=system']);
    const { token = '' } = running.credentials.find((each) => each.name === 'admin') ?? {};
    const connections = new Connections({ base: running.base, insecure: true });
    try {
      const prober = new Prober(running.base, connections);
      const made = async (): Promise<readonly string[]> => {
        const { json: body } = await prober.once({ token }, 'GET', '/api/v1/namespaces');
        const items = isRecord(body) && Array.isArray(body.items) ? body.items : [];
        return items.flatMap(({ metadata, status }) =>
          status.phase === 'Active' && metadata.name.startsWith('ts') ? metadata.name : [],
        );
      };
      let begun = false;
      const looking = (async () => {
        while (!begun) begun = (await made()).length > 0;
      })();
      const words = ['diff', running.base, 'reference', '--first-token', token, '--insecure', '--seed', '1'];
      const ended = await touchstone([...words, '--output', scratch], { interruptWhen: () => begun });
      begun = true;
      await looking;
      assert.equal(ended.code, 130, ended.out + ended.errors);
      assert.match(ended.errors, /^interrupted: stopping and cleaning up; once more to stop at once$/m);
      assert.match(ended.out, /do the same: no difference in \d+ requests? in \d+ sequences?/);
      assert.deepEqual(await made(), []);
      const kept: unknown = JSON.parse(readFileSync(join(scratch, 'diff.json'), 'utf8'));
      assert.ok(isRecord(kept) && Number(kept.sequences) < 320);
    } finally {
      await connections.close();
      await running.stop();
    }
  });
});

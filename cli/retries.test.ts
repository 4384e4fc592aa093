import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ConformanceReport } from '../reports/conformanceReport.ts';
import { touchstone } from './testing/command.ts';

/** A server that breaks a rule at times: the first so many lists with a limit have no token. */
const flaky = (times: number) => `
let left = ${times};
export default {
  'forgets-tokens-at-first': {
    statement: 'The first lists that are cut to a size have no token.',
    requirement: 'CHUNK-LIMIT-01',
    response(x) {
      if (x.request.query.get('limit') === null || left === 0) return;
      left -= 1;
      return x.refuse(410, 'Expired', 'come again');
    },
  },
};
`;

describe('a run that tries again what failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-retries-'));
  after(() => rmSync(folder, { recursive: true }));

  async function ran(times: number, retries: number) {
    const file = join(folder, 'flaky.mjs');
    writeFileSync(file, flaky(times));
    const output = join(folder, 'out');
    const choice = ['--only', 'CHUNK-LIMIT-01.1', '--retries', String(retries), '--quiet', '--output', output];
    const violation = ['--violations', file, '--violation', 'forgets-tokens-at-first', '--workers', '1'];
    const { code, out } = await touchstone(['run', ...choice, ...violation]);
    const { findings } = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8')) as ConformanceReport;
    return { code, out, outcomes: findings.map(({ outcome }) => outcome) };
  }

  it('calls what then holds flaky, which is no pass', async () => {
    const { code, out, outcomes } = await ran(1, 1);
    assert.deepEqual(outcomes, ['flaky'], out);
    assert.match(out, /trying 1 check again|1 flaky/);
    assert.match(out, /partial/);
    assert.equal(code, 0, out);
  });
  it('calls what fails each time broken', async () => {
    const { code, out, outcomes } = await ran(1_000, 1);
    assert.deepEqual(outcomes, ['fail'], out);
    assert.equal(code, 1);
  });
});

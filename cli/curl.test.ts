import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { curlScript } from '../reports/curl.ts';
import type { ExchangeRecorded } from '../reports/events.ts';
import { Actor, named } from '../suites/harness/actor.ts';
import { closeEvidence, Evidence, openEvidence } from '../suites/harness/evidence.ts';
import { configMaps } from '../suites/harness/index.ts';
import { Space } from '../suites/harness/space.ts';
import { detect } from '../suites/harness/target/detect.ts';
import { Site } from '../suites/harness/target/site.ts';
import { serveForTests } from './testing/serveForTests.ts';

const run = promisify(execFile);

describe('the curl script of a card', () => {
  it('does what the check did, and is answered the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-curl-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, 'admin-token,admin,1,"system:masters"\n');
    const served = await serveForTests({ flags: [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC'] });
    try {
      const { base, ca } = served;
      const target = await detect({ base, ca, mode: 'url', identities: { admin: { token: 'admin-token' } } });
      const exchanges = await played(new Site({ target, run: { id: 'curl', seed: '', strict: false } }, 0));
      const authority = join(folder, 'ca.crt');
      writeFileSync(authority, ca);
      const script = join(folder, 'again.sh');
      writeFileSync(script, curlScript(base, exchanges));
      const { stdout } = await run('sh', [script], {
        env: { ...process.env, CA: authority, TOKEN_ADMIN: 'admin-token' },
        timeout: 60_000,
      });
      const answered = [...stdout.matchAll(/^HTTP\/[\d.]+ (\d{3})/gm)].map(([, status]) => Number(status));
      const steps = exchanges.filter(({ phase }) => phase !== 'cleanup');
      assert.deepEqual(
        answered,
        steps.map(({ response }) => response?.status),
        stdout,
      );
      // Who wrote is told by the user agent, so that ownership is as it was.
      assert.match(stdout, /"manager": ?"touchstone-rival"/);
    } finally {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** A check that repeats what the server made up: a version that is current, one that has passed, and a uid. */
async function played(site: Site): Promise<ExchangeRecorded[]> {
  const { target } = site;
  const { admin } = target.identities;
  const redactor = site.redactor.copy();
  const evidence = new Evidence({ title: 't', requirements: [], level: 'MUST', strict: false, redactor });
  openEvidence(evidence);
  const client = site.client('admin', admin);
  const space = new Space({ run: 'curl', check: 'c', attempt: 0, admin: client, target, evidence });
  const author = new Actor({ client: site.client('author', admin), space, target, evidence });
  const rival = new Actor({ client: site.client('rival', admin), space, target, evidence });
  const first = await author.given(configMaps, named('doc', { data: { a: "it's" } }));
  await rival.update(configMaps, { ...first, data: { a: '2' } });
  await rival.update(configMaps, { ...first, data: { a: '3' } });
  await author.list(configMaps, { resourceVersion: first.metadata.resourceVersion });
  await author.delete(configMaps, 'doc', {}, { preconditions: { uid: first.metadata.uid } });
  await space.cleanUp();
  const { exchanges } = evidence.sent();
  closeEvidence();
  await site.close();
  return exchanges.map((each) => ({ ...each, check: 'c', variant: '' }));
}

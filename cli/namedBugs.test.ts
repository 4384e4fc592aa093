import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { historyOfText } from '../history/reader.ts';
import { NAMED_BUGS } from '../mutants/namedBugs.ts';
import { MIXES, type Mix } from '../storm/mix.ts';
import { NARROWEST } from '../storm/site.ts';
import { CONNECTION_FAULTS, runStorm } from '../storm/storm.ts';
import { judge } from '../suites/guarantees/index.ts';
import { startRunning } from './serve/running.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-bugs-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * Milliseconds within which watches have to tell the last writes: of a sound server as long as `storm` waits unless
 * told, which costs nothing as it ends once all is told; of a broken one what tells a watch that starves soon.
 */
const SOUND_PATIENCE = 10_000;
const BROKEN_PATIENCE = 1_500;

/** Guarantees that a small storm over the reference, or over one with a bug, finds broken; with what it says of them. */
async function found(name: string, bug?: string, options: { mix?: string; requests?: number; faults?: boolean } = {}) {
  const flags = ['--embedded', '--clock=system', ...(bug === undefined ? [] : [`--mutant=${bug}`])];
  const running = await startRunning(flags, NAMED_BUGS);
  const { token } = running.credentials.find((each) => each.name === 'admin') ?? {};
  const file = join(scratch, `${name}.ndjson`);
  try {
    await runStorm({
      servers: [{ base: running.base, ca: running.ca, identity: { token } }],
      seed: 7,
      mix: MIXES[options.mix ?? 'even'] as Mix,
      clients: 8,
      duration: 60_000,
      requests: options.requests ?? 400,
      faults: options.faults ? CONNECTION_FAULTS : [],
      site: { ...NARROWEST, name: `storm-${name}`, dialect: kubernetes },
      file,
      command: '',
      patience: bug === undefined ? SOUND_PATIENCE : BROKEN_PATIENCE,
      progress: () => undefined,
      signal: new AbortController().signal,
    });
  } finally {
    await running.stop();
  }
  const findings = judge(historyOfText(readFileSync(file, 'utf8')));
  return findings.flatMap(({ guarantee, finding }) =>
    finding.violations.slice(0, 2).map(({ sentence }) => `${guarantee.name}: ${sentence}`),
  );
}

describe('a storm', () => {
  it('finds nothing at the reference', async () => {
    assert.deepEqual(await found('sound', undefined, { requests: 800 }), []);
  });
  it('finds nothing at the reference behind faults', async () => {
    assert.deepEqual(await found('faults', undefined, { requests: 600, faults: true }), []);
  });
  for (const { id, mix, sentence } of NAMED_BUGS) {
    it(`finds ${id}: ${sentence}`, async () => {
      const broken = await found(id, id, { mix: mix ?? 'even', requests: 600 });
      assert.notDeepEqual(broken, []);
    });
  }
});

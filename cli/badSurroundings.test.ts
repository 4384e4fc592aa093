import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtModule } from './testing/built.ts';
import { touchstone } from './testing/command.ts';

/** The command in surroundings that it cannot work in: each is told in one sentence, and ends with 64. */
describe('surroundings that the command cannot work in', () => {
  let folder: string;
  let file: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-bad-'));
    file = join(folder, 'file');
    writeFileSync(file, '');
  });
  after(() => rmSync(folder, { recursive: true }));

  async function refused(args: readonly string[], sentence: RegExp): Promise<void> {
    const { code, out, errors } = await touchstone(args);
    assert.equal(code, 64, errors);
    assert.equal(out, '');
    assert.match(errors, sentence);
    assert.equal(errors.trim().split('\n').length, 1, errors);
    assert.doesNotMatch(errors, /in JSON at|Unexpected token|Expected .* after|not valid JSON/);
  }

  it('are a Node too old', async () => {
    await builtModule('main.js');
    const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.1" } })';
    const launch = join(import.meta.dirname, 'launch.mjs');
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, launch, '--version'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [64, '']);
    assert.equal(stderr, 'touchstone needs Node 20.19 or newer; this is 18.20.1.\n');
  });

  it('are a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const args = ['serve', `--secure-port=${port}`, '--out', join(folder, 'out')];
      await refused(args, new RegExp(`^touchstone serve: port ${port} of 127\\.0\\.0\\.1 is taken; choose another`));
      await refused(['learn', '--port', String(port)], new RegExp(`${port}`));
    } finally {
      server.close();
    }
  });

  it('are folders that cannot be written to', async () => {
    const below = join(file, 'below');
    const why = 'a part of its path is no folder';
    await refused(
      ['serve', '--secure-port=0', '--out', below],
      new RegExp(`^touchstone serve: .*below: ${why}\\.$`, 'm'),
    );
    await refused(['run', '--only', 'CHUNK-LIMIT-02', '--output', below], new RegExp(`${below}: ${why}\\.$`, 'm'));
    await refused(['envtest', 'use', '--dir', below], new RegExp(`${below}: ${why}\\.$`, 'm'));
    await refused(
      ['mutants', '--mutant', 'watch-drops-delete', '--output', below],
      new RegExp(`below: ${why}\\.$`, 'm'),
    );
  });

  it('are places where no folder can be made, which is told before anything is done', async () => {
    const nowhere = /^Nothing can be written to .*: /m;
    const place = process.platform === 'linux' ? '/proc/touchstone' : join(file, 'below');
    for (const words of [['storm'], ['record', '--target', 'http://127.0.0.1:1'], ['diff', 'reference', 'reference']]) {
      await refused([...words, '--output', place], nowhere);
    }
    await refused(['record', '--target', 'http://127.0.0.1:1', '--har', join(place, 'x.har')], nowhere);
    await refused(['record', '--target', 'http://127.0.0.1:1', '--har', folder], /: it is a folder\.$/m);
    await refused(['storm', '--output', file], /file: it is no folder\.$/m);
    await refused(['diff', 'reference', 'reference', '--output', file], /file: it is no folder\.$/m);
    const history = join(folder, 'history-0.ndjson');
    writeFileSync(history, `${JSON.stringify({ type: 'history', format: 1, by: 'storm', began: '' })}\n`);
    await refused(['judge', history, '--html', folder], /: it is a folder\.$/m);
    await refused(['twins', '--output', place], nowhere);
    await refused(['learn', '--export', place], nowhere);
    await refused(['envtest', 'use', '--dir', place], nowhere);
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, '{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}');
    const serve = ['serve', '--secure-port=0', '--out', join(folder, 'out')];
    await refused([...serve, '--data-dir', join(place, 'data')], /^touchstone serve: .* cannot be made: /m);
    const log = ['--audit-policy-file', policy, '--audit-log-path', join(place, 'audit.log')];
    await refused([...serve, ...log], /^touchstone serve: .*audit\.log/m);
  });

  it('are files that are not what they are named for, which is told without the words of a parser', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"a": 1,, "b"\n');
    const named = /broken\.json/;
    await refused(['run', '--shard', '1/2', '--durations', broken], named);
    for (const command of ['learn', 'replay', 'judge', 'recheck', 'report']) await refused([command, broken], named);
    const archive = join(folder, 'cut.har');
    writeFileSync(archive, '{"log": {"entries": [\n{"request": {"url": "x{"}},\n{"request": {"ur');
    await refused(
      ['judge', archive],
      /cut\.har is an HTTP archive that was cut off: it ends in line 3, after 1 whole entry\.$/m,
    );
    const config = join(folder, 'broken.yaml');
    writeFileSync(config, 'run: [\n');
    await refused(['run', '--config', config], /broken\.yaml:\d: /);
    await refused(['serve', '--config', config], /broken\.yaml:\d: /);
    const serve = ['serve', '--secure-port=0', '--out', join(folder, 'out')];
    const flags = ['--restore', '--audit-policy-file', '--encryption-provider-config'];
    for (const flag of [...flags, '--authentication-config', '--authorization-config']) {
      await refused([...serve, `${flag}=${broken}`], named);
    }
  });
  it('are flags that are not there, each told once', async () => {
    await refused(
      ['serve', '--secure-prot', '0'],
      /^touchstone serve: unknown flag --secure-prot; did you mean --secure-port\?/,
    );
    await refused(['run', '--onyl', 'CHUNK-LIMIT-02'], /^There is no flag --onyl\. Did you mean --only\?/);
  });
});

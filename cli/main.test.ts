import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sampleRun } from '../reports/testing/sampleRun.ts';
import { TinyServer } from '../suites/harness/testing/tinyServer.ts';
import { touchstone } from './testing/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-cli-'));
after(() => rmSync(folder, { recursive: true }));
const TOKEN = 'a-token-that-nobody-may-see';
const UNIQUE = ['--only', '1-conventions/object-naming/uniqueness', '--quiet', '--workers', '1'];

/** Everything a user can put right: one sentence, no stack, 64. */
async function refused(args: readonly string[], message: RegExp): Promise<void> {
  const { code, out, errors } = await touchstone(args);
  assert.equal(code, 64, errors);
  assert.match(errors.trim(), message);
  assert.equal(errors.trim().split('\n').length, 1, errors);
  assert.doesNotMatch(errors + out, /\n\s+at /);
}

describe('the command', { concurrency: 2 }, () => {
  it('refuses what it does not know, with the nearest word', async () => {
    await refused(['rnu'], /^There is no command rnu\. Did you mean run\?$/);
    await refused(['run', '--tokn', 'x'], /^There is no flag --tokn\. Did you mean --token\?$/);
    await refused(
      ['run', '--only', 'NAME-UNIQE-01'],
      /^There is no requirement NAME-UNIQE-01\. Did you mean NAME-UNIQUE-01\?$/,
    );
    await refused(['run', '--profile', 'wach'], /^There is no profile wach\. Did you mean watch\? There are core, /);
    await refused(['run', '--dialect', 'klingon'], /^There is no dialect klingon; there are kubernetes and cluster\./);
  });
  it('refuses flags that make no sense', async () => {
    await refused(
      ['run', '--target', 'https://a', '--kubeconfig', 'b'],
      /^Give only one of --target and --kubeconfig\.$/,
    );
    await refused(['run', '--token', 'x'], /^--token needs --target or --kubeconfig/);
    await refused(['run', '--target', 'server'], /is no address; write it as https:\/\/host:port\.$/);
    await refused(['run', '--target', 'https://a', '--client-cert', 'x'], /only of use together/);
    await refused(['run', '--durations', 'x'], /^--durations is what shards are balanced by/);
    await refused(['run', '--shard', '4/3'], /^--shard takes a part and how many there are/);
    await refused(['mutants', '--shard', '0/3'], /^--shard takes a part and how many there are/);
    await refused(['run', '--workers', 'many'], /^--workers takes a whole number/);
    await refused(['run', '--update-expectations'], /needs --expectations FILE/);
  });
  it('judges what somebody wrote down, and refuses what is nothing of that kind', async () => {
    const object = (version: number) => ({
      metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: String(version) },
    });
    const audited = (verb: string, second: number, version: number) =>
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        stage: 'ResponseComplete',
        requestURI: '/api/v1/namespaces/n/configmaps/a',
        verb,
        requestReceivedTimestamp: `2026-01-01T00:00:0${second}.000000Z`,
        stageTimestamp: `2026-01-01T00:00:0${second}.500000Z`,
        responseStatus: { code: 200 },
        responseObject: object(version),
      });
    const log = join(folder, 'audit.log');
    writeFileSync(log, [audited('update', 1, 5), audited('update', 2, 6), audited('get', 3, 6)].join('\n'));
    const kept = await touchstone(['judge', log]);
    assert.equal(kept.code, 0, kept.errors);
    assert.match(kept.out, /^an audit log, 3 operations\n {2}it cannot tell requests that nobody answered/);
    writeFileSync(log, [audited('update', 1, 5), audited('update', 2, 6), audited('get', 3, 5)].join('\n'));
    const stale = await touchstone(['judge', log]);
    assert.equal(stale.code, 1);
    assert.match(stale.out, /✗ linearizable .*\n {4}configmaps n\/a: operation 3 found version 5 after operation 2/);
    const other = join(folder, 'other.txt');
    writeFileSync(other, 'hello\n');
    await refused(
      ['judge', other],
      /is neither a history of Touchstone, nor an audit log .*, nor an HTTP archive \(HAR\)\.$/,
    );
    await refused(['judge', join(folder, 'missing')], /missing cannot be read: it does not exist\.$/);
    await refused(['judge'], /^judge takes one file/);
    for (const nothing of [other, folder, join(folder, 'missing')]) {
      await refused(
        ['shorten', nothing, 'reference'],
        /is neither the folder of a run \(.*\) nor the history of a storm/,
      );
    }
  });
  it('refuses storms that make no sense', async () => {
    await refused(['storm', '--for', 'tomorrow'], /^--for takes a time such as 90s or 5m, not "tomorrow"\.$/);
    await refused(['storm', '--faults', 'rain'], /^--faults takes cut-before, .*, not "rain"\.$/);
    await refused(['storm', '--mix', 'evn'], /^--mix takes .*Did you mean even\?$/);
    await refused(
      ['storm', '--target', 'https://a', '--target', 'https://a'],
      /^Two of --target are the same server\.$/,
    );
    await refused(['storm', '--server-faults', 'kill'], /^--server-faults needs --launch beside it\.$/);
    await refused(['storm', '--server-faults', 'kill', '--launch', 'x'], /has to keep its data: name \{data\}/);
    await refused(['storm', '--mutant', 'x', '--target', 'https://a'], /^--mutant is of the built-in reference/);
  });
  it('says nothing of a server that is too slow for a storm, and keeps what was seen', async () => {
    const output = join(folder, 'storm');
    const storm = await touchstone(['storm', '--requests', '80', '--floor', '1000000', '--quiet', '--output', output]);
    assert.equal(storm.code, 2, storm.errors);
    assert.match(storm.out, /inconclusive: \d+ answers a second are below the floor of 1000000/);
    const again = await touchstone(['judge', join(output, 'history-0.ndjson')]);
    assert.equal(again.code, 0, again.out);
  });
  it('refuses files that cannot be read', async () => {
    const missing = join(folder, 'missing');
    await refused(['run', '--kubeconfig', missing], /missing cannot be read: it does not exist\.$/);
    await refused(['doctor', '--target', 'https://a', '--ca', missing], /authority .*missing cannot be read/);
    await refused(['report', missing], /^There is no run in .*missing/);
    writeFileSync(join(folder, 'broken.ndjson'), '{"type"');
    await refused(['report', join(folder, 'broken.ndjson')], /is no event stream of a run: line 1/);
  });
  it('says in one sentence why a target cannot be tested', async () => {
    const tiny = new TinyServer({ fault: 'refuses-everybody' });
    const base = await tiny.listen();
    await refused(['run', '--target', base, '--token', TOKEN], /refused the credentials it was shown \(401\)\.$/);
    await refused(['run', '--target', base.replace('http:', 'https:')], /cannot be reached: .*https/);
    await tiny.close();
    await refused(['run', '--target', base], /cannot be reached: nobody listens there/);
  });
  it('starts a server by its command, and says why one did not come up', async () => {
    const { code, out, errors } = await touchstone(['doctor', '--launch', 'node cli/launch.mjs serve {flags}']);
    assert.equal(code, 0, errors);
    assert.match(out, /^plain +is stranger$/m);
    await refused(
      ['doctor', '--launch', 'echo no licence >&2; exit 3;'],
      /ended before the server answered: no licence$/,
    );
    await refused(
      ['serve', '--mutant', 'watch-drops-delet'],
      /there is no mutant .*; did you mean watch-drops-delete\?$/,
    );
    const violations = join(import.meta.dirname, '../docs/examples/violations.mjs');
    const one = ['run', '--only', 'CHUNK-LIMIT-02', '--violations', violations, '--violation'];
    for (const names of [['changes-nothin'], ['changes-nothing', '--violation', 'changes-nothin']]) {
      await refused(
        [...one, ...names],
        /no violation changes-nothin in .*violations\.mjs; did you mean changes-nothing\?$/,
      );
    }
    await refused(['run', '--launch', 'x', '--token', 'y'], /^--token makes no sense beside --launch\.$/);
  });
  it('helps', async () => {
    const all = await touchstone(['--help']);
    assert.equal(all.code, 0);
    for (const name of ['run', 'serve', 'report', 'doctor', 'mutants'])
      assert.match(all.out, new RegExp(`^ {2}${name} `, 'm'));
    assert.match((await touchstone(['run', '--help'])).out, /--only ID .*\(may be repeated\)/);
  });
});

describe('the exit code of a run', () => {
  const sound = new TinyServer();
  const faulty = new TinyServer({ fault: 'overwrites-on-create' });
  const bases = { sound: '', faulty: '' };
  before(async () => {
    bases.sound = await sound.listen();
    bases.faulty = await faulty.listen();
  });
  after(async () => {
    await sound.close();
    await faulty.close();
  });
  const run = (base: string, output: string, more: readonly string[] = []) =>
    touchstone(['run', '--target', base, '--token', TOKEN, '--output', join(folder, output), ...UNIQUE, ...more]);

  it('is 0 where nothing is broken; every report is there, and no token in any', async () => {
    const { code, out } = await run(bases.sound, 'sound', ['--history']);
    assert.equal(code, 0, out);
    for (const file of [
      'events.ndjson',
      'report.json',
      'report.yaml',
      'report.html',
      'report.md',
      'junit.xml',
      'history-0.ndjson',
    ]) {
      const path = join(folder, 'sound', file);
      assert.ok(existsSync(path), file);
      assert.ok(!readFileSync(path, 'utf8').includes(TOKEN), file);
    }
    assert.ok(!out.includes(TOKEN));
    assert.deepEqual(sound.paths(), [], 'nothing is left behind');
  });
  it('is 1 where a requirement is broken; 0 once that is expected; 3 once it no longer is so', async () => {
    const expectations = join(folder, 'known.yaml');
    const first = await run(bases.faulty, 'faulty');
    assert.equal(first.code, 1, first.out);
    assert.match(first.out, /NAME-UNIQUE-01\S* \(MUST\)/);
    assert.deepEqual(faulty.paths(), [], 'nothing is left behind');
    const update = await run(bases.faulty, 'faulty', ['--expectations', expectations, '--update-expectations']);
    assert.equal(update.code, 0, update.out);
    assert.match(readFileSync(expectations, 'utf8'), /kind: known-failure/);
    const stale = await run(bases.sound, 'stale', ['--expectations', expectations]);
    assert.equal(stale.code, 3, stale.out);
  });
  it('is 2 where the target does not answer the checks', async () => {
    const tiny = new TinyServer({ fault: 'hangs-up' });
    const { code, out } = await run(await tiny.listen(), 'silent');
    await tiny.close();
    assert.equal(code, 2, out);
  });
  it('is 130 after Ctrl-C, and nothing is left behind', async () => {
    const tiny = new TinyServer({ delay: 150 });
    const base = await tiny.listen();
    const args = [
      'run',
      '--target',
      base,
      '--only',
      '1-conventions/object-naming/uniqueness',
      '--output',
      join(folder, 'interrupted'),
      '--workers',
      '1',
    ];
    const { code, out, errors } = await touchstone(args, { interruptWhen: () => tiny.paths().length > 1 });
    await tiny.close();
    assert.equal(code, 130, out);
    assert.match(errors, /^interrupted: /m);
    assert.deepEqual(tiny.paths(), []);
  });
  it('is that of the run again when its report is written once more', async () => {
    for (const [outcome, expected] of [
      ['pass', 0],
      ['fail', 1],
      ['inconclusive', 2],
      ['harness-error', 70],
    ] as const) {
      const stream = join(folder, `${outcome}.ndjson`);
      const broken = outcome === 'fail' ? ['a taken name is refused'] : [];
      writeFileSync(
        stream,
        sampleRun([{ outcome, broken, reason: 'r' }])
          .map((event) => JSON.stringify(event))
          .join('\n'),
      );
      const { code, errors } = await touchstone(['report', stream, '--output', join(folder, outcome)]);
      assert.equal(code, expected, errors);
    }
  });
});

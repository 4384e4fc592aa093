import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { touchstone } from '../../testing/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lifecycle-'));
after(() => rmSync(folder, { recursive: true }));
const EXAMPLE = join(import.meta.dirname, '../../../docs/examples/timeline.yaml');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const lifecycle = (...args: string[]) => touchstone(['lifecycle', ...args]);

describe('the lifecycle command', { concurrency: 2 }, () => {
  it('finds nothing in the example, for people and for programs', async () => {
    const text = await lifecycle('check', EXAMPLE);
    assert.deepEqual([text.code, text.errors, text.out], [0, '', '1 API group over 16 releases: the policy is kept\n']);
    const json = await lifecycle('check', EXAMPLE, '--output', 'json');
    assert.equal(json.code, 0);
    assert.deepEqual(JSON.parse(json.out), { conformant: true, findings: [], excepted: [], idleExceptions: [] });
  });

  it('names rule, element, releases and remedy of what it finds, and ends with 1', async () => {
    const broken = file(
      'broken.yaml',
      readFileSync(EXAMPLE, 'utf8').replace(
        'X+15: { versions: { v2: served, v1: deprecated }',
        'X+15: { versions: { v2: served }',
      ),
    );
    const json = await lifecycle('check', broken, '--output=json');
    assert.equal(json.code, 1);
    const [finding] = (JSON.parse(json.out) as { findings: Record<string, unknown>[] }).findings;
    assert.deepEqual(
      [finding?.rule, finding?.statement, finding?.element, finding?.releases],
      ['4a', '3/api-lifetime-rules/b1', 'widgets.example.com/v1', ['X+14', 'X+15']],
    );
    const text = await lifecycle('check', broken);
    assert.equal(text.code, 1);
    assert.match(
      text.out,
      /^✗ rule 4a {2}widgets\.example\.com\/v1\n.*removed in X\+15.*\n {2}To make it right: Serve it/,
    );
  });

  it('draws to a file and to standard output alike', async () => {
    const output = join(folder, 'timeline.svg');
    assert.deepEqual(await lifecycle('plot', EXAMPLE, '-o', output), { code: 0, out: '', errors: '' });
    const { code, out } = await lifecycle('plot', EXAMPLE);
    assert.deepEqual([code, out], [0, readFileSync(output, 'utf8')]);
  });

  it('tells what an upgrade does to the manifests below a folder', async () => {
    mkdirSync(join(folder, 'chart/.hidden'), { recursive: true });
    file('chart/job.yaml', 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: { name: nightly }\n');
    file('chart/values.yaml', 'replicas: 2\n');
    file('chart/.hidden/old.yaml', 'apiVersion: extensions/v1beta1\nkind: Ingress\n');
    file('chart/README.md', '# no manifest');
    const stops = await lifecycle('upgrade', '--from', '1.24', '--to', '1.25', join(folder, 'chart'));
    assert.equal(stops.code, 1);
    assert.match(stops.out, /job\.yaml:1 {2}batch\/v1beta1 CronJob nightly\n.*use batch\/v1 CronJob/);
    assert.match(stops.out, /From 1\.24 to 1\.25: 1 not served, 0 to look at, 0 fine, 1 no objects/);
    const warns = await lifecycle('upgrade', '--from=1.23', '--to=1.24', '--output=json', join(folder, 'chart'));
    const { ready, objects } = JSON.parse(warns.out) as { ready: boolean; objects: { fate: string }[] };
    assert.deepEqual([warns.code, ready, objects.map(({ fate }) => fate)], [0, true, ['warns']]);
  });

  it('does not call ready what it could not read', async () => {
    const template = file('template.yaml', 'kind: {{ .Values.kind }}\n');
    const { code, out } = await lifecycle('upgrade', '--from=1.24', '--to=1.25', template);
    assert.equal(code, 64);
    assert.match(out, /template\.yaml:1\n {4}It is a template and no YAML yet/);
  });

  for (const [args, message] of [
    [[], /^lifecycle is check, plot or upgrade/],
    [['chekc'], /^There is no command lifecycle chekc\. Did you mean check\?/],
    [['check'], /^This takes one release history/],
    [['check', 'a', 'b'], /^This takes one release history/],
    [['check', join(folder, 'none')], /none cannot be read: it does not exist\.$/],
    [['check', EXAMPLE, '--output', 'jsno'], /^--output takes text, json, not "jsno"\. Did you mean json\?$/],
    [
      ['check', file('wrong.yaml', 'releases: []\nfoo: 1\n')],
      /wrong\.yaml is no release history:\nline 1: releases: it may not be empty\nline 2: there is no member "foo" here$/,
    ],
    [
      ['plot', file('bare.yaml', 'releases: [{ name: a, date: 2024-01-15 }]\n')],
      /has neither groups nor configurations to draw\.$/,
    ],
    [
      ['plot', EXAMPLE, '-o', join(folder, 'no/such.svg')],
      /^The drawing cannot be written to .*: it does not exist\.$/,
    ],
    [['upgrade', 'x'], /^--from is needed/],
    [['upgrade', '--from=1.25', '--to=1.24', 'x'], /^--from is a later release/],
    [['upgrade', '--from=latest', '--to=1.24', 'x'], /^--from takes a release such as 1\.25, not "latest"/],
    [['upgrade', '--from=1.24', '--to=1.25'], /^Name files or folders/],
    [['upgrade', '--from=1.24', '--to=1.25', '--dialect=klingon', 'x'], /^There is no dialect klingon/],
  ] as const) {
    it(`refuses ${args.map((each) => each.replace(folder, '')).join(' ') || 'nothing'}`, async () => {
      const { code, errors, out } = await lifecycle(...args);
      assert.deepEqual([code, out], [64, '']);
      assert.match(errors.trim(), message);
    });
  }
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Completed, completionScript, type Shell } from './shells.ts';

const COMMANDS: readonly Completed[] = [
  {
    words: ['run'],
    about: "judge somebody's server",
    flags: {
      target: { value: 'URL', help: 'where it is: an address' },
      output: { value: 'DIR', help: 'where reports go [a folder]' },
      storage: { value: 'NAME', help: 'where', choices: ['memory', 'lmdb'] },
      strict: { help: 'be strict' },
    },
  },
  { words: ['lifecycle'], about: 'releases', flags: {} },
  { words: ['lifecycle', 'plot'], about: 'draw', flags: { output: { value: 'FILE', help: 'where', short: 'o' } } },
];

function isThere(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** What bash offers behind some words; the last is being written. */
function offered(...words: readonly string[]): string[] {
  const line = ['touchstone', ...words];
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: '/' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  it('offers commands and flags in bash', { skip: !isThere('bash') }, () => {
    assert.deepEqual(offered(''), ['run', 'lifecycle']);
    assert.deepEqual(offered('ru'), ['run']);
    assert.deepEqual(offered('lifecycle', ''), ['plot']);
    assert.deepEqual(offered('lifecycle', 'plot', '--'), ['--output']);
    assert.deepEqual(offered('run', '--s'), ['--storage', '--strict']);
    assert.deepEqual(offered('run', '--strict', '--t'), ['--target']);
    assert.deepEqual(offered('run', '--storage', 'm'), ['memory']);
    assert.ok(offered('run', '--output', 'us').includes('usr'));
  });
  for (const shell of ['zsh', 'fish'] as const) {
    it(`is a script that ${shell} reads`, { skip: !isThere(shell) }, () => {
      const folder = mkdtempSync(join(tmpdir(), 'touchstone-shell-'));
      const file = join(folder, 'script');
      writeFileSync(file, completionScript(shell, COMMANDS));
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      assert.equal(stderr, '');
      assert.equal(status, 0);
    });
  }
  it('tells zsh and fish what each flag is for, whatever it holds', () => {
    assert.match(completionScript('zsh', COMMANDS), /'--output=\[where reports go \\\[a folder\\\]\]:DIR:_files -\/'/);
    assert.match(completionScript('zsh', COMMANDS), /'run:judge somebody'\\''s server'/);
    assert.match(
      completionScript('fish', COMMANDS),
      /from lifecycle; and __fish_seen_subcommand_from plot' -l output -s o -r -F/,
    );
  });
});

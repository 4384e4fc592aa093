import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { requirementOf } from '../fixtures/ledger/index.ts';
import type { Mutant } from './mutant.ts';

const HERE = import.meta.dirname;
const LEDGER = join(HERE, '../fixtures/ledger');
const FOLDERS = ['conventions', 'access', 'releases'];

/** The lists that a module exports: requirements or mutants. */
async function exportsOf(path: string): Promise<readonly object[]> {
  return Object.values((await import(path)) as Record<string, object>);
}

const filesIn = (root: string): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );

/** Lines of a module that keep something between its uses: formatted code has what is its own at the margin. */
function stateIn(text: string): string[] {
  const kept = [
    // A variable.
    /^(export )?(let|var) /,
    // A table that is filled later, or what a call made: a seam of the module, with all that it remembers.
    /^(export )?const \w+(: [^=]+)? = (new (?!RegExp)|\[\];|\{\};|\(?[\w.]+(<[^=]*>)?\((?!.*=>))/,
    // What is made and called at once.
    /[\s:=]\(\(\) => \{?$/,
    /\}\)\(\)/,
  ];
  return text.split('\n').filter((line) => kept.some((pattern) => pattern.test(line)));
}

describe('the mutants', () => {
  it('keep nothing in their modules: several servers share a process', () => {
    const modules = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    assert.ok(modules.length > FOLDERS.length);
    const found = modules.flatMap((name) =>
      stateIn(readFileSync(join(HERE, name), 'utf8')).map((line) => `${name}: ${line}`),
    );
    assert.deepEqual(found, [], 'what a mutant remembers stands in its defect');
  });

  it('would be seen to keep something', () => {
    for (const line of [
      'const used = new Set<string>();',
      'const first = new Map<string, JsonObject[string]>();',
      'const configured: JwtOptions[] = [];',
      'export const seen: Record<string, number> = {};',
      'let last = 0;',
      'const remembering = onIssuers((jwt) => {'.replace('(jwt) => {', 'keep)'),
      '    defect: (() => {',
      '    })(),',
    ])
      assert.deepEqual(stateIn(line), [line]);
    for (const line of [
      "const WRITES = ['create'] as const;",
      'const isApply = (call: Call) => call.verb;',
      'const DAY = 24 * 60;',
    ])
      assert.deepEqual(stateIn(line), []);
  });

  it('are made anew for each server', async () => {
    const { MUTANTS } = await import('./index.ts');
    const shared = MUTANTS.flatMap(({ id, defect }) => {
      const [one, other] = [defect(), defect()].map((each) => ({ ...each, ...each.start }) as Record<string, unknown>);
      assert.ok(one && Object.keys(one).length > 0, `${id} changes nothing`);
      return Object.keys(one).flatMap((name) => (one[name] === other?.[name] ? [`${id}: ${name}`] : []));
    });
    assert.deepEqual(shared, [], 'one function for all servers');
  });

  it('have ids of their own, and stand in the file that is named as that of a requirement they break', async () => {
    const seen = new Map<string, string>();
    for (const file of filesIn(HERE)) {
      assert.ok(existsSync(join(LEDGER, file)), `the ledger has no ${file}`);
      const ids = new Set((await exportsOf(join(LEDGER, file))).flatMap((requirements) => Object.keys(requirements)));
      for (const { id, breaks } of (await exportsOf(join(HERE, file))).flat() as Mutant[]) {
        assert.ok(!seen.has(id), `${id} is in ${seen.get(id)} and in ${file}`);
        seen.set(id, file);
        assert.ok(
          breaks.some((each) => ids.has(requirementOf(each))),
          `${id} breaks nothing of ${file}`,
        );
      }
    }
    const { MUTANTS } = await import('./index.ts');
    assert.deepEqual(MUTANTS.map(({ id }) => id).sort(), [...seen.keys()].sort(), 'index.ts lists them all');
  });
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
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
  FOLDERS.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));

describe('the mutants', () => {
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

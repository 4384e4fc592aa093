import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SetupFiles } from './setupFiles.ts';

const pathIn = (files: SetupFiles) => files.flags[0]?.split('=')[1] ?? '';

describe('the files of a setup', () => {
  it('stand where flags and other files say, for our eyes only, and are gone afterwards', () => {
    const files = new SetupFiles({
      flags: ['--config={config.json}', '--keep={other}'],
      files: { 'config.json': { ca: '{ca.crt}', rule: '{claims.a}' }, 'ca.crt': 'PEM' },
    });
    const config = JSON.parse(readFileSync(pathIn(files), 'utf8'));
    assert.equal(readFileSync(config.ca, 'utf8'), 'PEM');
    assert.equal(config.rule, '{claims.a}', 'braces that name no file stay');
    assert.equal(files.flags[1], '--keep={other}');
    assert.equal(statSync(pathIn(files)).mode & 0o777, 0o600);
    files.remove();
    assert.equal(existsSync(pathIn(files)), false);
  });
  it('can be written anew, those that there are', () => {
    const files = new SetupFiles({ flags: ['--config={a}'], files: { a: 'one' } });
    files.write('a', { two: 2 });
    assert.deepEqual(JSON.parse(readFileSync(pathIn(files), 'utf8')), { two: 2 });
    assert.throws(() => files.write('b', ''), /no file b/);
    files.remove();
  });
});

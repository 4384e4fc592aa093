import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { configSchema } from './configSchema.ts';
import type { FlagTable } from './flags.ts';
import { COMMANDS } from './help.ts';
import { variableOf, withSettings } from './settings.ts';
import { UsageError } from './usageError.ts';

const FLAGS = {
  target: { value: 'URL', help: 'where it is', oneOf: 'server' },
  launch: { value: 'CMD', help: 'how it starts', oneOf: 'server' },
  only: { value: 'ID', help: 'what to run', many: true },
  output: { value: 'FORM', help: 'how it is told', local: true },
  strict: { help: 'be strict' },
  lookup: { help: 'on unless told', on: true },
} as const satisfies FlagTable;

const settled = (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  withSettings({ command: ['run'], flags: FLAGS, commands: ['run', 'serve'] }, argv, environment);

/** With a configuration file of this text. */
async function configured(text: string, argv: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-config-'));
  try {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, text);
    return await settled([`--config=${file}`, ...argv], environment);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const refused = (made: Promise<unknown>, message: RegExp) =>
  assert.rejects(made, (error) => error instanceof UsageError && message.test(error.message));

describe('settings of flags', () => {
  it('come from variables where the command line is silent', async () => {
    assert.deepEqual(await settled(['word'], { TOUCHSTONE_TARGET: 'https://a', TOUCHSTONE_STRICT: 'yes' }), [
      '--target=https://a',
      '--strict',
      'word',
    ]);
    assert.deepEqual(await settled(['--target', 'https://b'], { TOUCHSTONE_TARGET: 'https://a' }), [
      '--target',
      'https://b',
    ]);
    assert.deepEqual(await settled([], { TOUCHSTONE_TARGET: '', TOUCHSTONE_STRICT: '0' }), []);
    assert.deepEqual(await settled([], { TOUCHSTONE_LOOKUP: 'false' }), ['--lookup=false']);
  });
  it('of one choice give way together', async () => {
    assert.deepEqual(await settled(['--launch', 'x'], { TOUCHSTONE_TARGET: 'https://a' }), ['--launch', 'x']);
    assert.deepEqual(await configured('run: {launch: x}', [], { TOUCHSTONE_TARGET: 'u' }), ['--target=u']);
  });
  it('are not taken from variables where another command means something else', async () => {
    assert.deepEqual(await settled([], { TOUCHSTONE_OUTPUT: 'json' }), []);
  });
  it('come from the file last', async () => {
    const text = 'run:\n  target: https://c\n  only: [A, B]\n  strict: true\n  output: json\nserve:\n  anything: 1\n';
    assert.deepEqual(await configured(text, ['--strict'], { TOUCHSTONE_ONLY: 'C' }), [
      '--only=C',
      '--target=https://c',
      '--output=json',
      '--strict',
    ]);
    assert.deepEqual(await configured('run: {only: [A, 1.30], lookup: false}'), [
      '--only=A',
      '--only=1.30',
      '--lookup=false',
    ]);
    assert.deepEqual(await configured('# nothing\n'), []);
    assert.deepEqual(await configured('$schema: ./touchstone.schema.json\nrun: {strict: true}\n'), ['--strict']);
  });
  it('that are wrong are named with their line', async () => {
    await refused(
      configured('run:\n  strict: true\n  tagret: x\n'),
      /mine\.yaml:3: run: there is no member "tagret" here\.$/,
    );
    await refused(configured('run:\n  strict: maybe\n'), /mine\.yaml:2: run\.strict: it has to be true or false\.$/);
    await refused(configured('rnu: {}\n'), /mine\.yaml:1: there is no command rnu\.$/);
    await refused(configured('run: [\n'), /mine\.yaml:\d+: /);
    await refused(settled(['--config']), /^--config needs a value: --config FILE\.$/);
    await refused(settled(['--config', 'nowhere.yaml']), /nowhere\.yaml cannot be read: it does not exist\.$/);
    await refused(settled([], { TOUCHSTONE_STRICT: 'maybe' }), /^TOUCHSTONE_STRICT is true or false, not "maybe"\.$/);
  });
  it('have no variable that means something else inside', () => {
    const inside = new Set<string>();
    for (const folder of ['cli', 'suites/harness', 'reports', 'tools']) {
      for (const name of readdirSync(join(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' })) {
        if (!/\.(ts|mjs)$/.test(name) || /\.test\.ts$/.test(name)) continue;
        const text = readFileSync(join(import.meta.dirname, '..', folder, name), 'utf8');
        // What is read or set by its name, and not explained to people.
        for (const [, found = ''] of text.matchAll(/(?:env\.|= '|^ {4})(TOUCHSTONE_[A-Z_]+)/gm)) inside.add(found);
      }
    }
    assert.ok(inside.has('TOUCHSTONE_BUILT') && inside.has('TOUCHSTONE_TARGET_FILE'));
    const flags = Object.values(COMMANDS).flatMap((command) => Object.keys(command.flags ?? {}));
    assert.deepEqual(
      [...new Set(flags)].map(variableOf).filter((name) => inside.has(name)),
      [],
    );
  });
});

describe('the schema of a configuration file', () => {
  const validate = new Ajv({ strict: false }).compile(configSchema(COMMANDS));

  it('takes what every flag takes', () => {
    assert.ok(
      validate({ run: { only: ['A'], workers: 2, strict: true }, serve: { 'secure-port': 0, clock: 'virtual' } }),
    );
    assert.ok(validate({ lifecycle: { upgrade: { from: '1.21', to: 1.25 } } }));
    assert.ok(validate({ $schema: './node_modules/touchstone/lib/touchstone.schema.json', run: {} }));
  });
  it('refuses what no flag takes', () => {
    assert.ok(!validate({ run: { nothing: 1 } }));
    assert.ok(!validate({ run: { $schema: './touchstone.schema.json' } }));
    assert.ok(!validate({ serve: { clock: 'sundial' } }));
    assert.ok(!validate({ lifecycle: { from: '1.21' } }));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from '../reference/collections/nearest.ts';
import { type FlagTable, flagHelp, readFlags, wholeNumber } from './flags.ts';
import { UsageError } from './usageError.ts';

const TABLE = {
  token: { value: 'TOKEN', help: 'who we are', secret: true },
  only: { value: 'ID', help: 'what to run', many: true },
  strict: { help: 'be strict' },
} as const satisfies FlagTable;
const refused = (argv: string[], message: RegExp) =>
  assert.throws(
    () => readFlags(argv, TABLE),
    (error) => error instanceof UsageError && message.test(error.message),
  );

describe('flags', () => {
  it('are read by their types', () => {
    const { flags, words } = readFlags(['--token', 't', '--only=A,B', '--only', 'C', '--strict', 'word'], TABLE);
    assert.deepEqual(flags, { token: 't', only: ['A', 'B', 'C'], strict: true });
    assert.deepEqual(words, ['word']);
    assert.deepEqual(readFlags([], TABLE).flags, { token: undefined, only: [], strict: false });
  });
  it('take a value that begins with a dash where it is joined', () => {
    assert.equal(readFlags(['--token=--odd'], TABLE).flags.token, '--odd');
  });
  it('that do not exist are named, with the nearest that does', () => {
    refused(['--tokn', 'x'], /^There is no flag --tokn\. Did you mean --token\?$/);
    refused(['--zzzzzzzz'], /^There is no flag --zzzzzzzz\.$/);
    refused(['--constructor'], /There is no flag --constructor/);
  });
  it('without their value, with one too many, or given twice are refused', () => {
    refused(['--token'], /^--token needs a value: --token TOKEN\.$/);
    refused(['--token', '--strict'], /^--token needs a value/);
    refused(['--token='], /^--token needs a value/);
    refused(['--strict=yes'], /^--strict takes no value\.$/);
    refused(['--token', 'a', '--token', 'b'], /^--token may be given only once\.$/);
  });
  it('are told in help', () => assert.match(flagHelp(TABLE), /^ {2}--only ID +what to run \(may be repeated\)$/m));
  it('hold numbers in their range', () => {
    assert.equal(wholeNumber('workers', '4', 1, 64), 4);
    for (const text of ['0', '65', '1.5', '-1', '1e1', '', 'x']) {
      assert.throws(() => wholeNumber('workers', text, 1, 64), /--workers takes a whole number from 1 to 64/);
    }
  });
});

describe('the nearest word', () => {
  const words = ['NAME-UNIQUE-01', 'NAME-REUSE-01', 'run', 'report'];
  it('is the one a slip away', () => {
    assert.equal(nearest('NAME-UNIQE-01', words), 'NAME-UNIQUE-01');
    assert.equal(nearest('rnu', words), 'run');
    assert.equal(nearest('name-reuse-01', words), 'NAME-REUSE-01');
  });
  it('is none where nothing is like it', () => assert.equal(nearest('WATCH', words), undefined));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFlags } from './flags.ts';

/** What is said of a command line that is not as it should be. */
function errorsOf(...argv: readonly string[]): readonly string[] {
  const parsed = parseFlags(argv);
  return 'errors' in parsed ? parsed.errors : [];
}

describe('flags that are not as they should be', () => {
  it('are each told in one sentence, what stands behind them included', () => {
    assert.deepEqual(errorsOf('--no-such-flag', 'value', '--secure-port=0'), ['unknown flag --no-such-flag']);
    assert.deepEqual(errorsOf('--secure-prot', '0'), ['unknown flag --secure-prot; did you mean --secure-port?']);
    assert.deepEqual(errorsOf('--secure-prot=0', 'word'), [
      'unknown flag --secure-prot; did you mean --secure-port?',
      'unexpected word "word": every option begins with --',
    ]);
    assert.deepEqual(errorsOf('--no-such-flag', '--nor-this'), [
      'unknown flag --no-such-flag',
      'unknown flag --nor-this',
    ]);
    assert.deepEqual(errorsOf('--secure-port', 'x'), [
      'invalid value "x" for --secure-port: a whole number from 0 to 65535 is expected',
    ]);
    assert.deepEqual(errorsOf('--secure-port'), ['--secure-port needs a value']);
  });
  it('say how a switch is given a value', () => {
    assert.deepEqual(errorsOf('--explain', 'false'), [
      'unexpected word "false": every option begins with --; did you mean --explain=false?',
    ]);
    assert.deepEqual(errorsOf('false'), ['unexpected word "false": every option begins with --']);
  });
});

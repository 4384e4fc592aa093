import assert from 'node:assert/strict';
import { mock } from 'node:test';

/** What a command of ours prints, which has to end well. */
export async function printed(run: () => Promise<number>): Promise<string> {
  const log = mock.method(console, 'log', () => {});
  try {
    assert.equal(await run(), 0);
    return log.mock.calls.map(({ arguments: [line] }) => line).join('\n');
  } finally {
    log.mock.restore();
  }
}

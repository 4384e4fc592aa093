import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Agent, fetch } from 'undici';
import { LaunchFailed, launch } from '../../suites/harness/starting/launch.ts';
import { builtModule } from '../testing/built.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-stand-in-test-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A server with nothing but what a stand-in needs: flags, TLS, `/readyz` for its users, and words on both streams. */
const script = join(scratch, 'server.mjs');
writeFileSync(
  script,
  `import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.slice(2).split(/=(.*)/s)));
if (flags.odd) { console.error('odd is no flag'); process.exit(1); }
const users = Object.fromEntries(readFileSync(flags['token-auth-file'], 'utf8').trim().split('\\n').map((line) => line.split(',')));
console.error('warning: ' + flags.old + ' is deprecated');
console.log('listening on ' + flags['secure-port']);
createServer(
  { cert: readFileSync(flags['tls-cert-file']), key: readFileSync(flags['tls-private-key-file']) },
  ({ headers: { authorization = '' } }, answer) => answer.end(users[authorization.slice('Bearer '.length)] ?? ''),
).listen(Number(flags['secure-port']), flags['bind-address']);
`,
);
const standIn = async (...flags: readonly string[]) => {
  const main = `process.exitCode = await (await import('${await builtModule('main.js')}')).main(process.argv.slice(1));`;
  const command = [process.execPath, '--input-type=module', '--eval', main, '--', 'stand-in'];
  return launch([...command, `${process.execPath} ${script} {flags}`, ...flags], 60_000);
};

describe('a stand-in', () => {
  it('starts any server with flags of its own and those asked for, and passes on its words', async () => {
    const { ready, said, stop } = await standIn('--old=thing');
    try {
      const dispatcher = new Agent({ connect: { ca: ready.ca } });
      const nameOf = async (token: string) =>
        (await fetch(ready.base, { dispatcher, headers: { authorization: `Bearer ${token}` } })).text();
      assert.equal(await nameOf(ready.identities.admin?.token ?? ''), 'admin');
      assert.equal(await nameOf(ready.identities.plain?.token ?? ''), 'stranger');
      await dispatcher.close();
      assert.match(said(), /warning: thing is deprecated/);
      assert.match(said(), /listening on \d+/);
    } finally {
      await stop();
    }
  });
  it('tells the last words of a server that does not start', async () => {
    await assert.rejects(
      standIn('--odd=1'),
      (error) => error instanceof LaunchFailed && /odd is no flag/.test(error.message),
    );
  });
});

// `npm run golden [-- AREA …]`: replays recordings of a real server against a reference that follows the service,
// and prints the score by area. The recordings and their replayer are not part of this repository; GOLDEN_DIR
// names their folder, ../shared/golden unless told.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './build.mjs';

const recordings = resolve(root, process.env.GOLDEN_DIR ?? '../shared/golden');
if (!existsSync(join(recordings, 'wire.mjs'))) {
  console.error(`No recordings in ${recordings}; GOLDEN_DIR names their folder.`);
  process.exit(64);
}
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'));
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const areas =
  asked.length > 0
    ? asked
    : readdirSync(recordings).filter((name) => name !== 'launch' && statSync(join(recordings, name)).isDirectory());

const directory = mkdtempSync(join(tmpdir(), 'golden-'));
let status = 70;
try {
  execFileSync('bash', [join(recordings, 'pki.sh'), directory], { stdio: 'ignore' });
  const file = (name) => join(directory, name);
  const server = spawn(
    process.execPath,
    [
      join(root, 'cli/launch.mjs'),
      'serve',
      '--embedded',
      '--clock=system',
      '--follow=service',
      `--out=${file('out')}`,
      `--token-auth-file=${join(recordings, 'tokens.csv')}`,
      `--client-ca-file=${file('ca.crt')}`,
      `--tls-cert-file=${file('server.crt')}`,
      `--tls-private-key-file=${file('server.key')}`,
      `--service-account-signing-key-file=${file('sa.key')}`,
      `--service-account-key-file=${file('sa.pub')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--enable-bootstrap-token-auth',
      // What was recorded ran without these.
      '--controllers=*,-persistentvolume-protection-controller,-persistentvolumeclaim-protection-controller,-resourcequota-controller',
      ...(process.env.GOLDEN_FLAGS?.split(' ') ?? []),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const base = await new Promise((found, failed) => {
    server.once('exit', (code) => failed(new Error(`the reference ended with ${code} before it was ready`)));
    createInterface({ input: server.stdout }).on('line', (line) => found(JSON.parse(line).base));
  });
  status =
    spawnSync(
      process.execPath,
      [
        join(recordings, 'wire.mjs'),
        'replay',
        '--base',
        base,
        '--identities',
        file('identities.json'),
        ...flags,
        ...areas.map((area) => (existsSync(area) ? area : join(recordings, area))),
      ],
      { stdio: 'inherit' },
    ).status ?? 70;
  server.removeAllListeners('exit');
  server.stdin.end();
  await new Promise((ended) => server.once('exit', ended));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(status);

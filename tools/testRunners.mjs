// `npm run smoke:runners`: packs, installs the package into an empty project beside Jest and Vitest, and runs tests with a
// server each. Not part of the gate: the two runners are a hundred megabytes, and change what they do by themselves.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build.mjs';

const VERSIONS = { jest: '30', vitest: '4' };
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

const BODY = `
import { apiServers } from 'touchstone/test';
const servers = apiServers({ namespaces: ['team'], users: { jane: { clusterRole: 'view', namespace: 'team' } } });
const PATH = '/api/v1/namespaces/team/configmaps';
const create = (actor) =>
  actor.fetch(PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  });
for (const time of ['first', 'second']) {
  test('each has a server of its own: ' + time, servers.test(async (server) => {
    expect((await create(server)).status).toBe(201);
  }));
}
test('fails: jane may not write', servers.test(async (server) => {
  expect((await create(server.as('jane'))).status).toBe(201);
}));
`;
const FIXTURE = `
const it = test.extend({ server: servers.vitest });
it('has it as a fixture', async ({ server }) => {
  expect((await create(server)).status).toBe(201);
});
it('fails as a fixture', async ({ server }) => {
  expect((await create(server.as('jane'))).status).toBe(201);
});
`;
/** By runner: the file of its tests, how it is started, and how many tests pass and fail. */
const RUNNERS = {
  jest: {
    file: 'a.test.js',
    text: BODY,
    args: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--colors=false', 'a.test.js'],
    passes: 2,
    fails: 1,
  },
  vitest: {
    file: 'b.spec.js',
    text: `import { expect, test } from 'vitest';${BODY}${FIXTURE}`,
    args: ['node_modules/vitest/vitest.mjs', 'run', 'b.spec.js'],
    passes: 3,
    fails: 2,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'touchstone-runners-'));
let failed = 0;
try {
  run(root, 'npm', 'pack', '--silent', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  run(folder, 'npm', 'install', `./${tarball}`, ...wanted, ...QUIET);
  for (const [name, { file, text, args, passes, fails }] of Object.entries(RUNNERS)) {
    writeFileSync(join(folder, file), text);
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    const said = `${stdout}${stderr}`;
    const counted = new RegExp(`Tests.*\\b${fails} failed.*\\b${passes} passed`).test(said);
    // What reached the server, and why it was refused, stands with each failure.
    const told = said.split(/POST \/api\/v1\/namespaces\/team\/configmaps.*403/).length > fails;
    const good = counted && told;
    console.log(`${good ? 'passed' : 'FAILED'}  ${name}`);
    if (!good) console.log(said);
    failed += good ? 0 : 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

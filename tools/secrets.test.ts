import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { embedded } from '../cli/reach.ts';
import { touchstone } from '../cli/testing/command.ts';
import { launch } from '../suites/harness/starting/launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Checks that show credentials of every kind, that write them into files and that ask for them. */
const CHECKS = [
  'TOKENFILE-COLUMNS-01',
  'TOKENFILE-RESTART-01',
  'TOKENREVIEW-ANSWER-01',
  'TOKENREVIEW-SERVED-01',
  'OIDC-TOKEN-01',
  'BOOTSTRAP-TOKEN-01',
  'SATOKEN-CREATE-01',
  'CERT-SUBJECT-01',
  'IDENTITY-BEARER-01',
];
/** What the credentials of those checks look like. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a static token': /[a-z]+-of-the-token-file/,
  'a token for review': /opaque-token-[a-z]/,
  'a JWT': /eyJ[\w-]{8,}\.[\w-]{8,}/,
  'a bootstrap token': /"[0-9a-f]{6}\.[0-9a-f]{16}"/,
  'a private key': /PRIVATE KEY-----(\\n|\n)[A-Za-z0-9+/]/,
  'a bearer token': /Bearer (?!<redacted>)[\w.-]{6,}/,
};

function* filesBelow(path: string): Generator<string> {
  for (const name of readdirSync(path)) {
    const each = join(path, name);
    if (statSync(each).isDirectory()) yield* filesBelow(each);
    else yield each;
  }
}
function assertNoSecrets(where: string, text: string): void {
  for (const [what, form] of Object.entries(SECRETS)) {
    const found = form.exec(text);
    const around = found ? text.slice(Math.max(0, found.index - 120), found.index + 20) : '';
    assert.ok(found === null, `${where} holds ${what}: …${around}`);
  }
}

describe('what a run used to show who it is', () => {
  it('stands in none of its reports, nor in what it prints', async () => {
    const output = join(folder, 'reports');
    const only = CHECKS.flatMap((id) => ['--only', id]);
    const { code, out, errors } = await touchstone(['run', ...only, '--history', '--output', output]);
    assert.ok(code === 0 || code === 2, `${out}\n${errors}`);
    assertNoSecrets('what was printed', out + errors);
    const files = [...filesBelow(output)];
    assert.ok(files.length >= 5, 'there are reports');
    for (const file of files) assertNoSecrets(file, readFileSync(file, 'utf8'));
  });
});

describe('a kubeconfig whose user has a plugin', () => {
  it('is a target, by what the plugin gives', async () => {
    const server = await launch(embedded('kubernetes').serve);
    try {
      const { base, ca = '', identities } = server.ready;
      const token = identities.admin?.token ?? '';
      mkdirSync(join(folder, 'bin'));
      const answer = { kind: 'ExecCredential', apiVersion: VERSION, status: { token } };
      const said = JSON.stringify(JSON.stringify(answer));
      writeFileSync(join(folder, 'bin/login'), `#!/bin/sh\nprintf %s ${said.replaceAll('`', '')}\n`, { mode: 0o700 });
      const config = join(folder, 'config');
      writeFileSync(config, JSON.stringify(kubeconfig(base, ca)));
      const doctor = await touchstone(['doctor', '--kubeconfig', config]);
      assert.equal(doctor.code, 0, doctor.errors);
      assert.match(doctor.out, /admin +is admin/);
      const output = join(folder, 'by-plugin');
      const run = await touchstone(['run', '--kubeconfig', config, '--only', 'WHOAMI-REQUEST-01', '--output', output]);
      assert.match(run.out, /1 pass/, run.out + run.errors);
      for (const text of [doctor.out, run.out, ...[...filesBelow(output)].map((file) => readFileSync(file, 'utf8'))])
        assert.ok(!text.includes(token), 'the token of the plugin is told nowhere');
      const gone = await touchstone(['doctor', '--kubeconfig', config, '--context', 'gone']);
      assert.equal(gone.code, 64);
      assert.match(gone.errors, /is not there\. Get it from the shelf\./);
    } finally {
      await server.stop();
    }
  });
});

const VERSION = 'client.authentication.k8s.io/v1';
function kubeconfig(server: string, ca: string): object {
  const user = (command: string) => ({
    exec: { apiVersion: VERSION, command, interactiveMode: 'Never', installHint: 'Get it from the shelf.' },
  });
  const context = (name: string) => ({ name, context: { cluster: 'one', user: name } });
  const data = Buffer.from(ca).toString('base64');
  return {
    'current-context': 'there',
    clusters: [{ name: 'one', cluster: { server, 'certificate-authority-data': data } }],
    users: [
      { name: 'there', user: user('./bin/login') },
      { name: 'gone', user: user('./bin/no-such-plugin') },
    ],
    contexts: [context('there'), context('gone')],
  };
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { builtModule } from '../testing/built.ts';
import { touchstone } from '../testing/command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'record-'));
after(() => rmSync(scratch, { recursive: true }));

describe('touchstone record', () => {
  it('leaves a history that can be judged up to where it was killed', async () => {
    const server = http.createServer((_, response) => {
      const metadata = { name: 'a', namespace: 'team', uid: 'u', resourceVersion: '5' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = `process.exitCode = await (await import('${await builtModule('main.js')}')).main(process.argv.slice(1));`;
    const args = ['record', '--target', target, '--token', 'secret-token', '--listen', '0', '--output', scratch];
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', ...args]);
    const file = join(scratch, 'history-0.ndjson');
    try {
      const proxy = await new Promise<string>((resolve, reject) => {
        let out = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          out += text;
          const [, base] = /Listening at (\S+),/.exec(out) ?? [];
          if (base !== undefined) resolve(base);
        });
        child.once('close', (code) => reject(new Error(`it ended with ${code}: ${out}`)));
      });
      await (await fetch(`${proxy}/api/v1/namespaces/team/configmaps/a`)).text();
      while (!readFileSync(file, 'utf8').includes('"operation"'))
        await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      child.kill('SIGKILL');
      server.closeAllConnections();
      server.close();
    }
    const { code, out } = await touchstone(['judge', file]);
    assert.match(out, /a history, 1 operation\n {2}it cannot tell what clients did that did not come by/);
    assert.equal(code, 0, out);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /secret-token/);
  });
  it('says what it stands in front of, and where nobody answers there', async () => {
    const own = ['--listen', '0', '--output', join(scratch, 'announced')];
    const interruptWhen = (out: string) => out.includes('Ctrl-C');
    const nobody = await touchstone(['record', '--target', 'http://127.0.0.1:1', ...own], { interruptWhen });
    assert.equal(nobody.code, 0, nobody.errors);
    assert.match(nobody.errors, /^Nobody answers at http:\/\/127\.0\.0\.1:1 yet: nobody listens there[^\n]*\.\n$/);
    const unnamed = await touchstone(['record', ...own], { interruptWhen });
    assert.equal(unnamed.errors, '');
    assert.match(
      unnamed.out,
      /^Listening at \S+, in front of the built-in reference \(https:\S+\), as no server is named$/m,
    );
  });
  it('tells in one sentence what it cannot do', async () => {
    for (const [args, sentence] of [
      [['now'], /record takes no words/],
      [['--listen', 'here'], /--listen takes a port/],
      [['--output', join(scratch, 'history-0.ndjson', 'below')], /^Nothing can be written to/m],
    ] as const) {
      const { code, errors } = await touchstone(['record', ...args]);
      assert.match(errors, sentence);
      assert.equal(code, 64);
    }
  });
});

import assert from 'node:assert/strict';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readScenarios } from './library.ts';
import type { Played } from './played.ts';
import { type LearnServer, serveLearn } from './server.ts';

const ROOT = join(import.meta.dirname, '..');
const APPLY = '01-apply-conflict';

interface Answer {
  readonly code: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe('the server of the page', () => {
  let server: LearnServer;
  before(async () => {
    const scenarios = readScenarios(join(ROOT, 'fixtures/scenarios'));
    server = await serveLearn({ scenarios, dialect: 'kubernetes', page: join(ROOT, 'learn/page'), port: 0 });
  });
  after(() => server.close());

  const ask = (method: string, path: string, headers: http.OutgoingHttpHeaders = {}, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = http.request(`${server.base}${path}`, { method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ code: response.statusCode ?? 0, headers: response.headers, text });
      });
      request.once('error', reject);
      request.end(body);
    });
  const play = (asked: object, headers: http.OutgoingHttpHeaders = {}) =>
    ask('POST', '/play', { 'content-type': 'application/json', ...headers }, JSON.stringify(asked));

  it('gives one page that loads nothing and lets no other script run', async () => {
    const { text, headers } = await ask('GET', '/');
    assert.match(text, /<h1>Watch a server think<\/h1>/);
    assert.doesNotMatch(text, /\b(src|href)="(?!#|data:,)/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*script-src 'sha256-[^']+';/);
    assert.ok(!text.includes('/* script */') && !text.includes('/* style */'));
  });

  it('plays a scenario, and the same again', async () => {
    const first = await play({ scenario: APPLY });
    const { steps } = JSON.parse(first.text) as Played;
    assert.deepEqual(
      steps.map(({ answer }) => answer?.code),
      [201, 409, 200],
    );
    assert.equal((await play({ scenario: APPLY })).text, first.text);
  });

  it('plays what the reader asks for in place of a step', async () => {
    const request = { who: 'rival', method: 'PATCH', type: 'application/apply-patch+yaml' };
    const path = '/api/v1/namespaces/default/configmaps/doc?fieldManager=rival';
    const body = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  colour: blue\n';
    const { text } = await play({ scenario: APPLY, edits: { 1: { ...request, path, body } } });
    const { steps } = JSON.parse(text) as Played;
    assert.deepEqual([steps[1]?.answer?.code, steps[1]?.expect], [200, undefined]);
    assert.match(JSON.stringify(steps[1]?.decisions), /"field":"\.data\.colour","outcome":"shared"/);
  });

  it('delivers to the watches of earlier steps, and tells what controllers do', async () => {
    const watched = JSON.parse((await play({ scenario: '08-list-then-watch' })).text) as Played;
    assert.deepEqual(
      watched.steps.map(({ delivered }) => delivered.map(({ watch, type }) => `${watch} ${type}`)),
      [[], [], [], ['3 MODIFIED'], ['3 DELETED']],
    );
    const collected = JSON.parse((await play({ scenario: '13-aggregation' })).text) as Played;
    assert.equal(collected.steps[1]?.changes.length, 2);
  });

  it('refuses other sites, other names of this machine, and what is no request', async () => {
    assert.equal((await ask('GET', '/', { host: 'evil.example' })).code, 421);
    assert.equal((await play({ scenario: APPLY }, { origin: 'https://evil.example' })).code, 403);
    assert.equal((await ask('POST', '/play', { 'content-type': 'text/plain' }, '{}')).code, 415);
    assert.equal((await play({ scenario: 'none' })).code, 404);
    assert.equal((await ask('GET', '/etc/passwd')).code, 404);
    const edit = { who: 'admin', method: 'GET', path: '/version', type: '', body: '' };
    for (const wrong of [
      { who: 'root' },
      { method: 'get' },
      { path: 'version' },
      { path: '/%zz' },
      { type: 'a\nb' },
      { body: 1 },
    ]) {
      const answer = await play({ scenario: APPLY, edits: { 0: { ...edit, ...wrong } } });
      assert.equal(answer.code, 400, JSON.stringify(wrong));
    }
    assert.equal((await play({ scenario: APPLY, edits: { 0: { ...edit, body: 'x'.repeat(1024 * 1024) } } })).code, 413);
  });
});

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type LearnServer, serveLearn } from './server.ts';
import { siteOf } from './site.ts';

describe('the server of the page', () => {
  let server: LearnServer;
  before(async () => {
    server = await serveLearn(siteOf({ 'index.html': '<p>page', 'page.js': 'begin()' }, []), 0);
  });
  after(() => server.close());

  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ code: number; type: string; text: string }>((resolve, reject) => {
      const request = http.request(`${server.base}${path}`, { method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        const text = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
        resolve({ code: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
      });
      request.on('error', reject).end();
    });

  it('gives the files of the page, and of the stories', async () => {
    assert.deepEqual(await ask('GET', '/'), { code: 200, type: 'text/html; charset=utf-8', text: '<p>page' });
    assert.deepEqual(await ask('GET', '/page.js?x'), {
      code: 200,
      type: 'text/javascript; charset=utf-8',
      text: 'begin()',
    });
    assert.match((await ask('GET', '/stories.js')).text, /^touchstone_stories = \[\];/);
  });

  it('refuses other names of this machine, and all that is no file of the page', async () => {
    assert.equal((await ask('GET', '/', { host: 'evil.example' })).code, 421);
    assert.equal((await ask('GET', '/etc/passwd')).code, 404);
    assert.equal((await ask('GET', '/../package.json')).code, 404);
    assert.equal((await ask('POST', '/')).code, 405);
  });
});

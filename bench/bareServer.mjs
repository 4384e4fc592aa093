// A bare Node HTTPS server: reads the body, answers the given number of bytes, does nothing else. Kept plain
// JavaScript so that no loader stands in its way.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'bare-'));
const key = join(directory, 'key');
const certificate = join(directory, 'crt');
execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
  ].concat(['-days', '2', '-subj', '/CN=bare', '-addext', 'subjectAltName=IP:127.0.0.1']),
  { stdio: 'ignore' },
);
const answer = Buffer.alloc(Number(process.argv[2] ?? 1024), 'x');
const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
rmSync(directory, { recursive: true });
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true, base: `https://127.0.0.1:${server.address().port}` }));
});

import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Site } from './site.ts';

export interface LearnServer {
  readonly base: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/**
 * Serves the page on loopback, as any web server would; everything happens in the tab.
 *
 * @param port 0: a free one
 * @throws Error with code EADDRINUSE or EACCES when the port cannot be had
 */
export async function serveLearn(site: Site, port: number): Promise<LearnServer> {
  const files = new Map([...site].map(([name, text]) => [`/${name}`, gzipSync(text)]));
  const server = http.createServer((request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*$/, '');
    const name = path === '/' ? '/index.html' : path;
    const file = files.get(name);
    const code = !isOurs(request)
      ? 421
      : !file
        ? 404
        : request.method === 'GET' || request.method === 'HEAD'
          ? 200
          : 405;
    const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    if (code !== 200 || !file) {
      response.writeHead(code, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
      response.end(SENTENCES[code]);
      return;
    }
    const type = TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'content-type': type, 'content-encoding': 'gzip', vary: 'accept-encoding' });
    response.end(file);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const SENTENCES: Readonly<Record<number, string>> = {
  404: 'There is nothing here.',
  405: 'There are only files here.',
  421: 'This server answers on loopback only.',
};

/** By another name of this machine another site could read what is here. */
function isOurs({ headers }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');
}

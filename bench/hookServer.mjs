// A webhook that allows whatever it is asked, but for the path /hang, which never answers. Kept plain JavaScript so
// that no loader stands in its way.
import { createServer } from 'node:https';
import { selfSigned } from './certificate.mjs';

const pair = selfSigned();
const server = createServer(pair, (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(parts).toString());
    const body = JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const base = `https://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ ready: true, base, certificate: pair.cert.toString() }));
});

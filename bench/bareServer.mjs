// A bare Node HTTPS server: reads the body, answers the given number of bytes, does nothing else. Kept plain
// JavaScript so that no loader stands in its way.
import { createServer } from 'node:https';
import { selfSigned } from './certificate.mjs';

const answer = Buffer.alloc(Number(process.argv[2] ?? 1024), 'x');
const server = createServer(selfSigned(), (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true, base: `https://127.0.0.1:${server.address().port}` }));
});

// Stands in for the etcd that envtest starts beside kube-apiserver: it answers health checks and ends when told. It
// keeps nothing, and says so; the stand-in for kube-apiserver keeps its objects in memory then.
import { createServer } from 'node:http';

const FLAGS = {
  'advertise-client-urls': 'taken, and without effect',
  'data-dir': 'taken, and without effect: nothing is kept',
  'listen-client-urls': 'where to answer health checks: http://127.0.0.1:2379',
  'listen-peer-urls': 'taken, and without effect',
  'unsafe-no-fsync': 'taken, and without effect',
};
const VERSION = '3.5.0';
const ANSWERS = {
  '/health': { health: 'true', reason: '', keeps: 'nothing' },
  '/version': { etcdserver: VERSION, etcdcluster: VERSION },
};

const argv = process.argv.slice(2);
if (argv.includes('--help') || argv.includes('-h')) {
  const flags = Object.entries(FLAGS).map(([name, meaning]) => `  --${name}\n        ${meaning}`);
  console.log(['Usage: etcd [flags]', '', 'Stands in for the etcd of envtest.', '', ...flags].join('\n'));
} else if (argv.includes('--version')) console.log(`etcd Version: ${VERSION}`);
else listen();

function listen() {
  const at = argv.findIndex((word) => /^--listen-client-urls(=|$)/.test(word));
  const text = argv[at]?.includes('=') ? argv[at].slice(argv[at].indexOf('=') + 1) : argv[at + 1];
  for (const url of (at < 0 ? 'http://127.0.0.1:2379' : (text ?? '')).split(',')) {
    let place;
    try {
      place = new URL(url);
    } catch {
      fail(`--listen-client-urls holds ${JSON.stringify(url)}, which is no address.`);
    }
    if (place.protocol !== 'http:') fail(`${url}: only plain HTTP is listened on.`);
    const server = createServer((request, response) => {
      const answer = ANSWERS[request.url?.split('?')[0] ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'this etcd keeps nothing' }));
    });
    server.on('error', ({ code, message }) => {
      fail(code === 'EADDRINUSE' ? `port ${place.port} of ${place.hostname} is taken.` : message);
    });
    server.listen(Number(place.port || 80), place.hostname.replace(/^\[|\]$/g, ''));
  }
}

/** @returns {never} */
function fail(sentence) {
  console.error(`etcd: ${sentence}`);
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));

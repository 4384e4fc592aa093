// A certificate of its own for 127.0.0.1. Kept plain JavaScript so that no loader stands in its way.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Key and certificate as PEM; the certificate vouches for itself. */
export function selfSigned() {
  const directory = mkdtempSync(join(tmpdir(), 'bare-'));
  const key = join(directory, 'key');
  const certificate = join(directory, 'crt');
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${certificate} -days 2 -subj /CN=bare -addext subjectAltName=IP:127.0.0.1`;
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  rmSync(directory, { recursive: true });
  return pair;
}

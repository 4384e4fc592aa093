import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { readCertificates, readPrivateKey } from '../codecs/pem.ts';
import { configSource } from '../contracts/configSource.ts';
import type { EncryptionOptions, EncryptionRule, EtcdOptions, StorageOptions } from '../contracts/serverOptions.ts';
import { type Files, faultsOf, readIn } from '../ports/files.ts';
import type { Diagnostics } from './diagnostics.ts';
import { readEncryptionConfig } from './encryptionConfig.ts';
import type { FlagValues } from './flagTable.ts';

/** Where objects are kept, and how. What is wrong goes to `found`. */
export function readStorage(flags: FlagValues, dialect: Dialect, files: Files, found: Diagnostics): StorageOptions {
  const dataDirectory = flags['data-dir'] || undefined;
  const etcd = readEtcd(flags, files, found);
  if (etcd && dataDirectory !== undefined) found.error('--etcd-servers and --data-dir exclude each other');
  const encryption = readEncryption(flags, dialect, files, found);
  return {
    ...(etcd ? { etcd } : {}),
    dataDirectory,
    historyWindow: flags['etcd-compaction-interval'] || Number.POSITIVE_INFINITY,
    ...(encryption ? { encryption } : {}),
  };
}

function readEtcd(flags: FlagValues, files: Files, found: Diagnostics): EtcdOptions | undefined {
  const servers = flags['etcd-servers'];
  const certificate = readPem(flags, 'etcd-certfile', files, found, readCertificates);
  const key = readPem(flags, 'etcd-keyfile', files, found, readPrivateKey);
  const ca = readPem(flags, 'etcd-cafile', files, found, readCertificates);
  if ((flags['etcd-certfile'] === '') !== (flags['etcd-keyfile'] === '')) {
    found.error('--etcd-certfile and --etcd-keyfile go together');
  }
  if (servers.length === 0) return undefined;
  for (const server of servers) {
    const url = URL.canParse(server) ? new URL(server) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.port === '' || url.pathname !== '/') {
      found.error(`--etcd-servers: ${server} is no URL such as https://127.0.0.1:2379`);
    }
  }
  if (flags['etcd-prefix'].replaceAll('/', '') === '') found.error('--etcd-prefix must not be empty');
  const tls = { ...(ca ? { ca } : {}), ...(certificate ? { certificate } : {}), ...(key ? { key } : {}) };
  return { servers, prefix: flags['etcd-prefix'], tls };
}

/** The text of a PEM file that holds what it should. */
function readPem(
  flags: FlagValues,
  flag: 'etcd-cafile' | 'etcd-certfile' | 'etcd-keyfile',
  files: Files,
  found: Diagnostics,
  check: (text: string) => unknown,
): string | undefined {
  if (flags[flag] === '') return undefined;
  return found.of(flag, () => {
    return readIn(files, flags[flag], (text) => {
      check(text);
      return text;
    });
  });
}

function readEncryption(
  flags: FlagValues,
  dialect: Dialect,
  files: Files,
  found: Diagnostics,
): EncryptionOptions | undefined {
  const path = flags['encryption-provider-config'];
  const reloads = flags['encryption-provider-config-automatic-reload'];
  if (path === '') {
    if (reloads) {
      found.error(
        '--encryption-provider-config-automatic-reload must be set together with --encryption-provider-config',
      );
    }
    return undefined;
  }
  return found.of('encryption-provider-config', () => {
    const source = configSource<readonly EncryptionRule[]>(files, path, (text) => readEncryptionConfig(text, dialect));
    return { rules: faultsOf(path, () => source.parse(source.text)), ...(reloads ? { file: source } : {}) };
  });
}

import type { FlagTable } from '../flags.ts';

export const SNAPSHOT_FLAGS = {
  from: {
    value: 'DIRECTORY',
    help: 'where a running server wrote its kubeconfig, to save from it (.touchstone)',
    local: true,
  },
  'data-dir': { value: 'DIRECTORY', help: 'the data directory of a server that does not run' },
  'etcd-servers': { value: 'URL,…', help: 'the etcd servers' },
  'etcd-prefix': { value: 'PREFIX', help: 'what the keys in etcd begin with' },
  'etcd-cafile': { value: 'FILE', help: 'CA of the etcd servers (PEM)' },
  'etcd-certfile': { value: 'FILE', help: 'client certificate for etcd (PEM)' },
  'etcd-keyfile': { value: 'FILE', help: 'its key (PEM)' },
  'encryption-provider-config': { value: 'FILE', help: 'what the objects are kept encrypted by' },
  dialect: { value: 'NAME|FILE', help: 'dialect of the objects (kubernetes)' },
} as const satisfies FlagTable;

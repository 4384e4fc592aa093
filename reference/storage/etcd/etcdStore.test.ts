import { after, before, describe } from 'node:test';

import { VirtualClock } from '../../time.ts';
import { storeContract } from '../contract.ts';
import { EtcdStore } from './etcdStore.ts';
import { KeyLayout } from './keyLayout.ts';
import { NO_ETCD, startEtcd } from './testing/members.ts';

describe('etcd', { skip: NO_ETCD }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let stores = 0;
  before(async () => {
    etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
  });
  after(() => etcd?.stop());
  const layout = (prefix: string) => new KeyLayout(prefix, []);
  storeContract('etcd', () =>
    EtcdStore.open({ servers: etcd.servers, clock: new VirtualClock(), layout: layout(`/test${stores++}`) }),
  );
});

// What a tab of a browser cannot do: it listens nowhere, sees no certificate, and keeps nothing on a disk or in etcd. The
// bundle for browsers takes these in place of the files that do.

/** What is asked for needs a machine of its own. */
class NotInBrowser extends Error {
  constructor(what: string) {
    super(`${what}: a tab of a browser cannot`);
  }
}

/** In place of reference/transport/listener.ts. */
export async function listen(): Promise<never> {
  throw new NotInBrowser('listen for connections');
}

/** In place of reference/storage/etcd/openEtcd.ts. */
export async function openEtcd(): Promise<never> {
  throw new NotInBrowser('keep objects in etcd');
}

/** In place of reference/storage/durable/openDurable.ts. */
export async function claimDirectory(): Promise<never> {
  throw new NotInBrowser('keep objects in a directory');
}
export function openDurable(): never {
  throw new NotInBrowser('keep objects in a directory');
}

/** In place of reference/storage/encryption/encryption.ts. */
export class Encryption {
  constructor() {
    throw new NotInBrowser('keep objects encrypted');
  }
}

/** In place of reference/authentication/clientCertificate.ts: no connection to a tab shows a certificate. */
export class ClientCertificateAuthenticator {
  readonly name = 'clientCertificate';
  authenticate(): undefined {
    return undefined;
  }
}

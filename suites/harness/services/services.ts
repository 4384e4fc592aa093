/**
 * What opens a service: a server, an authority or whatever else the harness runs for a target to call. The function
 * itself is the service's kind. A service that has `close()` is closed with its worker.
 */
export type ServiceKind<T extends object> = (services: Services, name: string) => Promise<T>;

/**
 * The services of one worker, each opened when it is first asked for and kept until the worker ends, so that all
 * checks of the worker, and the servers they start, find it at the same place.
 */
export class Services {
  readonly #open = new Map<ServiceKind<object>, Map<string, Promise<object>>>();

  /** Name or address at which a target finds this machine. */
  readonly host: string;

  constructor(host = '127.0.0.1') {
    this.host = host;
  }

  /** The service of this kind and name. Two names are two services: `get(issuer, 'other')`. */
  get<T extends object>(kind: ServiceKind<T>, name = 'one'): Promise<T> {
    const byName = this.#open.get(kind) ?? new Map<string, Promise<object>>();
    this.#open.set(kind, byName);
    const found = (byName.get(name) ?? kind(this, name)) as Promise<T>;
    byName.set(name, found);
    return found;
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()].flatMap((byName) => [...byName.values()]);
    this.#open.clear();
    await Promise.all(
      all.map(async (opening) => {
        const service = await opening;
        if ('close' in service && typeof service.close === 'function') await service.close();
      }),
    );
  }
}

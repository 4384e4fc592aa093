import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { answerOf, HostedServer, type Hosting, LAUNCHING, notAlone } from './host.ts';
import { type Launched, LaunchFailed, readyOf } from './launch.ts';

/** What a worker asks of a host that it shares, a line of JSON each. */
type SharedRequest =
  | { readonly start: string; readonly flags: readonly string[]; readonly within: number }
  | { readonly end: string };

/**
 * Lets workers start servers of one host: what starts a server is compiled and warm once for all of them.
 * The servers of a worker end with its connection.
 * @param path of the socket, or the name of the pipe, that they connect to
 * @returns what ends it, and whatever servers are left
 */
export async function shareHost(host: Hosting, path: string): Promise<{ close(): Promise<void> }> {
  const workers = new Set<Socket>();
  const server: Server = createServer((worker) => {
    workers.add(worker.once('close', () => workers.delete(worker)));
    attend(worker, host);
  }).listen(path);
  await once(server, 'listening');
  return {
    async close() {
      server.close();
      for (const worker of workers) worker.destroy();
      await host.close();
    },
  };
}

function attend(worker: Socket, host: Hosting): void {
  const servers = new Map<string, Promise<Launched | undefined>>();
  const answer = (line: { readonly server: string; readonly [member: string]: unknown }) =>
    worker.writable && worker.write(`${JSON.stringify(line)}\n`);
  const begin = async ({ start: server, flags, within }: Extract<SharedRequest, { start: string }>) => {
    try {
      const launched = await host.launch(flags, within);
      answer({ server, said: launched.said() });
      answer({ server, ready: true, ...launched.ready });
      void launched.exited.then(({ code, errors }) => {
        servers.delete(server);
        answer({ server, ended: code, errors });
      });
      return launched;
    } catch (error) {
      answer({ server, failed: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  };
  // Who is gone reads nothing more.
  worker.on('error', () => {});
  worker.on('close', () => {
    for (const server of servers.values()) void server.then((launched) => launched?.tellToEnd());
  });
  createInterface({ input: worker })
    .on('error', () => {})
    .on('line', (line) => {
      const request = JSON.parse(line) as SharedRequest;
      if ('start' in request) servers.set(request.start, begin(request));
      else void servers.get(request.end)?.then((launched) => launched?.tellToEnd());
    });
}

/** The host that a worker shares with the others. */
export class SharedHost implements Hosting {
  readonly #servers = new Map<string, HostedServer>();
  readonly #path: string;
  #connection: Socket | undefined;
  #started = 0;

  /** @param path of the socket, or the name of the pipe, of {@link shareHost} */
  constructor(path: string) {
    this.#path = path;
  }

  async launch(flags: readonly string[], within = LAUNCHING): Promise<Launched> {
    const name = String(this.#started++);
    const server = new HostedServer();
    this.#servers.set(name, server);
    const tellToEnd = () => this.#tell({ end: name });
    this.#tell({ start: name, flags, within });
    const ready = await Promise.race([server.ready, server.exited]);
    if ('code' in ready) throw new LaunchFailed(ready.errors);
    const { exited } = server;
    const stop = async () => {
      tellToEnd();
      await exited;
    };
    return { ready, exited, said: () => server.said.join('\n'), tellToEnd, stop, kill: notAlone };
  }

  async close(): Promise<void> {
    this.#connection?.end();
  }

  #tell(request: SharedRequest): void {
    this.#connection ??= this.#connected();
    this.#connection.write(`${JSON.stringify(request)}\n`);
  }
  #connected(): Socket {
    const connection = connect(this.#path);
    // What went wrong is followed by the end.
    connection.on('error', () => {});
    createInterface({ input: connection })
      .on('error', () => {})
      .on('line', (line) => this.#read(line));
    connection.on('close', () => {
      for (const server of this.#servers.values()) server.end(null, 'The host of the servers is gone.');
      this.#servers.clear();
      this.#connection = undefined;
    });
    return connection;
  }
  #read(line: string): void {
    const answer = answerOf(line);
    const server = answer && this.#servers.get(answer.server);
    if (!answer || !server) return;
    const { said, failed, ended, errors } = answer;
    if (typeof said === 'string' && said !== '') server.said.push(said);
    const ready = readyOf(answer);
    if (ready) server.begin(ready);
    if (failed === undefined && ended === undefined) return;
    this.#servers.delete(answer.server);
    if (typeof failed === 'string') server.end(null, failed);
    else server.end(typeof ended === 'number' ? ended : null, String(errors));
  }
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on loopback that can be cut, as a network between machines can. */
export interface Wire {
  /** The same URL by way of this. */
  readonly url: string;
  /** Lets nothing through any more, and says nothing to either end: neither learns of it but by silence. */
  cut(): void;
  /** Lets through what is asked, and no answer, until it is mended. */
  mute(): void;
  /** Ends all connections, and takes no other until it is mended. */
  break(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function wireTo(url: string): Promise<Wire> {
  const { hostname, port, protocol } = new URL(url);
  const sockets = new Set<Socket>();
  let whole = true;
  let broken = false;
  let muted = false;
  const server = createServer((near) => {
    if (broken) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (whole && !(muted && from === far)) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (whole) to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as { port: number }).port}`,
    cut: () => {
      whole = false;
    },
    mute: () => {
      muted = true;
    },
    break: () => {
      broken = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      broken = false;
      muted = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

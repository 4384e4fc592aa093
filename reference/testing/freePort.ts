import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports from here on are given to nobody who does not ask for them by number: systems take others for connections. */
const FIRST = 15_000;
const SPAN = 15_000;

/** Where this process looks next; each begins elsewhere, as tests run side by side. */
let next = (process.pid * 61) % SPAN;

/** A port of loopback that nobody listens on, and that no connection of somebody else is given meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % SPAN;
    const server = createServer().listen(port, '127.0.0.1');
    const listening = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!listening) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

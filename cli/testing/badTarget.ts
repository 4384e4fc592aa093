import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { Agent } from 'undici';

/** What becomes of one request in the place of being handed on. */
export type Fate =
  | 'pass'
  | 'close'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Handed on with more headers. */
  | { readonly with: Readonly<Record<string, string>> }
  /** Handed on, and its answer changed. */
  | { readonly answer: (body: string) => { readonly body: string; readonly headers: Readonly<Record<string, string>> } }
  /** Milliseconds before it is handed on, or between two bytes of the answer. */
  | { readonly delay: number }
  | { readonly trickle: number };

/** @param count how many requests came since it was armed, with this one. */
export type Behaviour = (request: IncomingMessage, count: number) => Fate;

/** A server in front of another, that fails in the way it is told. */
export interface BadTarget {
  readonly base: string;
  /** From now on it fails; before, all is handed on. */
  arm(): void;
  /** Goes away as a process that ends; nobody listens until it comes back. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one, without TLS, in front of a server. */
export async function badTarget(behind: { base: string; ca: string }, behave: Behaviour): Promise<BadTarget> {
  const agent = new Agent({ connect: { ca: behind.ca } });
  let count = 0;
  let armed = false;
  const server = createServer((request, response) => {
    if (armed) count += 1;
    const fate = armed ? behave(request, count) : 'pass';
    handle(request, response, fate, agent, behind.base).catch(() => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const leave = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    base: `http://127.0.0.1:${port}`,
    arm: () => {
      armed = true;
    },
    leave,
    comeBack: () => listen(port),
    async close() {
      if (server.listening) await leave();
      await agent.destroy();
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  fate: Fate,
  agent: Agent,
  base: string,
): Promise<void> {
  if (fate === 'hang') return;
  if (fate === 'close') return void request.socket.destroy();
  if (typeof fate === 'object' && 'status' in fate) {
    response.writeHead(fate.status, fate.headers).end(fate.body ?? '');
    return;
  }
  if (typeof fate === 'object' && 'delay' in fate) await pause(fate.delay);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { connection: _, host: __, 'transfer-encoding': ___, ...headers } = request.headers;
  const answer = await agent.request({
    origin: base,
    path: request.url ?? '/',
    method: (request.method ?? 'GET') as 'GET',
    headers: { ...headers, ...(typeof fate === 'object' && 'with' in fate ? fate.with : {}) },
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
  });
  if (typeof fate === 'object' && 'answer' in fate) {
    const changed = fate.answer(await answer.body.text());
    const { 'content-length': ____, ...rest } = answer.headers;
    response.writeHead(answer.statusCode, { ...rest, ...changed.headers }).end(changed.body);
    return;
  }
  const { 'transfer-encoding': ____, ...rest } = answer.headers;
  response.writeHead(answer.statusCode, rest).flushHeaders();
  response.once('close', () => answer.body.destroy());
  answer.body.on('error', () => response.destroy());
  if (typeof fate === 'object' && 'trickle' in fate) {
    for (const byte of await answer.body.bytes()) {
      if (response.destroyed) return;
      response.write(Buffer.from([byte]));
      await pause(fate.trickle);
    }
    response.end();
    return;
  }
  answer.body.pipe(response);
}

/** Opens one that hands TLS on as it comes. @param lead to which port a connection leads, counted since it was armed; none breaks it off. */
export async function badConnections(lead: (count: number) => number | undefined): Promise<BadTarget> {
  let count = 0;
  let armed = false;
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    if (armed) count += 1;
    const port = lead(count);
    if (port === undefined) return void socket.destroy();
    const other = connect(port, '127.0.0.1');
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(two);
      one.on('error', () => two.destroy()).on('close', () => two.destroy());
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const leave = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const arm = () => {
    armed = true;
    // What is open leads where it led.
    for (const socket of sockets) socket.destroy();
  };
  return { base, arm, leave, comeBack: async () => {}, close: leave };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reference } from '../../reference/reference.ts';
import { encodeSnapshot } from '../../reference/storage/snapshot/snapshot.ts';

/** What a harness may do to its embedded target besides talking to it. */
export interface Control {
  readonly base: string;
  readonly token: string;
  close(): void;
}

/** Changes something; or, asked with GET, gives bytes. */
type Action = (body: Record<string, unknown>) => void | Promise<void>;
type Source = () => Promise<Uint8Array>;

/**
 * Opens the control port of a reference on loopback: `POST /clock/advance` with `{milliseconds}` moves
 * its clock ahead, `POST /store/corrupt` with `{group, resource, namespace, name}` makes a stored object
 * unreadable. Both answer 204. `GET /snapshot` answers all that is stored, as a snapshot. Each call needs the token.
 * @param dialect name of the dialect that the reference serves
 */
export async function openControl(reference: Reference, dialect: string): Promise<Control> {
  const token = randomBytes(24).toString('hex');
  const actions: Readonly<Record<string, Action>> = {
    '/clock/advance': (body) => reference.advance(numberOf(body, 'milliseconds')),
    '/store/corrupt': (body) =>
      reference.corrupt(
        { group: textOf(body, 'group'), resource: textOf(body, 'resource') },
        textOf(body, 'namespace'),
        textOf(body, 'name'),
      ),
  };
  const sources: Readonly<Record<string, Source>> = {
    '/snapshot': async () => encodeSnapshot({ image: await reference.image(), dialect, taken: Date.now() }),
  };
  const server = http.createServer(async (request, response) => {
    const { method, url = '' } = request;
    const action = method === 'POST' && Object.hasOwn(actions, url) ? actions[url] : undefined;
    const source = method === 'GET' && Object.hasOwn(sources, url) ? sources[url] : undefined;
    if (!authorized(request, token)) response.writeHead(401).end();
    else if (!action && !source) response.writeHead(404).end();
    else {
      try {
        if (source) {
          response.writeHead(200).end(await source());
          return;
        }
        await action?.(JSON.parse(await text(request)) as Record<string, unknown>);
        response.writeHead(204).end();
      } catch (error) {
        response.writeHead(400).end(error instanceof Error ? error.message : String(error));
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function authorized(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function numberOf(body: Record<string, unknown>, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !(value >= 0)) throw new Error(`${name} must be a number that is not negative`);
  return value;
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw new Error(`${name} must be text`);
  return value;
}

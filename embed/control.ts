import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../reference/api/json.ts';
import { type ControlledServer, LONGEST_ADVANCE } from './controlledServer.ts';

/** Where a server can be reached into, on loopback. */
export interface Control {
  readonly base: string;
  /** Each call needs it, as a bearer token. */
  readonly token: string;
  close(): Promise<void>;
}

/** Where a server is to be reached into. */
export interface ControlPlace {
  /** 0: any. */
  readonly port?: number;
  /** Drawn unless told. */
  readonly token?: string | undefined;
}

/** Where a fork listens, for the clients of the server that it is a fork of. */
export interface ForkPlace {
  readonly base: string;
  /** Plain HTTP; undefined: there is none. */
  readonly insecureBase: string | undefined;
  close(): Promise<void>;
}

/** What is asked for, and of whom. */
interface Asked {
  readonly server: ControlledServer;
  readonly forks: Forks;
  /** The body, of an operation that takes bytes. */
  readonly bytes: Uint8Array;
  /** Members of the body, of one that takes JSON: as its schemas say. */
  readonly members: ReadonlyMap<string, string | number>;
  readonly query: ReadonlyMap<string, number>;
}

/** What an operation answers: nothing, JSON, or bytes. */
type Told = undefined | JsonObject | Uint8Array;

/** What a member of a body has to be, as the document and a refusal say it. */
interface Member {
  readonly schema: JsonObject;
  readonly required: boolean;
}
type Members = Readonly<Record<string, Member>>;

interface Operation {
  readonly summary: string;
  /** Members of the JSON object that it takes, or `bytes`. */
  readonly takes?: Members | 'bytes';
  /** Whole numbers that may stand in the query, with what each means. */
  readonly query?: Readonly<Record<string, string>>;
  /** Schema of the JSON that it answers, or `bytes`; nothing unless told. */
  readonly tells?: JsonObject | 'bytes';
  readonly run: (asked: Asked) => Promise<Told> | Told;
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const whole = { type: 'integer', minimum: 0 };
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
function objectOf(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const FORK = objectOf({ name: text, base: text, insecureBase: text }, ['insecureBase']);
const DECISION = objectOf({ stage: text, by: text, outcome: text, because: text, details: {} }, ['details']);
const REQUEST = objectOf(
  {
    number: whole,
    method: text,
    path: text,
    user: text,
    at: time,
    requestType: text,
    requestBody: text,
    status: { type: 'integer' },
    responseType: text,
    responseBody: text,
    open: { type: 'boolean' },
    auditId: text,
    decisions: listOf(DECISION),
  },
  ['status'],
);
const CHANGE = objectOf({
  change: { enum: ['created', 'changed', 'deleted'] },
  key: text,
  fields: listOf(objectOf({ path: text, before: {}, after: {} }, ['before', 'after'])),
});

/** By path and method; each is there for the server itself, and below `/forks/{fork}` for a fork. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/clock': {
    get: {
      summary: 'What time it is for the server.',
      tells: objectOf({ now: time }),
      run: ({ server }) => ({ now: new Date(server.current.services.clock.now()).toISOString() }),
    },
  },
  '/clock/advance': {
    post: {
      summary: 'Moves the clock ahead; answers when the controllers have done what fell due.',
      takes: { milliseconds: { schema: { type: 'number', minimum: 0, maximum: LONGEST_ADVANCE }, required: true } },
      run: async ({ server, members }) => {
        await server.advance(Number(members.get('milliseconds')));
        return undefined;
      },
    },
  },
  '/snapshot': {
    get: {
      summary: 'All that is stored, as the file of `touchstone snapshot`.',
      tells: 'bytes',
      run: ({ server }) => server.snapshot(),
    },
    put: {
      summary: 'Becomes what a snapshot says. Watches end, the history is empty.',
      takes: 'bytes',
      run: async ({ server, bytes }) => {
        await server.restore(bytes);
        return undefined;
      },
    },
  },
  '/reset': {
    post: {
      summary: 'Becomes what it was when it began, or was forked. Watches end, the history is empty.',
      run: async ({ server }) => {
        await server.reset();
        return undefined;
      },
    },
  },
  '/store/corrupt': {
    post: {
      summary: 'Makes a stored object unreadable, as damage below the service would.',
      takes: {
        group: { schema: text, required: false },
        resource: { schema: text, required: true },
        namespace: { schema: text, required: false },
        name: { schema: text, required: true },
      },
      run: async ({ server, members }) => {
        const [group, resource, namespace, name] = ['group', 'resource', 'namespace', 'name'].map((member) =>
          String(members.get(member) ?? ''),
        ) as [string, string, string, string];
        await server.current.corrupt({ group, resource }, namespace, name);
        return undefined;
      },
    },
  },
  '/history': {
    get: {
      summary: 'The last requests with their bodies, and what was decided on each.',
      query: { after: 'Only requests with a greater number.' },
      tells: objectOf({ requests: listOf(REQUEST) }),
      run: ({ server, query }) => {
        const after = query.get('after') ?? 0;
        return json({ requests: server.history().filter(({ number }) => number > after) });
      },
    },
  },
  '/changes': {
    get: {
      summary: 'What is stored otherwise than when the server began, or was forked.',
      tells: objectOf({ changes: listOf(CHANGE) }),
      run: async ({ server }) => json({ changes: await server.changes() }),
    },
  },
  '/forks': {
    get: {
      summary: 'The forks that were made here and not ended.',
      tells: objectOf({ forks: listOf(FORK) }),
      run: ({ forks }) => json({ forks: forks.list() }),
    },
    post: {
      summary: 'Forks the server. The fork listens on ports of its own, and takes the same credentials.',
      tells: FORK,
      run: async ({ forks, server }) => json(await forks.begin(server)),
    },
  },
};

const ON_FORK = '/forks/{fork}';
const END_FORK = { summary: 'Ends a fork: its watches, its ports, its memory.' };

/** The forks of a server that were asked for at its control port. */
class Forks {
  readonly #listen: (fork: ControlledServer) => Promise<ForkPlace>;
  readonly #byName = new Map<string, { readonly server: ControlledServer; readonly place: ForkPlace }>();
  #count = 0;

  constructor(listen: (fork: ControlledServer) => Promise<ForkPlace>) {
    this.#listen = listen;
  }
  async begin(of: ControlledServer) {
    const server = await of.fork();
    const place = await this.#listen(server);
    const name = `f${++this.#count}`;
    this.#byName.set(name, { server, place });
    return { name, base: place.base, insecureBase: place.insecureBase };
  }
  get(name: string): ControlledServer | undefined {
    return this.#byName.get(name)?.server;
  }
  list() {
    return [...this.#byName].map(([name, { place }]) => ({ name, base: place.base, insecureBase: place.insecureBase }));
  }
  async end(name: string): Promise<void> {
    const found = this.#byName.get(name);
    this.#byName.delete(name);
    await found?.place.close();
  }
  async endAll(): Promise<void> {
    for (const name of [...this.#byName.keys()]) await this.end(name);
  }
}

/**
 * Opens the control port of a server on loopback; `GET /openapi.json` tells what it can do (docs/control.md).
 * @param listen opens ports for a fork; its `close` ends the fork too
 * @throws what listening throws
 */
export async function openControl(
  server: ControlledServer,
  listen: (fork: ControlledServer) => Promise<ForkPlace>,
  { port: wanted = 0, token = randomBytes(24).toString('hex') }: ControlPlace = {},
): Promise<Control> {
  const forks = new Forks(listen);
  const port = http.createServer((request, response) => void answer(request, response, { token, server, forks }));
  await new Promise<void>((resolve, reject) => {
    port.once('error', reject);
    port.listen(wanted, '127.0.0.1', resolve);
  });
  port.unref();
  return {
    base: `http://127.0.0.1:${(port.address() as AddressInfo).port}`,
    token,
    async close() {
      port.closeAllConnections();
      port.close();
      await forks.endAll();
    },
  };
}

interface Controlled {
  readonly token: string;
  readonly server: ControlledServer;
  readonly forks: Forks;
}

async function answer(request: IncomingMessage, response: ServerResponse, controlled: Controlled): Promise<void> {
  const refuse = (code: number, message: string) => write(response, code, { message });
  if (!authorized(request, controlled.token)) {
    refuse(401, 'the token of the control port is needed');
    return;
  }
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = (request.method ?? 'GET').toLowerCase();
    if (pathname === '/openapi.json' && method === 'get') {
      queryIn(searchParams, {});
      write(response, 200, controlOpenapi());
      return;
    }
    const [, name, rest = ''] = /^\/forks\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const server = name === undefined ? controlled.server : controlled.forks.get(name);
    if (!server) refuse(404, `there is no fork ${name}`);
    else if (name !== undefined && rest === '' && method === 'delete') {
      queryIn(searchParams, {});
      await controlled.forks.end(name);
      write(response, 204, undefined);
    } else {
      const methods = operationsAt(name === undefined ? pathname : rest);
      const operation = methods?.[method];
      if (!methods) refuse(404, `nothing is at ${pathname}; GET /openapi.json tells what is`);
      else if (!operation) refuse(405, `${request.method} is nothing that ${pathname} does`);
      else {
        const { takes, query } = operation;
        const asked = {
          query: queryIn(searchParams, query ?? {}),
          bytes: takes === undefined ? new Uint8Array(0) : await bytesOf(request),
        };
        const members = takes === undefined || takes === 'bytes' ? new Map() : membersIn(asked.bytes, takes);
        const told = await operation.run({ server, forks: controlled.forks, members, ...asked });
        write(response, operation.tells === undefined ? 204 : 200, told);
      }
    }
  } catch (error) {
    refuse(400, error instanceof Error ? error.message : String(error));
  }
}

function operationsAt(path: string) {
  return Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined;
}

function write(response: ServerResponse, code: number, told: Told): void {
  if (told === undefined) response.writeHead(code).end();
  else if (told instanceof Uint8Array) {
    response.writeHead(code, { 'content-type': 'application/octet-stream' }).end(told);
  } else response.writeHead(code, { 'content-type': 'application/json' }).end(`${JSON.stringify(told)}\n`);
}

function authorized(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * What a body of JSON says.
 * @throws Error with a sentence for what is not as `members` have it
 */
function membersIn(body: Uint8Array, members: Members): Map<string, string | number> {
  const found = new Map<string, string | number>();
  for (const [name, value] of Object.entries(objectIn(body))) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member) throw new Error(`the body must not have ${name}; it takes ${Object.keys(members).join(', ')}`);
    found.set(name, checked(name, value, member.schema));
  }
  for (const [name, { required }] of Object.entries(members)) {
    if (required && !found.has(name)) throw new Error(`the body must be a JSON object with ${name}`);
  }
  return found;
}

function objectIn(body: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8') || '{}');
  } catch {
    throw new Error('the body must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the body must be a JSON object');
  }
  return value;
}

function checked(name: string, value: unknown, { type, minimum, maximum }: JsonObject): string | number {
  if (type === 'string') {
    if (typeof value === 'string') return value;
    throw new Error(`${name} must be text`);
  }
  if (typeof value === 'number' && value >= Number(minimum) && value <= Number(maximum)) return value;
  throw new Error(`${name} must be a number from ${minimum} to ${maximum}`);
}

/**
 * What a query says.
 * @throws Error with a sentence for a parameter that an operation does not take, and one that is no whole number
 */
function queryIn(given: URLSearchParams, taken: NonNullable<Operation['query']>): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, value] of given) {
    if (!Object.hasOwn(taken, name)) {
      const names = Object.keys(taken).join(', ') || 'none';
      throw new Error(`there is no query parameter ${name} here; it takes ${names}`);
    }
    if (found.has(name)) throw new Error(`the query parameter ${name} is there twice`);
    if (!/^\d{1,15}$/.test(value)) {
      throw new Error(`the query parameter ${name} must be a whole number, not ${JSON.stringify(value)}`);
    }
    found.set(name, Number(value));
  }
  return found;
}

/** What the control port can do, as an OpenAPI document. */
export function controlOpenapi(): JsonObject {
  const paths: JsonObject = {};
  for (const [path, methods] of Object.entries(OPERATIONS)) {
    paths[path] = pathItem(methods, []);
    paths[ON_FORK + path] = pathItem(methods, [FORK_NAME]);
  }
  paths[ON_FORK] = {
    delete: { ...END_FORK, parameters: [FORK_NAME], responses: { 204: DONE, ...REFUSALS, 404: NO_FORK } },
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Control port of a Touchstone server', version: '1' },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

const FORK_NAME: JsonObject = { name: 'fork', in: 'path', required: true, schema: text };
const DONE: JsonObject = { description: 'Done.' };
const refusal = (description: string): JsonObject => ({
  description,
  content: { 'application/json': { schema: objectOf({ message: text }) } },
});
const REFUSALS: JsonObject = {
  400: refusal('It cannot be done; the message says why.'),
  401: refusal('The token is missing or is another one.'),
};
const NO_FORK = refusal('There is no such fork.');

function pathItem(methods: Readonly<Record<string, Operation>>, parameters: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [method, described(operation, parameters)]),
  );
}

function bodyOf(members: Members): JsonObject {
  const schemas = Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
  return objectOf(
    schemas,
    Object.keys(members).filter((name) => !members[name]?.required),
  );
}

function described({ summary, takes, query = {}, tells }: Operation, parameters: readonly JsonObject[]): JsonObject {
  const content = (schema: JsonObject | 'bytes'): JsonObject =>
    schema === 'bytes'
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema } };
  const asked = Object.entries(query).map(
    ([name, description]): JsonObject => ({ name, in: 'query', description, schema: whole }),
  );
  return {
    summary,
    ...(parameters.length + asked.length > 0 ? { parameters: [...parameters, ...asked] } : {}),
    ...(takes ? { requestBody: { required: true, content: content(takes === 'bytes' ? takes : bodyOf(takes)) } } : {}),
    responses: {
      ...(tells ? { 200: { description: 'Done.', content: content(tells) } } : { 204: DONE }),
      ...REFUSALS,
      ...(parameters.includes(FORK_NAME) ? { 404: NO_FORK } : {}),
    },
  };
}

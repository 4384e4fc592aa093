import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../json.ts';

type Stored = { metadata: Record<string, unknown> } & Record<string, unknown>;
interface Watcher {
  readonly collection: string;
  readonly response: ServerResponse;
}

export interface TinyOptions {
  /** Ways to misbehave, for tests of what the harness says then. */
  readonly fault?:
    | 'overwrites-on-create'
    | 'refuses-everybody'
    | 'hangs-up'
    | 'finds-nothing'
    | 'is-not-ready-at-first';
  /** Milliseconds before every answer. */
  readonly delay?: number;
}

/**
 * As much of an API server as the harness needs to be tried on: discovery, reviews, and objects that can be created,
 * read, listed, replaced, deleted and watched, in memory and without any validation. It judges nothing and is no
 * model of anything.
 */
export class TinyServer {
  readonly #options: TinyOptions;
  readonly #objects = new Map<string, Stored>();
  readonly #watchers = new Set<Watcher>();
  readonly #server: Server;
  #version = 0;
  #posts = 0;

  constructor(options: TinyOptions = {}) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => json(response, 500, failure(500, String(error))));
    });
  }

  /** Starts listening on a free port of this machine. @returns the address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
  /** Paths of all that is stored. */
  paths(): string[] {
    return [...this.#objects.keys()];
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.delay) await new Promise((resolve) => setTimeout(resolve, this.#options.delay));
    const url = new URL(request.url ?? '/', 'http://tiny');
    const path = url.pathname;
    const fixed = DISCOVERY[path];
    if (this.#options.fault === 'refuses-everybody') return json(response, 401, failure(401, 'Unauthorized'));
    if (fixed) return json(response, 200, fixed);
    if (path.endsWith('/selfsubjectreviews')) return json(response, 201, review(request));
    if (this.#options.fault === 'hangs-up') return void response.destroy();
    if (this.#options.fault === 'finds-nothing') return json(response, 404, failure(404, 'nothing here'));
    const { collection, name } = place(path);
    if (request.method === 'POST' && this.#options.fault === 'is-not-ready-at-first') {
      this.#posts += 1;
      if (this.#posts < 3) return json(response.setHeader('retry-after', '1'), 500, failure(500, 'come again'));
    }
    if (request.method === 'POST') return this.#create(response, collection, await body(request));
    if (request.method === 'GET' && name === '') {
      return url.searchParams.has('watch') ? this.#watch(response, collection) : this.#list(response, collection, url);
    }
    const stored = this.#objects.get(`${collection}/${name}`);
    if (request.method === 'PATCH' && !stored) return this.#create(response, collection, await body(request));
    if (!stored) return json(response, 404, failure(404, `${name} not found`));
    if (request.method === 'DELETE') return this.#delete(response, collection, name, stored);
    if (request.method === 'PUT') return this.#replace(response, collection, name, await body(request));
    return json(response, 200, stored);
  }

  #create(response: ServerResponse, collection: string, sent: Stored): void {
    const name = String(sent.metadata.name ?? `${String(sent.metadata.generateName)}${randomUUID().slice(0, 5)}`);
    const key = `${collection}/${name}`;
    if (this.#objects.has(key) && this.#options.fault !== 'overwrites-on-create') {
      json(response, 409, failure(409, `${name} already exists`));
      return;
    }
    const stored = this.#store(key, { ...sent, metadata: { ...sent.metadata, name, uid: randomUUID() } });
    this.#announce('ADDED', collection, stored);
    json(response, 201, stored);
  }
  #replace(response: ServerResponse, collection: string, name: string, sent: Stored): void {
    const stored = this.#store(`${collection}/${name}`, sent);
    this.#announce('MODIFIED', collection, stored);
    json(response, 200, stored);
  }
  #delete(response: ServerResponse, collection: string, name: string, stored: Stored): void {
    this.#objects.delete(`${collection}/${name}`);
    for (const path of this.paths()) if (path.startsWith(`${collection}/${name}/`)) this.#objects.delete(path);
    this.#announce('DELETED', collection, stored);
    json(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }
  #list(response: ServerResponse, collection: string, url: URL): void {
    const [key, value] = (url.searchParams.get('labelSelector') ?? '').split('=');
    const items = [...this.#objects]
      .filter(([path]) => path.startsWith(`${collection}/`) && !path.slice(collection.length + 1).includes('/'))
      .map(([, stored]) => stored)
      .filter(({ metadata }) => !key || (isRecord(metadata.labels) && metadata.labels[key] === value));
    json(response, 200, {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(this.#version) },
      items,
    });
  }
  #watch(response: ServerResponse, collection: string): void {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const watcher = { collection, response };
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
  }
  #store(key: string, object: Stored): Stored {
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(key, stored);
    return stored;
  }
  #announce(type: string, collection: string, object: Stored): void {
    for (const watcher of this.#watchers) {
      // No line break between the documents: none is promised.
      if (watcher.collection === collection) watcher.response.write(JSON.stringify({ type, object }));
    }
  }
}

function place(path: string): { collection: string; name: string } {
  const namespaced = /^(.*\/namespaces\/[^/]+\/[^/]+)(?:\/([^/]+))?$/.exec(path);
  const [, collection = path, name = ''] =
    namespaced ?? /^(\/(?:api|apis\/[^/]+)\/[^/]+\/[^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  return { collection, name };
}
async function body(request: IncomingMessage): Promise<Stored> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Stored;
}
function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
function failure(code: number, message: string) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
}
function review(request: IncomingMessage) {
  const impersonated = request.headers['impersonate-user'];
  return {
    kind: 'SelfSubjectReview',
    status: { userInfo: { username: impersonated ?? request.headers.authorization } },
  };
}

const resource = (name: string, namespaced: boolean, kind: string) => ({ name, namespaced, kind, verbs: ['get'] });
const DISCOVERY: Readonly<Record<string, unknown>> = {
  '/version': { major: '1', minor: '32', gitVersion: 'v1.32.0' },
  '/apis': {
    kind: 'APIGroupList',
    groups: ['rbac.authorization', 'authentication', 'admissionregistration'].map((prefix) => ({
      name: `${prefix}.k8s.io`,
      versions: [{ groupVersion: `${prefix}.k8s.io/v1`, version: 'v1' }],
    })),
  },
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      resource('namespaces', false, 'Namespace'),
      resource('configmaps', true, 'ConfigMap'),
      resource('secrets', true, 'Secret'),
    ],
  },
  '/apis/rbac.authorization.k8s.io/v1': {
    kind: 'APIResourceList',
    resources: [
      resource('clusterroles', false, 'ClusterRole'),
      resource('clusterrolebindings', false, 'ClusterRoleBinding'),
    ],
  },
  '/apis/authentication.k8s.io/v1': {
    kind: 'APIResourceList',
    resources: [resource('selfsubjectreviews', false, 'SelfSubjectReview')],
  },
  '/apis/admissionregistration.k8s.io/v1': {
    kind: 'APIResourceList',
    resources: [resource('validatingwebhookconfigurations', false, 'ValidatingWebhookConfiguration')],
  },
};

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { celConditions } from '../admission/expressions/celConditions.ts';
import { webhookPlugin } from '../admission/webhooks/plugins.ts';
import type { ServiceAddresses } from '../admission/webhooks/serviceResolver.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { readJson } from '../codecs/json.ts';
import type { Admission } from '../contracts/admission.ts';
import { SeededRandom } from '../random.ts';
import { SystemClock } from '../time.ts';
import { createAuthority, issue } from '../transport/certificates.ts';
import { type WritingFixture, type WritingOptions, writingFixture } from './writingFixture.ts';

/** How a scripted hook answers; `allowed: true` unless told otherwise. */
export type Script =
  | { readonly response?: JsonObject; readonly envelope?: JsonObject }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'hang up';

/** An HTTPS server with one path a hook, which remembers what it was asked. */
export interface HookServer {
  readonly url: string;
  readonly port: number;
  /** PEM of the authority that vouches for it. */
  readonly ca: string;
  /** What each hook answers, by its path without the slash; may be changed at any time. */
  readonly scripts: Map<string, Script | ((request: JsonObject) => Script)>;
  /** The requests of the reviews that came, in order, with the hook that got them. */
  readonly asked: { readonly hook: string; readonly review: JsonObject; readonly request: JsonObject }[];
  close(): Promise<void>;
}

/** @param hosts names and addresses that the server's certificate is for */
export async function hookServer(hosts: readonly string[] = ['127.0.0.1', 'hook.tools.svc']): Promise<HookServer> {
  const now = new SystemClock().now();
  const authority = createAuthority('hooks', now);
  const { certificate, key } = issue(authority, { commonName: 'hook', hosts, usage: 'server' }, now);
  const scripts: HookServer['scripts'] = new Map();
  const asked: { hook: string; review: JsonObject; request: JsonObject }[] = [];
  const server: Server = createServer({ cert: certificate, key }, (incoming, reply) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const hook = (incoming.url ?? '').split(/[/?]/)[1] ?? '';
      const review = readJson(Buffer.concat(parts).toString()).value as JsonObject;
      const request = isObject(review.request) ? review.request : {};
      asked.push({ hook, review, request });
      const found = scripts.get(hook) ?? {};
      const script = typeof found === 'function' ? found(request) : found;
      if (script === 'hang') return;
      if (script === 'hang up') {
        incoming.socket.destroy();
        return;
      }
      if ('status' in script) {
        reply.writeHead(script.status, script.headers ?? {}).end(script.text);
        return;
      }
      const { apiVersion = null, kind = null } = review;
      const response = { uid: request.uid ?? null, allowed: true, ...script.response };
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ apiVersion, kind, response, ...script.envelope }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    ca: authority.pem,
    scripts,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A server whose writes go through webhooks, and the webhooks. */
export interface HookFixture extends WritingFixture {
  readonly hooks: HookServer;
  /** Stores a configuration of these hooks; each is called `<path>.example.com` and takes every configmap. */
  configure(kind: 'Validating' | 'Mutating', name: string, hooks: readonly HookGiven[]): Promise<void>;
  close(): Promise<void>;
}
/** A hook by its path, and what is different about it. */
export type HookGiven = { readonly path: string } & JsonObject;

const GROUP = '/apis/admissionregistration.k8s.io/v1';

export async function hookFixture(
  options: WritingOptions & { readonly services?: ServiceAddresses } = {},
): Promise<HookFixture> {
  const hooks = await hookServer();
  // The plugins need the store of the fixture, which needs the plugins.
  const plugins: Admission[] = [];
  const fixture = await writingFixture({
    ...options,
    admission: [
      {
        name: 'hooks',
        mutate: async (attributes) => plugins[0]?.mutate?.(attributes),
        reinvokes: (attributes) => plugins[0]?.reinvokes?.(attributes) ?? false,
        validate: async (attributes) => plugins[1]?.validate?.(attributes),
      },
      ...(options.admission ?? []),
    ],
  });
  const dependencies = {
    store: fixture.store,
    registry: fixture.services.registry,
    clock: fixture.clock,
    random: new SeededRandom(7),
    dialect: kubernetes,
    follow: fixture.services.follow,
    conditions: celConditions(fixture.services.authorizer),
    services: options.services ?? new Map(),
  };
  plugins.push(webhookPlugin('mutating', dependencies), webhookPlugin('validating', dependencies));
  return {
    ...fixture,
    hooks,
    async configure(kind, name, given) {
      const webhooks = given.map(({ path, ...more }) => ({
        name: `${path}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: `${hooks.url}/${path}`, caBundle: Buffer.from(hooks.ca).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        ...more,
      }));
      const plural = `${kind.toLowerCase()}webhookconfigurations`;
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${kind}WebhookConfiguration`,
        metadata: { name },
        webhooks,
      };
      const stored = await fixture.send('POST', `${GROUP}/${plural}`, { body });
      if (stored.status !== 201) throw new Error(JSON.stringify(stored.body));
    },
    async close() {
      for (const plugin of plugins) await plugin.stop?.();
      await hooks.close();
      fixture.controllers.stop();
    },
  };
}

/** The body of a ConfigMap. */
export function configMap(name: string, more: JsonObject = {}): JsonObject {
  const { metadata, ...rest } = more;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(isObject(metadata) ? metadata : {}) }, ...rest };
}

export const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatApiVersion } from './api/groupVersion.ts';
import type { JsonObject } from './api/json.ts';
import { asApiObject } from './api/object.ts';
import type { Attributes } from './contracts/authorizer.ts';
import type { Endpoint } from './contracts/resourceRegistry.ts';
import type { ResourceType } from './contracts/resourceType.ts';
import { objectKey } from './contracts/storeKeys.ts';
import { readOptions } from './options/loadOptions.ts';
import { createReference, type Reference } from './reference.ts';
import { collect, inProcessRequest } from './transport/inProcess.ts';

/** Stands in every object that the asker may not see. */
const MARK = 'what-is-not-the-askers';
type Resource = Attributes & { readonly isResource: true };

/**
 * A server of every type that there is, with an object called `other` of each: of the cluster, in the namespace
 * `other` and in the namespace `mine`; and one called `mine` in the namespace `mine`, and of the cluster.
 */
async function furnish(asker: Asker): Promise<Reference> {
  let decide: (asked: Resource) => boolean = () => true;
  const flags = ['--seed=1', '--clock=virtual', '--runtime-config=api/all=true', '--authorization-mode=AlwaysAllow'];
  const loaded = readOptions([...flags, '--feature-gates=AllAlpha=true,AllBeta=true']);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
  const reference = await createReference(
    { ...loaded.options, authentication },
    {
      seams: {
        authorizer: (authorizer) => ({
          ...authorizer,
          authorize: (asked) =>
            !asked.isResource || decide(asked)
              ? { decision: 'allow', reason: '', by: 'test' }
              : { decision: 'noOpinion', reason: '', by: 'test' },
        }),
      },
    },
  );
  for (const [plural, kind, scope] of CUSTOM) await define(reference, plural, kind, scope);
  for (const type of reference.services.registry.types()) await putAll(reference, type, asker);
  await reference.settled();
  decide = asker.may;
  return reference;
}

interface Asker {
  readonly who: string;
  readonly may: (asked: Resource) => boolean;
  /** Whether what is stored under a key is within what may be done. */
  readonly owns: (key: string) => boolean;
}
const ASKERS: readonly Asker[] = [
  {
    who: 'who may do everything in one namespace',
    may: ({ namespace }) => namespace === 'mine',
    owns: (key) => key.split('/')[3] === 'mine' && (key.split('/').length > 4 || key === '/core/namespaces/mine'),
  },
  {
    who: 'who may do everything with one name in one namespace',
    may: ({ namespace, name }) => namespace === 'mine' && name === 'mine',
    owns: (key) => key.endsWith('/mine/mine') || key === '/core/namespaces/mine',
  },
];

/** Stores the objects of a type that are missing. */
async function putAll(reference: Reference, type: ResourceType, asker: Asker): Promise<void> {
  if (WITHOUT_OBJECTS.has(type.group)) return;
  for (const [namespace, name] of type.namespaced ? IN_NAMESPACES : OF_CLUSTER) {
    await put(reference, type, namespace, name, asker);
  }
}
/** Types whose objects change what is served. */
const WITHOUT_OBJECTS = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

const IN_NAMESPACES = [
  ['mine', 'mine'],
  ['mine', 'other'],
  ['other', 'other'],
] as const;
const OF_CLUSTER = [
  ['', 'mine'],
  ['', 'other'],
] as const;

/** Custom types, also those that are called as what paths begin with. */
const CUSTOM = [
  ['things', 'Thing', 'Namespaced'],
  ['lands', 'Land', 'Cluster'],
  ['namespaces', 'Space', 'Cluster'],
] as const;
const GROUP = 'example.com';

async function define(reference: Reference, plural: string, kind: string, scope: string): Promise<void> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
      ],
    },
  };
  const { code } = await ask(reference, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  assert.equal(code, 201);
  while (!reference.services.registry.type(GROUP, plural)) await new Promise((done) => setImmediate(done));
}

/** Stores an object as it is, whatever the rules of its type. */
async function put(reference: Reference, type: ResourceType, namespace: string, name: string, asker: Asker) {
  const version = type.versions.get(type.storageVersion);
  if (!version?.verbs.includes('get')) return;
  const key = objectKey(type, namespace, name);
  const present = await reference.services.store.get(key);
  if (present?.object.metadata.uid?.startsWith(type.group)) return;
  const object = asApiObject({
    apiVersion: formatApiVersion({ group: type.group, version: type.storageVersion }),
    kind: type.kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      uid: `${type.group}-${type.resource}-${namespace}-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(asker.owns(key) ? {} : { annotations: { mark: MARK } }),
    },
  });
  const { committed } = await reference.services.store.commit({ key, expected: present?.modRevision ?? 0, object });
  assert.ok(committed, key);
}

async function ask(
  reference: Reference,
  method: string,
  target: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<{ code: number; text: string }> {
  const reply = await reference.handler(
    inProcessRequest({
      method,
      target,
      headers: body === undefined ? {} : { 'content-type': contentType },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (reply.kind === 'whole') return { code: reply.code, text: Buffer.from(reply.body).toString('utf8') };
  if (reply.kind !== 'stream') return { code: 101, text: '' };
  const stream = collect(reply);
  await new Promise((done) => setImmediate(done));
  stream.stop();
  return { code: reply.code, text: stream.text() };
}

/** One request, as it is sent. */
type Sent = readonly [method: string, target: string, body?: JsonObject | readonly JsonObject[], contentType?: string];

/** Every path under which somebody may look for `name` of an endpoint below a namespace, in each form there is. */
function pathsOf({ type, version, subresource }: Endpoint, namespace: string, name: string): string[] {
  const base = type.group ? `/apis/${type.group}/${version.version}` : `/api/${version.version}`;
  const part = subresource ? `/${subresource.name}` : '';
  const item = `${type.resource}/${name}${part}`;
  const paths = [
    `${base}/${item}`,
    `${base}/namespaces/${namespace}/${item}`,
    `${base}/watch/${item}`,
    `${base}/watch/namespaces/${namespace}/${item}`,
    `${base}/proxy/namespaces/${namespace}/${item}`,
    `${base}/namespaces/${namespace}/namespaces/other/${item}`,
  ];
  if (subresource) return paths;
  return [
    ...paths,
    `${base}/${type.resource}`,
    `${base}/namespaces/${namespace}/${type.resource}`,
    `${base}/watch/${type.resource}`,
    `${base}/watch/namespaces/${namespace}/${type.resource}`,
  ];
}

/** What a body may say of the object that it is for. */
const CLAIMS: readonly JsonObject[] = [
  { name: 'mine' },
  { name: 'other' },
  { name: 'other', namespace: 'other' },
  { name: 'mine', namespace: 'other' },
];

function requestsFor(path: string, { type, version, subresource }: Endpoint): Sent[] {
  const own = { group: type.group, version: version.version, kind: type.kind };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const sentKind = subresource?.form === 'operation' ? subresource.kind : subresource?.form === 'scale' ? scale : own;
  const { kind } = sentKind;
  const apiVersion = formatApiVersion(sentKind);
  const narrowed = ['metadata.namespace=other', 'metadata.name=mine', 'metadata.name=mine,metadata.namespace=other'];
  const sent: Sent[] = [
    ['GET', path],
    ['HEAD', path],
    ['GET', `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`],
    ['DELETE', path],
    ['OPTIONS', path],
  ];
  for (const selector of narrowed) {
    const query = `?fieldSelector=${encodeURIComponent(selector)}`;
    sent.push(['GET', path + query], ['GET', `${path}${query}&watch=true`], ['DELETE', path + query]);
  }
  for (const claim of CLAIMS) {
    const body = { apiVersion, kind, metadata: { ...claim, labels: { touched: 'yes' } } };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', metadata: { ...claim } };
    sent.push(
      ['POST', path, body],
      ['PUT', path, body],
      ['DELETE', path, options],
      ['PATCH', path, { metadata: { ...body.metadata } }, 'application/merge-patch+json'],
      ['PATCH', path, { metadata: { ...body.metadata } }, 'application/strategic-merge-patch+json'],
      ['PATCH', `${path}?fieldManager=a&force=true`, body, 'application/apply-patch+yaml'],
      [
        'PATCH',
        path,
        Object.entries(claim).map(([key, value]) => ({ op: 'add', path: `/metadata/${key}`, value })),
        'application/json-patch+json',
      ],
    );
  }
  return sent;
}

function endpointsOf(reference: Reference): Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (const type of reference.services.registry.types()) {
    for (const version of type.versions.values()) {
      if (!version.served) continue;
      for (const subresource of [undefined, ...version.subresources]) endpoints.push({ type, version, subresource });
    }
  }
  return endpoints;
}

/** What is stored that the asker has no right to touch, as text by key. */
async function foreign(reference: Reference, own: (key: string) => boolean): Promise<Map<string, string>> {
  const { entries } = await reference.services.store.range({ prefix: '/' });
  return new Map(
    entries
      .filter(({ key }) => !own(key))
      .map(({ key, modRevision, object }) => [key, `${modRevision} ${JSON.stringify(object)}`]),
  );
}

/** Sends everything to everywhere and tells what showed or changed what it may not. */
async function tryAll(reference: Reference, asker: Asker): Promise<string[]> {
  const found: string[] = [];
  let revision = await reference.services.store.revision();
  let stored = await foreign(reference, asker.owns);
  let count = 0;
  for (const endpoint of endpointsOf(reference)) {
    for (const name of ['mine', 'other']) {
      for (const path of pathsOf(endpoint, 'mine', name)) {
        for (const sent of requestsFor(path, endpoint)) {
          count++;
          const [method, target, body, contentType] = sent;
          const { code, text } = await ask(reference, method, target, body, contentType);
          const what = `${method} ${target} ${JSON.stringify(body) ?? ''} → ${code}`;
          if (text.includes(MARK)) found.push(`${what} shows what is not the asker's`);
          const now = await reference.services.store.revision();
          if (now === revision) continue;
          const after = await foreign(reference, asker.owns);
          for (const key of new Set([...stored.keys(), ...after.keys()])) {
            if (stored.get(key) !== after.get(key)) found.push(`${what} changes ${key}`);
          }
          stored = after;
          await putAll(reference, endpoint.type, asker);
          await reference.settled();
          revision = await reference.services.store.revision();
        }
      }
    }
  }
  assert.ok(count > 50_000, `${count} requests`);
  return found;
}

describe('what a path leads to is what its permission was asked for', () => {
  for (const asker of ASKERS) {
    it(`${asker.who} reaches nothing else, whatever the type, the path and the body`, async () => {
      const reference = await furnish(asker);
      try {
        assert.deepEqual(await tryAll(reference, asker), []);
      } finally {
        await reference.close();
      }
    });
  }
});

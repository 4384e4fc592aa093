import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { Json } from './api/json.ts';
import { sortedJson } from './codecs/jsonBySchema.ts';
import { readOptions } from './options/loadOptions.ts';
import { createReference, type Reference } from './reference.ts';
import { collect, inProcessRequest } from './transport/inProcess.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const TOKENS = 'root-token,root,u,system:masters\njane-token,jane,u2\n';
const open: Reference[] = [];

async function begin(...flags: readonly string[]): Promise<Reference> {
  const loaded = readOptions(['--seed=7', '--clock=virtual', '--token-auth-file=tokens', ...flags], {
    read: () => TOKENS,
  });
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  return kept(await createReference(loaded.options));
}

function kept(reference: Reference): Reference {
  open.push(reference);
  return reference;
}
const forkOf = async (reference: Reference): Promise<Reference> => kept(await reference.fork());

after(async () => {
  for (const one of open) await one.close();
});

interface Asked {
  readonly method?: string;
  readonly target: string;
  readonly body?: unknown;
  readonly who?: string;
  readonly type?: string;
}

async function ask(reference: Reference, { method = 'GET', target, body, who = 'root', type }: Asked) {
  const reply = await reference.handler(
    inProcessRequest({
      method,
      target,
      headers: {
        authorization: `Bearer ${who}-token`,
        'user-agent': 'test',
        ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  assert.equal(reply.kind, 'whole');
  return { code: reply.code, text: Buffer.from(reply.kind === 'whole' ? reply.body : []).toString('utf8') };
}

async function post(reference: Reference, target: string, body: unknown, code = 201): Promise<void> {
  const answer = await ask(reference, { method: 'POST', target, body });
  assert.equal(answer.code, code, answer.text);
}

const read = async (reference: Reference, target: string, who = 'root') =>
  JSON.parse((await ask(reference, { target, who })).text);

function widgets(plural = 'widgets') {
  const kind = plural === 'widgets' ? 'Widget' : 'Gadget';
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const BINDING = {
  metadata: { name: 'jane-reads' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
};

describe('a fork', () => {
  it('gives the same bytes as another one to the same requests', async () => {
    const parent = await begin('--explain');
    await post(parent, DEFINITIONS, widgets());
    const script: readonly (Asked | number)[] = [
      { method: 'POST', target: CONFIGMAPS, body: { metadata: { generateName: 'c-' } } },
      { method: 'POST', target: '/api/v1/namespaces', body: { metadata: { generateName: 'n-' } } },
      60_000,
      { method: 'POST', target: DEFINITIONS, body: widgets('gadgets') },
      {
        method: 'POST',
        target: '/apis/example.com/v1/namespaces/default/widgets',
        body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { generateName: 'w-' }, spec: { size: 1 } },
      },
      {
        method: 'POST',
        target: '/api/v1/namespaces/default/services',
        body: { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } },
      },
      { method: 'POST', target: `${RBAC}/clusterrolebindings`, body: BINDING },
      { target: CONFIGMAPS, who: 'jane' },
      {
        method: 'POST',
        target: '/api/v1/namespaces/default/serviceaccounts/default/token',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      },
      { target: '/apis' },
      { target: '/openapi/v3' },
      { method: 'DELETE', target: '/api/v1/namespaces/default' },
      { target: '/api/v1/configmaps' },
    ];
    const play = async (fork: Reference) => {
      const heard: string[] = [];
      const watch = await fork.handler(
        inProcessRequest({ target: '/api/v1/configmaps?watch=true', headers: { authorization: 'Bearer root-token' } }),
      );
      assert.equal(watch.kind, 'stream');
      const stream = watch.kind === 'stream' ? collect(watch) : undefined;
      for (const step of script) {
        if (typeof step === 'number') fork.advance(step);
        else heard.push(JSON.stringify(await ask(fork, step)));
        await fork.settled();
      }
      heard.push(stream?.text() ?? '', JSON.stringify((await fork.image()).entries));
      stream?.stop();
      return heard;
    };
    const first = await play(await forkOf(parent));
    assert.deepEqual(await play(await forkOf(parent)), first);
    // And of a fork, once the first has gone on by itself.
    assert.deepEqual(await play(await forkOf(await forkOf(parent))), first);
    assert.ok(first.some((text) => text.includes('gadgets')));
  });

  it('never changes another server', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({
      at: fc.nat(),
      name,
      do: fc.constantFrom('put', 'delete', 'fork', 'namespace', 'widget', 'definition', 'role', 'advance', 'owned'),
    });
    const of = (target: string, who: string) => ({ target, who });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const parent = await createOne();
        const servers = [parent];
        const looks = async (server: Reference) => {
          await server.settled();
          // Members of an object have no order, and take another when it is read from its JSON again.
          const image = sortedJson((await server.image()) as unknown as Json);
          const told = [of('/apis', 'root'), of(CONFIGMAPS, 'jane'), of('/apis/example.com/v1/widgets', 'root')];
          const answers = await Promise.all(told.map((one) => ask(server, one)));
          return JSON.stringify([image, answers.map(({ code, text }) => [code, text]), server.services.clock.now()]);
        };
        const seen = new Map<Reference, string>([[parent, await looks(parent)]]);
        for (const one of steps) {
          const server = servers[one.at % servers.length] as Reference;
          await change(server, one.do, one.name, servers);
          for (const other of servers) {
            const now = await looks(other);
            if (other !== server && seen.has(other)) assert.equal(now, seen.get(other), `${one.do} of another`);
            seen.set(other, now);
          }
        }
        for (const server of servers) await server.close();
      }),
      { numRuns: 12 },
    );
  });

  it('goes on with what the server before it began', async () => {
    const parent = await begin();
    const owner = JSON.parse(
      (await ask(parent, { method: 'POST', target: CONFIGMAPS, body: { metadata: { name: 'owner' } } })).text,
    );
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }];
    await post(parent, CONFIGMAPS, { metadata: { name: 'owned', ownerReferences } });
    await post(parent, '/api/v1/namespaces', { metadata: { name: 'team' } });
    await post(parent, '/api/v1/namespaces/team/configmaps', { metadata: { name: 'c' } });
    await post(parent, '/api/v1/namespaces/team/resourcequotas', {
      metadata: { name: 'q' },
      spec: { hard: { 'count/configmaps': '2' } },
    });
    await post(parent, DEFINITIONS, widgets());
    await post(parent, `${RBAC}/clusterrolebindings`, BINDING);
    await post(parent, '/api/v1/namespaces', { metadata: { name: 'going' } });
    await ask(parent, { method: 'DELETE', target: '/api/v1/namespaces/going' });
    const fork = await forkOf(parent);

    await ask(fork, { method: 'DELETE', target: `${CONFIGMAPS}/owner` });
    await fork.settled();
    assert.equal((await ask(fork, { target: `${CONFIGMAPS}/owned` })).code, 404);
    assert.equal((await ask(fork, { target: CONFIGMAPS, who: 'jane' })).code, 200);
    await post(fork, '/apis/example.com/v1/namespaces/team/widgets', {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
    });
    await post(fork, '/api/v1/namespaces/team/configmaps', { metadata: { name: 'd' } });
    await post(fork, '/api/v1/namespaces/team/configmaps', { metadata: { name: 'e' } }, 403);
    fork.advance(1_000);
    await fork.settled();
    assert.equal((await ask(fork, { target: '/api/v1/namespaces/going' })).code, 404);
    await ask(fork, { method: 'DELETE', target: '/api/v1/namespaces/team' });
    fork.advance(1_000);
    await fork.settled();
    assert.equal((await ask(fork, { target: '/api/v1/namespaces/team' })).code, 404);
    // The server before still has all of it.
    assert.equal((await ask(parent, { target: `${CONFIGMAPS}/owned` })).code, 200);
    assert.equal((await ask(parent, { target: '/api/v1/namespaces/going' })).code, 200);
  });

  it('has watches, versions and explanations of its own', async () => {
    const parent = await begin('--explain');
    await post(parent, CONFIGMAPS, { metadata: { name: 'before' } });
    const fork = await forkOf(parent);
    const { metadata } = await read(fork, CONFIGMAPS);
    const watch = await fork.handler(
      inProcessRequest({
        target: `${CONFIGMAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`,
        headers: { authorization: 'Bearer root-token' },
      }),
    );
    assert.ok(watch.kind === 'stream');
    const stream = collect(watch);
    await post(parent, CONFIGMAPS, { metadata: { name: 'theirs' } });
    await post(fork, CONFIGMAPS, { metadata: { name: 'mine' } });
    stream.stop();
    assert.match(stream.text(), /"mine"/);
    assert.doesNotMatch(stream.text(), /"theirs"|"before"/);
    assert.equal(
      (await ask(fork, { target: `${CONFIGMAPS}?resourceVersion=1001&resourceVersionMatch=Exact` })).code,
      410,
    );
  });

  it('can be taken while requests are under way', async () => {
    const parent = await begin();
    const writes = Array.from({ length: 30 }, (_, n) => post(parent, CONFIGMAPS, { metadata: { name: `c${n}` } }));
    const forks = await Promise.all(Array.from({ length: 5 }, () => forkOf(parent)));
    await Promise.all(writes);
    const counts = await Promise.all(forks.map(async (fork) => (await read(fork, CONFIGMAPS)).items.length));
    for (const [at, fork] of forks.entries()) {
      await post(fork, CONFIGMAPS, { metadata: { name: 'mine' } });
      assert.equal((await read(fork, CONFIGMAPS)).items.length, (counts[at] as number) + 1);
    }
    assert.equal(
      (await read(parent, CONFIGMAPS)).items.filter((one: { metadata: { name: string } }) =>
        one.metadata.name.startsWith('c'),
      ).length,
      30,
    );
  });

  it('leaves nothing behind when it is closed', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const parent = await begin('--explain');
    const fork = async () => {
      const one = await parent.fork();
      await post(one, CONFIGMAPS, { metadata: { name: 'c' } });
      await post(one, DEFINITIONS, widgets());
      await one.settled();
      await one.close();
      return new WeakRef(one.services);
    };
    const resources = process.getActiveResourcesInfo().length;
    const refs: WeakRef<object>[] = [];
    for (let n = 0; n < 20; n++) refs.push(await fork());
    assert.equal(process.getActiveResourcesInfo().length, resources);
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    assert.equal(refs.filter((ref) => ref.deref() !== undefined).length, 0);
  });
});

/** With a type, a binding for jane and something to own others. */
async function createOne(): Promise<Reference> {
  const parent = await begin();
  await post(parent, DEFINITIONS, widgets());
  await post(parent, CONFIGMAPS, { metadata: { name: 'owner', uid: '' } });
  await post(parent, `${RBAC}/clusterrolebindings`, BINDING);
  return parent;
}

async function change(server: Reference, what: string, name: string, servers: Reference[]): Promise<void> {
  switch (what) {
    case 'fork':
      if (servers.length < 4) servers.push(await forkOf(server));
      return;
    case 'put': {
      const body = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { at: String(server.services.store.revision()) },
      };
      const target = `${CONFIGMAPS}/${name}?fieldManager=test&force=true`;
      await ask(server, { method: 'PATCH', target, body, type: 'application/apply-patch+yaml' });
      return;
    }
    case 'delete':
      await ask(server, { method: 'DELETE', target: `${CONFIGMAPS}/${name}` });
      await ask(server, { method: 'DELETE', target: `${CONFIGMAPS}/owner` });
      return;
    case 'owned': {
      const owner = await read(server, `${CONFIGMAPS}/owner`);
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata?.uid ?? 'gone' },
      ];
      await ask(server, {
        method: 'POST',
        target: CONFIGMAPS,
        body: { metadata: { name: `o${name}`, ownerReferences } },
      });
      return;
    }
    case 'namespace':
      await ask(server, { method: 'POST', target: '/api/v1/namespaces', body: { metadata: { name } } });
      await ask(server, { method: 'DELETE', target: `/api/v1/namespaces/${name === 'a' ? 'b' : 'c'}` });
      return;
    case 'widget': {
      const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } };
      await ask(server, { method: 'POST', target: '/apis/example.com/v1/namespaces/default/widgets', body });
      return;
    }
    case 'definition':
      if (name === 'a') await ask(server, { method: 'DELETE', target: `${DEFINITIONS}/widgets.example.com` });
      else await ask(server, { method: 'POST', target: DEFINITIONS, body: widgets('gadgets') });
      return;
    case 'role':
      await ask(server, { method: 'DELETE', target: `${RBAC}/clusterrolebindings/jane-reads` });
      return;
    default:
      server.advance(1_000);
  }
}

describe('the audit log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-fork-'));
  after(() => rmSync(folder, { recursive: true }));
  it('of a fork is its own, and goes on in the server that takes its place', async () => {
    const path = join(folder, 'audit.log');
    const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
    const loaded = readOptions(
      [
        '--seed=7',
        '--clock=virtual',
        '--token-auth-file=tokens',
        `--audit-log-path=${path}`,
        '--audit-policy-file=policy',
      ],
      { read: (name) => (name === 'policy' ? policy : TOKENS) },
    );
    assert.ok(!('errors' in loaded), JSON.stringify(loaded));
    const first = kept(await createReference(loaded.options));
    const [one, two] = [await forkOf(first), await forkOf(first)];
    const next = kept(await first.fork(two.lineage));
    const asked = (name: string) => ({ target: `${CONFIGMAPS}/${name}` });
    for (const [server, name] of [
      [first, 'a'],
      [two, 'b'],
      [next, 'c'],
    ] as const)
      await ask(server, asked(name));
    const named = (file: string) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(named('audit.log'))], ['a']);
    assert.deepEqual([...new Set(named('audit.fork-2.log'))], ['b', 'c']);
    assert.ok(!existsSync(join(folder, 'audit.fork-1.log')), 'nobody asked it');
    assert.equal(one.lineage.number, 1);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import type { JsonObject } from '../reference/api/json.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference } from '../reference/reference.ts';
import type { StoreImage } from '../reference/storage/storeImage.ts';
import { inProcessRequest } from '../reference/transport/inProcess.ts';
import { type Control, openControl } from './control.ts';
import { ControlledServer } from './controlledServer.ts';

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>> }>
  >;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const loaded = readOptions(['--clock=virtual', '--seed=1', '--explain', '--token-auth-file=t'], {
  read: () => 'root,root,u,system:masters\n',
});
assert.ok(!('errors' in loaded));
const { options } = loaded;
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

let server: ControlledServer;
let control: Control;
const ended: string[] = [];
before(async () => {
  const family = {
    clock: 'virtual',
    remembered: 100,
    begin: (image: StoreImage) => createReference(options, { image }),
    replaced: (was: { close(): Promise<void> }) => was.close(),
  } as const;
  server = await ControlledServer.of(family, await createReference(options));
  control = await openControl(server, async (fork) => ({
    base: 'https://127.0.0.1:1',
    insecureBase: undefined,
    close: async () => {
      ended.push('fork');
      await fork.current.close();
    },
  }));
});
after(async () => {
  await control.close();
  await server.current.close();
});

const call = (method: string, path: string, body?: unknown, token = control.token) =>
  fetch(control.base + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body) }),
  });
const told = async (path: string) =>
  (await (await call('GET', path)).json()) as Record<string, never[]> & { now: string };
const create = (name: string, of = server) =>
  of.handler(
    inProcessRequest({
      method: 'POST',
      target: CONFIGMAPS,
      headers: { authorization: 'Bearer root', 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name } }),
    }),
  );

describe('the control port', () => {
  it('answers nobody without its token', async () => {
    for (const path of ['/clock', '/openapi.json', '/nothing']) {
      assert.equal((await call('GET', path, undefined, 'another')).status, 401);
    }
  });

  it('is where it is told to be, with the token that it is told, and says when that cannot be', async () => {
    const place = { port: Number(new URL(control.base).port), token: 'mine' };
    const nowhere = async () => Promise.reject(new Error('no forks here'));
    await assert.rejects(openControl(server, nowhere, place), { code: 'EADDRINUSE' });
    const other = await openControl(server, nowhere, { token: 'mine' });
    try {
      const headers = { authorization: 'Bearer mine' };
      assert.equal((await fetch(`${other.base}/clock`, { headers })).status, 200);
    } finally {
      await other.close();
    }
  });

  it('does what its document says, and answers as it says', async () => {
    const { paths } = (await (await call('GET', '/openapi.json')).json()) as { paths: Paths };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    await create('a');
    assert.equal((await call('POST', '/forks')).status, 200);
    const snapshot = new Uint8Array(await (await call('GET', '/snapshot')).arrayBuffer());
    const bodies: Readonly<Record<string, unknown>> = {
      'post /clock/advance': { milliseconds: 1_000 },
      'put /snapshot': snapshot,
      'post /store/corrupt': { resource: 'namespaces', name: 'default' },
    };
    let answered = 0;
    // What ends a fork comes last.
    const all = Object.entries(paths).sort(([a], [b]) => Number(a === '/forks/{fork}') - Number(b === '/forks/{fork}'));
    for (const [path, methods] of all) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const own = path.replace('/forks/{fork}', '');
        const answer = await call(method.toUpperCase(), path.replace('{fork}', 'f1'), bodies[`${method} ${own}`]);
        const said = responses[String(answer.status)];
        assert.ok(said, `${method} ${path} answered ${answer.status} ${await answer.clone().text()}`);
        const schema = said.content?.['application/json']?.schema;
        if (schema) {
          const validate = ajv.compile(schema);
          assert.ok(validate(await answer.json()), `${method} ${path}: ${ajv.errorsText(validate.errors)}`);
        }
        assert.ok([200, 204].includes(answer.status), `${method} ${path} ${answer.status}`);
        answered++;
      }
      const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((name) => !(name.toLowerCase() in methods));
      for (const method of others) {
        const { status } = await call(method, path.replace('{fork}', 'f9').replace(/^\/forks\/f9/, ''));
        if (path !== '/forks/{fork}') assert.equal(status, 405, `${method} ${path}`);
      }
    }
    assert.ok(answered > 20);
    assert.deepEqual(ended, ['fork']);
    assert.equal((await call('GET', '/nothing')).status, 404);
    assert.equal((await call('GET', '/forks/f1/clock')).status, 404);
  });

  it('moves time, tells history and changes, and takes all of it back', async () => {
    await call('POST', '/reset');
    const { now } = await told('/clock');
    assert.equal((await call('POST', '/clock/advance', { milliseconds: 5_000 })).status, 204);
    assert.equal(Date.parse((await told('/clock')).now) - Date.parse(now), 5_000);
    await create('b');
    assert.equal((await told('/history')).requests?.length, 1);
    assert.equal((await told('/history?after=1')).requests?.length, 0);
    assert.match(JSON.stringify(await told('/changes')), /configmaps\/default\/b/);
    await call('POST', '/reset');
    assert.equal((await told('/clock')).now, now);
    assert.doesNotMatch(JSON.stringify(await told('/changes')), /configmaps\/default\/b/);
    assert.equal((await told('/history')).requests?.length, 0);
  });

  it('says why something cannot be done', async () => {
    for (const [method, path, body, message] of [
      ['POST', '/clock/advance', { milliseconds: -1 }, 'milliseconds must be a number from 0 to 31622400000'],
      ['POST', '/clock/advance', { milliseconds: 1e30 }, 'milliseconds must be a number from 0 to 31622400000'],
      ['POST', '/clock/advance', { milliseconds: '1' }, 'milliseconds must be a number from 0 to 31622400000'],
      ['POST', '/clock/advance', 'x', 'the body must be a JSON object'],
      ['POST', '/clock/advance', [1], 'the body must be a JSON object'],
      ['POST', '/clock/advance', new Uint8Array([123]), 'the body must be JSON'],
      ['POST', '/clock/advance', undefined, 'the body must be a JSON object with milliseconds'],
      ['POST', '/clock/advance', { seconds: 1 }, 'the body must not have seconds; it takes milliseconds'],
      ['PUT', '/snapshot', new Uint8Array([1, 2]), 'what was sent is no snapshot of this server'],
      ['POST', '/store/corrupt', { resource: 'configmaps', name: 'none' }, /configmaps.* none/],
      ['POST', '/store/corrupt', { resource: 1, name: 'none' }, 'resource must be text'],
      ['GET', '/history?after=x', undefined, 'the query parameter after must be a whole number, not "x"'],
      ['GET', '/history?after=-1', undefined, 'the query parameter after must be a whole number, not "-1"'],
      ['GET', '/history?after=1&after=2', undefined, 'the query parameter after is there twice'],
      ['GET', '/history?before=1', undefined, 'there is no query parameter before here; it takes after'],
      ['GET', '/clock?at=now', undefined, 'there is no query parameter at here; it takes none'],
    ] as const) {
      const answer = await call(method, path, body);
      assert.equal(answer.status, 400, `${method} ${path}`);
      const said = ((await answer.json()) as { message: string }).message;
      if (typeof message === 'string') assert.equal(said, message);
      else assert.match(said, message);
    }
  });
});

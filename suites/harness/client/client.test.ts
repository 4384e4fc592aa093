import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { Actor, named } from '../actor.ts';
import { Ending } from '../endings.ts';
import { closeEvidence, Evidence, openEvidence } from '../evidence.ts';
import { configMaps, leases, roles } from '../kinds.ts';
import * as match from '../match.ts';
import { must } from '../must.ts';
import { Space } from '../space.ts';
import { Site } from '../target/site.ts';
import type { Target } from '../target/target.ts';
import { TinyServer } from '../testing/tinyServer.ts';

const TOKEN = 'a-token-of-somebody';

describe('an actor at a target', () => {
  const tiny = new TinyServer();
  const history = mkdtempSync(join(tmpdir(), 'touchstone-history-'));
  let site: Site;
  let evidence: Evidence;
  let space: Space;
  let author: Actor;

  before(async () => {
    const target: Target = {
      base: await tiny.listen(),
      mode: 'url',
      dialect: kubernetes,
      release: '1.32',
      version: {},
      identities: { admin: { token: TOKEN, user: 'somebody' } },
      capabilities: [],
      served: ['v1/configmaps'],
    };
    site = new Site({ target, run: { id: 'run', seed: '', strict: false, history } }, 0);
  });
  after(async () => {
    await site.close();
    await tiny.close();
    rmSync(history, { recursive: true });
  });
  beforeEach(() => {
    const parts = { title: 't', requirements: [], level: 'MUST', strict: false, redactor: site.redactor } as const;
    evidence = new Evidence(parts);
    openEvidence(evidence);
    const { target } = site;
    space = new Space({
      run: 'run',
      check: 'c',
      attempt: 0,
      admin: site.client('admin', target.identities.admin),
      target,
      evidence,
    });
    author = new Actor({ client: site.client('author', target.identities.admin), space, target, evidence });
  });
  afterEach(async () => {
    author.closeStreams();
    await space.cleanUp();
    closeEvidence();
  });

  it('works in a namespace of the check, which is gone with all in it after cleaning up', async () => {
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    assert.equal(live.metadata.namespace, space.prefix);
    assert.ok(tiny.paths().length > 0);
    await space.cleanUp();
    assert.deepEqual(tiny.paths(), []);
  });
  it('keeps every exchange with its times, and no credential', async () => {
    await author.given(configMaps, named('doc'));
    await author.get(configMaps, 'doc');
    const { exchanges } = evidence.sent();
    // As it has no controllers, what they put into a namespace is looked for each time for a while.
    const others = exchanges.filter(({ words }) => !words.startsWith('admin looks for'));
    assert.deepEqual(
      others.map(({ phase }) => phase),
      ['preparation', 'preparation', 'check'],
    );
    assert.ok(exchanges.every(({ took }) => took >= 0));
    assert.ok(!JSON.stringify(exchanges).includes(TOKEN));
    assert.match(others[2]?.words ?? '', /^author gets configmaps "doc"$/);
  });
  it('ends the check without a verdict where nobody answers, and says why', async () => {
    const lost = new Site({ target: { ...site.target, base: await addressOfNobody() }, run: site.run }, 1);
    await assert.rejects(lost.client('author', undefined).send('author asks', 'GET', '/version'), Ending);
    const { ending, noAnswer, assertions } = evidence.record();
    assert.equal(noAnswer, 'connection');
    assert.match(ending?.reason ?? '', /"author asks": nobody listens there \(ECONNREFUSED\)/);
    assert.equal(ending?.outcome, 'inconclusive');
    assert.deepEqual(assertions, []);
    await lost.close();
  });
  it('has no answer, as a difference, where the requirement is about just that', async () => {
    const parts = { title: 't', requirements: [], level: 'MUST', strict: false, redactor: site.redactor } as const;
    openEvidence(new Evidence({ ...parts, judges: ['connection'] }));
    const lost = new Site({ target: { ...site.target, base: await addressOfNobody() }, run: site.run }, 1);
    const exchange = await lost.client('author', undefined).send('author asks', 'GET', '/version');
    assert.deepEqual(match.status(200).differences(exchange, ''), [
      {
        path: 'status',
        want: 'status 200',
        got: '"no answer: nobody listens there (ECONNREFUSED)"',
        gotType: 'string',
      },
    ]);
    await lost.close();
  });
  it('ends the check as unsupported for a type that discovery does not name, but not for one of the specification', async () => {
    await assert.rejects(author.list(leases), /unsupported: discovery does not name leases/);
    assert.equal((await author.list(roles)).status, 200);
  });
  it('comes again with what it starts from where the target is not ready and says so', async () => {
    const slow = new TinyServer({ fault: 'is-not-ready-at-first' });
    const target = { ...site.target, base: await slow.listen() };
    const there = new Site({ target, run: site.run }, 3);
    const actor = new Actor({ client: there.client('author', target.identities.admin), space, target, evidence });
    assert.equal((await actor.in('default').create(configMaps, named('asked-once'))).status, 500);
    assert.equal((await actor.in('default').given(configMaps, named('doc'))).metadata.name, 'doc');
    await there.close();
    await slow.close();
  });
  it('ends the check as unsupported where what it starts from is of a type that is not there, nor named', async () => {
    const bare = new TinyServer({ fault: 'finds-nothing' });
    const target = { ...site.target, base: await bare.listen() };
    const there = new Site({ target, run: site.run }, 2);
    const actor = new Actor({ client: there.client('author', target.identities.admin), space, target, evidence });
    await assert.rejects(actor.given(roles, named('none')), /unsupported: discovery does not name roles/);
    await assert.rejects(actor.given(configMaps, named('none')), /its preparation failed/);
    await there.close();
    await bare.close();
  });
  it('sees events in the order they come, and says which did not', async () => {
    const stream = await author.watch(configMaps);
    await author.given(configMaps, named('a'));
    await author.given(configMaps, named('b'));
    const events = must('both come', await stream.upTo(match.event('ADDED', 'b')));
    assert.deepEqual(
      events.map(({ object }) => object.metadata.name),
      ['a', 'b'],
    );
    const missing = await stream.until(match.event('DELETED', 'a'), { within: 30 });
    assert.ok(missing.differences.some(({ want }) => want === 'within 30 ms'));
    assert.equal(evidence.sent().events.length, 2);
  });
  it('writes a history without credentials', async () => {
    await author.given(configMaps, named('doc'));
    const text = readFileSync(join(history, 'history-0.ndjson'), 'utf8');
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(entries.some(({ type, method, status }) => type === 'operation' && method === 'POST' && status === 201));
    assert.ok(entries.every(({ type, start, end }) => type !== 'operation' || start <= end));
    assert.ok(!text.includes(TOKEN));
  });
});

/** An address at which nobody listens any more. */
async function addressOfNobody(): Promise<string> {
  const server = new TinyServer();
  const base = await server.listen();
  await server.close();
  return base;
}

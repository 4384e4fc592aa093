import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { parseQuery } from '../api/query.ts';
import type { Exchange, RequestInfo } from '../api/request.ts';
import type { TextAnswer } from '../contracts/answer.ts';
import { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { MemoryStore } from '../storage/memory.ts';
import { requestWith } from '../testing/authenticationFixture.ts';
import { VirtualClock } from '../time.ts';
import { Health } from './health.ts';
import { MetricsRegistry } from './metrics.ts';
import { RequestMetrics } from './requestMetrics.ts';

const user = { username: 'alice', uid: '', groups: ['devs'], extra: {} };
function exchangeOf(info: RequestInfo, query = ''): Exchange {
  return {
    request: { ...requestWith({}, [], info.path), query: parseQuery(query) },
    info,
    user,
    warnings: { add: () => {}, list: () => [] },
    audit: new Map([['authorization.k8s.io/decision', 'allow']]),
    trace: undefined,
  };
}
const pathOf = (path: string, query = '') => exchangeOf({ isResource: false, verb: 'get', path }, query);

function healthOf(follow: 'spec' | 'service' = 'service', livezGracePeriod = 0, dialect = kubernetes) {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const health = new Health({
    store,
    clock,
    dialect,
    follow,
    livezGracePeriod,
    storeHealthTimeout: 2_000,
    storeReadyTimeout: 2_000,
  });
  const ask = async (path: string, query = '') => (await health.answer(pathOf(path, query))) as TextAnswer | undefined;
  return { clock, health, ask };
}

test('health is ok once every start-up hook is done', async () => {
  const { health, ask } = healthOf();
  const early = await ask('/readyz');
  assert.equal(early?.code, 500);
  assert.match(String(early?.body), /\[-\]poststarthook\/rbac\/bootstrap-roles failed: reason withheld\n/);
  assert.match(String(early?.body), /readyz check failed\n$/);
  health.started();
  assert.deepEqual([(await ask('/readyz'))?.body, (await ask('/livez/ping'))?.body], ['ok', 'ok']);
});

test('every check of the start is told, and each can be asked by its name', async () => {
  const { health, ask } = healthOf();
  health.started();
  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    const told = String((await ask(`/${endpoint}`, 'verbose'))?.body);
    for (const check of [
      'autoregister-completion',
      'poststarthook/start-kube-aggregator-informers',
      'poststarthook/storage-readiness',
      'poststarthook/rbac/bootstrap-roles',
      'poststarthook/kube-apiserver-autoregistration',
    ]) {
      assert.ok(told.includes(`[+]${check} ok\n`), `${endpoint}: ${check}`);
      assert.equal((await ask(`/${endpoint}/${check}`))?.body, 'ok', `${endpoint}/${check}`);
    }
  }
});

test('during the grace period liveness does not mind hooks, readiness does', async () => {
  const { clock, ask } = healthOf('service', 5000);
  assert.deepEqual([(await ask('/livez'))?.code, (await ask('/readyz'))?.code], [200, 500]);
  clock.advance(5000);
  assert.equal((await ask('/livez'))?.code, 500);
});

test('verbose lists the checks, exclude skips some and tells of those that are not there', async () => {
  const { health, ask } = healthOf();
  health.started();
  const body = String((await ask('/livez', 'verbose&exclude=etcd&exclude=nosuch'))?.body);
  assert.match(body, /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]loopback-serving-certificate ok\n\[\+\]etcd excluded: ok\n/);
  assert.match(body, /\nwarn: some health checks cannot be excluded: no matches for "nosuch"\nlivez check passed\n$/);
  assert.equal((await ask('/livez', 'exclude=nosuch'))?.body, 'ok');
  const text = healthOf('spec');
  text.health.started();
  assert.match(String((await text.ask('/livez', 'verbose'))?.body), /\nhealthz check passed\n$/);
});

test('shutdown is a check of readiness only; unknown checks are not answered', async () => {
  const { health, ask } = healthOf();
  health.started();
  health.beginShutdown();
  assert.deepEqual(
    [(await ask('/readyz'))?.code, (await ask('/livez'))?.code, (await ask('/readyz/shutdown'))?.code],
    [500, 200, 500],
  );
  for (const path of ['/livez/shutdown', '/livez/nosuch', '/healthz/', '/healthzz']) {
    assert.equal(await ask(path), undefined, path);
  }
});

test('the names of hooks follow the dialect', async () => {
  const { ask, health } = healthOf('spec', 0, { ...cluster, componentPrefix: 'my-' });
  health.started();
  assert.equal((await ask('/livez/poststarthook/my-apiserver-autoregistration'))?.body, 'ok');
});

test('metrics are told in the text form, labels in order and escaped', () => {
  const metrics = new MetricsRegistry();
  const counter = metrics.counter({ name: 'b_total', help: 'Things.', stability: 'STABLE', labels: ['z', 'a'] });
  counter.add({ a: 'x"\\\n', z: '1' });
  counter.add({ a: 'x"\\\n', z: '1' }, 2);
  const times = metrics.histogram({ name: 'a_seconds', help: 'Times.', stability: 'ALPHA', labels: [] }, [1, 2]);
  times.observe({}, 1.5);
  times.observe({}, 9);
  assert.equal(
    metrics.text(),
    '# HELP a_seconds [ALPHA] Times.\n# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 0\na_seconds_bucket{le="2"} 1\na_seconds_bucket{le="+Inf"} 2\na_seconds_sum 10.5\na_seconds_count 2\n' +
      '# HELP b_total [STABLE] Things.\n# TYPE b_total counter\nb_total{a="x\\"\\\\\\n",z="1"} 3\n',
  );
  assert.throws(() => metrics.gauge({ name: 'b_total', help: '', stability: 'BETA', labels: [] }));
});

test('requests that lead nowhere make no new series', () => {
  const metrics = new MetricsRegistry();
  const observer = new RequestMetrics(metrics, new ResourceRegistry());
  for (let i = 0; i < 50; i++) {
    const info: RequestInfo = {
      isResource: true,
      verb: 'get',
      group: `g${i}`,
      version: 'v1',
      resource: `r${i}`,
      subresource: '',
      namespace: '',
      below: '',
      name: 'x',
      path: `/apis/g${i}/v1/r${i}/x`,
      rest: [],
    };
    const reply = { kind: 'whole' as const, code: 404, headers: {}, body: new Uint8Array() };
    observer.ended({ exchange: exchangeOf(info), auditId: 'a', received: 0, took: 1, allowed: undefined }, reply);
  }
  const lines = metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith('apiserver_request_total'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', / 50$/);
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isObject, type JsonObject } from './api/json.ts';
import { type Heard, type ReleaseFixture, releaseFixture } from './testing/releaseFixture.ts';

/*
 * Older versions as the releases serve that have them: every cell of "Notable changes"
 * (3/removed-api-versions-by-release).
 */

const scenes = new Map<string, Promise<ReleaseFixture>>();
function at(release: string, ...flags: string[]): Promise<ReleaseFixture> {
  const key = [release, ...flags].join(' ');
  const fixture = scenes.get(key) ?? releaseFixture(release, flags);
  scenes.set(key, fixture);
  return fixture;
}
after(async () => {
  for (const fixture of scenes.values()) await (await fixture).close();
});

const DEFAULT = 'namespaces/default';
const part = (object: JsonObject, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((found, name) => (isObject(found as never) ? (found as JsonObject)[name] : undefined), object);
const causes = ({ body }: Heard) =>
  ((part(body, 'details.causes') ?? []) as JsonObject[]).map(({ field, reason }) => `${field} ${reason}`);
async function created(fixture: ReleaseFixture, target: string, body: JsonObject): Promise<JsonObject> {
  const heard = await fixture.send('POST', target, body);
  assert.equal(heard.code, 201, JSON.stringify(heard.body));
  return heard.body;
}
async function read(fixture: ReleaseFixture, target: string): Promise<JsonObject> {
  const heard = await fixture.send('GET', target);
  assert.equal(heard.code, 200, `${target}: ${JSON.stringify(heard.body)}`);
  return heard.body;
}

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'a' } };
const workload = (apiVersion: string, kind: string, name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { template, ...spec },
});

describe('workloads before apps/v1', () => {
  const OLD = '/apis/extensions/v1beta1';

  it('have the defaults of their version', async () => {
    const fixture = await at('1.15');
    const deployment = await created(
      fixture,
      `${OLD}/${DEFAULT}/deployments`,
      workload('extensions/v1beta1', 'Deployment', 'old'),
    );
    assert.deepEqual(part(deployment, 'spec.strategy.rollingUpdate'), { maxUnavailable: 1, maxSurge: 1 });
    assert.deepEqual(part(deployment, 'spec.selector'), selector);
    assert.equal(part(deployment, 'spec.progressDeadlineSeconds'), 2 ** 31 - 1);
    const beta = await created(
      fixture,
      `/apis/apps/v1beta1/${DEFAULT}/deployments`,
      workload('apps/v1beta1', 'Deployment', 'beta'),
    );
    assert.equal(part(beta, 'spec.revisionHistoryLimit'), 2);
    assert.equal(part(beta, 'spec.progressDeadlineSeconds'), 600);
    const newest = await created(
      fixture,
      `/apis/apps/v1/${DEFAULT}/deployments`,
      workload('apps/v1', 'Deployment', 'new', { selector }),
    );
    assert.equal(part(newest, 'spec.revisionHistoryLimit'), 10);
    assert.deepEqual(part(newest, 'spec.strategy.rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
    const daemonSet = await created(
      fixture,
      `${OLD}/${DEFAULT}/daemonsets`,
      workload('extensions/v1beta1', 'DaemonSet', 'old'),
    );
    assert.deepEqual(part(daemonSet, 'spec.updateStrategy'), { type: 'OnDelete' });
    assert.equal(part(daemonSet, 'spec.templateGeneration'), 1);
    const set = workload('apps/v1beta1', 'StatefulSet', 'old', { serviceName: 's' });
    const old = await created(fixture, `/apis/apps/v1beta1/${DEFAULT}/statefulsets`, set);
    assert.deepEqual(part(old, 'spec.updateStrategy'), { type: 'OnDelete' });
    const replicas = workload('extensions/v1beta1', 'ReplicaSet', 'old');
    assert.deepEqual(
      part(await created(fixture, `${OLD}/${DEFAULT}/replicasets`, replicas), 'spec.selector'),
      selector,
    );
  });

  it('ask for a selector from apps/v1beta2 on, and keep it for good in apps/v1', async () => {
    const fixture = await at('1.15');
    for (const version of ['v1beta2', 'v1']) {
      const bare = workload(`apps/${version}`, 'Deployment', 'bare');
      const refused = await fixture.send('POST', `/apis/apps/${version}/${DEFAULT}/deployments`, bare);
      assert.equal(refused.code, 422, version);
    }
    const path = `${DEFAULT}/deployments/moves`;
    const labels = { app: 'a', more: 'b' };
    const spec = { template: { ...template, metadata: { labels } } };
    await created(
      fixture,
      `${OLD}/${DEFAULT}/deployments`,
      workload('extensions/v1beta1', 'Deployment', 'moves', spec),
    );
    const wider = { spec: { selector: { matchLabels: { more: null } } } };
    const patch = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await fixture.send('PATCH', `/apis/apps/v1/${path}`, wider, patch)).code, 422);
    assert.equal((await fixture.send('PATCH', `${OLD}/${path}`, wider, patch)).code, 200);
  });

  it('go back to a revision by a field of their own, which apps/v1 keeps as an annotation', async () => {
    const fixture = await at('1.15');
    await created(fixture, `${OLD}/${DEFAULT}/deployments`, workload('extensions/v1beta1', 'Deployment', 'back'));
    const rollback = {
      kind: 'DeploymentRollback',
      apiVersion: 'extensions/v1beta1',
      name: 'back',
      rollbackTo: { revision: 3 },
    };
    const answer = await fixture.send('POST', `${OLD}/${DEFAULT}/deployments/back/rollback`, rollback);
    assert.equal(answer.code, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.status, 'Success');
    assert.deepEqual(part(await read(fixture, `${OLD}/${DEFAULT}/deployments/back`), 'spec.rollbackTo'), {
      revision: 3,
    });
    const newest = await read(fixture, `/apis/apps/v1/${DEFAULT}/deployments/back`);
    assert.equal((newest.spec as JsonObject).rollbackTo, undefined);
    assert.equal((part(newest, 'metadata.annotations') as JsonObject)['deprecated.deployment.rollback.to'], '3');
  });

  it('are scaled by a view of their own group', async () => {
    const fixture = await at('1.15');
    await created(fixture, `${OLD}/${DEFAULT}/deployments`, workload('extensions/v1beta1', 'Deployment', 'scaled'));
    const scale = await read(fixture, `${OLD}/${DEFAULT}/deployments/scaled/scale`);
    assert.equal(scale.apiVersion, 'extensions/v1beta1');
    assert.deepEqual(scale.status, { replicas: 0, selector: { app: 'a' }, targetSelector: 'app=a' });
    const wanted = { ...scale, spec: { replicas: 3 } };
    assert.equal((await fixture.send('PUT', `${OLD}/${DEFAULT}/deployments/scaled/scale`, wanted)).code, 200);
    assert.equal(part(await read(fixture, `/apis/apps/v1/${DEFAULT}/deployments/scaled`), 'spec.replicas'), 3);
    assert.equal(
      part(await read(fixture, `/apis/apps/v1/${DEFAULT}/deployments/scaled/scale`), 'apiVersion'),
      'autoscaling/v1',
    );
  });

  it('are switched off in 1.16, where they can be had back, and gone in 1.18', async () => {
    const path = `/apis/apps/v1beta2/${DEFAULT}/deployments`;
    assert.equal((await (await at('1.16')).send('GET', path)).code, 404);
    assert.equal((await (await at('1.17', '--runtime-config=apps/v1beta2')).send('GET', path)).code, 200);
    assert.equal((await (await at('1.18', '--runtime-config=apps/v1beta2')).send('GET', path)).code, 404);
    const one = await at('1.16', '--runtime-config=extensions/v1beta1/deployments=true');
    assert.equal((await one.send('GET', `${OLD}/deployments`)).code, 200);
    assert.equal((await one.send('GET', `${OLD}/daemonsets`)).code, 404);
  });
});

describe('Ingress before networking/v1', () => {
  const ingress = (apiVersion: string, name: string): JsonObject => ({
    apiVersion,
    kind: 'Ingress',
    metadata: { name },
    spec: {
      backend: { serviceName: 's', servicePort: 80 },
      rules: [{ http: { paths: [{ path: '/a', backend: { serviceName: 's', servicePort: 'web' } }] } }],
    },
  });
  it('names backends flatly and leaves the type of paths open, in both groups', async () => {
    const fixture = await at('1.20');
    for (const group of ['extensions', 'networking.k8s.io']) {
      const name = `i-${group.slice(0, 3)}`;
      const old = await created(
        fixture,
        `/apis/${group}/v1beta1/${DEFAULT}/ingresses`,
        ingress(`${group}/v1beta1`, name),
      );
      assert.deepEqual(part(old, 'spec.backend'), { serviceName: 's', servicePort: 80 });
      const newest = await read(fixture, `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses/${name}`);
      assert.deepEqual(newest.spec, {
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
        rules: [
          {
            http: {
              paths: [
                {
                  path: '/a',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's', port: { name: 'web' } } },
                },
              ],
            },
          },
        ],
      });
    }
    const open = { http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 1 } } } }] } };
    const bare = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'b' },
      spec: { rules: [open] },
    };
    const refused = await fixture.send('POST', `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses`, bare);
    assert.deepEqual(causes(refused), ['spec.rules[0].http.paths[0].pathType FieldValueRequired']);
    const wrong = ingress('networking.k8s.io/v1beta1', 'w');
    (wrong.spec as JsonObject).backend = { serviceName: 'S', servicePort: 80 };
    const told = await fixture.send('POST', `/apis/networking.k8s.io/v1beta1/${DEFAULT}/ingresses`, wrong);
    assert.deepEqual(causes(told), ['spec.backend.serviceName FieldValueInvalid']);
  });

  it('keeps who owns what in the version that was written, over patches, applies, watches and Tables', async () => {
    const fixture = await at('1.20');
    const OLD = `/apis/extensions/v1beta1/${DEFAULT}/ingresses`;
    const NEW = `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses`;
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const config = {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { backend: { serviceName: 's', servicePort: 80 } },
    };
    const events = await fixture.watch(`${NEW}?watch=true`, async () => {
      assert.equal((await fixture.send('PATCH', `${OLD}/a?fieldManager=one`, config, apply)).code, 201);
    });
    const [event = {}] = events;
    assert.equal(event.type, 'ADDED');
    assert.equal(part(event, 'object.apiVersion'), 'networking.k8s.io/v1');
    assert.deepEqual(part(event, 'object.spec.defaultBackend'), { service: { name: 's', port: { number: 80 } } });

    // Another manager applies the same value in the newer version: no conflict, and both own it.
    const same = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    };
    assert.equal((await fixture.send('PATCH', `${NEW}/a?fieldManager=two`, same, apply)).code, 200);
    const other = { ...same, spec: { defaultBackend: { service: { name: 's', port: { number: 81 } } } } };
    const conflict = await fixture.send('PATCH', `${NEW}/a?fieldManager=two`, other, apply);
    assert.equal(conflict.code, 409);
    assert.match(String(conflict.body.message), /"one"/);
    const entries = (part(await read(fixture, `${NEW}/a`), 'metadata.managedFields') as JsonObject[]).map(
      ({ manager, apiVersion }) => `${manager} ${apiVersion}`,
    );
    assert.deepEqual(entries.sort(), ['one extensions/v1beta1', 'two networking.k8s.io/v1']);

    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const cells = async (path: string) =>
      (part((await fixture.send('GET', path, undefined, table)).body, 'rows') as JsonObject[])[0]?.cells;
    assert.deepEqual(
      await cells(`${OLD}?fieldSelector=metadata.name=a`),
      await cells(`${NEW}?fieldSelector=metadata.name=a`),
    );
  });

  it('speaks Protobuf in each version', async () => {
    const fixture = await at('1.20');
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const OLD = `/apis/networking.k8s.io/v1beta1/${DEFAULT}/ingresses`;
    await created(fixture, OLD, ingress('networking.k8s.io/v1beta1', 'p'));
    const { bytes } = await fixture.send('GET', `${OLD}/p`, undefined, { accept: protobuf });
    const text = Buffer.from(bytes).toString('latin1');
    assert.ok(text.startsWith('k8s\0'));
    assert.match(text, /networking\.k8s\.io\/v1beta1/);
  });
});

describe('HorizontalPodAutoscaler before autoscaling/v2', () => {
  const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
  it('has flat metrics in v2beta1 and nested ones in v2beta2, and loses nothing between all four', async () => {
    const fixture = await at('1.23');
    const OLD = `/apis/autoscaling/v2beta1/${DEFAULT}/horizontalpodautoscalers`;
    const metrics = [{ type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } }];
    const old = await created(fixture, OLD, {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: target, maxReplicas: 3, metrics },
    });
    assert.deepEqual(part(old, 'spec.metrics'), metrics);
    assert.equal(part(old, 'spec.minReplicas'), 1);
    const nested = [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    ];
    for (const version of ['v2beta2', 'v2']) {
      const seen = await read(fixture, `/apis/autoscaling/${version}/${DEFAULT}/horizontalpodautoscalers/h`);
      assert.deepEqual(part(seen, 'spec.metrics'), nested, version);
    }
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    await fixture.send(
      'PATCH',
      `/apis/autoscaling/v2beta2/${DEFAULT}/horizontalpodautoscalers/h`,
      { spec: { behavior } },
      merge,
    );
    const there = await read(fixture, `${OLD}/h`);
    const name = 'autoscaling.alpha.kubernetes.io/behavior';
    assert.match(String((part(there, 'metadata.annotations') as JsonObject)[name]), /"stabilizationWindowSeconds":60/);
    // A write in the flat version keeps it.
    const wider = await fixture.send('PUT', `${OLD}/h`, {
      ...there,
      spec: { ...(there.spec as JsonObject), maxReplicas: 9 },
    });
    assert.equal(wider.code, 200, JSON.stringify(wider.body));
    const back = await read(fixture, `/apis/autoscaling/v2/${DEFAULT}/horizontalpodautoscalers/h`);
    assert.equal(part(back, 'spec.behavior.scaleDown.stabilizationWindowSeconds'), 60);
    assert.equal(part(back, 'spec.maxReplicas'), 9);
  });
});

describe('what became stable with other meanings', () => {
  it('PodDisruptionBudget: the empty selector selects none in v1beta1 and all in v1, the unset one none', async () => {
    const fixture = await at('1.22');
    const budget = (version: string, name: string, spec: JsonObject) => ({
      apiVersion: `policy/${version}`,
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { maxUnavailable: 1, ...spec },
    });
    const path = (version: string) => `/apis/policy/${version}/${DEFAULT}/poddisruptionbudgets`;
    await created(fixture, path('v1beta1'), budget('v1beta1', 'none', { selector: {} }));
    await created(fixture, path('v1'), budget('v1', 'all', { selector: {} }));
    await created(fixture, path('v1'), budget('v1', 'unset', {}));
    const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
    const selects = async (version: string, name: string) =>
      part(await read(fixture, `${path(version)}/${name}`), 'spec.selector');
    assert.deepEqual(await selects('v1', 'none'), { matchExpressions: [{ key, operator: 'Exists' }] });
    assert.deepEqual(await selects('v1beta1', 'none'), {});
    assert.deepEqual(await selects('v1beta1', 'all'), { matchExpressions: [{ key, operator: 'DoesNotExist' }] });
    assert.deepEqual(await selects('v1', 'all'), {});
    assert.equal(await selects('v1beta1', 'unset'), undefined);
  });

  it('CronJob: the same in all three versions', async () => {
    const fixture = await at('1.20', '--runtime-config=batch/v2alpha1');
    const job = {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    };
    const body = { apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'j' }, spec: job };
    const old = await created(fixture, `/apis/batch/v1beta1/${DEFAULT}/cronjobs`, body);
    assert.equal(part(old, 'spec.concurrencyPolicy'), 'Allow');
    assert.deepEqual((await read(fixture, `/apis/batch/v2alpha1/${DEFAULT}/cronjobs/j`)).spec, old.spec);
    assert.equal((await fixture.send('GET', `/apis/batch/v1/${DEFAULT}/cronjobs`)).code, 404);
  });

  it('EndpointSlice: topology is a map in v1beta1, and can be read and not written in v1', async () => {
    const fixture = await at('1.21');
    const path = (version: string) => `/apis/discovery.k8s.io/${version}/${DEFAULT}/endpointslices`;
    const topology = { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'h' };
    const slice = {
      apiVersion: 'discovery.k8s.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'e' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], topology }],
      ports: [],
    };
    const old = await created(fixture, path('v1beta1'), slice);
    assert.deepEqual((old.endpoints as JsonObject[])[0]?.topology, topology);
    const newest = await read(fixture, `${path('v1')}/e`);
    const [endpoint = {}] = newest.endpoints as JsonObject[];
    assert.equal(endpoint.zone, 'z');
    assert.deepEqual(endpoint.deprecatedTopology, { 'kubernetes.io/hostname': 'h' });
    const kept = await fixture.send('PUT', `${path('v1')}/e`, newest);
    assert.deepEqual((kept.body.endpoints as JsonObject[])[0]?.deprecatedTopology, { 'kubernetes.io/hostname': 'h' });
    const changed = { ...newest, endpoints: [{ ...endpoint, deprecatedTopology: { mine: 'x' } }] };
    const dropped = await fixture.send('PUT', `${path('v1')}/e`, changed);
    assert.equal(dropped.code, 200);
    assert.equal((dropped.body.endpoints as JsonObject[])[0]?.deprecatedTopology, undefined);
    const fresh = {
      ...slice,
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { name: 'f' },
      endpoints: [{ addresses: ['10.0.0.2'], deprecatedTopology: { a: 'b' } }],
    };
    assert.equal(
      ((await created(fixture, path('v1'), fresh)).endpoints as JsonObject[])[0]?.deprecatedTopology,
      undefined,
    );
  });

  it('Event: v1 asks for what v1beta1 leaves open', async () => {
    const fixture = await at('1.24');
    const path = (version: string) => `/apis/events.k8s.io/${version}/${DEFAULT}/events`;
    const event = (version: string, name: string, more: JsonObject = {}) => ({
      apiVersion: `events.k8s.io/${version}`,
      kind: 'Event',
      metadata: { name },
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      type: 'Strange',
      deprecatedCount: 3,
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      ...more,
    });
    await created(fixture, path('v1beta1'), event('v1beta1', 'old'));
    const core = await read(fixture, `/api/v1/${DEFAULT}/events/old`);
    assert.equal(part(core, 'involvedObject.name'), 'p');
    assert.equal(core.count, 3);
    const refused = causes(await fixture.send('POST', path('v1'), event('v1', 'new')));
    for (const field of ['eventTime', 'type', 'count', 'firstTimestamp']) {
      assert.ok(
        refused.some((cause) => cause.startsWith(`${field} `)),
        `${field} of ${refused.join()}`,
      );
    }
    const timed = {
      eventTime: '2024-01-01T00:00:00.000000Z',
      type: 'Normal',
      deprecatedCount: 0,
      deprecatedFirstTimestamp: null,
    };
    const nameless = causes(await fixture.send('POST', path('v1'), event('v1', 'new', timed)));
    for (const field of ['reportingController', 'reportingInstance', 'action', 'reason']) {
      assert.ok(nameless.includes(`${field} FieldValueRequired`), `${field} of ${nameless.join()}`);
    }
  });

  it('webhook configurations: other defaults, and more asked for', async () => {
    const fixture = await at('1.21');
    const path = (version: string) => `/apis/admissionregistration.k8s.io/${version}/validatingwebhookconfigurations`;
    const body = (version: string, name: string, webhooks: JsonObject[]) => ({
      apiVersion: `admissionregistration.k8s.io/${version}`,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks,
    });
    const hook = { name: 'a.b.c', clientConfig: { url: 'https://127.0.0.1:1/x' }, rules: [] };
    const old = await created(fixture, path('v1beta1'), body('v1beta1', 'old', [hook, hook]));
    const [first = {}] = old.webhooks as JsonObject[];
    assert.deepEqual(
      [first.failurePolicy, first.matchPolicy, first.timeoutSeconds, first.sideEffects, first.admissionReviewVersions],
      ['Ignore', 'Exact', 30, 'Unknown', ['v1beta1']],
    );
    const refused = causes(await fixture.send('POST', path('v1'), body('v1', 'new', [hook, hook])));
    for (const cause of [
      'webhooks[0].sideEffects FieldValueRequired',
      'webhooks[0].admissionReviewVersions FieldValueRequired',
      'webhooks[1].name FieldValueDuplicate',
    ]) {
      assert.ok(refused.includes(cause), `${cause} of ${refused.join()}`);
    }
    const some = { ...hook, sideEffects: 'Some', admissionReviewVersions: ['v1'] };
    assert.deepEqual(causes(await fixture.send('POST', path('v1'), body('v1', 'new', [some]))), [
      'webhooks[0].sideEffects FieldValueNotSupported',
    ]);
    const sound = { ...hook, sideEffects: 'None', admissionReviewVersions: ['v1'] };
    const [newest = {}] = (await created(fixture, path('v1'), body('v1', 'new', [sound]))).webhooks as JsonObject[];
    assert.deepEqual([newest.failurePolicy, newest.matchPolicy, newest.timeoutSeconds], ['Fail', 'Equivalent', 10]);
    // What was sound in the older version may be written back in the newer one.
    const seen = await read(fixture, `${path('v1')}/old`);
    assert.equal((await fixture.send('PUT', `${path('v1')}/old`, { ...seen })).code, 200);
  });

  it('CustomResourceDefinition: one schema for all versions, kept fields, and the names of columns', async () => {
    const fixture = await at('1.21');
    const path = (version: string) => `/apis/apiextensions.k8s.io/${version}/customresourcedefinitions`;
    const old = await created(fixture, path('v1beta1'), {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        names: { plural: 'things', kind: 'Thing' },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'string', JSONPath: '.spec.size' }],
      },
    });
    assert.equal(part(old, 'spec.scope'), 'Namespaced');
    assert.equal(part(old, 'spec.preserveUnknownFields'), true);
    const newest = await read(fixture, `${path('v1')}/things.example.com`);
    const [version = {}] = part(newest, 'spec.versions') as JsonObject[];
    assert.deepEqual(version.additionalPrinterColumns, [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }]);
    assert.deepEqual(version.subresources, { status: {} });
    assert.equal((newest.spec as JsonObject).version, undefined);
    const thing = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec: { size: 'big', any: { thing: 1 } },
    };
    await fixture.settled('/apis/example.com/v1/things');
    const kept = await created(fixture, `/apis/example.com/v1/${DEFAULT}/things`, thing);
    assert.deepEqual(kept.spec, thing.spec);
    // A schema that is given holds, and what it does not know is kept.
    const sized = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'string' } } } },
    };
    const validation = { spec: { validation: { openAPIV3Schema: sized } } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    const sizing = await fixture.send('PATCH', `${path('v1beta1')}/things.example.com`, validation, merge);
    assert.equal(sizing.code, 200, JSON.stringify(sizing.body));
    await fixture.until(async () => {
      const bad = { ...thing, metadata: { name: 'bad' }, spec: { size: 1 } };
      return (await fixture.send('POST', `/apis/example.com/v1/${DEFAULT}/things?dryRun=All`, bad)).code === 422;
    });
    const other = { ...thing, metadata: { name: 'o' } };
    assert.deepEqual((await created(fixture, `/apis/example.com/v1/${DEFAULT}/things`, other)).spec, thing.spec);
    const refused = causes(
      await fixture.send('POST', path('v1'), {
        ...newest,
        metadata: { name: 'others.example.com' },
        spec: { ...(newest.spec as JsonObject), names: { plural: 'others', kind: 'Other' } },
      }),
    );
    assert.ok(refused.includes('spec.preserveUnknownFields FieldValueInvalid'), refused.join());
    assert.ok(refused.includes('spec.versions[0].schema.openAPIV3Schema FieldValueRequired'), refused.join());
    const unscoped = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'as.b.c' },
      spec: {
        group: 'b.c',
        names: { plural: 'as', kind: 'A' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    assert.ok(causes(await fixture.send('POST', path('v1'), unscoped)).includes('spec.scope FieldValueRequired'));
  });

  it('CertificateSigningRequest: signer and usages are asked for, and certificates are certificates', async () => {
    const fixture = await at('1.21');
    const path = (version: string) => `/apis/certificates.k8s.io/${version}/certificatesigningrequests`;
    const request = Buffer.from(PEM_REQUEST).toString('base64');
    const body = (version: string, name: string, spec: JsonObject = {}) => ({
      apiVersion: `certificates.k8s.io/${version}`,
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request, ...spec },
    });
    const old = await created(
      fixture,
      path('v1beta1'),
      body('v1beta1', 'old', { usages: ['client auth', 'client auth', 'strange'] }),
    );
    assert.equal(part(old, 'spec.signerName'), 'kubernetes.io/legacy-unknown');
    assert.deepEqual(part(await created(fixture, path('v1beta1'), body('v1beta1', 'usual')), 'spec.usages'), [
      'digital signature',
      'key encipherment',
    ]);
    const bare = causes(await fixture.send('POST', path('v1'), body('v1', 'new')));
    assert.deepEqual(bare.sort(), ['spec.signerName FieldValueRequired', 'spec.usages FieldValueRequired']);
    const legacy = { signerName: 'kubernetes.io/legacy-unknown', usages: ['client auth', 'client auth', 'strange'] };
    assert.deepEqual(causes(await fixture.send('POST', path('v1'), body('v1', 'new', legacy))), [
      'spec.usages[1] FieldValueDuplicate',
      'spec.usages[2] FieldValueNotSupported',
      'spec.signerName FieldValueInvalid',
    ]);
    const seen = await read(fixture, `${path('v1')}/old`);
    const status = (certificate: string) => ({
      ...seen,
      status: { certificate: Buffer.from(certificate).toString('base64') },
    });
    const refused = await fixture.send('PUT', `${path('v1')}/old/status`, status('nothing'));
    assert.deepEqual(causes(refused), ['status.certificate FieldValueInvalid']);
    const twice = { status: { conditions: [{ type: 'Mine' }, { type: 'Mine' }] } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    const told = causes(await fixture.send('PATCH', `${path('v1')}/old/status`, twice, merge));
    assert.deepEqual(told, [
      'status.conditions[0].status FieldValueRequired',
      'status.conditions[1].status FieldValueRequired',
      'status.conditions[1].type FieldValueDuplicate',
    ]);
    const older = await fixture.send('PATCH', `${path('v1beta1')}/old/status`, twice, merge);
    assert.equal(older.code, 200, JSON.stringify(older.body));
    assert.equal((part(older.body, 'status.conditions') as JsonObject[])[0]?.status, 'True');
  });

  it('access reviews: groups had another name', async () => {
    const fixture = await at('1.21');
    const review = await created(fixture, '/apis/authorization.k8s.io/v1beta1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1beta1',
      kind: 'SubjectAccessReview',
      spec: { user: 'u', group: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    assert.equal(review.apiVersion, 'authorization.k8s.io/v1beta1');
    assert.deepEqual(part(review, 'spec.group'), ['system:masters']);
    assert.equal(part(review, 'status.allowed'), true);
  });

  it('PriorityLevelConfiguration: a share of zero is kept, and 30 where none is given', async () => {
    const fixture = await at('1.29', '--runtime-config=flowcontrol.apiserver.k8s.io/v1beta3');
    const path = (version: string) => `/apis/flowcontrol.apiserver.k8s.io/${version}/prioritylevelconfigurations`;
    const level = (version: string, name: string, limited: JsonObject) => ({
      apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
      kind: 'PriorityLevelConfiguration',
      metadata: { name },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
    });
    const shares = (object: JsonObject) => part(object, 'spec.limited.nominalConcurrencyShares');
    assert.equal(shares(await created(fixture, path('v1'), level('v1', 'zero', { nominalConcurrencyShares: 0 }))), 0);
    assert.equal(shares(await created(fixture, path('v1'), level('v1', 'unset', {}))), 30);
    assert.equal(
      shares(await created(fixture, path('v1beta3'), level('v1beta3', 'old', { nominalConcurrencyShares: 0 }))),
      0,
    );
    assert.equal(shares(await created(fixture, path('v1beta3'), level('v1beta3', 'none', {}))), 30);
    const old = await read(fixture, `${path('v1beta3')}/zero`);
    assert.equal(shares(old), 0);
    await fixture.send('PUT', `${path('v1beta3')}/zero`, old);
    assert.equal(shares(await read(fixture, `${path('v1')}/zero`)), 0);
    const before = await at('1.25', '--runtime-config=flowcontrol.apiserver.k8s.io/v1beta2');
    const assured = await created(before, path('v1beta2'), level('v1beta2', 'a', {}));
    assert.equal(part(assured, 'spec.limited.assuredConcurrencyShares'), 30);
    const renamed = await created(before, path('v1beta1'), level('v1beta1', 'b', { assuredConcurrencyShares: 7 }));
    assert.equal(part(renamed, 'spec.limited.assuredConcurrencyShares'), 7);
  });

  it('RuntimeClass, roles and devices in alpha versions have a shape of their own', async () => {
    const fixture = await at('1.22', '--runtime-config=node.k8s.io/v1alpha1,rbac.authorization.k8s.io/v1alpha1');
    const alpha = {
      apiVersion: 'node.k8s.io/v1alpha1',
      kind: 'RuntimeClass',
      metadata: { name: 'r' },
      spec: { runtimeHandler: 'h' },
    };
    await created(fixture, '/apis/node.k8s.io/v1alpha1/runtimeclasses', alpha);
    assert.equal((await read(fixture, '/apis/node.k8s.io/v1/runtimeclasses/r')).handler, 'h');
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1alpha1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: '*' }],
    };
    await created(fixture, '/apis/rbac.authorization.k8s.io/v1alpha1/clusterrolebindings', binding);
    const stable = await read(fixture, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/b');
    assert.deepEqual(stable.subjects, [
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' },
    ]);
    const devices = await at('1.32', '--runtime-config=resource.k8s.io/v1beta1,resource.k8s.io/v1alpha3');
    const claim = {
      apiVersion: 'resource.k8s.io/v1beta1',
      kind: 'ResourceClaim',
      metadata: { name: 'c' },
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'd' }] } },
    };
    const made = await created(devices, `/apis/resource.k8s.io/v1beta1/${DEFAULT}/resourceclaims`, claim);
    assert.deepEqual(part(made, 'spec.devices.requests'), [
      { name: 'r', deviceClassName: 'd', allocationMode: 'ExactCount', count: 1 },
    ]);
    const seen = await read(devices, `/apis/resource.k8s.io/v1alpha3/${DEFAULT}/resourceclaims/c`);
    assert.deepEqual(seen.spec, made.spec);
  });

  it('PodSecurityPolicy: until 1.25, and in no version after', async () => {
    const policy = {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'p' },
      spec: {
        seLinux: { rule: 'RunAsAny' },
        runAsUser: { rule: 'RunAsAny' },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'RunAsAny' },
      },
    };
    const fixture = await at('1.24');
    const made = await created(fixture, '/apis/policy/v1beta1/podsecuritypolicies', policy);
    assert.equal(part(made, 'spec.allowPrivilegeEscalation'), true);
    const wrong = { ...policy, metadata: { name: 'q' }, spec: { ...policy.spec, fsGroup: { rule: 'Any' } } };
    assert.deepEqual(causes(await fixture.send('POST', '/apis/policy/v1beta1/podsecuritypolicies', wrong)), [
      'spec.fsGroup.rule FieldValueNotSupported',
    ]);
    assert.equal((await (await at('1.25')).send('GET', '/apis/policy/v1beta1/podsecuritypolicies')).code, 404);
  });
});

const PEM_REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIHJMHACAQAwDjEMMAoGA1UEAwwDYW5uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEVrb2C3J9/mwHLQnbdqt8UYvauNhwdf8F8d0ijjPvQQPeS9rD5Cboc7GBRnUY
iUKt6uRLGw2gUodRjBGlhoXudqAAMAoGCCqGSM49BAMCA0kAMEYCIQCtHfgIpdFA
tnuT1rlHKpe9bvaKdFoe0fkgJcPCbbot7QIhAMJDPSeK0AjmiJjKlZHa0MvXguZ+
I+sc5iji5N/FH38G
-----END CERTIFICATE REQUEST-----
`;

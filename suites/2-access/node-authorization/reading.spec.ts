import { clausesOf } from '../../../fixtures/ledger/index.ts';
import type { JsonObject } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  configMaps,
  type Kind,
  match,
  must,
  named,
  secrets,
  should,
  unsupported,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';
import {
  agentOf,
  claims,
  givenPod,
  nodeName,
  nodes,
  pods,
  readsOthers,
  restricted,
  somebody,
  volumes,
  withoutSelectors,
} from './nodes.ts';

check(
  'NODE-IDENTITY-01.1',
  'somebody has the name of a node, and somebody its group → only who has both has the rights of a node',
  ['NODE-IDENTITY-01'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const user = `system:node:${nodeName(admin, 'a')}`;
    const read = (actor: Actor) => actor.request('GET', '/api/v1/services');
    must(
      'both',
      await read(await somebody({ someone, services, person, target, admin }, user, ['system:nodes'])),
      match.status(200),
    );
    must('the name alone', await read(await somebody({ someone, services, person, target, admin }, user)), forbidden);
    must(
      'the group alone',
      await read(await somebody({ someone, services, person, target, admin }, 'a', ['system:nodes'])),
      forbidden,
    );
    const scene = { someone, services, person, target, admin };
    const node = nodeName(admin, 'a');
    for (const near of [`system:nodes:${node}`, `System:node:${node}`, `system:node-${node}`, 'system:node', node])
      must(`the group and "${near}"`, await read(await somebody(scene, near, ['system:nodes'])), forbidden);
    for (const group of ['system:node', 'System:nodes', `system:nodes:${node}`, 'system:authenticated'])
      must(`the name and the group ${group}`, await read(await somebody(scene, user, [group])), forbidden);
    const unnamed = await somebody({ someone, services, person, target, admin }, 'system:node:', ['system:nodes']);
    must('the group and the beginning of a name', await read(unnamed), forbidden);
  },
);

check(
  'NODE-READ-01.1',
  'a node asks for services and endpoints → answered, wherever they are',
  ['NODE-READ-01'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('services', await agent.request('GET', '/api/v1/services'), match.status(200));
    const watch = await agent.openStream('a node watches services', '/api/v1/services?watch=true');
    must('a watch of them', watch.opening, match.status(200));
    for (const type of ['services', 'endpoints']) {
      const path = `/api/v1/namespaces/${await admin.namespace()}/${type}/absent`;
      must(`one of ${type}`, await agent.request('GET', path), match.status(404));
    }
  },
);

check(
  'NODE-READ-01.2',
  'a node gets, lists and watches services, here and everywhere, and gets endpoints → authorized',
  clausesOf('NODE-READ-01'),
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    const here = `/api/v1/namespaces/${await admin.namespace()}`;
    for (const type of ['services', 'endpoints'] as const)
      await clause(`NODE-READ-01/${type}/get`, async () =>
        must(`one of ${type}`, await agent.request('GET', `${here}/${type}/absent`), match.status(404)),
      );
    for (const root of ['/api/v1', here]) {
      await clause('NODE-READ-01/services/list', async () =>
        must('a list of them', await agent.request('GET', `${root}/services`), match.status(200)),
      );
      await clause('NODE-READ-01/services/watch', async () => {
        const { opening } = await agent.openStream('a node watches services', `${root}/services?watch=true`);
        must('a watch of them', opening, match.status(200));
      });
    }
  },
);

check(
  'NODE-IDENTITY-01.2',
  'somebody is called almost like a node, in other letters or with more or fewer of them → no right of it',
  ['NODE-IDENTITY-01'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const scene = { someone, services, person, target, admin };
    await admin.given(nodes, named('a'));
    await givenPod(admin, 'own', 'a');
    await admin.given(secrets, named('used'));
    await givenPod(admin, 'using', 'a', { volumes: [{ name: 'v', secret: { secretName: 'used' } }] });
    const [agent, name] = [await agentOf('a', scene), nodeName(admin, 'a')];
    must('the node', await should(() => agent.get(pods, 'own'), match.status(200)));
    must('and what its pod uses', await should(() => agent.get(secrets, 'used'), match.status(200)));
    for (const other of [
      name.toUpperCase(),
      `${name}.example.org`,
      `${name}-b`,
      name.slice(0, -1),
      `x.${name}`,
      ` ${name}`,
    ]) {
      const almost = await somebody(scene, `system:node:${other}`, ['system:nodes']);
      if (!readsOthers(target)) {
        must(`"${other}" gets no pod of it`, await almost.get(pods, 'own'), forbidden);
        must('nor its object', await almost.get(nodes, 'a'), forbidden);
      }
      must(`"${other}" gets nothing that its pod uses`, await almost.get(secrets, 'used'), forbidden);
    }
  },
);

/** How a pod may use an object named `used`: what goes into its spec. */
const USES: Readonly<Record<string, { readonly kind: Kind; readonly draft?: JsonObject; readonly spec: object }>> = {
  'a secret as a volume': { kind: secrets, spec: { volumes: [{ name: 'v', secret: { secretName: 'used' } }] } },
  'a secret in a projected volume': {
    kind: secrets,
    spec: { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'used' } }] } }] },
  },
  'a secret in a variable': {
    kind: secrets,
    spec: withContainer({ env: [{ name: 'V', valueFrom: { secretKeyRef: { name: 'used', key: 'k' } } }] }),
  },
  'a secret for pulling images': { kind: secrets, spec: { imagePullSecrets: [{ name: 'used' }] } },
  'a config map as a volume': { kind: configMaps, spec: { volumes: [{ name: 'v', configMap: { name: 'used' } }] } },
  'a config map in all variables': {
    kind: configMaps,
    spec: withContainer({ envFrom: [{ configMapRef: { name: 'used' } }] }),
  },
  'a config map of an init container': {
    kind: configMaps,
    spec: {
      initContainers: [
        { name: 'init', image: 'touchstone.example/none', envFrom: [{ configMapRef: { name: 'used' } }] },
      ],
    },
  },
  'a config map in a projected volume': {
    kind: configMaps,
    spec: { volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'used' } }] } }] },
  },
  'a config map in a variable': {
    kind: configMaps,
    spec: withContainer({ env: [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'used', key: 'k' } } }] }),
  },
  'a secret in all variables': { kind: secrets, spec: withContainer({ envFrom: [{ secretRef: { name: 'used' } }] }) },
  'a secret of an init container': {
    kind: secrets,
    spec: {
      initContainers: [
        {
          name: 'init',
          image: 'touchstone.example/none',
          env: [{ name: 'V', valueFrom: { secretKeyRef: { name: 'used', key: 'k' } } }],
        },
      ],
    },
  },
  'a secret of a CSI volume': {
    kind: secrets,
    spec: { volumes: [{ name: 'v', csi: { driver: 'touchstone.example', nodePublishSecretRef: { name: 'used' } } }] },
  },
  'a secret by which a volume is mounted': {
    kind: secrets,
    spec: { volumes: [{ name: 'v', flexVolume: { driver: 'touchstone.example/none', secretRef: { name: 'used' } } }] },
  },
  'a secret as the second volume': {
    kind: secrets,
    spec: {
      volumes: [
        { name: 'u', emptyDir: {} },
        { name: 'v', secret: { secretName: 'used' } },
      ],
    },
  },
  'a config map as the second source of a projected volume': {
    kind: configMaps,
    spec: {
      volumes: [
        {
          name: 'v',
          projected: { sources: [{ downwardAPI: { items: [] } }, { configMap: { name: 'used' } }] },
        },
      ],
    },
  },
  'a secret in the second variable of the second container': {
    kind: secrets,
    spec: {
      containers: [
        { name: 'main', image: 'touchstone.example/none' },
        {
          name: 'beside',
          image: 'touchstone.example/none',
          env: [
            { name: 'U', value: 'plain' },
            { name: 'V', valueFrom: { secretKeyRef: { name: 'used', key: 'k' } } },
          ],
        },
      ],
    },
  },
  'a second secret for pulling images': {
    kind: secrets,
    spec: { imagePullSecrets: [{ name: 'another' }, { name: 'used' }] },
  },
  'a claim as a volume': {
    kind: claims,
    draft: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }] },
  },
};

check(
  'NODE-READ-02.1',
  'pods of a node use objects in all ways, and go → that node may read each, and no other one, and nothing else of its kind, here or elsewhere, and none of it afterwards',
  ['NODE-READ-02', 'NODE-READ-03/gone'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const scene = { someone, services, person, target, admin };
    const [a, b, ab] = [await agentOf('a', scene), await agentOf('b', scene), await agentOf('ab', scene)];
    const there = admin.elsewhere();
    for (const [index, [words, { kind, draft, spec }]] of Object.entries(USES).entries()) {
      const name = `used-${index}`;
      const using: object = JSON.parse(JSON.stringify(spec).replaceAll('"used"', `"${name}"`));
      for (const each of [name, `un${name}`]) await admin.given(kind, named(each, draft));
      await there.given(kind, named(name, draft));
      await givenPod(admin, `user-${index}`, 'a', using);
      must(`${words}: its node may`, await should(() => a.get(kind, name), match.status(200)));
      must(`${words}: another may not`, await b.get(kind, name), forbidden);
      must(`${words}: nor one of a longer name`, await ab.get(kind, name), forbidden);
      must(`${words}: what it does not use`, await a.get(kind, `un${name}`), forbidden);
      must(`${words}: what is called so elsewhere`, await a.in(await there.namespace()).get(kind, name), forbidden);
      must(`${words}: all of the namespace`, await a.list(kind), forbidden);
      must(`${words}: all there are`, await a.listEverywhere(kind), forbidden);
      const watch = { watch: true, timeoutSeconds: 1 };
      must(`${words}: a watch of the namespace`, await a.list(kind, watch), forbidden);
      must(`${words}: a watch of all there are`, await a.listEverywhere(kind, watch), forbidden);
      must(`${words}: its end`, await a.delete(kind, name), forbidden);
      must(
        `${words}: a change of it`,
        await a.patch(kind, name, 'merge', { metadata: { labels: { a: 'b' } } }),
        forbidden,
      );
    }
    await clause('NODE-READ-03/gone', async () => {
      await admin.prepare((actor) => actor.deleteAll(pods, { gracePeriodSeconds: 0 }));
      const used = Object.entries(USES).map(async ([words, { kind }], index) => {
        const seen = await should(() => a.get(kind, `used-${index}`), forbidden);
        return [words, seen] as const;
      });
      for (const [words, seen] of await Promise.all(used)) must(`${words}: after its pod`, seen);
    });
  },
);

check(
  'NODE-READ-02.2',
  'a pod of a node uses a claim that a volume is bound to, and goes → that node may read the volume as long, and no other one',
  ['NODE-READ-02', 'NODE-READ-03/gone'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const namespace = await admin.namespace();
    const capacity = { storage: '1Gi' };
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: capacity } };
    await admin.given(claims, named('used', { spec: { ...claim, volumeName: admin.space.nameOf(volumes, 'bound') } }));
    const volume = (claimRef?: JsonObject) => ({
      spec: { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' }, ...(claimRef ? { claimRef } : {}) },
    });
    await admin.given(volumes, named('bound', volume({ namespace, name: 'used' })));
    await admin.given(volumes, named('free', volume()));
    await givenPod(admin, 'user', 'a', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }] });
    const [a, b] = [
      await agentOf('a', { someone, services, person, target, admin }),
      await agentOf('b', { someone, services, person, target, admin }),
    ];
    must('its node may', await should(() => a.get(volumes, 'bound'), match.status(200)));
    must('another may not', await b.get(volumes, 'bound'), forbidden);
    must('a free volume', await a.get(volumes, 'free'), forbidden);
    await clause('NODE-READ-03/gone', async () => {
      await admin.prepare((actor) => actor.delete(pods, 'user', { gracePeriodSeconds: 0 }));
      must('the volume after the pod', await should(() => a.get(volumes, 'bound'), forbidden));
    });
  },
);

check(
  'NODE-READ-03.1',
  'a pod comes to a node and goes → the right to read what it uses comes and goes with it',
  ['NODE-READ-03'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    await admin.given(secrets, named('used'));
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('before it', await agent.get(secrets, 'used'), forbidden);
    await givenPod(admin, 'user', 'a', { volumes: [{ name: 'v', secret: { secretName: 'used' } }] });
    must('with it', await should(() => agent.get(secrets, 'used'), match.status(200)));
    await admin.prepare((actor) => actor.delete(pods, 'user', { gracePeriodSeconds: 0 }));
    must('after it', await should(() => agent.get(secrets, 'used'), forbidden));
    await givenPod(admin, 'another', 'a', { volumes: [{ name: 'v', secret: { secretName: 'used' } }] });
    must('with another one', await should(() => agent.get(secrets, 'used'), match.status(200)));
    await admin.prepare((actor) => actor.deleteAll(pods, { gracePeriodSeconds: 0 }));
    must('after all pods of the namespace', await should(() => agent.get(secrets, 'used'), forbidden));
    const both = ['used', 'later'].map((secretName) => ({ name: secretName, secret: { secretName } }));
    await givenPod(admin, 'user', 'a', { volumes: both });
    must('with one of a former name', await should(() => agent.get(secrets, 'used'), match.status(200)));
    must('what is not there yet', await agent.get(secrets, 'later'), match.status(404));
    await admin.given(secrets, named('later'));
    must('when it is', await should(() => agent.get(secrets, 'later'), match.status(200)));
  },
);

check(
  'NODE-READ-03.2',
  'pods of two nodes, and two of one, use the same secret → each node may read it as long as it has one of them',
  ['NODE-READ-03'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    const scene = { someone, services, person, target, admin };
    const [a, b] = [await agentOf('a', scene), await agentOf('b', scene)];
    for (const name of ['used', 'fence']) await admin.given(secrets, named(name));
    const using = (...names: readonly string[]) => ({
      volumes: names.map((secretName, index) => ({ name: `v${index}`, secret: { secretName } })),
    });
    await givenPod(admin, 'one', 'a', using('used'));
    await givenPod(admin, 'two', 'b', using('used', 'fence'));
    await givenPod(admin, 'three', 'b', using('used'));
    for (const agent of [a, b]) must('each may', await should(() => agent.get(secrets, 'used'), match.status(200)));
    await admin.prepare((actor) => actor.delete(pods, 'two', { gracePeriodSeconds: 0 }));
    must('one of two is seen to go', await should(() => b.get(secrets, 'fence'), forbidden));
    must('its node has another', await b.get(secrets, 'used'), match.status(200));
    await admin.prepare((actor) => actor.delete(pods, 'one', { gracePeriodSeconds: 0 }));
    must('one of one goes', await should(() => a.get(secrets, 'used'), forbidden));
    must('the other node has its own', await b.get(secrets, 'used'), match.status(200));
  },
);

check(
  'NODE-READ-03.3',
  'a pod is bound to a node after it was made, and ends slowly → the right to read what it uses comes with the binding, and stays until the pod is gone',
  clausesOf('NODE-READ-03', ['bound', 'ending']),
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    await admin.given(secrets, named('used'));
    await admin.given(nodes, named('a'));
    const agent = await agentOf('a', { someone, services, person, target, admin });
    const volumes = [{ name: 'v', secret: { secretName: 'used' } }];
    await givenPod(admin, 'late', 'a', { volumes, nodeName: undefined, schedulerName: 'touchstone-none' });
    await clause('NODE-READ-03/bound', async () => {
      must('before it is bound', await agent.get(secrets, 'used'), forbidden);
      const path = await admin.pathOf(pods, 'late', 'binding');
      const to = { apiVersion: 'v1', kind: 'Node', name: nodeName(admin, 'a') };
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'late' }, target: to };
      await admin.prepare((actor) => actor.request('POST', path, { body }));
      must('what it uses', await should(() => agent.get(secrets, 'used'), match.status(200)));
      must('and the pod', await should(() => agent.get(pods, 'late'), match.status(200)));
    });
    await clause('NODE-READ-03/ending', async () => {
      await admin.prepare((actor) => actor.delete(pods, 'late', { gracePeriodSeconds: 600 }));
      const ending = await admin.get(pods, 'late');
      if (ending.status === 404) unsupported('a pod that no agent runs is gone at once');
      must('while it ends', await agent.get(secrets, 'used'), match.status(200));
      must('and the pod', await agent.get(pods, 'late'), match.status(200));
      await admin.prepare((actor) => actor.delete(pods, 'late', { gracePeriodSeconds: 0 }));
      must('when it is gone', await should(() => agent.get(secrets, 'used'), forbidden));
    });
  },
);

const WITHOUT_SELECTORS = 'nodes read other nodes in the release of the target, which has the gate off';

check(
  'NODE-READ-04.1',
  'a node reads nodes → its own, and no other',
  ['NODE-READ-04'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    if (readsOthers(target)) unsupported(WITHOUT_SELECTORS);
    for (const name of ['a', 'b', 'ab']) await admin.given(nodes, named(name));
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its own', await agent.get(nodes, 'a'), match.status(200));
    must('one whose name begins with its own', await agent.get(nodes, 'ab'), forbidden);
    must(
      'by a selector of its name',
      await agent.list(nodes, { fieldSelector: `metadata.name=${nodeName(admin, 'a')}` }),
      authorized,
    );
    must('another', await agent.get(nodes, 'b'), forbidden);
    must('all', await agent.list(nodes), forbidden);
    const [own, other, longer] = ['a', 'b', 'ab'].map((name) => nodeName(admin, name));
    for (const fieldSelector of [
      `metadata.name!=${own}`,
      `metadata.name=${other}`,
      `metadata.name=${longer}`,
      `metadata.name!=${other}`,
    ])
      must(`those where ${fieldSelector}`, await agent.list(nodes, { fieldSelector }), forbidden);
    must('those of a label', await agent.list(nodes, { labelSelector: 'touchstone' }), forbidden);
    must('a watch of all', await agent.list(nodes, { watch: true, timeoutSeconds: 1 }), forbidden);
    const path = `/api/v1/nodes?watch=true&${selector({ fieldSelector: `metadata.name=${own}` })}`;
    must('a watch of its own', (await agent.openStream('the node watches itself', path)).opening, match.status(200));
  },
);

check(
  'NODE-READ-04.2',
  'a node reads pods → those that are bound to it, asked for by a selector, and no others',
  ['NODE-READ-04'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin }) => {
    if (readsOthers(target)) unsupported(WITHOUT_SELECTORS);
    for (const name of ['a', 'b', 'ab']) await givenPod(admin, `of-${name}`, name);
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('a pod of its own', await should(() => agent.get(pods, 'of-a'), match.status(200)));
    must('one of another', await agent.get(pods, 'of-b'), forbidden);
    must('one of another whose name begins with its own', await agent.get(pods, 'of-ab'), forbidden);
    const own = { fieldSelector: `spec.nodeName=${nodeName(admin, 'a')}` };
    const listed = await agent.listEverywhere(pods, own);
    must('all of its own', listed, match.status(200), match.names(['of-a']));
    const others = { fieldSelector: `spec.nodeName=${nodeName(admin, 'b')}` };
    must('those of another', await agent.listEverywhere(pods, others), forbidden);
    must('all there are', await agent.listEverywhere(pods), forbidden);
    must('all of the namespace', await agent.list(pods), forbidden);
    const all = { watch: true, timeoutSeconds: 1 };
    must('a watch of all there are', await agent.listEverywhere(pods, all), forbidden);
    must('a watch of the namespace', await agent.list(pods, all), forbidden);
    const [mine, its] = [nodeName(admin, 'a'), nodeName(admin, 'b')];
    for (const fieldSelector of [
      `spec.nodeName!=${mine}`,
      `spec.nodeName!=${its}`,
      `spec.nodeName=${mine}b`,
      'spec.nodeName=',
      'spec.nodeName!=',
      'metadata.name=of-b',
      'status.phase=Pending',
    ]) {
      must(`those where ${fieldSelector}`, await agent.listEverywhere(pods, { fieldSelector }), forbidden);
      must(`here those where ${fieldSelector}`, await agent.list(pods, { fieldSelector }), forbidden);
      const watched = await agent.listEverywhere(pods, { fieldSelector, watch: true, timeoutSeconds: 1 });
      must(`a watch where ${fieldSelector}`, watched, forbidden);
    }
    must('those of a label', await agent.listEverywhere(pods, { labelSelector: 'touchstone' }), forbidden);
    const here = await agent.list(pods, { fieldSelector: `spec.nodeName==${mine}` });
    must('its own of one namespace', here, match.status(200), match.names(['of-a']));
    const watch = await agent.openStream('the node watches its pods', `/api/v1/pods?watch=true&${selector(own)}`);
    must('a watch of its own', watch.opening, match.status(200));
  },
);

const selector = ({ fieldSelector }: { fieldSelector: string }) => `fieldSelector=${encodeURIComponent(fieldSelector)}`;

function withContainer(more: object): object {
  return { containers: [{ name: 'main', image: 'touchstone.example/none', ...more }] };
}

check(
  'NODE-READ-04.3',
  'the gate of selectors is off → a node reads other nodes, and pods of others, and no more of what they use',
  ['NODE-READ-04'],
  { setup: withoutSelectors },
  async ({ someone, services, person, target, admin }) => {
    const scene = { someone, services, person, target, admin };
    for (const name of ['a', 'b']) await admin.given(nodes, named(name));
    await admin.given(secrets, named('used'));
    await givenPod(admin, 'of-b', 'b', { volumes: [{ name: 'v', secret: { secretName: 'used' } }] });
    const agent = await agentOf('a', scene);
    must('another node', await agent.get(nodes, 'b'), match.status(200));
    must('all nodes', await agent.list(nodes), match.status(200));
    must('a pod of another', await agent.get(pods, 'of-b'), match.status(200));
    must('all pods', await agent.listEverywhere(pods), match.status(200));
    must('what a pod of another uses', await agent.get(secrets, 'used'), forbidden);
  },
);

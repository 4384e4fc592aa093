import { CHANGES, type ClauseName } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  grantEverywhere,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  secrets,
  should,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';
import {
  agentOf,
  events,
  givenPod,
  nodeName,
  nodes,
  patchStatus,
  pods,
  removeAtOnce,
  restricted,
  somebody,
  unrestricted,
} from './nodes.ts';

/** What admission keeps a node from; by which code it says so is open. */
const limited = match.refusal;

const phase = { phase: 'Running' };
const conditions = { conditions: [{ type: 'Ready', status: 'True' }] };
const taken = { spec: { unschedulable: true } };

check(
  'NODE-WRITE-01.1',
  'a node writes its own object and the status of it → accepted',
  ['NODE-WRITE-01'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('it registers', await agent.create(nodes, named('a')), match.created);
    must('it says how it is', await patchStatus(agent, nodes, 'a', conditions), match.status(200));
    must('it changes what is its own', await agent.patch(nodes, 'a', 'merge', taken), match.status(200));
  },
);

check(
  'NODE-WRITE-01.2',
  'a node writes the status of a pod of its own, removes it, and tells events of every group that has them → accepted',
  ['NODE-WRITE-01'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin, dialect }) => {
    await givenPod(admin, 'own', 'a');
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its status', await should(() => patchStatus(agent, pods, 'own', phase), match.status(200)));
    const namespace = await admin.namespace();
    const involvedObject = { kind: 'Pod', name: 'own', namespace, apiVersion: 'v1' };
    const told = { involvedObject, reason: 'Started', type: 'Normal', source: { component: 'touchstone' } };
    const first = must('an event', await agent.create(events, named('own.1', told)), match.created);
    const again = { ...objectIn(first), count: 2 };
    must('the event again, by PUT', await agent.update(events, again), match.status(200));
    const counted = await agent.patch(events, 'own.1', 'merge', { count: 3 });
    must('and by a patch', counted, match.status(200));
    const group = `events.${dialect.apiDomain}`;
    const path = `/apis/${group}/v1/namespaces/${namespace}/events`;
    if (target.served.some((each) => each.startsWith(`${group}/v1/events`))) {
      const headers = { 'content-type': PATCH_TYPES.merge };
      const noted = await agent.request('PATCH', `${path}/own.1`, {
        headers,
        body: { metadata: { labels: { a: 'b' } } },
      });
      must('the same by the group of events', noted, authorized);
      must('another there', await agent.request('POST', path, { body: {} }), authorized);
      must('and all of one there', await agent.request('PUT', `${path}/own.1`, { body: {} }), authorized);
    }
    must('its end', await agent.delete(pods, 'own', { gracePeriodSeconds: 0 }), match.status(200, 202));
  },
);

/** What a node writes of its own: which member of which part, and where. */
const OWN = {
  nodes: { kind: nodes, name: 'a', subresource: '', part: 'metadata', member: { annotations: { touchstone: 'own' } } },
  'nodes/status': { kind: nodes, name: 'a', subresource: 'status', part: 'status', member: conditions },
  'pods/status': { kind: pods, name: 'own', subresource: 'status', part: 'status', member: phase },
} as const;

check(
  'NODE-WRITE-01.4',
  'a node writes its object, its status and that of a pod of its own in every way → accepted',
  clausesOf('NODE-WRITE-01'),
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    await admin.given(nodes, named('a'));
    await givenPod(admin, 'own', 'a');
    must('the pod is its own', await should(() => agent.get(pods, 'own'), match.status(200)));
    for (const [what, { kind, name, subresource, part, member }] of Object.entries(OWN)) {
      const path = await agent.pathOf(kind, name, subresource);
      const write = async (way: (typeof CHANGES)[number]) => {
        const live = (await admin.get(kind, name)).json as Readonly<Record<string, object>>;
        const whole = { ...live[part], ...member };
        if (way === 'put') return agent.request('PUT', path, { body: { ...live, [part]: whole } });
        const identity = { apiVersion: 'v1', kind: kind.kind, metadata: { name: admin.space.nameOf(kind, name) } };
        const applied = part === 'metadata' ? { metadata: { ...identity.metadata, ...member } } : { [part]: member };
        const [key = '', value] = Object.entries(member)[0] ?? [];
        const added =
          live[part] === undefined ? { path: `/${part}`, value: member } : { path: `/${part}/${key}`, value };
        const body = { json: [{ op: 'add', ...added }], apply: { ...identity, ...applied } };
        return agent.request('PATCH', `${path}${way === 'apply' ? '?fieldManager=agent&force=true' : ''}`, {
          headers: { 'content-type': PATCH_TYPES[way] },
          body: way === 'json' || way === 'apply' ? body[way] : { [part]: member },
        });
      };
      for (const way of CHANGES) {
        await clause(`NODE-WRITE-01/${what}/${way}` as ClauseName, async () => {
          // A controller may write to a new node in between, which a PUT has to know of.
          must(`${what} by ${way}`, await should(() => write(way), match.status(200)));
        });
      }
    }
  },
);

check(
  'NODE-WRITE-02.1',
  'a node writes to another node → refused, and that one stays as it is',
  ['NODE-WRITE-02'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    const live = await admin.given(nodes, named('b'));
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its spec', await agent.patch(nodes, 'b', 'merge', taken), limited);
    must('its status', await patchStatus(agent, nodes, 'b', conditions), limited);
    const status = await agent.pathOf(nodes, 'b', 'status');
    for (const [type, body] of [
      [PATCH_TYPES.strategic, { status: conditions }],
      [PATCH_TYPES.json, [{ op: 'add', path: '/status', value: conditions }]],
      [
        PATCH_TYPES.apply,
        { apiVersion: 'v1', kind: 'Node', metadata: { name: live.metadata.name }, status: conditions },
      ],
    ] as const) {
      const headers = { 'content-type': type };
      const path = `${status}${type === PATCH_TYPES.apply ? '?fieldManager=agent&force=true' : ''}`;
      must(`its status by ${type}`, await agent.request('PATCH', path, { headers, body }), limited);
    }
    const put = await agent.request('PUT', status, { body: { ...live, status: conditions } });
    must('its status by PUT', put, limited);
    must('its end', await agent.delete(nodes, 'b'), limited);
    must('all of it, by PUT', await agent.update(nodes, { ...live, ...taken }), limited);
    must('its labels, by apply', await agent.apply(nodes, { metadata: { name: 'b', labels: { a: 'b' } } }), limited);
    const patch = [{ op: 'add', path: '/metadata/labels/a', value: 'b' }];
    must('its labels, by a JSON patch', await agent.patch(nodes, 'b', 'json', patch), limited);
    const any = await agent.create(nodes, { metadata: { generateName: 'any-' } });
    must('one of a name that the server gives', any, limited);
    must('one that is not there yet', await agent.create(nodes, named('c')), limited);
    await admin.given(nodes, named('ab'));
    must('one whose name begins with its own', await agent.patch(nodes, 'ab', 'merge', taken), limited);
    must('the status of that one', await patchStatus(agent, nodes, 'ab', conditions), limited);
    // Controllers write to a new node too, so what is looked for is what the other one wrote.
    const ready = match.including({ type: 'Ready', status: 'True' });
    must(
      'nothing of that is in it',
      await admin.get(nodes, 'b'),
      match.status(200),
      match.field('spec.unschedulable', match.empty),
      match.field('status.conditions', match.oneOf(match.empty, match.not(match.containing(ready)))),
      match.field('metadata.labels.a', match.absent),
    );
  },
);

check(
  'NODE-WRITE-02.2',
  'a node writes to a pod of another node → refused, and that one stays as it is',
  ['NODE-WRITE-02'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    const live = await givenPod(admin, 'other', 'b');
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its status', await patchStatus(agent, pods, 'other', phase), limited);
    const status = await agent.pathOf(pods, 'other', 'status');
    for (const [type, body] of [
      [PATCH_TYPES.strategic, { status: phase }],
      [PATCH_TYPES.json, [{ op: 'add', path: '/status/phase', value: phase.phase }]],
      [PATCH_TYPES.apply, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' }, status: phase }],
    ] as const) {
      const headers = { 'content-type': type };
      const path = `${status}${type === PATCH_TYPES.apply ? '?fieldManager=agent&force=true' : ''}`;
      must(`its status by ${type}`, await agent.request('PATCH', path, { headers, body }), limited);
    }
    const put = await agent.request('PUT', status, { body: { ...live, status: phase } });
    must('its status by PUT', put, limited);
    must('its end', await agent.delete(pods, 'other'), limited);
    for (const [manner, options] of Object.entries({
      'at once': { gracePeriodSeconds: 0 },
      'and what it owns': { propagationPolicy: 'Foreground' },
      'for a try': { dryRun: 'All' },
    }))
      must(`its end ${manner}`, await agent.delete(pods, 'other', options), limited);
    const asked = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    const itself = await agent.pathOf(pods, 'other');
    must('its end, as a body asks', await agent.request('DELETE', itself, { body: asked }), limited);
    must('its labels', await agent.patch(pods, 'other', 'merge', { metadata: { labels: { a: 'b' } } }), limited);
    must('all of it, by PUT', await agent.update(pods, live), limited);
    must('the end of all', await agent.deleteAll(pods), limited);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } };
    const path = await agent.pathOf(pods, 'other', 'eviction');
    must('its eviction', await agent.request('POST', path, { body: eviction }), limited);
    await givenPod(admin, 'of-ab', 'ab');
    must('the status of one of a longer name', await patchStatus(agent, pods, 'of-ab', phase), limited);
    must('the end of that one', await agent.delete(pods, 'of-ab'), limited);
    const unbound = await admin.given(pods, named('unbound', { spec: unboundSpec }));
    must('the status of one that no node has', await patchStatus(agent, pods, unbound.metadata.name, phase), limited);
    must('it is as it was', await admin.get(pods, 'other'), match.body(live));
  },
);

const unboundSpec = {
  serviceAccountName: 'runner',
  automountServiceAccountToken: false,
  containers: [{ name: 'main', image: 'touchstone.example/none' }],
};

check(
  'NODE-WRITE-02.3',
  'a node creates a pod that is no mirror of its own → refused',
  ['NODE-WRITE-02'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    await givenPod(admin, 'own', 'a');
    const agent = await agentOf('a', { someone, services, person, target, admin });
    const spec = { containers: unboundSpec.containers, nodeName: nodeName(admin, 'b') };
    must('for another node', await agent.create(pods, named('more', { spec })), limited);
    must('it is not there', await admin.get(pods, 'more'), match.status(404));
    must('for no node', await agent.create(pods, named('free', { spec: unboundSpec })), limited);
    must('that is not there either', await admin.get(pods, 'free'), match.status(404));
  },
);

check(
  'NODE-WRITE-01.3',
  'a node creates mirror pods → one for itself is created; for another node, or with an account or a secret, refused',
  ['NODE-WRITE-01', 'NODE-WRITE-02'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin, dialect }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    const owners = new Map<string, object[]>();
    for (const name of ['a', 'b']) {
      const { metadata } = await admin.given(nodes, named(name));
      const owner = { apiVersion: 'v1', kind: 'Node', name: metadata.name, uid: metadata.uid, controller: true };
      owners.set(name, [owner]);
    }
    const mirror = (name: string, node: string, more: object = {}) => ({
      metadata: {
        name,
        annotations: { [`${dialect.labelDomain}/config.mirror`]: 'touchstone' },
        ownerReferences: owners.get(node) ?? [],
      },
      spec: { nodeName: nodeName(admin, node), containers: unboundSpec.containers, ...more },
    });
    await removeAtOnce(admin, 'mine');
    // The restriction looks at the object of the node, which a server may see a moment later.
    must('for itself', await should(() => agent.create(pods, mirror('mine', 'a')), match.created));
    must('for another', await agent.create(pods, mirror('others', 'b')), limited);
    await admin.given(secrets, named('wanted'));
    const volumes = [{ name: 'v', secret: { secretName: 'wanted' } }];
    must('with a secret', await agent.create(pods, mirror('reader', 'a', { volumes })), match.refusal);
    must('which it may not read by that', await agent.get(secrets, 'wanted'), forbidden);
    must(
      'with an account',
      await agent.create(pods, mirror('actor', 'a', { serviceAccountName: 'runner' })),
      match.refusal,
    );
  },
);

check(
  'NODE-WRITE-03.1',
  'NodeRestriction is not enabled → a node may write to another node and to its pods',
  ['NODE-WRITE-03'],
  { setup: unrestricted },
  async ({ someone, services, person, target, admin }) => {
    await admin.given(nodes, named('b'));
    await givenPod(admin, 'other', 'b');
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its spec', await agent.patch(nodes, 'b', 'merge', taken), match.status(200));
    must('the status of its pod', await patchStatus(agent, pods, 'other', phase), match.status(200));
  },
);

check(
  'NODE-WRITE-03.2',
  'NodeRestriction is enabled by its flag → a node may not write to another node',
  ['NODE-WRITE-03'],
  { setup: restricted, orElse: ['nodes'] },
  async ({ someone, services, person, target, admin }) => {
    await admin.given(nodes, named('b'));
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('its spec', await agent.patch(nodes, 'b', 'merge', taken), limited);
    const own = await agent.create(nodes, named('a'));
    must('its own it may', own, match.created);
  },
);

check(
  'NODE-REVIEW-01.1',
  'a node asks for certificates and reviews → authorized',
  ['NODE-REVIEW-01'],
  { setup: restricted, orElse: ['node-authorizer'] },
  async ({ someone, services, person, target, admin, dialect }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    const requests = `/apis/certificates.${dialect.apiDomain}/v1/certificatesigningrequests`;
    // What is asked for is no certificate request: who may ask is all that is looked at.
    must('a request for a certificate', await agent.request('POST', requests, { body: {} }), authorized);
    must('reading one', await agent.request('GET', `${requests}/absent`), match.status(404));
    must('reading all', await agent.request('GET', requests), match.status(200));
    const watch = await agent.openStream('a node watches requests', `${requests}?watch=true&timeoutSeconds=1`);
    must('watching them', watch.opening, match.status(200));
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const tokenReview = { apiVersion, kind: 'TokenReview', spec: { token: 'touchstone-no-such-token' } };
    const reviewed = await agent.request('POST', `/apis/${apiVersion}/tokenreviews`, { body: tokenReview });
    must('a review of a token', reviewed, match.created);
    const accessVersion = `authorization.${dialect.apiDomain}/v1`;
    const spec = { user: 'touchstone-nobody', resourceAttributes: { verb: 'get', resource: 'pods' } };
    const body = { apiVersion: accessVersion, kind: 'SubjectAccessReview', spec };
    const answered = await agent.request('POST', `/apis/${accessVersion}/subjectaccessreviews`, { body });
    must('a review of access', answered, match.created);
    const namespace = await admin.namespace();
    const local = { ...body, kind: 'LocalSubjectAccessReview', metadata: { namespace } };
    const within = `/apis/${accessVersion}/namespaces/${namespace}/localsubjectaccessreviews`;
    const inOne = { ...local, spec: { ...spec, resourceAttributes: { ...spec.resourceAttributes, namespace } } };
    must('one of a namespace', await agent.request('POST', within, { body: inOne }), match.created);
  },
);

for (const [words, user, groups] of [
  ['in no group of nodes', 'touchstone-operator', []],
  ['in the group of nodes but without the name of one', 'touchstone-operator-too', ['system:nodes']],
  ['named like a node but not in their group', 'system:node:touchstone', []],
] as const) {
  check(
    `NODE-OTHER-01.1/${words}`,
    `somebody ${words} has rights on nodes and pods by a role → NodeRestriction leaves them alone`,
    ['NODE-OTHER-01', 'NODE-IDENTITY-01'],
    { setup: restricted, orElse: ['nodes'] },
    async ({ someone, services, person, target, admin, dialect }) => {
      await admin.given(nodes, named('b'));
      await givenPod(admin, 'other', 'b');
      const operator = (await somebody({ someone, services, person, target, admin }, user, groups)).in(
        await admin.namespace(),
      );
      must('without a role they may not', await operator.patch(nodes, 'b', 'merge', taken), forbidden);
      const rules = ['nodes', 'nodes/status', 'pods', 'pods/status'];
      await grantEverywhere(admin, operator, dialect, [{ verbs: ['*'], apiGroups: [''], resources: rules }]);
      must('the node', await should(() => operator.patch(nodes, 'b', 'merge', taken), match.status(200)));
      must('its status', await patchStatus(operator, nodes, 'b', conditions), match.status(200));
      must('the pod', await operator.delete(pods, 'other', { gracePeriodSeconds: 0 }), match.status(200, 202));
    },
  );
}

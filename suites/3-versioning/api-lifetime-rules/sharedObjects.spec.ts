import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  CHANGES,
  CUSTOM_OBJECT_WRITES,
  type CustomObjectWrite,
  DEPRECATED_FIELDS,
  ENCODED_WRITES,
  FIELD_WRITES,
  OBJECT_WRITES,
  RETIRED_VOLUMES,
  TEMPLATED_TYPES,
} from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  atRelease,
  type ClauseName,
  check,
  clause,
  clausesOf,
  configMaps,
  type Exchange,
  isRecord,
  type JsonObject,
  type Kind,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  pods,
  serviceAccounts,
  should,
  type WatchEvent,
} from '../../harness/index.ts';
import { cronJobs, nightly } from '../behavior-when-a-deprecated-endpoint-is-called/everyVerb.ts';
import { defineOldType } from '../behavior-when-a-deprecated-endpoint-is-called/oldType.ts';
import { nameBy, putBack, putPart, send, YAML } from '../removed-api-versions-by-release/everyWrite.ts';
import {
  autoscalers,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  workload,
} from '../removed-api-versions-by-release/kinds.ts';

/** Writes an object in one version of a type, and looks in another. */
async function areShared(
  author: Actor,
  type: 'built-in' | 'custom',
  by: 'older' | 'newer',
  [from, to]: readonly [Kind, Kind],
  draft: object,
): Promise<void> {
  const name = `by-${by}`;
  const expected = apiVersionOf(to, author.dialect);
  const part = { 'touchstone.example/part': by };
  const fieldSelector = `metadata.name=${author.space.nameOf(to, name)}`;
  const everywhere = (await author.pathOf(to)).replace(/\/namespaces\/[^/]+\//, '/');
  const within = `${fieldSelector},metadata.namespace=${await author.namespace()}`;
  // Of the collection, of the one object by its name and by a label, and over all namespaces.
  const streams = [
    await author.watch(to),
    await author.watch(to, { fieldSelector }),
    await author.watch(to, { labelSelector: `touchstone.example/part=${by}` }),
    await author.openStream(
      `${author.name} watches all namespaces`,
      `${everywhere}?watch=true&fieldSelector=${encodeURIComponent(within)}`,
    ),
  ];
  const selected = await author.watch(to, { labelSelector: `touchstone.example/part=${by},!touchstone.example/left` });
  const announced = (
    event: match.Matcher<WatchEvent>,
    word: 'added' | 'modified' | 'deleted',
    told: typeof streams = [...streams, selected],
  ) =>
    clause(`GROUP-SHARED-01/${word}/${type}/${by}`, async () => {
      for (const stream of told) {
        const seen = must(`${to.version} tells of it`, await stream.until(event));
        must('it is of that version', seen, match.eventField('apiVersion', expected));
      }
    });
  await author.given(from, { metadata: { name, labels: part }, ...draft });
  await announced(match.event('ADDED', name), 'added');
  await clause(`GROUP-SHARED-01/listed/${type}/${by}`, async () => {
    must(`${to.version} lists it`, await author.list(to), match.status(200), match.names([name]));
    must('it is of that version', await author.get(to, name), match.status(200), match.field('apiVersion', expected));
  });
  const labels = { labels: { 'touchstone.example/by': by } };
  await author.prepare(() => author.patch(from, name, 'merge', { metadata: labels }));
  await announced(match.event('MODIFIED', name), 'modified');
  // For who selects by it, what loses a label goes, and what has it again comes.
  const left = (value: 'yes' | null) =>
    author.prepare(() =>
      author.patch(from, name, 'merge', { metadata: { labels: { 'touchstone.example/left': value } } }),
    );
  await left('yes');
  await announced(match.removal(name), 'deleted', [selected]);
  await left(null);
  await announced(match.event('ADDED', name), 'added', [selected]);
  await author.prepare(() => author.delete(from, name));
  await announced(match.removal(name), 'deleted');
  await clause(`GROUP-SHARED-01/deleted/${type}/${by}`, async () => {
    must(`${to.version} does not find it`, await author.get(to, name), match.status(404));
  });
  for (const stream of [...streams, selected]) stream.close();
}

check(
  'GROUP-SHARED-01.1',
  'the author writes a custom object in each version → the other lists it and tells of it in its own words',
  clausesOf('GROUP-SHARED-01', 'custom'),
  ['custom-types'],
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    await areShared(author, 'custom', 'older', [old, current], { size: 1 });
    await areShared(author, 'custom', 'newer', [current, old], { size: 1 });
  },
);

check(
  'GROUP-SHARED-01.2',
  'the author writes a CronJob in each version at release 1.24 → the other lists it and tells of it in its own words',
  clausesOf('GROUP-SHARED-01', 'built-in'),
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    const current = { ...cronJobs, version: 'v1' };
    await areShared(author, 'built-in', 'older', [cronJobs, current], nightly);
    await areShared(author, 'built-in', 'newer', [current, cronJobs], nightly);
  },
);

const scalers: Kind = { ...autoscalers, specified: true, least: () => ({}) };
const resource = (name: string, value: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization: value } },
});

/** What only v2 has fields for, with values that are something, and with such as are 0 or empty. */
const IN_V2_ALONE = {
  '': {
    // v1 has a field for one of cpu, which may come behind the others on the way back.
    metrics: [
      resource('memory', 60),
      resource('touchstone.example/other', 50),
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'main',
          target: { type: 'Utilization', averageUtilization: 40 },
        },
      },
      {
        type: 'External',
        external: {
          metric: { name: 'waiting', selector: { matchLabels: { queue: 'a' } } },
          target: { type: 'AverageValue', averageValue: '30' },
        },
      },
      resource('cpu', 70),
    ],
    behavior: { scaleDown: { selectPolicy: 'Disabled' } },
  },
  'at-its-least/': {
    metrics: [
      {
        type: 'External',
        external: { metric: { name: 'waiting', selector: {} }, target: { type: 'AverageValue', averageValue: '1m' } },
      },
    ],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Min',
        policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }],
      },
      scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 1, periodSeconds: 1 }] },
    },
  },
} as const;

/** The clauses of a row: the first has the names that it had by itself. */
const roundTrips = (row: keyof typeof IN_V2_ALONE) =>
  clausesOf('GROUP-ROUNDTRIP-02').filter(
    (name) => !name.includes('/conditions/') && name.includes('/at-its-least/') === (row !== ''),
  ) as [ClauseName, ...ClauseName[]];

/** Changes an autoscaler of v2 in v1 in every way, and looks whether it has lost anything. */
async function losesNothing(author: Actor, rival: Actor, row: keyof typeof IN_V2_ALONE): Promise<void> {
  const older: Kind = { ...scalers, version: 'v1' };
  await author.given(scalers, {
    ...named('a'),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
      maxReplicas: 4,
      ...IN_V2_ALONE[row],
    },
  });
  const before = objectIn(await author.get(scalers, 'a')).spec as Record<string, unknown>;
  for (const [place, write] of CHANGES.entries()) {
    await clause(`GROUP-ROUNDTRIP-02/${row}${write}`, async () => {
      const maxReplicas = 5 + place;
      const live = await rival.prepare(() => rival.get(older, 'a'));
      const shown = live.json as { metadata: { name: string }; spec: object };
      const answer =
        write === 'put'
          ? await putBack(rival, older, 'a', (now) => ({ ...now, spec: { ...shown.spec, maxReplicas } }))
          : write === 'merge' || write === 'strategic'
            ? await rival.patch(older, 'a', write, { spec: { maxReplicas } })
            : write === 'apply'
              ? await rival.apply(older, { ...named('a'), spec: { ...shown.spec, maxReplicas } }, { force: true })
              : await rival.patch(older, 'a', 'json', [
                  { op: 'replace', path: '/spec/maxReplicas', value: maxReplicas },
                ]);
      must('v1 takes it', answer, match.status(200));
      const { spec } = objectIn(await author.get(scalers, 'a'));
      must('the rest is as it was', spec, match.equal({ ...before, maxReplicas }));
    });
  }
  await clause(`GROUP-ROUNDTRIP-02/${row}status`, async () => {
    const shown = objectIn(await rival.prepare(() => rival.get(older, 'a')));
    const status = { currentReplicas: 0, desiredReplicas: 1 };
    const put = await putPart(rival, older, 'a', 'status', ({ metadata: { name, resourceVersion }, ...now }) => ({
      ...now,
      metadata: { name, resourceVersion },
      status,
    }));
    must('v1 takes it', put, match.status(200));
    const { spec } = objectIn(await author.get(scalers, 'a'));
    const { maxReplicas } = shown.spec as { maxReplicas: number };
    must('the rest is as it was', spec, match.equal({ ...before, maxReplicas }));
  });
}

check(
  'GROUP-ROUNDTRIP-02.1',
  'the rival changes an autoscaler of v2 in v1 → it loses nothing that only v2 has fields for',
  roundTrips(''),
  async ({ author, rival }) => losesNothing(author, rival, ''),
);

check(
  'GROUP-ROUNDTRIP-02.2',
  'the rival changes an autoscaler of v2 in v1 → it loses nothing that only v2 has fields for and that is 0 or empty',
  roundTrips('at-its-least/'),
  async ({ author, rival }) => losesNothing(author, rival, 'at-its-least/'),
);

/** What the status of an autoscaler says that only v2 has fields for. */
const conditions = [
  {
    type: 'AbleToScale',
    status: 'True',
    lastTransitionTime: '2026-01-02T03:04:05Z',
    reason: 'Seen',
    message: 'by hand',
  },
  { type: 'TouchstoneSeen', status: 'False', lastTransitionTime: '2026-01-02T03:04:05Z', reason: 'Looked' },
];
const currentMetrics = [
  { type: 'Resource', resource: { name: 'memory', current: { averageUtilization: 30, averageValue: '3Mi' } } },
];

/** Changes an autoscaler or its status in v1 with what that shows, by a write. */
async function changeInV1(by: Actor, part: 'spec' | 'status', write: (typeof CHANGES)[number], value: number) {
  const older: Kind = { ...scalers, version: 'v1' };
  const change = part === 'spec' ? { maxReplicas: value } : { currentReplicas: value };
  const subresource = part === 'spec' ? undefined : 'status';
  const live = objectIn(await by.prepare(() => by.get(older, 'a')));
  const whole = (each: ApiObject) => ({ ...each, [part]: { ...(each[part] as object), ...change } });
  if (write === 'put')
    return subresource === undefined ? putBack(by, older, 'a', whole) : putPart(by, older, 'a', subresource, whole);
  const { apiVersion, kind, metadata } = live;
  const body = {
    json: Object.entries(change).map(([field, given]) => ({ op: 'add', path: `/${part}/${field}`, value: given })),
    merge: { [part]: change },
    strategic: { [part]: change },
    apply: { apiVersion, kind, metadata: { name: metadata.name }, [part]: { ...(live[part] as object), ...change } },
  }[write];
  const query = write === 'apply' ? '?fieldManager=other&force=true' : '';
  const path = `${await by.pathOf(older, 'a', subresource)}${query}`;
  return by.request('PATCH', path, { headers: { 'content-type': PATCH_TYPES[write] }, body });
}

check(
  'GROUP-ROUNDTRIP-02.3',
  'the rival changes an autoscaler and its status in v1 → the status has the conditions and metrics still that only v2 has fields for',
  clausesOf('GROUP-ROUNDTRIP-02', 'conditions'),
  async ({ author, rival }) => {
    const { spec } = autoscalers.least(author.dialect) as { spec: object };
    await author.given(scalers, { ...named('a'), spec });
    const status = { currentReplicas: 1, desiredReplicas: 1, conditions, currentMetrics };
    const look = () => author.get(scalers, 'a');
    for (const part of ['spec', 'status'] as const) {
      for (const [place, write] of CHANGES.entries()) {
        await author.prepare(() => putPart(author, scalers, 'a', 'status', (live) => ({ ...live, status })));
        await clause(`GROUP-ROUNDTRIP-02/conditions/${part}/${write}`, async () => {
          must('v1 takes it', await changeInV1(rival, part, write, 5 + place), match.status(200));
          // A controller of the target may say of itself what it sees meanwhile.
          const seen = match.containing(match.equal(conditions[1]));
          must('the condition is there', await look(), match.status(200), match.field('status.conditions', seen));
          must('so are the metrics', await look(), match.field('status.currentMetrics', match.equal(currentMetrics)));
        });
      }
    }
  },
);

check(
  'GROUP-ROUNDTRIP-03.1',
  'the author gives autoscalers of v1 a target of cpu by every write → v2 shows it among the metrics',
  clausesOf('GROUP-ROUNDTRIP-03'),
  async ({ author, dialect }) => {
    const older: Kind = { ...autoscalers, version: 'v1' };
    const { spec } = autoscalers.least(dialect) as { spec: object };
    await author.given(older, named('doc'));
    for (const [place, write] of OBJECT_WRITES.entries()) {
      await clause(`GROUP-ROUNDTRIP-03/${write}`, async () => {
        const value = 31 + place;
        const content = { spec: { ...spec, targetCPUUtilizationPercentage: value } };
        must('v1 takes it', await send(author, older, write, content), match.success);
        const seen = await author.get(autoscalers, nameBy(write));
        const metric = match.including({
          type: 'Resource',
          resource: match.including({ name: 'cpu', target: match.including({ averageUtilization: value }) }),
        });
        must('v2 shows it', seen, match.status(200), match.field('spec.metrics', match.containing(metric)));
      });
    }
  },
);

/** Volumes are of the whole cluster; nothing binds one that asks for no claim. */
const volumes: Kind = { ...configMaps, kind: 'PersistentVolume', plural: 'persistentvolumes', namespaced: false };
const volume = (policy: string) => ({
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/tmp/touchstone-none' },
    storageClassName: 'touchstone-none',
    persistentVolumeReclaimPolicy: policy,
  },
});
const services: Kind = { ...configMaps, kind: 'Service', plural: 'services' };
const service = (more: object) => ({ spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], ...more } });
/** Of a class that nobody provides, so that no load balancer is made. */
const BALANCED = { type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/none' };
const withVolumes = (volumes?: readonly object[]) => {
  const { selector, template } = workload();
  return { spec: { replicas: 0, selector, template: { ...template, spec: { ...template.spec, volumes } } } };
};
const repository = 'https://git.touchstone.example/none';

/** Fields and values that are deprecated in v1: what is there before, what is written, and what is shown then. */
const DEPRECATED: Readonly<
  Record<
    (typeof DEPRECATED_FIELDS)[number],
    readonly [kind: Kind, before: object, given: object, at: string, shown: match.Expectation]
  >
> = {
  recycle: [volumes, volume('Retain'), volume('Recycle'), 'spec.persistentVolumeReclaimPolicy', 'Recycle'],
  'load-balancer-ip': [
    services,
    service(BALANCED),
    service({ ...BALANCED, loadBalancerIP: '192.0.2.7' }),
    'spec.loadBalancerIP',
    '192.0.2.7',
  ],
  'git-repo': [
    deployments,
    withVolumes(),
    withVolumes([{ name: 'code', gitRepo: { repository, revision: 'main' } }]),
    'spec.template.spec.volumes.0.gitRepo',
    match.including({ repository, revision: 'main' }),
  ],
};

for (const field of DEPRECATED_FIELDS) {
  const [kind, before, given, at, shown] = DEPRECATED[field];
  check(
    `GROUP-FIELDS-01.1/${field}`,
    `the author gives a ${kind.kind} what v1 calls deprecated, ${field}, by every write → it is taken and shown`,
    clausesOf('GROUP-FIELDS-01', field),
    async ({ author }) => {
      const live = await author.given(kind, { ...named('doc'), ...before });
      // What the server has filled in stays.
      const spec = isRecord(live.spec) ? live.spec : {};
      for (const write of ENCODED_WRITES) {
        const whole = ['put', 'json'].includes(write);
        const content = { spec: { ...(whole ? spec : {}), ...(given as { spec: object }).spec } };
        await author.prepare(() => send(author, kind, 'put', { spec }));
        await clause(`GROUP-FIELDS-01/${field}/${write}`, async () => {
          must('it is taken', await send(author, kind, write, content), match.success);
          const seen = await author.get(kind, nameBy(write));
          if (nameBy(write) !== 'doc') {
            await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
            // What protects a volume holds it until a controller lets it go, where one runs; the next write makes one of that name.
            await author.patch(kind, nameBy(write), 'merge', { metadata: { finalizers: null } });
            await should(() => author.get(kind, nameBy(write)), match.status(404));
          }
          must('it is shown', seen, match.status(200), match.field(at, shown));
        });
      }
    },
  );
}

/** What a volume says of each source whose driver was retired. */
const RETIRED: Readonly<Record<(typeof RETIRED_VOLUMES)[number], JsonObject>> = {
  cephfs: { monitors: ['192.0.2.1:6789'], path: '/none' },
  flocker: { datasetName: 'none' },
  glusterfs: { endpoints: 'none', path: 'none' },
  quobyte: { registry: '192.0.2.1:7861', volume: 'none' },
  rbd: { monitors: ['192.0.2.1:6789'], image: 'none', pool: 'other' },
  scaleio: {
    gateway: 'https://scale.touchstone.example',
    system: 'none',
    volumeName: 'none',
    secretRef: { name: 'none', namespace: 'default' },
  },
  storageos: { volumeName: 'none', volumeNamespace: 'other' },
};

/** What a volume of a pod says of such a source: a secret is one of its namespace. */
function ofPod({ secretRef, ...within }: JsonObject): JsonObject {
  return { ...within, ...(secretRef === undefined ? {} : { secretRef: { name: 'none' } }) };
}
/** Where a volume says of which source it is. */
const fieldOf = (source: (typeof RETIRED_VOLUMES)[number]) => (source === 'scaleio' ? 'scaleIO' : source);

check(
  'GROUP-FIELDS-01.4',
  'the author makes volumes of sources that v1 calls retired, by every write, and pods with them → they are taken and shown',
  clausesOf('GROUP-FIELDS-01', 'retired-volume'),
  async ({ author, dialect }) => {
    const { hostPath: _, ...rest } = volume('Retain').spec;
    await author.given(serviceAccounts, named('own'));
    const { spec: least } = pods.least(dialect) as { spec: object };
    for (const source of RETIRED_VOLUMES) {
      await clause(`GROUP-FIELDS-01/retired-volume/${source}`, async () => {
        const given = RETIRED[source];
        const field = fieldOf(source);
        for (const write of ['post', 'yaml', 'apply'] as const) {
          const name = `${source}-${write}`;
          const draft = { ...named(name), spec: { ...rest, [field]: given } };
          const made =
            write === 'apply'
              ? await author.apply(volumes, draft)
              : await author.create(volumes, draft, {}, write === 'yaml' ? YAML : {});
          must('it is taken', made, match.success);
          const seen = await author.get(volumes, name);
          await author.delete(volumes, name);
          await author.patch(volumes, name, 'merge', { metadata: { finalizers: null } });
          must('it is shown', seen, match.status(200), match.field(`spec.${field}`, match.including(given)));
        }
        const inPod = ofPod(given);
        const draft = {
          ...named(source),
          spec: { ...least, serviceAccountName: 'own', volumes: [{ name: 'v', [field]: inPod }] },
        };
        must('a pod with it is taken', await author.create(pods, draft), match.success);
        const volumesOf = match.field(
          'spec.volumes',
          match.containing(match.including({ [field]: match.including(inPod) })),
        );
        must('and shown', await author.get(pods, source), match.status(200), volumesOf);
      });
    }
  },
);

check(
  'GROUP-FIELDS-01.2',
  'the author makes pods that name their account by the deprecated field → it is their account by either name',
  clausesOf('GROUP-FIELDS-01', 'service-account'),
  async ({ author, dialect }) => {
    await author.given(serviceAccounts, named('own'));
    const { spec } = pods.least(dialect) as { spec: object };
    for (const write of ['post', 'yaml', 'apply'] as const) {
      await clause(`GROUP-FIELDS-01/service-account/${write}`, async () => {
        const name = { post: 'by-post', yaml: 'by-yaml', apply: 'by-apply' }[write];
        const draft = { ...named(name), spec: { ...spec, serviceAccount: 'own' } };
        const made =
          write === 'apply'
            ? await author.apply(pods, draft)
            : await author.create(pods, draft, {}, write === 'yaml' ? YAML : {});
        must('it is taken', made, match.success);
        const seen = await author.get(pods, name);
        must(
          'it is shown',
          seen,
          match.field('spec', match.including({ serviceAccount: 'own', serviceAccountName: 'own' })),
        );
      });
    }
  },
);

/** A type whose objects have a template of pods. */
interface Templated {
  readonly kind: Kind;
  /** Where the template is, member by member. */
  readonly at: readonly [string, ...string[]];
  /** What stands around the spec of the pods, of which none runs. */
  readonly least: (dialect: Dialect) => object;
  /** That the template of one that is there never changes. */
  readonly fixed?: true;
}
const AT_SPEC = ['spec', 'template'] as const;
const podTemplates: Kind = { ...configMaps, kind: 'PodTemplate', plural: 'podtemplates' };
const controllers: Kind = { ...configMaps, kind: 'ReplicationController', plural: 'replicationcontrollers' };
const stableCronJobs: Kind = { ...cronJobs, version: 'v1' };
const jobs: Kind = { ...stableCronJobs, kind: 'Job', plural: 'jobs' };
const TEMPLATED: Readonly<Record<(typeof TEMPLATED_TYPES)[number], Templated>> = {
  deployments: { kind: deployments, at: AT_SPEC, least: deployments.least },
  replicasets: { kind: replicaSets, at: AT_SPEC, least: replicaSets.least },
  statefulsets: { kind: statefulSets, at: AT_SPEC, least: statefulSets.least },
  daemonsets: { kind: daemonSets, at: AT_SPEC, least: daemonSets.least },
  podtemplates: { kind: podTemplates, at: ['template'], least: () => ({ template: workload().template }) },
  replicationcontrollers: {
    kind: controllers,
    at: AT_SPEC,
    least: () => ({ spec: { replicas: 0, template: workload().template } }),
  },
  cronjobs: { kind: stableCronJobs, at: ['spec', 'jobTemplate', 'spec', 'template'], least: () => nightly },
  jobs: {
    kind: jobs,
    at: AT_SPEC,
    least: () => ({ spec: { suspend: true, ...nightly.spec.jobTemplate.spec } }),
    fixed: true,
  },
};
/** An object with this in the spec of its template, beside what was there. */
function withTemplate(before: object, [member, ...rest]: readonly string[], more: object): Record<string, unknown> {
  if (member === undefined) {
    const { spec } = before as { spec?: object };
    return { ...before, spec: { ...spec, ...more } };
  }
  const within = (before as Readonly<Record<string, object>>)[member] ?? {};
  return { ...before, [member]: withTemplate(within, rest, more) };
}
/** Takes away whose account it is, by either name. */
const NOBODY = { serviceAccount: null, serviceAccountName: null };

check(
  'GROUP-FIELDS-01.3',
  'the author names the account of a template of pods by the deprecated field → it is its account by either name',
  clausesOf('GROUP-FIELDS-01', 'service-account-of-template'),
  async ({ author, dialect }) => {
    for (const type of TEMPLATED_TYPES) {
      const { kind, at, fixed, ...templated } = TEMPLATED[type];
      const least = templated.least(dialect);
      const changes = fixed ? [] : (['merge', 'strategic', 'put'] as const);
      if (!fixed) await author.given(kind, { ...named('doc'), ...least });
      await clause(`GROUP-FIELDS-01/service-account-of-template/${type}`, async () => {
        for (const write of ['post', 'yaml', 'apply', ...changes] as const) {
          const account = `by-${write}`;
          const content = withTemplate(least, at, { serviceAccount: account });
          if (!fixed) await author.prepare(() => author.patch(kind, 'doc', 'merge', withTemplate({}, at, NOBODY)));
          must(`${write} is taken`, await send(author, kind, write, content), match.success);
          const seen = await author.get(kind, nameBy(write));
          if (nameBy(write) !== 'doc') await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
          const both = match.including({ serviceAccount: account, serviceAccountName: account });
          must(`${write} is shown`, seen, match.field(`${at.join('.')}.spec`, both));
        }
      });
    }
  },
);

/** Sources of a volume of a pod that v1 calls deprecated: the retired ones, and a repository. */
const OLD_SOURCES: readonly JsonObject[] = [
  ...RETIRED_VOLUMES.map((source) => ({ [fieldOf(source)]: ofPod(RETIRED[source]) })),
  { gitRepo: { repository, revision: 'main' } },
];

check(
  'GROUP-FIELDS-01.5',
  'the author writes a template of pods with volumes of each source that v1 calls retired, by every write → they are taken and shown',
  clausesOf('GROUP-FIELDS-01', 'retired-volume-of-template'),
  async ({ author, dialect }) => {
    const given = OLD_SOURCES.map((source, place) => ({ name: `v${place}`, ...source }));
    const shown = OLD_SOURCES.map((source, place) =>
      match.containing(
        match.including({
          name: `v${place}`,
          ...Object.fromEntries(
            Object.entries(source).map(([field, says]) => [field, match.including(says as JsonObject)]),
          ),
        }),
      ),
    );
    for (const type of TEMPLATED_TYPES) {
      const { kind, at, fixed, ...templated } = TEMPLATED[type];
      const least = templated.least(dialect);
      const content = withTemplate(least, at, { volumes: given });
      if (!fixed) await author.given(kind, { ...named('doc'), ...least });
      await clause(`GROUP-FIELDS-01/retired-volume-of-template/${type}`, async () => {
        for (const write of fixed ? (['post', 'yaml', 'apply'] as const) : FIELD_WRITES) {
          const without = withTemplate({}, at, { volumes: null });
          if (!fixed) await author.prepare(() => author.patch(kind, 'doc', 'merge', without));
          must(`${write} is taken`, await send(author, kind, write, content), match.success);
          const seen = await author.get(kind, nameBy(write));
          if (nameBy(write) !== 'doc') await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
          for (const each of shown) must(`${write} is shown`, seen, match.field(`${at.join('.')}.spec.volumes`, each));
        }
      });
    }
  },
);

const STRICT = { fieldValidation: 'Strict' };
const STRANGE = { size: 7, stranger: 1 };
/** Writes under Strict with a field that no schema knows: of a new object, or of `b`. */
const strangerWrites: Readonly<Record<CustomObjectWrite, (by: Actor, kind: Kind) => Promise<Exchange>>> = {
  post: (by, kind) => by.create(kind, { ...named('strange'), ...STRANGE }, STRICT),
  put: async (by, kind) => {
    const live = objectIn(await by.prepare((each) => each.get(kind, 'b')));
    return by.update(kind, { ...live, ...STRANGE }, STRICT);
  },
  json: (by, kind) => {
    const operations = Object.entries(STRANGE).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
    return by.patch(kind, 'b', 'json', operations, STRICT);
  },
  merge: (by, kind) => by.patch(kind, 'b', 'merge', STRANGE, STRICT),
  apply: (by, kind) => by.apply(kind, { ...named('b'), ...STRANGE }, { ...STRICT, force: true }),
};

check(
  'GROUP-SHARED-02.1',
  'the author uses a deprecated version of a custom type as any other → it is discovered and keeps the rules of all versions',
  clausesOf('GROUP-SHARED-02'),
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    const [labels, annotations] = [{ step: 'one' }, { note: 'kept' }];
    await author.given(current, { metadata: { name: 'a', labels, annotations }, size: 1 });
    await author.given(current, { ...named('b'), size: 1 });
    const live = objectIn(await author.prepare(() => author.get(old, 'a')));
    await clause('GROUP-SHARED-02/discovered', async () => {
      const told = match.field('versions', match.containing(match.including({ version: old.version })));
      must('the group has it', await should(() => author.request('GET', `/apis/${old.group}`), told));
    });
    await clause('GROUP-SHARED-02/annotations', async () => {
      must('it is changed', await author.update(old, { ...live, size: 2 }), match.status(200));
      const seen = await author.get(current, 'a');
      must(
        'it keeps them',
        seen,
        match.field('size', 2),
        match.field('metadata.annotations', match.including(annotations)),
      );
    });
    await clause('GROUP-SHARED-02/stale', async () => {
      await author.prepare(() => author.patch(current, 'a', 'merge', { size: 3 }));
      must('it is stale', await author.update(old, { ...live, size: 4 }), match.status(409));
    });
    await clause('GROUP-SHARED-02/selector', async () => {
      must('one is chosen', await author.list(old, { labelSelector: 'step=one' }), match.names(['a']));
    });
    await clause('GROUP-SHARED-02/dry-run', async () => {
      must('it is tried', await author.create(old, { ...named('c'), size: 1 }, { dryRun: 'All' }), match.success);
      must('nothing is stored', await author.get(current, 'c'), match.status(404));
    });
    for (const write of CUSTOM_OBJECT_WRITES) {
      await clause(`GROUP-SHARED-02/strict/${write}`, async () => {
        const refused = await strangerWrites[write](author, old);
        must(`${write} is refused for what no schema knows`, refused, match.refusal);
        must('nothing is made', await author.get(current, 'strange'), match.status(404));
        must('nothing is changed', await author.get(current, 'b'), match.field('size', 1));
      });
    }
    await clause('GROUP-SHARED-02/deletecollection', async () => {
      must('it is done', await author.deleteAll(old), match.success);
      must('all are gone', await author.get(current, 'a'), match.status(404));
    });
  },
);

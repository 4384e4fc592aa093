import { FIELD_WRITES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  atRelease,
  check,
  clause,
  clausesOf,
  isRecord,
  type Kind,
  match,
  must,
  named,
  PATCH_TYPES,
  pods,
  webhookConfigurations,
} from '../../harness/index.ts';
import { type Content, nameBy, send } from './everyWrite.ts';
import {
  budgets,
  daemonSets,
  deployments,
  idle,
  ingresses,
  mutatingConfigurations,
  priorityLevels,
  statefulSets,
  workload,
} from './kinds.ts';

/** A version of a kind that is only there at some releases, without what the newest version asks for. */
const of = (kind: Kind, version: string, group?: string): Kind => ({
  ...kind,
  version,
  specified: true,
  least: () => ({}),
  ...(group === undefined ? {} : { prefix: group, group }),
});

for (const [name, old] of [
  ['networking', of(ingresses, 'v1beta1')],
  ['extensions', of(ingresses, 'v1beta1', 'extensions')],
] as const) {
  check(
    `CHANGED-INGRESS-02.1/${name}`,
    `the author writes an Ingress of ${name}/v1beta1 with ports by number and name → v1 shows each as it was`,
    ['CHANGED-INGRESS-02/port'],
    { setup: atRelease('1.21') },
    async ({ author }) => {
      const ports = ['web', 8080, 'http'] as const;
      const paths = ports.map((servicePort, at) => ({
        path: `/${at}`,
        pathType: 'Prefix',
        backend: { serviceName: 'b', servicePort },
      }));
      const rules = ['a', 'b'].map((host) => ({ host: `${host}.example`, http: { paths } }));
      const spec = { backend: { serviceName: 'a', servicePort: 80 }, rules };
      await author.given(old, { ...named('a'), spec });
      const seen = await author.get(of(ingresses, 'v1'), 'a');
      const byNumber = { service: { name: 'a', port: { number: 80 } } };
      must('the number is one', seen, match.status(200), match.field('spec.defaultBackend', byNumber));
      const listed = await author.list(of(ingresses, 'v1'), { fieldSelector: 'metadata.name=a' });
      must('so it is in a list', listed, match.status(200), match.field('items.0.spec.defaultBackend', byNumber));
      for (const rule of rules.keys())
        for (const [at, given] of ports.entries()) {
          const port = typeof given === 'string' ? { name: given } : { number: given };
          const place = `spec.rules.${rule}.http.paths.${at}.backend`;
          const backend = { service: { name: 'b', port } };
          must('each of a path is as it was', seen, match.field(place, backend));
          must('so it is in a list', listed, match.field(`items.0.${place}`, backend));
        }
    },
  );

  check(
    `CHANGED-INGRESS-02.2/${name}`,
    `the author gives paths of an Ingress of ${name}/v1beta1 a pathType, or none, by every write → v1 shows and lists what was given, or ImplementationSpecific`,
    clausesOf('CHANGED-INGRESS-02', ['path-type', 'no-path-type']),
    { setup: atRelease('1.21') },
    async ({ author }) => {
      const current = of(ingresses, 'v1');
      for (const write of FIELD_WRITES) {
        for (const [what, types] of GIVEN_TYPES) {
          await restore(author, old, typed(BEFORE));
          await clause(`CHANGED-INGRESS-02/${what}/${write}`, async () => {
            must('it is taken', await send(author, old, write, typed(types)), match.success);
            const name = nameBy(write);
            const seen = await author.get(current, name);
            const listed = await author.list(current, { fieldSelector: `metadata.name=${name}` });
            must('it is there', seen, match.status(200));
            for (const rule of HOSTS.keys())
              for (const [at, type = 'ImplementationSpecific'] of types.entries()) {
                const place = `spec.rules.${rule}.http.paths.${at}.pathType`;
                must('v1 shows it', seen, match.field(place, type));
                must('v1 lists it', listed, match.field(`items.0.${place}`, type));
              }
          });
        }
      }
    },
  );
}

/** Paths of each type, and such as have none; and what they were before. */
const GIVEN_TYPES = [
  ['path-type', ['Exact', 'ImplementationSpecific', 'Prefix']],
  ['no-path-type', [undefined, 'Exact', undefined]],
] as const;
const BEFORE = ['Prefix', 'Prefix', 'Exact'] as const;
const HOSTS = ['a.example', 'b.example'] as const;

/** An Ingress of an older version whose rules have a path of each of these types. */
function typed(types: readonly (string | undefined)[]): Content {
  const backend = { serviceName: 'b', servicePort: 80 };
  const paths = types.map((pathType, at) => ({ path: `/${at}`, pathType, backend }));
  return { spec: { rules: HOSTS.map((host) => ({ host, http: { paths } })) } };
}

/** Gives an object `doc` its content anew, and takes away what other writes have made. */
async function restore(author: Actor, kind: Kind, content: Content): Promise<void> {
  for (const name of new Set(FIELD_WRITES.map(nameBy))) if (name !== 'doc') await author.delete(kind, name);
  const { status } = await author.get(kind, 'doc');
  if (status === 200) await author.prepare(() => send(author, kind, 'put', content));
  else await author.given(kind, { ...named('doc'), ...content });
}

check(
  'CHANGED-DISRUPTION-01.1',
  'the author leaves selectors of budgets empty or unset in both versions → each means in the other what it meant',
  ['CHANGED-DISRUPTION-01'],
  { setup: atRelease('1.24') },
  async ({ author }) => {
    const [old, current] = [of(budgets, 'v1beta1'), of(budgets, 'v1')];
    const spec = { minAvailable: 1 };
    await author.given(old, { ...named('old'), spec: { ...spec, selector: {} } });
    must(
      'what selected nothing is not all in v1',
      await author.get(current, 'old'),
      match.field('spec.selector', match.not({})),
    );
    must('it reads as it was', await author.get(old, 'old'), match.field('spec.selector', {}));
    await author.given(current, { ...named('new'), spec: { ...spec, selector: {} } });
    must(
      'what selected all is not nothing in v1beta1',
      await author.get(old, 'new'),
      match.field('spec.selector', match.not({})),
    );
    must('that reads as it was', await author.get(current, 'new'), match.field('spec.selector', {}));
    for (const [kind, name] of [
      [old, 'old'],
      [current, 'new'],
    ] as const) {
      const listed = await author.list(kind, { fieldSelector: `metadata.name=${name}` });
      must('lists show it so', listed, match.field('items.0.spec.selector', {}));
    }
    await author.given(old, { ...named('unset'), spec });
    must('unset stays unset', await author.get(current, 'unset'), match.field('spec.selector', match.absent));
  },
);

for (const [word, kind] of [
  ['validating', webhookConfigurations],
  ['mutating', mutatingConfigurations],
] as const) {
  check(
    `CHANGED-WEBHOOK-01.1/${word}`,
    `the author creates the least ${word} webhook in v1beta1 and in v1 → each has the defaults of its version`,
    [`CHANGED-WEBHOOK-01/${word}/v1beta1`, `CHANGED-WEBHOOK-01/${word}/v1`],
    { setup: atRelease('1.21') },
    async ({ author }) => {
      const clientConfig = { service: { name: 'hook', namespace: 'default' } };
      const least = { name: 'check.touchstone.example', clientConfig };
      for (const [version, more, defaults] of [
        ['v1beta1', {}, { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 30 }],
        [
          'v1',
          { sideEffects: 'None', admissionReviewVersions: ['v1', 'v1beta1'] },
          { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 },
        ],
      ] as const) {
        await clause(`CHANGED-WEBHOOK-01/${word}/${version}`, async () => {
          const webhooks = [{ ...least, ...more }];
          const created = await author.create(of(kind, version), { ...named(version), webhooks });
          must('it has them', created, match.created, match.field('webhooks.0', match.including(defaults)));
          const seen = await author.get(of(kind, version), version);
          must('they are stored', seen, match.field('webhooks.0', match.including(defaults)));
        });
      }
    },
  );
}

for (const sideEffects of ['Some', 'Unknown']) {
  check(
    `VWC-SIDEEFFECTS-02.1/${sideEffects}`,
    `the author creates a webhook of v1beta1 with ${sideEffects} side effects → it is taken`,
    ['VWC-SIDEEFFECTS-02'],
    { setup: atRelease('1.21') },
    async ({ author }) => {
      const clientConfig = { service: { name: 'hook', namespace: 'default' } };
      const webhooks = [{ name: 'check.touchstone.example', clientConfig, sideEffects }];
      const created = await author.create(of(webhookConfigurations, 'v1beta1'), { ...named('old'), webhooks });
      must('it is legal there', created, match.created, match.field('webhooks.0.sideEffects', sideEffects));
    },
  );
}

check(
  'CHANGED-FLOWCONTROL-02.1',
  'the author writes shares in flow control v1beta2 → v1beta3 shows them under their later name',
  ['CHANGED-FLOWCONTROL-02'],
  { setup: atRelease('1.28') },
  async ({ author }) => {
    const limited = { assuredConcurrencyShares: 7, limitResponse: { type: 'Reject' } };
    await author.given(of(priorityLevels, 'v1beta2'), { ...named('level'), spec: { type: 'Limited', limited } });
    const seen = await author.get(of(priorityLevels, 'v1beta3'), 'level');
    must('it is the nominal number', seen, match.status(200), match.field('spec.limited.nominalConcurrencyShares', 7));
    must('the older name is gone', seen, match.field('spec.limited.assuredConcurrencyShares', match.absent));
  },
);

for (const [version, name] of [
  ['v1beta2', 'assuredConcurrencyShares'],
  ['v1beta3', 'nominalConcurrencyShares'],
] as const) {
  for (const [given, kept] of [
    [0, 0],
    [undefined, 30],
  ] as const) {
    check(
      `CHANGED-FLOWCONTROL-03.1/${version}/${kept}`,
      `the author writes ${given ?? 'no'} shares in flow control ${version} → they are ${kept} in each version`,
      ['CHANGED-FLOWCONTROL-03'],
      { setup: atRelease('1.28') },
      async ({ author }) => {
        const limited = { [name]: given, limitResponse: { type: 'Reject' } };
        await author.given(of(priorityLevels, version), { ...named('level'), spec: { type: 'Limited', limited } });
        const own = await author.get(of(priorityLevels, version), 'level');
        must('so they read', own, match.status(200), match.field(`spec.limited.${name}`, kept));
        const later = await author.get(of(priorityLevels, 'v1beta3'), 'level');
        must('in the later version too', later, match.field('spec.limited.nominalConcurrencyShares', kept));
      },
    );
  }
}

/** Selectors of budgets, with whether each is about a pod with the label `app` and about one without labels. */
for (const [version, which, selector, ...held] of [
  ['v1', 'unset', undefined, false, false],
  ['v1', 'empty', {}, true, true],
  ['v1', 'labels', { matchLabels: { app: 'web' } }, true, false],
  ['v1', 'absent', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false, true],
  ['v1beta1', 'unset', undefined, false, false],
  ['v1beta1', 'empty', {}, false, false],
  ['v1beta1', 'labels', { matchLabels: { app: 'web' } }, true, false],
  ['v1beta1', 'absent', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false, true],
] as const) {
  check(
    `CHANGED-DISRUPTION-02.1/${version}/${which}`,
    `a budget of policy ${version} has the selector ${which} and all its pods are needed → a pod is ${held[0] ? 'not ' : ''}evicted, and one without labels is ${held[1] ? 'not' : 'too'}`,
    clausesOf('CHANGED-DISRUPTION-02', version, which),
    { setup: atRelease('1.24') },
    async ({ author }) => {
      await author.given(of(budgets, version), { ...named('budget'), spec: { maxUnavailable: 0, selector } });
      for (const [place, [name, labels]] of (
        [
          ['web', { app: 'web' }],
          ['bare', undefined],
        ] as const
      ).entries()) {
        await author.given(pods, { ...named(name), metadata: { name, labels } });
        // A pod that does not run yet may be evicted whatever its budget says.
        const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
        const status = { headers: { 'content-type': PATCH_TYPES.merge }, body: running };
        await author.prepare(async () => author.request('PATCH', await author.pathOf(pods, name, 'status'), status));
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
        const evicted = await author.request('POST', await author.pathOf(pods, name, 'eviction'), { body });
        if (held[place]) must(`the budget stands against it: ${name}`, evicted, match.refusal);
        else must(`nothing stands against it: ${name}`, evicted, match.success);
      }
    },
  );
}

check(
  'CHANGED-FLOWCONTROL-03.2',
  'the author writes shares of 0 and none in flow control v1beta3 → v1 shows 0 and 30',
  ['CHANGED-FLOWCONTROL-03'],
  { setup: atRelease('1.31') },
  async ({ author }) => {
    for (const [name, given, kept] of [
      ['zero', 0, 0],
      ['none', undefined, 30],
    ] as const) {
      const limited = { nominalConcurrencyShares: given, limitResponse: { type: 'Reject' } };
      await author.given(of(priorityLevels, 'v1beta3'), { ...named(name), spec: { type: 'Limited', limited } });
      const seen = await author.get(of(priorityLevels, 'v1'), name);
      must(`it is ${kept}`, seen, match.status(200), match.field('spec.limited.nominalConcurrencyShares', kept));
    }
  },
);

check(
  'CHANGED-FLOWCONTROL-02.2',
  'the author writes shares of 0 in flow control v1 → v1beta3 shows 0 and takes it back',
  ['CHANGED-FLOWCONTROL-02'],
  { setup: atRelease('1.31') },
  async ({ author }) => {
    const [old, current] = [of(priorityLevels, 'v1beta3'), of(priorityLevels, 'v1')];
    const limited = { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } };
    await author.given(current, { ...named('level'), spec: { type: 'Limited', limited } });
    const seen = await author.get(old, 'level');
    must(
      '0 is kept',
      seen,
      match.status(200),
      match.field('spec.limited.nominalConcurrencyShares', match.oneOf(0, match.absent)),
    );
    const labels = { labels: { 'touchstone.example/seen': 'yes' } };
    must(
      'an older writer is served',
      await author.patch(old, 'level', 'merge', { metadata: labels }),
      match.status(200),
    );
    must('it is 0 still', await author.get(current, 'level'), match.field('spec.limited.nominalConcurrencyShares', 0));
  },
);

const DEFAULTS: readonly (readonly [string, Kind, object, Readonly<Record<string, match.Expectation>>])[] = [
  [
    'a Deployment of extensions/v1beta1',
    of(deployments, 'v1beta1', 'extensions'),
    { replicas: 0, ...workload() },
    {
      // The service writes "no deadline" and "keep all" as the largest number there is.
      progressDeadlineSeconds: match.oneOf(match.absent, 2_147_483_647),
      revisionHistoryLimit: match.oneOf(match.absent, 2_147_483_647),
      'strategy.rollingUpdate.maxSurge': 1,
      'strategy.rollingUpdate.maxUnavailable': 1,
    },
  ],
  [
    'a Deployment of apps/v1beta1',
    of(deployments, 'v1beta1'),
    { replicas: 0, ...workload() },
    { revisionHistoryLimit: 2 },
  ],
  [
    'a DaemonSet of extensions/v1beta1',
    of(daemonSets, 'v1beta1', 'extensions'),
    idle(),
    { 'updateStrategy.type': 'OnDelete' },
  ],
  [
    'a StatefulSet of apps/v1beta1',
    of(statefulSets, 'v1beta1'),
    { replicas: 0, serviceName: 'none', ...workload() },
    { 'updateStrategy.type': 'OnDelete' },
  ],
];
for (const [what, kind, spec, defaults] of DEFAULTS) {
  check(
    `CHANGED-WORKLOAD-05.1/${what}`,
    `the author creates ${what} that says no more than it must → the defaults of that version`,
    ['CHANGED-WORKLOAD-05'],
    { setup: atRelease('1.15') },
    async ({ author }) => {
      const created = await author.create(kind, { ...named('a'), spec });
      must('it is created', created, match.created);
      const found = isRecord(created.json) ? created.json.spec : undefined;
      for (const [path, value] of Object.entries(defaults)) must(`${path} is as it was`, found, match.at(path, value));
    },
  );
}

import { type ClauseName, FIELD_WRITES, FORMER_FIELDS, NEWER_FIELDS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  type Kind,
  match,
  must,
  named,
  webhookConfigurations,
} from '../../harness/index.ts';
import { areRefused, type Content, nameBy, send } from './everyWrite.ts';
import { daemonSets, deployments, endpointSlices, events, idle, ingresses, priorityLevels, workload } from './kinds.ts';

type ContentIn = (namespace: string) => Content;

const INSTANT = '2026-01-02T03:04:05.000006Z';
const eventIn: ContentIn = (namespace) => ({
  eventTime: INSTANT,
  type: 'Normal',
  action: 'Looking',
  reason: 'Looked',
  reportingController: 'touchstone.example/looker',
  reportingInstance: 'looker-1',
  regarding: regardingIn(namespace),
  related: { ...regardingIn(namespace), name: 'other', fieldPath: 'data.other' },
  note: 'looked, and saw',
});
const regardingIn = (namespace: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  namespace,
  name: 'seen',
  uid: '7d3c4c5e-0f5e-4a55-9f3a-0d6a4f3f9a11',
  resourceVersion: '12',
  fieldPath: 'data.part',
});
const service = (port: object) => ({ service: { name: 'web', port } });
const sound = { spec: { defaultBackend: service({ number: 80 }) } };
const path = (pathType: string, port: object, more: object = {}) => ({
  path: '/a',
  pathType,
  backend: { ...service(port), ...more },
});
const rulesOf = (...paths: object[]) =>
  paths.map((each, place) => ({ host: `${place}.touchstone.example`, http: { paths: [each] } }));
const rules = rulesOf(
  path('Exact', { number: 8080 }),
  path('Prefix', { name: 'http' }),
  path('ImplementationSpecific', { name: 'other' }),
);
const placed = (part: string) => ({ addresses: ['192.0.2.1'], nodeName: `node-${part}`, zone: `zone-${part}` });
/** Without rules it is called for nothing. */
const hook = (name: string, change: object = {}) => ({
  name: `${name}.touchstone.example`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 'hook', namespace: 'default' } },
  ...change,
});
const unset = { failurePolicy: undefined, matchPolicy: undefined, timeoutSeconds: undefined };
const ofV1 = match.including({ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 });

/** The type, what is there before, what is written, and what is stored then by its path. */
type Newer = readonly [
  kind: Kind,
  before: ContentIn,
  given: ContentIn,
  stored: Readonly<Record<string, match.Expectation>>,
];
const NEWER: Readonly<Record<(typeof NEWER_FIELDS)[number], Newer>> = {
  'default-backend': [
    ingresses,
    () => sound,
    () => ({ spec: { defaultBackend: service({ name: 'http' }) } }),
    // A merge leaves the number beside the name unless it takes it away.
    { 'spec.defaultBackend.service': match.including({ name: 'web', port: match.including({ name: 'http' }) }) },
  ],
  'backend-beside-rules': [
    ingresses,
    () => sound,
    () => ({ spec: { defaultBackend: service({ number: 8443 }), rules } }),
    { 'spec.defaultBackend.service.port.number': 8443, 'spec.rules': match.equal(rules) },
  ],
  rules: [ingresses, () => sound, () => ({ spec: { rules } }), { 'spec.rules': match.equal(rules) }],
  endpoints: [
    endpointSlices,
    () => ({ addressType: 'IPv4', endpoints: [placed('old')] }),
    () => ({ addressType: 'IPv4', endpoints: [placed('a'), { ...placed('b'), addresses: ['192.0.2.2'] }] }),
    {
      'endpoints.0': match.including({ nodeName: 'node-a', zone: 'zone-a' }),
      'endpoints.1': match.including({ nodeName: 'node-b', zone: 'zone-b' }),
    },
  ],
  series: [
    events,
    eventIn,
    (namespace) => ({ ...eventIn(namespace), series: { count: 3, lastObservedTime: INSTANT } }),
    {
      'series.count': 3,
      regarding: match.including({ ...regardingIn(''), namespace: match.present }),
      related: match.including({ name: 'other', fieldPath: 'data.other' }),
      note: 'looked, and saw',
      'series.lastObservedTime': INSTANT,
      reportingInstance: 'looker-1',
    },
  ],
  'validating-webhooks': [
    webhookConfigurations,
    () => ({ webhooks: [hook('check', { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 5 })] }),
    () => ({ webhooks: [hook('check', unset), hook('second', unset)] }),
    { 'webhooks.0': ofV1, 'webhooks.1': ofV1 },
  ],
};

/** Gives an object `doc` its content anew. */
async function restore(author: Actor, kind: Kind, content: Content): Promise<void> {
  await author.delete(kind, 'doc', { propagationPolicy: 'Background' });
  await author.given(kind, { ...named('doc'), ...content });
}

for (const field of NEWER_FIELDS) {
  const [kind, before, given, stored] = NEWER[field];
  check(
    `CHANGED-FIELDS-01.1/${field}`,
    `the author writes ${field} of a ${kind.kind} as v1 has it, in every way → it is stored so`,
    clausesOf('CHANGED-FIELDS-01', field),
    async ({ author }) => {
      const namespace = await author.namespace();
      for (const write of FIELD_WRITES) {
        await restore(author, kind, before(namespace));
        await clause(`CHANGED-FIELDS-01/${field}/${write}` as ClauseName, async () => {
          const content =
            field === 'default-backend' && (write === 'merge' || write === 'strategic' || write === 'json-fields')
              ? withoutNumber
              : given(namespace);
          must('it is taken', await send(author, kind, write, content), match.success);
          const seen = await author.get(kind, nameBy(write));
          const fieldSelector = `metadata.name=${author.space.nameOf(kind, nameBy(write))}`;
          const listed = await author.list(kind, { fieldSelector });
          if (nameBy(write) !== 'doc') await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
          for (const [at, value] of Object.entries(stored)) {
            must(`${at} is so`, seen, match.field(at, value));
            must('and so listed', listed, match.field(`items.0.${at}`, value));
          }
        });
      }
    },
  );
}

const withoutNumber: Content = { spec: { defaultBackend: service({ name: 'http', number: undefined }) } };

/** The type, what is there before, what is written beside it, and where the field would be. */
type Former = readonly [
  kind: Kind,
  before: ContentIn,
  given: ContentIn,
  paths: readonly string[],
  /** What it does not stand for. */
  kept?: Readonly<Record<string, match.Expectation>>,
];
const deployed = { replicas: 0, ...workload() };
const limited = (more: object = {}) => ({
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 7, limitResponse: { type: 'Reject' }, ...more } },
});
const FORMER: Readonly<Record<(typeof FORMER_FIELDS)[number], Former>> = {
  'rollback-to': [
    deployments,
    () => ({ spec: deployed }),
    () => ({ spec: { ...deployed, rollbackTo: { revision: 1 } } }),
    ['spec.rollbackTo'],
  ],
  'template-generation': [
    daemonSets,
    () => ({ spec: idle() }),
    () => ({ spec: { ...idle(), templateGeneration: 7 } }),
    ['spec.templateGeneration'],
  ],
  backend: [
    ingresses,
    () => sound,
    () => ({ spec: { ...sound.spec, backend: { serviceName: 'web', servicePort: 80 } } }),
    ['spec.backend'],
    { 'spec.defaultBackend.service.port.number': 80 },
  ],
  'backend-as-now': [
    ingresses,
    () => sound,
    () => ({ spec: { ...sound.spec, backend: service({ number: 8080 }) } }),
    ['spec.backend'],
    { 'spec.defaultBackend.service.port.number': 80 },
  ],
  'service-name': [
    ingresses,
    () => ({ spec: { rules } }),
    () => ({ spec: { rules: rulesOf(path('Exact', { number: 80 }, { serviceName: 'web', servicePort: 80 })) } }),
    ['spec.rules.0.http.paths.0.backend.serviceName', 'spec.rules.0.http.paths.0.backend.servicePort'],
  ],
  'involved-object': [
    events,
    eventIn,
    (namespace) => ({ ...eventIn(namespace), involvedObject: { kind: 'ConfigMap', namespace, name: 'other' } }),
    ['involvedObject'],
    { 'regarding.name': 'seen' },
  ],
  count: [
    events,
    eventIn,
    (namespace) => ({
      ...eventIn(namespace),
      count: 2,
      firstTimestamp: '2026-01-02T03:04:05Z',
      source: { component: 'looker' },
    }),
    [
      'count',
      'firstTimestamp',
      'source',
      'series',
      'deprecatedCount',
      'deprecatedFirstTimestamp',
      'deprecatedSource.component',
    ],
  ],
  'assured-shares': [
    priorityLevels,
    () => limited(),
    () => limited({ assuredConcurrencyShares: 9 }),
    ['spec.limited.assuredConcurrencyShares'],
    { 'spec.limited.nominalConcurrencyShares': 7 },
  ],
};

for (const field of FORMER_FIELDS) {
  const [kind, before, given, paths, kept = {}] = FORMER[field];
  check(
    `CHANGED-FIELDS-02.1/${field}`,
    `the author writes ${field} of a ${kind.kind} as an older version had it, in every way → refused where fields are checked, and never stored`,
    clausesOf('CHANGED-FIELDS-02', field),
    async ({ author }) => {
      const namespace = await author.namespace();
      await author.given(kind, { ...named('doc'), ...before(namespace) });
      for (const write of FIELD_WRITES) {
        await clause(`CHANGED-FIELDS-02/${field}/${write}` as ClauseName, async () => {
          await areRefused(author, kind, write, [[field, given(namespace)]], { fieldValidation: 'Strict' });
          await send(author, kind, write, given(namespace), { fieldValidation: 'Ignore' });
          const seen = await author.get(kind, nameBy(write));
          for (const each of paths)
            must('it is not stored', seen, match.either(match.status(404), match.field(each, match.absent)));
          for (const [each, value] of Object.entries(kept))
            must('it stands for nothing else', seen, match.either(match.status(404), match.field(each, value)));
          if (nameBy(write) !== 'doc' && seen.succeeded)
            await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
        });
      }
    },
  );
}

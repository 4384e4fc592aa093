import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../api/json.ts';

/** An object of flow control that a server has from its start on. */
export interface FlowControlDefault {
  readonly resource: 'flowschemas' | 'prioritylevelconfigurations';
  readonly name: string;
  readonly spec: JsonObject;
  /** A server never goes without it: it comes back when it is deleted, and its spec when it is changed. */
  readonly mandatory: boolean;
}

/** Seats and queues of a limited level: [shares, percent lent, queues, hand size, length of a queue]. */
type Limits = readonly [shares: number, lendable: number, queues: number, handSize: number, length: number];

const LEVELS: Readonly<Record<string, Limits>> = {
  'node-high': [40, 25, 64, 6, 50],
  system: [30, 33, 64, 6, 50],
  'leader-election': [10, 0, 16, 4, 50],
  'workload-high': [40, 50, 128, 6, 50],
  'workload-low': [100, 90, 128, 6, 50],
  'global-default': [20, 50, 128, 6, 50],
};

const EVERYTHING: JsonObject[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
const EVERY_PATH: JsonObject[] = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
const ELECTING = ['get', 'create', 'update'];

/**
 * The objects by which a server serves what keeps a cluster alive before what merely uses it, as the real service
 * has them: first the levels, then the schemas that lead to them.
 */
export function flowControlDefaults(dialect: Dialect): readonly FlowControlDefault[] {
  const { systemNamespace, componentPrefix } = dialect;
  const coordination = groupName(dialect, 'coordination');
  const manager = user(`system:${componentPrefix}controller-manager`);
  const scheduler = user(`system:${componentPrefix}scheduler`);
  const account = (name: string): JsonObject => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace: systemNamespace, name },
  });
  const everybody = [group('system:unauthenticated'), group('system:authenticated')];
  const all = (subjects: JsonObject[]): JsonObject[] => [
    { subjects, resourceRules: EVERYTHING, nonResourceRules: EVERY_PATH },
  ];
  return [
    level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }, true),
    level('catch-all', limited(5, 0, { type: 'Reject' }), true),
    ...Object.entries(LEVELS).map(([name, [shares, lendable, queues, handSize, queueLengthLimit]]) =>
      level(name, limited(shares, lendable, { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } })),
    ),
    schema('exempt', 'exempt', 1, undefined, all([group('system:masters')]), true),
    schema('catch-all', 'catch-all', 10_000, 'ByUser', all(everybody), true),
    schema('probes', 'exempt', 2, undefined, [
      {
        subjects: everybody,
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
      },
    ]),
    schema('system-leader-election', 'leader-election', 100, 'ByUser', [
      {
        subjects: [manager, scheduler, account('*')],
        resourceRules: [resources(ELECTING, coordination, ['leases'], ['*'])],
      },
    ]),
    schema('endpoint-controller', 'workload-high', 150, 'ByUser', [
      {
        subjects: [manager, account('endpoint-controller'), account('endpointslicemirroring-controller')],
        resourceRules: [resources(ELECTING, '', ['endpoints'], ['*'])],
      },
    ]),
    schema('workload-leader-election', 'leader-election', 200, 'ByUser', [
      {
        subjects: [account('*')],
        resourceRules: [
          resources(ELECTING, '', ['endpoints', 'configmaps'], ['*']),
          resources(ELECTING, coordination, ['leases'], ['*']),
        ],
      },
    ]),
    schema('system-node-high', 'node-high', 400, 'ByUser', [
      {
        subjects: [group('system:nodes')],
        resourceRules: [
          { ...resources(['*'], '', ['nodes', 'nodes/status'], ['*']), clusterScope: true },
          resources(['*'], coordination, ['leases'], ['*']),
        ],
      },
    ]),
    schema('system-nodes', 'system', 500, 'ByUser', all([group('system:nodes')])),
    schema(`${componentPrefix}controller-manager`, 'workload-high', 800, 'ByNamespace', all([manager])),
    schema(`${componentPrefix}scheduler`, 'workload-high', 800, 'ByNamespace', all([scheduler])),
    schema(`${systemNamespace}-service-accounts`, 'workload-high', 900, 'ByNamespace', all([account('*')])),
    schema('service-accounts', 'workload-low', 9000, 'ByUser', all([group('system:serviceaccounts')])),
    schema('global-default', 'global-default', 9900, 'ByUser', all(everybody)),
  ];
}

function level(name: string, spec: JsonObject, mandatory = false): FlowControlDefault {
  return { resource: 'prioritylevelconfigurations', name, spec, mandatory };
}
function limited(nominalConcurrencyShares: number, lendablePercent: number, limitResponse: JsonObject): JsonObject {
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } };
}
function schema(
  name: string,
  levelName: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rules: JsonObject[],
  mandatory = false,
): FlowControlDefault {
  const spec = {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence,
    ...(distinguisher ? { distinguisherMethod: { type: distinguisher } } : {}),
    rules,
  };
  return { resource: 'flowschemas', name, spec, mandatory };
}
function user(name: string): JsonObject {
  return { kind: 'User', user: { name } };
}
function group(name: string): JsonObject {
  return { kind: 'Group', group: { name } };
}
function resources(verbs: string[], apiGroup: string, names: string[], namespaces: string[]): JsonObject {
  return { verbs, apiGroups: [apiGroup], resources: names, namespaces };
}

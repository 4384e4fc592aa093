import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { RowArea, RowStep, RowSteps } from '../rowArea.ts';
import type { Person, Step } from '../step.ts';
import { post, remove, reviewStep } from './people.ts';
import { makeAccount } from './requests.ts';

const OF_SECRETS = [
  'volume',
  'projected',
  'env',
  'env-from',
  'pull-secret',
  'init-env',
  'init-env-from',
  'second-container',
];
const OF_MAPS = ['volume', 'projected', 'env', 'env-from', 'init-env', 'init-env-from', 'second-container'];
const WAYS = [...OF_SECRETS, 'claim', 'not'];
const AGENTS = ['node', 'of-more-groups'];
const STRANGERS = ['other-node', 'longer', 'shorter', 'upper-case', 'no-group', 'no-name', 'groups-alike'];

/** What pods that are bound to a node use, in every way to use it, asked for by that node and by what is almost it. */
export const NODES: RowArea = {
  name: 'nodes',
  together: 70,
  crossing: {
    dimensions: {
      type: ['secrets', 'configmaps', 'persistentvolumeclaims'],
      way: WAYS,
      pod: ['bound', 'of-other-node', 'unbound', 'second'],
      who: [...AGENTS, ...STRANGERS],
      asked: ['request', 'review'],
      gone: ['kept', 'pod'],
    },
    deeply: [['type', 'way', 'pod']],
    ends: [
      {
        at: { who: STRANGERS },
        with: [
          ['who', 'type'],
          ['who', 'asked'],
        ],
      },
    ],
    never: [
      { type: ['secrets'], way: ['claim'] },
      { type: ['configmaps'], way: WAYS.filter((way) => !OF_MAPS.includes(way) && way !== 'not') },
      { type: ['persistentvolumeclaims'], way: OF_SECRETS },
    ],
  },
  plain: { type: 'secrets', way: 'volume', pod: 'bound', who: 'node', asked: 'request', gone: 'kept' },
  shared: [makeAccount('runner')],
  steps: stepsOf,
  names: [
    [{ who: [...AGENTS, ...STRANGERS] }, 'NODE-IDENTITY-01'],
    [{ who: ['other-node', 'longer', 'shorter', 'upper-case'] }, 'NODE-READ-02'],
    [{ question: ['name', 'place'] }, 'NODE-READ-02'],
    [{ question: ['pod'] }, 'NODE-READ-04'],
    [{ time: ['after'] }, 'NODE-READ-03'],
    [{ way: WAYS }, 'NODE-READ-02'],
    [{ pod: ['of-other-node', 'unbound', 'second'] }, 'NODE-READ-02'],
  ],
  usual: ['NODE-READ-02'],
};

const KINDS: Readonly<Record<string, string>> = {
  secrets: 'Secret',
  configmaps: 'ConfigMap',
  persistentvolumeclaims: 'PersistentVolumeClaim',
};
const core = (plural: string, namespace = '{ns}'): string => `/api/v1/namespaces/${namespace}/${plural}`;

function stepsOf(row: Row, at: string): RowSteps {
  const { type = '', pod = '' } = row;
  const node = `{id}-n${at}`;
  const [name, podName] = [`used-${at}`, `pod-${at}`];
  const bound = pod === 'of-other-node' ? `${node}-other` : pod === 'unbound' ? '' : node;
  const made = (plural: string, of: string): Step =>
    post(core(plural), {
      apiVersion: 'v1',
      kind: KINDS[plural] as string,
      metadata: { name: of },
      ...contentOf(plural),
    });
  const before: Step[] = pod === 'second' ? [podStep(`${podName}-a`, node, {}, {})] : [];
  const uses = usesOf(row, name);
  const person = personOf(row, node);
  const ask = (question: string, as: Person, plural = type, of = name, namespace?: string): RowStep => ({
    ...asking(row, as, plural, of, namespace),
    question,
  });
  return {
    prepare: [made(type, name), ...before, podStep(podName, bound, uses.spec, uses.container)],
    ask: [
      ask('exact', person),
      ask('name', person, type, `${name}x`),
      ask('place', person, type, name, '{ns2}'),
      ask('pod', person, 'pods', podName),
    ],
    change: row.gone === 'pod' ? [remove(`${core('pods')}/${podName}?gracePeriodSeconds=0`)] : [],
    again: row.gone === 'pod' ? [ask('exact', person)] : [],
  };
}

const contentOf = (plural: string): JsonObject =>
  plural === 'persistentvolumeclaims'
    ? { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
    : {};

function podStep(name: string, nodeName: string, spec: JsonObject, container: JsonObject): Step {
  return post(core('pods'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      ...(nodeName === '' ? {} : { nodeName }),
      serviceAccountName: 'runner',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'example.com/none', ...container }],
      ...spec,
    },
  });
}

/** What a pod says to use an object. */
function usesOf({ type, way = '' }: Row, name: string): { readonly spec: JsonObject; readonly container: JsonObject } {
  const secret = type === 'secrets';
  const ref: JsonObject = { name, key: 'k' };
  const env: JsonObject = {
    env: [{ name: 'A', valueFrom: secret ? { secretKeyRef: ref } : { configMapKeyRef: ref } }],
  };
  const envFrom: JsonObject = { envFrom: [secret ? { secretRef: { name } } : { configMapRef: { name } }] };
  const source: JsonObject = secret ? { secret: { secretName: name } } : { configMap: { name } };
  const projected: JsonObject = { projected: { sources: [secret ? { secret: { name } } : { configMap: { name } }] } };
  const other = (more: JsonObject): JsonObject => ({ name: 'other', image: 'example.com/none', ...more });
  const main: JsonObject = { name: 'main', image: 'example.com/none' };
  const specs: Readonly<Record<string, JsonObject>> = {
    volume: {
      volumes: [
        { name: 'first', emptyDir: {} },
        { name: 'v', ...source },
      ],
    },
    projected: { volumes: [{ name: 'v', ...projected }] },
    claim: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }] },
    'pull-secret': { imagePullSecrets: [{ name: 'none' }, { name }] },
    'init-env': { initContainers: [other(env)] },
    'init-env-from': { initContainers: [other(envFrom)] },
    'second-container': { containers: [main, other(env)] },
  };
  return { spec: specs[way] ?? {}, container: way === 'env' ? env : way === 'env-from' ? envFrom : {} };
}

function personOf({ who = '' }: Row, node: string): Person {
  const named = (name: string, ...groups: readonly string[]): Person => ({ user: `system:node:${name}`, groups });
  const people: Readonly<Record<string, Person>> = {
    node: named(node, 'system:nodes'),
    'of-more-groups': named(node, '{id}-first', 'system:nodes', '{id}-last'),
    'other-node': named(`${node}-other-one`, 'system:nodes'),
    longer: named(`${node}x`, 'system:nodes'),
    shorter: named(node.slice(0, -1), 'system:nodes'),
    'upper-case': named(node.replace('-n', '-N'), 'system:nodes'),
    'no-group': named(node),
    'no-name': { user: node, groups: ['system:nodes'] },
    'groups-alike': named(node, 'system:node', 'system:nodes:all'),
  };
  return people[who] as Person;
}

function asking({ asked }: Row, as: Person, plural: string, name: string, namespace = '{ns}'): Step {
  if (asked === 'request') return { as, method: 'GET', path: `${core(plural, namespace)}/${name}` };
  const resourceAttributes = { verb: 'get', group: '', resource: plural, name, namespace };
  const groups = [...(as.groups ?? []), 'system:authenticated'];
  return reviewStep('SubjectAccessReview', { user: as.user, groups, resourceAttributes }, 'admin');
}

import { list, map, PODS, pod, post, remove, type Stop, type Stops } from './stop.ts';

const containers = [{ name: 'c', image: 'i' }];
const object = (apiVersion: string, kind: string, name: string, more: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const inPod = (name: string, more: object, code?: number): Stop => ({
  request: post(PODS, pod(name, { containers, ...more })),
  ...(code === undefined ? {} : { code }),
});
const inContainer = (name: string, more: object): Stop => inPod(name, { containers: [{ ...containers[0], ...more }] });
/** The status of an object that was created before. */
const status = (path: string, one: { readonly metadata: { readonly name: string } }, written: object): Stop => ({
  after: [post(path, one)],
  request: {
    method: 'PATCH',
    path: `${path}/${one.metadata.name}/status`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ status: written }),
  },
  last: [remove(`${path}/${one.metadata.name}`)],
});
const deployment = (name: string, selector: object, labels: object): Stop => ({
  request: post(
    '/apis/apps/v1/namespaces/default/deployments',
    object('apps/v1', 'Deployment', name, { spec: { selector, template: { ...template, metadata: { labels } } } }),
  ),
});

/** Built-in types with as much as fits into one of their lists or maps. */
export const TYPES: Stops = {
  'volumes of a pod': () => inPod('volumes', { volumes: list((at) => ({ name: `v${at}`, emptyDir: {} })) }),
  'variables of a container': () => inContainer('variables', { env: list((at) => ({ name: `E${at}`, value: 'v' })) }),
  'ports of a container': () => inContainer('ports', { ports: list((at) => ({ containerPort: (at % 60_000) + 1 })) }),
  'init containers of a pod': () => inPod('init', { initContainers: list((at) => ({ name: `i${at}`, image: 'i' })) }),
  'wrong containers of a pod': () => inPod('wrong', { containers: list((at) => ({ name: `C${at}` })) }, 422),
  'node affinity of a pod': () =>
    inPod('affine', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: list((at) => ({ matchExpressions: [{ key: `k${at}`, operator: 'Exists' }] })),
          },
        },
      },
    }),
  'spread constraints of a pod': () =>
    inPod('spread', {
      topologySpreadConstraints: list((at) => ({
        maxSkew: 1,
        topologyKey: `k${at}`,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { a: 'b' } },
      })),
    }),
  'amounts of a container': () =>
    inContainer('amounts', {
      resources: { limits: Object.fromEntries(list((at) => [`e.com/r${at}`, '1']) as [string, string][]) },
    }),
  'claims of a container': () =>
    inPod(
      'claims',
      {
        resourceClaims: list((at) => ({ name: `c${at}`, resourceClaimName: 'c' }), 1_400_000),
        containers: [{ ...containers[0], resources: { claims: list((at) => ({ name: `d${at}` }), 1_400_000) } }],
      },
      422,
    ),
  'conditions in the status of a pod': () =>
    status(PODS, pod('conditions', { containers }), { conditions: list((at) => ({ type: `T${at}`, status: 'True' })) }),
  'containers in the status of a pod': () =>
    status(PODS, pod('statuses', { containers, restartPolicy: 'Never' }), {
      containerStatuses: list((at) => ({
        name: `c${at}`,
        image: 'i',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0 } },
      })),
    }),
  'conditions and addresses of a node': () =>
    status('/api/v1/nodes', object('v1', 'Node', 'addressed', {}), {
      conditions: list((at) => ({ type: `T${at}`, status: 'True' }), 1_400_000),
      addresses: list((at) => ({ type: 'InternalIP', address: `10.0.${at >> 8}.${at & 255}` }), 1_400_000),
    }),
  'containers of the template of a deployment': () => ({
    request: post(
      '/apis/apps/v1/namespaces/default/deployments',
      object('apps/v1', 'Deployment', 'templated', {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { ...template, spec: { containers: list((at) => ({ name: `c${at}`, image: 'i' })) } },
        },
      }),
    ),
    last: [remove('/apis/apps/v1/namespaces/default/deployments/templated')],
  }),
  'labels of a deployment and its selector': () => {
    const labels = map('v', 1_400_000);
    return deployment('labelled', { matchLabels: labels }, labels);
  },
  'expressions of the selector of a deployment': () =>
    deployment(
      'selecting',
      { matchLabels: { a: 'b' }, matchExpressions: list((at) => ({ key: `k${at}`, operator: 'DoesNotExist' })) },
      { a: 'b' },
    ),
  'values of the selector of a deployment': () =>
    deployment(
      'valued',
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', ...list((at) => `v${at}`)] }] },
      { a: 'b' },
    ),
  'rules of a network policy': () => ({
    request: post(
      '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
      object('networking.k8s.io/v1', 'NetworkPolicy', 'ruled', {
        spec: {
          podSelector: {},
          ingress: list(() => ({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] })),
        },
      }),
    ),
  }),
  'paths of an ingress': () => ({
    request: post(
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
      object('networking.k8s.io/v1', 'Ingress', 'paths', {
        spec: {
          rules: [
            {
              http: {
                paths: list((at) => ({
                  path: `/p${at}`,
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 80 } } },
                })),
              },
            },
          ],
        },
      }),
    ),
  }),
  'ports of a service': () => ({
    request: post(
      '/api/v1/namespaces/default/services',
      object('v1', 'Service', 'ports', {
        spec: {
          clusterIP: 'None',
          ports: list((at) => ({ name: `p${at}`, port: (at % 60_000) + 1, protocol: at < 60_000 ? 'TCP' : 'UDP' })),
        },
      }),
    ),
  }),
  'subsets of endpoints': () => ({
    request: post(
      '/api/v1/namespaces/default/endpoints',
      object('v1', 'Endpoints', 'subsets', {
        subsets: list((at) => ({
          addresses: [{ ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` }],
          ports: [{ port: 80 }],
        })),
      }),
    ),
  }),
  'addresses of one subset': () => ({
    request: post(
      '/api/v1/namespaces/default/endpoints',
      object('v1', 'Endpoints', 'addresses', {
        subsets: [
          { addresses: list((at) => ({ ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` })), ports: [{ port: 80 }] },
        ],
      }),
    ),
  }),
  'hard limits of a quota': () => ({
    request: post(
      '/api/v1/namespaces/default/resourcequotas',
      object('v1', 'ResourceQuota', 'hard', {
        spec: { hard: Object.fromEntries(list((at) => [`count/r${at}.example.com`, '1']) as [string, string][]) },
      }),
    ),
  }),
  'a small write beside such a quota': () => ({
    request: post('/api/v1/namespaces/default/secrets', object('v1', 'Secret', 'beside-quota', {})),
    last: [{ method: 'DELETE', path: '/api/v1/namespaces/default/resourcequotas/hard' }],
  }),
  'limits of a range': () => ({
    request: post(
      '/api/v1/namespaces/default/limitranges',
      object('v1', 'LimitRange', 'limits', {
        spec: {
          limits: [
            { type: 'Container', max: Object.fromEntries(list((at) => [`e.com/r${at}`, '1']) as [string, string][]) },
          ],
        },
      }),
    ),
    last: [{ method: 'DELETE', path: '/api/v1/namespaces/default/limitranges/limits' }],
  }),
  'metrics of an autoscaler': () => ({
    request: post(
      '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
      object('autoscaling/v2', 'HorizontalPodAutoscaler', 'metrics', {
        spec: {
          maxReplicas: 2,
          scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
          metrics: list((at) => ({
            type: 'Pods',
            pods: { metric: { name: `m${at}` }, target: { type: 'AverageValue', averageValue: '1' } },
          })),
        },
      }),
    ),
  }),
  'templates of a stateful set': () => ({
    request: post(
      '/apis/apps/v1/namespaces/default/statefulsets',
      object('apps/v1', 'StatefulSet', 'templates', {
        spec: {
          serviceName: 's',
          selector: { matchLabels: { a: 'b' } },
          template,
          volumeClaimTemplates: list((at) => ({
            metadata: { name: `t${at}` },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          })),
        },
      }),
    ),
  }),
  'taints of a node': () => ({
    request: post(
      '/api/v1/nodes',
      object('v1', 'Node', 'tainted', { spec: { taints: list((at) => ({ key: `k${at}`, effect: 'NoSchedule' })) } }),
    ),
    last: [{ method: 'DELETE', path: '/api/v1/nodes/tainted' }],
  }),
  'rules of a flow schema': () => ({
    request: post(
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'ruled', {
        spec: {
          priorityLevelConfiguration: { name: 'workload-low' },
          matchingPrecedence: 5,
          rules: list((at) => ({
            subjects: [{ kind: 'User', user: { name: `u${at}` } }],
            resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['r'], namespaces: ['n'] }],
          })),
        },
      }),
    ),
  }),
  'a small read beside such a flow schema': () => ({
    request: { method: 'GET', path: '/api/v1/namespaces/default' },
    last: [{ method: 'DELETE', path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/ruled' }],
  }),
  'a large secret': () => ({
    request: post('/api/v1/namespaces/default/secrets', object('v1', 'Secret', 'large', { stringData: map('v') })),
  }),
  'a request for a certificate': () => ({
    request: post(
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      object('certificates.k8s.io/v1', 'CertificateSigningRequest', 'large', {
        spec: {
          signerName: 'example.com/s',
          usages: ['digital signature'],
          request: Buffer.from(
            `-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(2_000_000)}\n-----END CERTIFICATE REQUEST-----\n`,
          ).toString('base64'),
        },
      }),
    ),
    code: 422,
  }),
  'a large revision': () => ({
    request: post(
      '/apis/apps/v1/namespaces/default/controllerrevisions',
      object('apps/v1', 'ControllerRevision', 'large', { revision: 1, data: map('v') }),
    ),
  }),
};

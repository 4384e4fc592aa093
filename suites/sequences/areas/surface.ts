import type { Dice } from '../../covering/dice.ts';
import type { Step, Who } from '../step.ts';
import { webhook } from '../types.ts';
import { PATCH } from './objects.ts';
import { ann } from './roles.ts';

const GROUPS = [
  'apps',
  'batch',
  'autoscaling',
  'policy',
  'rbac.authorization.{domain}',
  'admissionregistration.{domain}',
  'apiextensions.{domain}',
  'authentication.{domain}',
  'authorization.{domain}',
  'certificates.{domain}',
  'coordination.{domain}',
  'discovery.{domain}',
  'events.{domain}',
  'flowcontrol.apiserver.{domain}',
  'networking.{domain}',
  'node.{domain}',
  'scheduling.{domain}',
  'storage.{domain}',
  'apiregistration.{domain}',
  'extensions',
  'storagemigration.{domain}',
  'resource.{domain}',
];
const VERSIONS = ['v1', 'v1beta1', 'v1beta2', 'v1alpha1', 'v2', 'v2beta2', 'v1beta3', 'v2beta1', 'v1alpha2'];
const AGGREGATED = 'application/json;v=v2;g=apidiscovery.{domain};as=APIGroupDiscoveryList';

/** What is served: discovery, health, paths of nothing, and older versions of types. */
export function surface(dice: Dice): Step[] {
  const steps: Step[] = [];
  const who = (): Who => (dice.chance(0.8) ? 'admin' : dice.of<Who>(['nobody', ann(), { token: 'wrong' }]));
  const get = (path: string, headers?: Record<string, string>): Step => ({
    as: who(),
    method: 'GET',
    path,
    ...(headers ? { headers } : {}),
  });
  for (let at = 0; at < 14; at++) {
    steps.push(
      dice.of<() => Step>([
        () => get(dice.of(['/api', '/apis', '/api/v1', '/version', '/openapi/v3', '/'])),
        () => get(dice.of(['/api', '/apis']), { accept: AGGREGATED }),
        () => get(`/apis/${dice.of(GROUPS)}`),
        () => get(`/apis/${dice.of(GROUPS)}/v1`),
        () => get(`/apis/${dice.of(GROUPS)}/${dice.of(VERSIONS)}`),
        () =>
          get(`/apis/${dice.of(GROUPS)}/${dice.of(VERSIONS)}`, {
            accept: dice.of(['application/yaml', 'application/vnd.{vendor}.protobuf']),
          }),
        () =>
          get(
            `/${dice.of(['healthz', 'livez', 'readyz'])}${dice.of(['', '?verbose', '?verbose=true', '?exclude=ping', '?exclude=ping&exclude=log', '?exclude=etcd&verbose', '?exclude=none&verbose', '?verbose&exclude=ping&exclude=etcd'])}`,
          ),
        () =>
          get(
            `/${dice.of(['healthz', 'livez', 'readyz'])}/${dice.of(['ping', 'log', 'etcd', 'none', 'shutdown', 'informer-sync'])}`,
          ),
        () =>
          get(
            dice.of([
              '/nothing',
              '/api/v2',
              '/apis/none.example',
              '/apis/none.example/v1',
              '/apis/apps/v9',
              '/api/v1/nothings',
              '/api/v1/namespaces/{ns}/nothings',
              '/api/v1/namespaces/{ns}/nothings/x',
              '/api/v1/configmaps/x',
              '/apis/apps/v1/deployments/x',
              '/api/v1/namespaces/{ns}/configmaps/x/y',
              '/api/v1/namespaces//configmaps',
              '/API',
              '/api/v1/namespaces/{ns}/ConfigMaps',
            ]),
          ),
        () => ({
          as: who(),
          method: dice.of(['POST', 'PUT', 'DELETE', 'PATCH']),
          path: dice.of(['/api', '/apis', '/version', '/healthz', '/api/v1/nothings', '/api/v1']),
          body: {},
        }),
        () => get(dice.of(OLD)),
        () => ({ as: 'admin', method: 'POST', path: dice.of(OLD), body: {} }),
        () => get('/.well-known/openid-configuration'),
        () => get('/openid/v1/jwks', { accept: 'application/jwk-set+json' }),
        () =>
          get(`/openapi/v3/${dice.of(['api/v1', 'apis/apps/v1', 'apis/rbac.authorization.{domain}/v1', 'version'])}`),
      ])(),
    );
  }
  return steps;
}

/** Paths of versions that some release served. */
const OLD = [
  '/apis/extensions/v1beta1/namespaces/{ns}/deployments',
  '/apis/extensions/v1beta1/namespaces/{ns}/ingresses',
  '/apis/apps/v1beta1/namespaces/{ns}/deployments',
  '/apis/apps/v1beta2/namespaces/{ns}/deployments',
  '/apis/networking.{domain}/v1beta1/namespaces/{ns}/ingresses',
  '/apis/batch/v1beta1/namespaces/{ns}/cronjobs',
  '/apis/policy/v1beta1/namespaces/{ns}/poddisruptionbudgets',
  '/apis/autoscaling/v2beta2/namespaces/{ns}/horizontalpodautoscalers',
  '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers',
  '/apis/discovery.{domain}/v1beta1/namespaces/{ns}/endpointslices',
  '/apis/events.{domain}/v1beta1/namespaces/{ns}/events',
  '/apis/rbac.authorization.{domain}/v1beta1/namespaces/{ns}/roles',
  '/apis/coordination.{domain}/v1beta1/namespaces/{ns}/leases',
  '/apis/flowcontrol.apiserver.{domain}/v1beta3/flowschemas?limit=0&labelSelector=seq%3D{id}',
  '/apis/storage.{domain}/v1beta1/csistoragecapacities?labelSelector=seq%3D{id}',
  '/apis/certificates.{domain}/v1beta1/certificatesigningrequests?labelSelector=seq%3D{id}',
  '/apis/admissionregistration.{domain}/v1beta1/validatingwebhookconfigurations?labelSelector=seq%3D{id}',
  '/apis/apiextensions.{domain}/v1beta1/customresourcedefinitions?labelSelector=seq%3D{id}',
] as const;

/** The gauge of requested deprecated versions before and after one is called. */
export function deprecated(dice: Dice): Step[] {
  const measured: Step = { as: 'admin', method: 'GET', path: '/metrics' };
  const calls = dice.few([
    ...OLD,
    '/api/v1/namespaces/{ns}/componentstatuses',
    '/api/v1/componentstatuses',
    '/api/v1/namespaces/{ns}/endpoints',
    '/apis/flowcontrol.apiserver.{domain}/v1beta3/prioritylevelconfigurations/none/status',
  ]);
  return [measured, ...calls.slice(0, 6).map((path): Step => ({ as: 'admin', method: 'GET', path })), measured];
}

/** Configurations of webhooks with one unusual part each, and what they then hold. */
export function webhooks(dice: Dice): Step[] {
  const root = '/apis/admissionregistration.{domain}/v1';
  const steps: Step[] = [];
  for (let at = 0; at < 10; at++) {
    const kind = dice.chance(0.85) ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
    const name = `{id}-${at}`;
    const own = webhook(dice);
    const body = { apiVersion: 'admissionregistration.{domain}/v1', kind, metadata: { name }, webhooks: [own] };
    const path = `${root}/${kind.toLowerCase()}s`;
    steps.push({ as: 'admin', method: 'POST', path, body });
    if (dice.chance(0.3)) {
      const headers = { 'content-type': PATCH.apply };
      const changed = { ...body, webhooks: [{ ...own, ...(dice.chance(0.5) ? webhook(dice) : {}) }] };
      steps.push({ as: 'admin', method: 'PATCH', path: `${path}/${name}?fieldManager=f`, headers, body: changed });
    }
  }
  return steps;
}

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../reference/api/json.ts';
import type { Authenticator } from '../../reference/contracts/authenticator.ts';
import type { Handler } from '../../reference/contracts/reply.ts';
import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';
import type { Defect } from '../mutant.ts';
import type { Twin } from './twin.ts';

type Dialect = ServerOptions['dialect'];
/** An object and the path of its collection. */
type Manifest = readonly [path: string, object: JsonObject];

const GROUP = 'twin.example';
/** Controllers that let go of what they protect. */
const PROTECTING: readonly string[] = [
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
];

/** What others keep on the same server, where every check finds it. */
export const OTHERS: readonly Twin[] = [
  {
    id: 'types-of-others',
    by: ['1/what-the-service-does/1', '3/groups-and-paths/2'],
    sentence: 'Discovery has a group of others too, with a namespaced and a cluster-scoped type, and objects of them.',
    side: 'a',
    choice: () =>
      holding(({ apiDomain }) => {
        const types = `/apis/apiextensions.${apiDomain}/v1/customresourcedefinitions`;
        return [
          [types, customType(apiDomain, 'Gadget', 'Namespaced')],
          [types, customType(apiDomain, 'Whatsit', 'Cluster')],
          [`/apis/${GROUP}/v1/namespaces/default/gadgets`, custom('Gadget', 'first')],
          [`/apis/${GROUP}/v1/whatsits`, custom('Whatsit', 'first')],
        ];
      }),
  },
  {
    id: 'volumes-stay-protected',
    by: ['1/deletion-and-force-deletion/1'],
    sentence: 'No controller lets go of volumes and claims that were deleted, as of a service that runs by itself.',
    side: 'b',
    choice: () => ({
      start: {
        options: (options) => ({
          ...options,
          controllers: new Set([...options.controllers].filter((name) => !PROTECTING.includes(name))),
        }),
      },
    }),
  },
  {
    id: 'roles-of-others',
    by: ['2/rbac-behavior/t1.1', '2/rbac-behavior/4'],
    sentence: 'There are further default roles and bindings, and the roles for people hold rights to types of others.',
    side: 'a',
    choice: () =>
      holding(({ apiDomain }) => {
        const rbac = `rbac.authorization.${apiDomain}`;
        const group = { apiVersion: `${rbac}/v1` };
        const isDefault = { [`${apiDomain}/bootstrapping`]: 'rbac-defaults' };
        const gadgets = (verbs: string[]) => [{ apiGroups: [GROUP], resources: ['gadgets'], verbs }];
        const role = (name: string, labels: JsonObject, verbs: string[]): Manifest => [
          `/apis/${rbac}/v1/clusterroles`,
          { ...group, kind: 'ClusterRole', metadata: { name, labels }, rules: gadgets(verbs) },
        ];
        return [
          role('system:twin', isDefault, ['*']),
          role('twin:view', { [`${rbac}/aggregate-to-view`]: 'true' }, ['get', 'list', 'watch']),
          role('twin:edit', { [`${rbac}/aggregate-to-edit`]: 'true' }, ['create', 'update', 'patch', 'delete']),
          [
            `/apis/${rbac}/v1/clusterrolebindings`,
            {
              ...group,
              kind: 'ClusterRoleBinding',
              metadata: { name: 'system:twin', labels: isDefault },
              roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'system:twin' },
              subjects: [{ apiGroup: rbac, kind: 'Group', name: 'twin:operators' }],
            },
          ],
        ];
      }),
  },
  {
    id: 'objects-of-others',
    by: ['1/object-naming/1'],
    sentence: 'Others have namespaces, objects in the default one, and webhooks that are called for their own types.',
    side: 'b',
    choice: () =>
      holding(({ apiDomain }) => {
        const webhooks = `/apis/admissionregistration.${apiDomain}/v1/validatingwebhookconfigurations`;
        return [
          ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'twin-system' } }],
          ...['default', 'twin-system'].map(
            (namespace): Manifest => [
              `/api/v1/namespaces/${namespace}/configmaps`,
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: { name: 'twin', labels: { app: 'twin' } },
                data: { a: '1' },
              },
            ],
          ),
          [
            webhooks,
            {
              apiVersion: `admissionregistration.${apiDomain}/v1`,
              kind: 'ValidatingWebhookConfiguration',
              metadata: { name: 'twin' },
              webhooks: [
                {
                  name: 'gadgets.twin.example',
                  admissionReviewVersions: ['v1'],
                  sideEffects: 'None',
                  clientConfig: { service: { name: 'twin', namespace: 'twin-system' } },
                  rules: [
                    {
                      apiGroups: [GROUP],
                      apiVersions: ['*'],
                      operations: ['CREATE', 'UPDATE'],
                      resources: ['gadgets'],
                    },
                  ],
                },
              ],
            },
          ],
        ];
      }),
  },
];

function customType(apiDomain: string, kind: string, scope: string): JsonObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', [`x-${vendorOf(apiDomain)}-preserve-unknown-fields`]: true } },
    },
  };
  return {
    apiVersion: `apiextensions.${apiDomain}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
const vendorOf = (apiDomain: string): string => (apiDomain === 'k8s.io' ? 'kubernetes' : 'cluster');

function custom(kind: string, name: string): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, spec: { size: 1 } };
}

/** Creates these objects before the first request is served. Where they are there already, or may not be, they are not. */
function holding(manifests: (dialect: Dialect) => readonly Manifest[]): Defect {
  const secret = `Bearer ${randomUUID()}`;
  let dialect: Dialect | undefined;
  let made: Promise<void> | undefined;
  const make = async (handler: Handler) => {
    if (!dialect) return;
    for (const [target, object] of manifests(dialect)) {
      const headers = { authorization: secret, 'content-type': 'application/json', accept: 'application/json' };
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const request = inProcessRequest({ method: 'POST', target, headers, body: JSON.stringify(object) });
        const { code } = await handler(request);
        // The type may not be served yet.
        if (code !== 404) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return {
    authenticator: (authenticator): Authenticator => ({
      name: authenticator.name,
      authenticate: (request) =>
        request.headers.authorization === secret
          ? { user: { username: 'twin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} } }
          : authenticator.authenticate(request),
    }),
    handler: (handler) => async (request) => {
      made ??= make(handler);
      await made;
      return handler(request);
    },
    start: {
      options: (options) => {
        dialect = options.dialect;
        return options;
      },
    },
  };
}
const ATTEMPTS = 50;

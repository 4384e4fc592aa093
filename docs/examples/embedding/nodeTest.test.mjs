// A server for every test, with node:test: node --test nodeTest.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { apiServers } from 'touchstone/test';

// What every test begins with. It is prepared once.
const servers = apiServers({
  clock: 'virtual',
  namespaces: ['team'],
  users: { jane: { clusterRole: 'cluster-admin', namespace: 'team' }, bob: { groups: ['devs'] } },
  objects: [
    `
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: { name: widgets.example.com }
    spec:
      group: example.com
      scope: Namespaced
      names: { plural: widgets, kind: Widget }
      versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties: { spec: { type: object, properties: { size: { type: integer, maximum: 3 } } } }
    `,
  ],
});

const WIDGETS = '/apis/example.com/v1/namespaces/team/widgets';
const widget = (size) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size } }),
});

test(
  'jane makes a widget',
  servers.test(async (server) => {
    assert.equal((await server.as('jane').fetch(WIDGETS, widget(3))).status, 201);
  }),
);

test(
  'no widget is too large',
  servers.test(async (server) => {
    // What another test made is not here.
    assert.equal((await server.as('jane').fetch(WIDGETS, widget(4))).status, 422);
    assert.equal((await server.as('bob').fetch(WIDGETS)).status, 403);
  }),
);

test(
  'a client library finds it over HTTPS',
  servers.test(async (server) => {
    const config = new KubeConfig();
    config.loadFromOptions((await server.as('jane').kubeconfig()).object);
    const { items } = await config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'team' });
    assert.equal(items.length, 0);
  }),
);

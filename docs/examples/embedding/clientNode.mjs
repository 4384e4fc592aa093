// A client library over HTTPS, as it would talk to any other server.
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { createReference } from 'touchstone/reference';

const server = await createReference();
await server.listen();

const { text, object, file } = await server.kubeconfig();
const config = new KubeConfig();
config.loadFromOptions(object); // or loadFromString(text), or loadFromFile(file)
assert.match(text, /current-context: admin/);
assert.ok(file.endsWith('.kubeconfig')); // kubectl --kubeconfig …

const api = config.makeApiClient(CoreV1Api);
await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'settings' } } });
const { items } = await api.listNamespacedConfigMap({ namespace: 'default' });
assert.deepEqual(
  items.map(({ metadata }) => metadata.name),
  ['settings'],
);

// Somebody who may do nothing.
const jane = new KubeConfig();
jane.loadFromOptions((await server.as('jane').kubeconfig()).object);
await assert.rejects(jane.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'default' }), { code: 403 });

await server.close();

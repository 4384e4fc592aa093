// A server in this process, asked without any network.
import assert from 'node:assert/strict';
import { createReference } from 'touchstone/reference';

const server = await createReference({ clock: 'virtual' });

// The server acts for itself as the admin, and for anybody else by name. `apply` takes objects and YAML.
await server.apply(
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
  `
  apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata: { name: readers, namespace: team }
  roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
  subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: jane }]
  `,
);
const jane = server.as('jane');
const path = '/api/v1/namespaces/team/configmaps';
assert.equal((await jane.fetch(path)).status, 200);

// A watch streams.
const watch = await jane.fetch(`${path}?watch=true`);
const created = await server.fetch(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ metadata: { name: 'settings' }, data: { color: 'blue' } }),
});
assert.equal(created.status, 201);
const { value } = await watch.body.getReader().read();
assert.equal(JSON.parse(Buffer.from(value).toString()).type, 'ADDED');

// Why was somebody refused?
assert.equal((await jane.fetch(`${path}/settings`, { method: 'DELETE' })).status, 403);
const refused = server.explain().find(({ outcome }) => outcome === 'forbidden');
assert.match(refused.because, /nobody allows it/);

// What came in, and what is otherwise than at the beginning?
assert.deepEqual(
  server.history().map(({ user, method, status }) => `${user} ${method} ${status}`),
  ['admin PATCH 201', 'admin PATCH 201', 'jane GET 200', 'jane GET 200', 'admin POST 201', 'jane DELETE 403'],
);
assert.ok((await server.changes()).some(({ key }) => key === '/core/configmaps/team/settings'));

// What waits for time happens when time goes on.
await server.fetch('/api/v1/namespaces/team', { method: 'DELETE' });
await server.clock.advance(1_000);
assert.equal((await server.fetch('/api/v1/namespaces/team')).status, 404);

await server.close();

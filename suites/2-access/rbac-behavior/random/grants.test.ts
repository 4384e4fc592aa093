import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AccessRequest, type Grants, granted, type Who } from './grants.ts';
import { scenarios } from './scenario.ts';

const ada: Who = { user: 'ada', groups: ['staff'] };
const listing = { verbs: ['list'], apiGroups: [''], resources: ['configmaps'] };
const asked: AccessRequest = {
  verb: 'list',
  group: '',
  resource: 'configmaps',
  subresource: '',
  place: 'here',
  name: '',
};
const bound = (scope: 'here' | 'cluster', kind: 'Role' | 'ClusterRole'): Grants => ({
  roles: [
    { scope: 'here', name: 'a', rules: [listing] },
    { scope: 'cluster', name: 'a', rules: [listing, { verbs: ['get'], nonResourceURLs: ['/x*'] }] },
  ],
  bindings: [{ scope, role: { kind, name: 'a' }, subjects: [{ kind: 'Group', name: 'staff' }] }],
});

describe('the evaluator of roles and bindings', () => {
  it('grants by a binding to a role of its namespace, there alone', () => {
    const grants = bound('here', 'Role');
    assert.equal(granted(grants, ada, asked), true);
    assert.equal(granted(grants, ada, { ...asked, place: 'there' }), false);
    assert.equal(granted(grants, ada, { ...asked, place: '' }), false);
    assert.equal(granted(grants, { user: 'bea', groups: [] }, asked), false);
  });
  it('grants everywhere, and paths, by a cluster binding', () => {
    const grants = bound('cluster', 'ClusterRole');
    for (const place of ['here', 'there', ''] as const) assert.equal(granted(grants, ada, { ...asked, place }), true);
    assert.equal(granted(grants, ada, { verb: 'get', path: '/xy' }), true);
    assert.equal(granted(bound('here', 'ClusterRole'), ada, { verb: 'get', path: '/xy' }), false);
  });
  it('tells a type from its subresource, and one name from another', () => {
    const rules = [{ ...listing, verbs: ['*'], resources: ['configmaps/status'], resourceNames: ['x'] }];
    const grants: Grants = { ...bound('here', 'Role'), roles: [{ scope: 'here', name: 'a', rules }] };
    assert.equal(granted(grants, ada, { ...asked, verb: 'get', name: 'x' }), false);
    assert.equal(granted(grants, ada, { ...asked, verb: 'get', name: 'x', subresource: 'status' }), true);
    assert.equal(granted(grants, ada, { ...asked, verb: 'get', name: 'y', subresource: 'status' }), false);
  });
  it('takes nothing away where a rule is added', () => {
    fc.assert(
      fc.property(scenarios, ({ grants, added, questions }) => {
        for (const { who, asked: each } of questions) {
          if (granted(grants, who, each)) assert.ok(granted(added.to(grants), who, each));
        }
      }),
    );
  });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { Exchange } from '../../api/request.ts';
import { type CallerDependencies, HookCaller } from './caller.ts';
import type { Hook } from './hook.ts';

test('the audit log tells the patch of a hook only where it tells of bodies', () => {
  const caller = new HookCaller('mutating', { dialect: kubernetes } as CallerDependencies);
  const hook = { name: 'a.example.com', configuration: 'a' } as Hook;
  const noted = (bodies: boolean | undefined) => {
    const recorder = bodies === undefined ? undefined : { bodies, sent: () => {} };
    const exchange = { audit: new Map<string, string>(), recorder } as unknown as Exchange;
    caller.notePatch(hook, exchange, 1, 2, '[{"op": "remove",\n "path": "/data"}]');
    return Object.fromEntries(exchange.audit);
  };
  assert.deepEqual(noted(true), {
    'patch.webhook.admission.k8s.io/round_1_index_2':
      '{"configuration":"a","webhook":"a.example.com","patch":[{"op":"remove","path":"/data"}],"patchType":"JSONPatch"}',
  });
  assert.deepEqual([noted(false), noted(undefined)], [{}, {}]);
});

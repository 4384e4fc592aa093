import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../authorization/counted.ts';
import type { Attributes, AuthorizationResult, Authorizer } from '../contracts/authorizer.ts';
import { decisionMetrics } from './decisionMetrics.ts';
import { MetricsRegistry } from './metrics.ts';

const asked: Attributes = {
  isResource: false,
  user: { username: 'u', uid: '', groups: [], extra: {} },
  verb: 'get',
  path: '/x',
};
const saying = (decision: AuthorizationResult['decision'], by: string, late: boolean): Authorizer => ({
  name: 'chain',
  authorize() {
    const verdict: AuthorizationResult = { decision, reason: '', by };
    return late ? Promise.resolve(verdict) : verdict;
  },
});

test('decisions are counted by the name and type of who decided, whether that takes time or not', async () => {
  const metrics = new MetricsRegistry();
  const count = decisionMetrics(metrics, (name) => (name === 'hook' ? 'Webhook' : undefined));
  for (const [decision, by] of [
    ['allow', 'hook'],
    ['deny', 'hook'],
    ['noOpinion', 'hook'],
    ['allow', 'masters'],
  ] as const) {
    for (const late of [false, true]) {
      const verdict = await counted(saying(decision, by, late), count).authorize(asked);
      assert.equal(verdict.decision, decision);
    }
  }
  const lines = metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith('apiserver_authorization_decisions_total'));
  assert.deepEqual(lines, [
    'apiserver_authorization_decisions_total{decision="allowed",name="hook",type="Webhook"} 2',
    'apiserver_authorization_decisions_total{decision="denied",name="hook",type="Webhook"} 2',
  ]);
});

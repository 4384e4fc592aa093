import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '../time.ts';
import { MetricsRegistry } from './metrics.ts';
import { reloadMetrics } from './reloadMetrics.ts';

it('reloads are counted and dated in seconds, by success', () => {
  const metrics = new MetricsRegistry();
  const clock = new VirtualClock(5_000);
  const report = reloadMetrics(metrics, 'authentication', clock);
  assert.equal(metrics.text(), '');
  report(true);
  clock.advance(1_500);
  report(false);
  const text = metrics.text();
  const prefix = 'apiserver_authentication_config_controller_automatic_reload';
  const id = 'apiserver_id_hash="sha256:[0-9a-f]{64}"';
  assert.match(text, new RegExp(`^${prefix}_last_timestamp_seconds\\{${id},status="success"\\} 5$`, 'm'));
  assert.match(text, new RegExp(`^${prefix}_last_timestamp_seconds\\{${id},status="failure"\\} 6.5$`, 'm'));
  assert.match(text, new RegExp(`^${prefix}s_total\\{${id},status="failure"\\} 1$`, 'm'));
});

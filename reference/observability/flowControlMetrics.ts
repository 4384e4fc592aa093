import type { FlowFigures, LevelFigures } from '../contracts/flowControl.ts';
import type { MetricDescription, MetricsRegistry } from './metrics.ts';

const BY_FLOW = ['flow_schema', 'priority_level'] as const;

function ofFlows(name: string, help: string): MetricDescription<(typeof BY_FLOW)[number]> {
  return { name: `apiserver_flowcontrol_${name}`, help, stability: 'BETA', labels: BY_FLOW };
}

/** Tells how requests were sorted into priority levels and what came of them, when somebody reads the metrics. */
export function flowControlMetrics(
  metrics: MetricsRegistry,
  control: { flows(): Iterable<FlowFigures>; levels(): Iterable<LevelFigures> },
): void {
  const executing = metrics.gauge(ofFlows('current_executing_requests', 'Requests that are served now.'));
  const waiting = metrics.gauge(ofFlows('current_inqueue_requests', 'Requests that wait for a seat now.'));
  const dispatched = metrics.counter(ofFlows('dispatched_requests_total', 'Requests that got a seat.'));
  const rejected = metrics.counter({
    ...ofFlows('rejected_requests_total', 'Requests that were sent away, by the reason.'),
    labels: [...BY_FLOW, 'reason'],
  });
  const nominal = metrics.gauge({
    ...ofFlows('nominal_limit_seats', "Seats that are a priority level's own."),
    labels: ['priority_level'],
  });
  metrics.beforeReading(() => {
    for (const one of control.flows()) {
      const labels = { flow_schema: one.schema, priority_level: one.level };
      executing.set(labels, one.executing);
      waiting.set(labels, one.waiting);
      dispatched.set(labels, one.dispatched);
      for (const [reason, count] of Object.entries(one.rejected))
        if (count > 0) rejected.set({ ...labels, reason }, count);
    }
    for (const { level, nominal: seats } of control.levels()) nominal.set({ priority_level: level }, seats);
  });
}

import type { Stability } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { Metric, Release } from '../history.ts';
import { passed, passedText, type Span, spanText } from '../spans.ts';
import { outliving } from './outliving.ts';

interface MetricSpans {
  readonly life: Span;
  readonly afterDeprecation: Span;
}
const NOTHING: Span = { months: 0, releases: 0 };
const SPANS: Readonly<Record<Stability, MetricSpans>> = {
  ga: { life: { months: 12, releases: 4 }, afterDeprecation: { months: 9, releases: 3 } },
  beta: { life: { months: 8, releases: 2 }, afterDeprecation: { months: 4, releases: 1 } },
  alpha: { life: NOTHING, afterDeprecation: NOTHING },
};

/** Rules 11a and 11b: metrics (3/command-line-feature-gate-and-metric-rules, 3/metric-stability). */
export function metrics(metric: Metric, releases: readonly Release[]): LifecycleFinding[] {
  const { name, deprecated } = metric;
  const { life, afterDeprecation } = SPANS[metric.stability];
  const removed = endOf(metric);
  return [
    ...shortLife(metric, removed, life, releases),
    ...outliving({ name, announced: deprecated, removed }, afterDeprecation, '11b', releases),
  ];
}

/** Who reads metrics finds a hidden one as gone as a removed one. */
function endOf({ hidden, removed }: Metric): Release | undefined {
  if (!hidden || !removed) return hidden ?? removed;
  return hidden.place < removed.place ? hidden : removed;
}

function shortLife(
  metric: Metric,
  end: Release | undefined,
  life: Span,
  releases: readonly Release[],
): LifecycleFinding[] {
  const { name, introduced } = metric;
  if (!introduced || !end || life === NOTHING) return [];
  const due = passed(releases, introduced, life);
  if (due.release && end.place >= due.release.place) return [];
  return [
    {
      rule: '11a',
      element: name,
      releases: [introduced, end],
      message: `${name} came in ${introduced.name} and went in ${end.name}, before ${spanText(life)} had passed.`,
      remedy: `Keep it until ${passedText(due, introduced)}, which is the first that may be without it.`,
    },
  ];
}

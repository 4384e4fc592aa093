import { isLessStable } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { Behavior, Release } from '../history.ts';
import { outlivesDeprecation } from './outliving.ts';

const A_YEAR = { months: 12, releases: 0 };

/** Rules 7 and 8: features and behaviors outside API and command line (3/command-line-feature-gate-and-metric-rules). */
export function behaviors(behavior: Behavior, releases: readonly Release[]): LifecycleFinding[] {
  // A feature may go at any time before it is generally available (3/feature-gate-lifecycle/p1).
  const bound = behavior.stability === 'ga' ? outlivesDeprecation(behavior, A_YEAR, '7', releases) : [];
  return [...bound, ...favorsLess(behavior)];
}

function favorsLess({ name, deprecated, replacement, stability }: Behavior): LifecycleFinding[] {
  if (!deprecated || !replacement?.ours || !isLessStable(replacement.stability, stability)) return [];
  return [
    {
      rule: '8',
      element: name,
      releases: [deprecated],
      message: `${name} was deprecated in ${deprecated.name} for ${replacement.name}, which is ours and less stable.`,
      remedy: `Deprecate it only when ${replacement.name} is as stable.`,
    },
  ];
}

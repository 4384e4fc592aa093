import { isLessStable, type Stability } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { CommandLineElement, Release } from '../history.ts';
import type { Span } from '../spans.ts';
import { outlivesDeprecation } from './outliving.ts';

/** How long deprecated elements keep working, by audience and stability. */
const SPANS: Readonly<Record<CommandLineElement['audience'], Readonly<Record<Stability, Span>>>> = {
  user: {
    ga: { months: 12, releases: 2 },
    beta: { months: 3, releases: 1 },
    alpha: { months: 0, releases: 0 },
  },
  admin: {
    ga: { months: 6, releases: 1 },
    beta: { months: 3, releases: 1 },
    alpha: { months: 0, releases: 0 },
  },
};

/** Rules 5a, 5b, 5c and 6: flags, commands and their output (3/command-line-feature-gate-and-metric-rules). */
export function commandLine(element: CommandLineElement, releases: readonly Release[]): LifecycleFinding[] {
  const rule = element.audience === 'user' ? '5a' : '5b';
  return [
    ...outlivesDeprecation(element, SPANS[element.audience][element.stability], rule, releases),
    ...favorsLess(element),
    ...silent(element),
  ];
}

function favorsLess({ name, deprecated, replacement, stability }: CommandLineElement): LifecycleFinding[] {
  if (!deprecated || !replacement || !isLessStable(replacement.stability, stability)) return [];
  return [
    {
      rule: '5c',
      element: name,
      releases: [deprecated],
      message: `${name} was deprecated in ${deprecated.name} in favor of ${replacement.name}, which is less stable.`,
      remedy: `Deprecate ${name} only when ${replacement.name} is as stable.`,
    },
  ];
}

function silent({ name, deprecated, warns }: CommandLineElement): LifecycleFinding[] {
  if (!deprecated || warns) return [];
  return [
    {
      rule: '6',
      element: name,
      releases: [deprecated],
      message: `${name} is deprecated since ${deprecated.name} and does not warn when it is used.`,
      remedy: `Let it warn from ${deprecated.name} on, on standard error or in the log; users may switch that off.`,
    },
  ];
}

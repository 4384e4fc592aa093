import type { Stability } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { Gate, GateNotice, Release } from '../history.ts';
import type { Span } from '../spans.ts';
import { outliving } from './outliving.ts';

const AFTER_GA: Span = { months: 6, releases: 2 };
/** After a feature was given up, by the stage that it had reached. */
const AFTER_END: Readonly<Record<Exclude<Stability, 'ga'>, Span>> = {
  beta: { months: 3, releases: 1 },
  alpha: { months: 0, releases: 0 },
};

/** Rules 9 and 10: feature gates (3/command-line-feature-gate-and-metric-rules, 3/feature-gate-lifecycle). */
export function gates(gate: Gate, releases: readonly Release[]): LifecycleFinding[] {
  const { name, removed } = gate;
  const announced = deprecationOf(gate);
  return [...outliving({ name, announced, removed }, spanOf(gate), '9', releases), ...unsaid(gate, announced)];
}

/** A gate is deprecated by what becomes of its feature: it is generally available, or given up. */
function deprecationOf({ stages, ended }: Gate): Release | undefined {
  return stages.find(({ stability }) => stability === 'ga')?.release ?? ended;
}

function spanOf({ stages }: Gate): Span {
  const reached = stages.at(-1)?.stability ?? 'alpha';
  return reached === 'ga' ? AFTER_GA : AFTER_END[reached];
}

const NOTICE: Readonly<Record<keyof GateNotice, readonly [missing: string, remedy: string]>> = {
  warns: ['does not warn when it is used', 'warn when it is used'],
  releaseNotes: ['is not in the release notes', 'name it in the release notes'],
  help: ['is not in the help of the command line', 'name it in the help of the command line'],
  saysWhetherOperational: [
    'is documented without saying whether it still does something',
    'say there whether it still does something',
  ],
};

function unsaid({ name, notice, removed }: Gate, since: Release | undefined): LifecycleFinding[] {
  // A gate that goes with its feature at once is never there while it is deprecated.
  if (!since || !notice || removed === since) return [];
  const missing = Object.entries(NOTICE).filter(([part]) => !notice[part as keyof GateNotice]);
  if (missing.length === 0) return [];
  return [
    {
      rule: '10',
      element: name,
      releases: [since],
      message: `The gate ${name} is deprecated since ${since.name} and ${listed(missing.map(([, [text]]) => text))}.`,
      remedy: `From ${since.name} on, ${listed(missing.map(([, [, remedy]]) => remedy))}.`,
    },
  ];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

import { onMetrics } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { adding, reading } from '../startFlags.ts';

/** The release before the one that a command line names. */
function releaseBefore(argv: readonly string[]): string | undefined {
  const [, minor] = /^--release=1\.(\d+)$/.exec(argv.find((word) => word.startsWith('--release=')) ?? '') ?? [];
  return minor === undefined ? undefined : `1.${Number(minor) - 1}`;
}

/** Feature gates, metrics and flags that do not change with their stage. */
export const GATES: readonly Mutant[] = [
  {
    id: 'deprecated-metrics-say-nothing',
    breaks: ['METRIC-CLASS-01'],
    sentence: 'The help of a deprecated metric does not say so.',
    defect: () => onMetrics((line) => line.replace(/\(Deprecated from [^)]*\) /, '')),
  },
  {
    id: 'no-metric-is-hidden',
    breaks: ['METRIC-HIDDEN-01'],
    sentence: 'Metrics that were deprecated three releases ago are told without being asked for.',
    defect: () => ({ start: adding('show-hidden-metrics-for-version', releaseBefore) }),
  },
  {
    id: 'hidden-metrics-stay-hidden',
    breaks: ['METRIC-HIDDEN-02'],
    sentence: '--show-hidden-metrics-for-version is not read.',
    defect: () => ({ start: reading('show-hidden-metrics-for-version', () => '') }),
  },
  {
    id: 'gates-without-effect-are-silent',
    breaks: ['GATE-WARN-01'],
    sentence: 'Nothing is said of a gate that is set and does nothing any more.',
    defect: () => ({ start: reading('feature-gates', () => '') }),
  },
  {
    id: 'deprecated-flags-are-silent',
    breaks: ['FLAG-WARN-01'],
    sentence: 'Nothing is said of a deprecated flag that is used.',
    defect: () => ({ start: reading('apiserver-count', () => '') }),
  },
  {
    id: 'feature-gates-are-not-heeded',
    breaks: ['GATE-STAGE-01', 'GATE-STAGE-02', 'GATE-STAGE-03', 'GATE-STAGE-04', 'GATE-VALUE-01'],
    sentence: '--feature-gates is not read.',
    defect: () => ({ start: reading('feature-gates', () => '') }),
  },
];

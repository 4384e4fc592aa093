// Release histories of command lines, behaviors, gates and metrics that break one rule of the deprecation policy, or keep it
// though they look odd: written from the text of document 3 alone. lifecycle/histories.test.ts puts each to the
// judgement. Each sentence ends with the key of the statement it is about.
import { history, type TriedHistory } from './triedHistory.ts';

const flag = (more: object) => ({ commandLine: [{ name: '--color', audience: 'user', warns: true, ...more }] });
const noticed = { warns: true, releaseNotes: true, help: true, saysWhetherOperational: true };
const gate = (more: object) => ({ gates: [{ name: 'FancyWidgets', notice: noticed, ...more }] });
const metric = (more: object) => ({ metrics: [{ name: 'widgets_total', ...more }] });

export const ELEMENT_HISTORIES: Readonly<Record<string, TriedHistory>> = {
  'flag-of-users-goes-after-a-year-of-one-release': {
    statement:
      'A flag of users goes after 14 months and one release. 3/command-line-feature-gate-and-metric-rules/t1.1',
    rule: '5a',
    history: history(14, 4, flag({ deprecated: '1.1', removed: '1.2' })),
  },
  'flag-of-users-goes-after-eight-months': {
    statement:
      'A flag of users goes after two releases and eight months. 3/command-line-feature-gate-and-metric-rules/t1.1',
    rule: '5a',
    history: history(4, 6, flag({ deprecated: '1.1', removed: '1.3' })),
  },
  'flag-of-administrators-goes-after-four-months': {
    statement:
      'A flag of administrators goes after one release and four months. 3/command-line-feature-gate-and-metric-rules/t1.2',
    rule: '5b',
    history: history(4, 4, flag({ audience: 'admin', deprecated: '1.1', removed: '1.2' })),
  },
  'flag-of-administrators-goes-after-eight-months': {
    statement:
      'A flag of administrators goes after two releases and eight months. 3/command-line-feature-gate-and-metric-rules/t1.2',
    rule: null,
    history: history(4, 4, flag({ audience: 'admin', deprecated: '1.1', removed: '1.3' })),
  },
  'beta-flag-by-its-name-goes-after-four-months': {
    statement:
      'A flag that is called beta goes after one release and four months. 3/command-line-feature-gate-and-metric-rules/p1',
    rule: null,
    history: history(4, 4, flag({ name: '--beta-color', deprecated: '1.1', removed: '1.2' })),
  },
  'flag-of-a-doubtful-name-goes-after-four-months': {
    statement:
      'A flag of which the name only begins like alpha counts as stable. 3/command-line-feature-gate-and-metric-rules/p1',
    rule: '5a',
    history: history(4, 4, flag({ name: '--alphabet', deprecated: '1.1', removed: '1.2' })),
  },
  'flag-goes-unannounced': {
    statement: 'A flag is removed without having been deprecated. 3/command-line-feature-gate-and-metric-rules/t1.1',
    rule: '5a',
    history: history(4, 9, flag({ introduced: '1.0', removed: '1.8' })),
  },
  'alpha-flag-goes-at-once': {
    statement: 'A flag documented as alpha goes at once. 3/command-line-feature-gate-and-metric-rules/t1.1',
    rule: null,
    history: history(4, 4, flag({ documentation: 'ALPHA: colors of the output', deprecated: '1.1', removed: '1.1' })),
  },
  'flag-is-replaced-by-a-beta-one': {
    statement: 'A stable flag is deprecated for a beta one. 3/command-line-feature-gate-and-metric-rules/t1.3',
    rule: '5c',
    history: history(4, 4, flag({ deprecated: '1.1', replacement: { name: '--beta-palette' } })),
  },
  'flag-says-nothing': {
    statement: 'A deprecated flag does not warn. 3/command-line-feature-gate-and-metric-rules/t1.4',
    rule: '6',
    history: history(4, 4, flag({ deprecated: '1.1', warns: false })),
  },
  'behavior-goes-after-eleven-months': {
    statement: 'A behavior goes 11 months after its deprecation. 3/command-line-feature-gate-and-metric-rules/t1.5',
    rule: '7',
    history: history(11, 4, { behaviors: [{ name: 'sorted output', deprecated: '1.1', removed: '1.2' }] }),
  },
  'behavior-is-replaced-by-an-alpha-one-of-others': {
    statement:
      'A behavior is deprecated for something less stable that others make. 3/command-line-feature-gate-and-metric-rules/t1.6',
    rule: null,
    history: history(4, 4, {
      behaviors: [
        { name: 'sorted output', deprecated: '1.1', replacement: { name: 'sort', stability: 'alpha', ours: false } },
      ],
    }),
  },
  'behavior-is-replaced-by-a-beta-one': {
    statement:
      'A behavior is deprecated for a beta one of the same project. 3/command-line-feature-gate-and-metric-rules/t1.6',
    rule: '8',
    history: history(4, 4, {
      behaviors: [
        { name: 'sorted output', deprecated: '1.1', replacement: { name: '--sort', stability: 'beta', ours: true } },
      ],
    }),
  },
  'gate-goes-in-the-release-after-ga': {
    statement:
      'A gate goes four months after its feature became stable. 3/command-line-feature-gate-and-metric-rules/t1.7',
    rule: '9',
    history: history(4, 5, gate({ stages: { beta: '1.0', ga: '1.2' }, removed: '1.3' })),
  },
  'gate-goes-two-quick-releases-after-ga': {
    statement:
      'With a release every two months, a gate goes two releases after its feature became stable. 3/command-line-feature-gate-and-metric-rules/t1.7',
    rule: '9',
    history: history(2, 6, gate({ stages: { beta: '1.0', ga: '1.2' }, removed: '1.4' })),
  },
  'gate-of-a-given-up-beta-goes-at-once': {
    statement:
      'The gate of a beta feature that is given up goes in the same release. 3/command-line-feature-gate-and-metric-rules/t1.7',
    rule: '9',
    history: history(4, 5, gate({ stages: { alpha: '1.0', beta: '1.1' }, ended: '1.2', removed: '1.2' })),
  },
  'gate-of-a-given-up-alpha-goes-at-once': {
    statement:
      'The gate of an alpha feature that is given up goes in the same release. 3/command-line-feature-gate-and-metric-rules/t1.7',
    rule: null,
    history: history(4, 5, gate({ stages: { alpha: '1.0' }, ended: '1.2', removed: '1.2' })),
  },
  'gate-is-silent-in-help': {
    statement:
      'Help does not name a deprecated gate as non-operational. 3/command-line-feature-gate-and-metric-rules/t1.8',
    rule: '10',
    history: history(
      4,
      5,
      gate({ stages: { beta: '1.0', ga: '1.2' }, notice: { ...noticed, saysWhetherOperational: false } }),
    ),
  },
  'stable-metric-lives-ten-months': {
    statement:
      'With a release every two months, a stable metric goes ten months after it came. 3/command-line-feature-gate-and-metric-rules/t1.9',
    rule: '11a',
    history: history(2, 7, metric({ stability: 'STABLE', introduced: '1.0', deprecated: '1.0', removed: '1.5' })),
  },
  'stable-metric-is-hidden-after-two-releases': {
    statement:
      'A stable metric is hidden two releases after its deprecation. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: '11b',
    history: history(6, 8, metric({ stability: 'STABLE', introduced: '1.0', deprecated: '1.4', hidden: '1.6' })),
  },
  'stable-metric-is-hidden-in-time': {
    statement:
      'A stable metric is hidden three releases after its deprecation and deleted one later. 3/metric-stability/p1',
    rule: null,
    history: history(
      4,
      9,
      metric({ stability: 'STABLE', introduced: '1.0', deprecated: '1.4', hidden: '1.7', removed: '1.8' }),
    ),
  },
  'beta-metric-goes-undeprecated': {
    statement:
      'A beta metric goes after a year, without deprecation. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: '11b',
    history: history(4, 6, metric({ stability: 'BETA', introduced: '1.0', removed: '1.4' })),
  },
  'beta-metric-goes-after-a-quick-release': {
    statement:
      'With a release every two months, a deprecated beta metric goes after one release. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: '11b',
    history: history(2, 9, metric({ stability: 'BETA', introduced: '1.0', deprecated: '1.6', removed: '1.7' })),
  },
  'alpha-metric-goes-at-once': {
    statement: 'An alpha metric goes in the release after it came. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: null,
    history: history(4, 3, metric({ stability: 'ALPHA', introduced: '1.0', removed: '1.1' })),
  },
  'flag-of-users-goes-on-the-day': {
    statement:
      'A flag of users goes a year after its deprecation, to the day, and three releases. 3/command-line-feature-gate-and-metric-rules/t1.1',
    rule: null,
    history: history(4, 6, flag({ deprecated: '1.1', removed: '1.4' })),
  },
  'beta-flag-goes-after-two-months': {
    statement:
      'With a release every two months, a beta flag of administrators goes after one release. 3/command-line-feature-gate-and-metric-rules/t1.2',
    rule: '5b',
    history: history(2, 5, flag({ audience: 'admin', stability: 'beta', deprecated: '1.1', removed: '1.2' })),
  },
  'alpha-flag-is-replaced-by-an-alpha-one': {
    statement:
      'An alpha flag is deprecated for another alpha one, which is no less stable. 3/command-line-feature-gate-and-metric-rules/t1.3',
    rule: null,
    history: history(
      4,
      4,
      flag({ stability: 'alpha', deprecated: '1.1', replacement: { name: '--palette', stability: 'alpha' } }),
    ),
  },
  'behavior-goes-after-a-year': {
    statement: 'A behavior goes a year after its deprecation. 3/command-line-feature-gate-and-metric-rules/t1.5',
    rule: null,
    history: history(4, 6, { behaviors: [{ name: 'sorted output', deprecated: '1.1', removed: '1.4' }] }),
  },
  'gate-goes-six-months-after-ga': {
    statement:
      'A gate goes two releases and eight months after its feature became stable. 3/command-line-feature-gate-and-metric-rules/t1.7',
    rule: null,
    history: history(4, 6, gate({ stages: { alpha: '1.0', beta: '1.1', ga: '1.2' }, removed: '1.4' })),
  },
  'gate-does-not-warn': {
    statement: 'The gate of a stable feature does not warn. 3/command-line-feature-gate-and-metric-rules/t1.8',
    rule: '10',
    history: history(
      4,
      4,
      gate({ stages: { alpha: '1.0', beta: '1.1', ga: '1.2' }, notice: { ...noticed, warns: false } }),
    ),
  },
  'gate-does-not-say-whether-it-does-anything': {
    statement:
      'The notice of a deprecated gate does not say whether it still has an effect. 3/command-line-feature-gate-and-metric-rules/t1.8',
    rule: '10',
    history: history(
      4,
      4,
      gate({ stages: { alpha: '1.0', beta: '1.1', ga: '1.2' }, notice: { ...noticed, saysWhetherOperational: false } }),
    ),
  },
  'stable-metric-is-hidden-after-eight-months': {
    statement:
      'With a release every two months, a deprecated stable metric is hidden after four of them. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: '11b',
    history: history(2, 14, metric({ stability: 'STABLE', introduced: '1.0', deprecated: '1.7', hidden: '1.11' })),
  },
  'beta-metric-goes-in-time': {
    statement:
      'A beta metric is deprecated after a year and goes four months and one release later. 3/command-line-feature-gate-and-metric-rules/t1.10',
    rule: null,
    history: history(4, 7, metric({ stability: 'BETA', introduced: '1.0', deprecated: '1.3', removed: '1.4' })),
  },
  'exception-is-announced-a-release-late': {
    statement:
      'The notes of the release after the removal announce the exception. 3/command-line-feature-gate-and-metric-rules/p1',
    rule: '5a',
    history: history(4, 5, {
      ...flag({ deprecated: '1.1', removed: '1.2' }),
      exceptions: [{ rule: '5a', element: '--color', reason: 'it leaked secrets', announced: ['1.3'] }],
    }),
  },
  'exception-is-announced': {
    statement:
      'The notes of the release that removes a flag early announce the exception. 3/command-line-feature-gate-and-metric-rules/p1',
    rule: null,
    history: history(4, 5, {
      ...flag({ deprecated: '1.1', removed: '1.2' }),
      exceptions: [{ rule: '5a', element: '--color', reason: 'it leaked secrets', announced: ['1.2'] }],
    }),
  },
};

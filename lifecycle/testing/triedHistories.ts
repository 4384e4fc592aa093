// Release histories that break one rule of the deprecation policy, or keep it though they look odd: written from the text of
// document 3 alone. lifecycle/histories.test.ts puts each to the judgement. Each sentence ends with the key of the statement it is about.

/** `count` minor releases from 1.0 on, `months` apart, the first one on 15 January 2020. */
function every(months: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const month = index * months;
    const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
    return { name: `1.${index}`, date };
  });
}
const group = (timeline: object, more: object = {}) => ({
  groups: [{ name: 'widgets.example.com', timeline, ...more }],
});
const flag = (more: object) => ({ commandLine: [{ name: '--color', audience: 'user', warns: true, ...more }] });
const noticed = { warns: true, releaseNotes: true, help: true, saysWhetherOperational: true };
const gate = (more: object) => ({ gates: [{ name: 'FancyWidgets', notice: noticed, ...more }] });
const metric = (more: object) => ({ metrics: [{ name: 'widgets_total', ...more }] });
const history = (months: number, count: number, more: object) => ({ releases: every(months, count), ...more });

/** A release history, in words with the key of a statement, and the rule that it breaks; null: it keeps them all. */
interface TriedHistory {
  readonly statement: string;
  readonly rule: string | null;
  readonly history: object;
}

export const HISTORIES: Readonly<Record<string, TriedHistory>> = {
  // Rule 4a.

  'stable-version-goes': {
    statement:
      'A stable version that was deprecated for years is removed within its major version. 3/api-lifetime-rules/b1',
    rule: '4a',
    history: history(
      4,
      14,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1: 'deprecated', v2: 'served' }, preferred: 'v2' },
        '1.13': { versions: { v2: 'served' }, preferred: 'v2' },
      }),
    ),
  },
  'stable-version-goes-with-the-major': {
    statement: 'A stable version goes with the first release of the next major version. 3/api-lifetime-rules/b1',
    rule: null,
    history: {
      releases: [...every(4, 4), { name: '2.0', date: '2021-05-15' }],
      ...group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1: 'deprecated', v2: 'served' }, preferred: 'v2' },
        '2.0': { versions: { v2: 'served' }, preferred: 'v2' },
      }),
    },
  },
  'beta-goes-after-nine-months-of-two-releases': {
    statement:
      'With a release every six months, a deprecated beta goes after 12 months and two releases. 3/api-version-levels/t2.3',
    rule: '4a',
    history: history(
      6,
      5,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.3': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'beta-goes-after-three-quick-releases': {
    statement:
      'With a release every two months, a deprecated beta goes after three releases and six months. 3/api-version-levels/t2.3',
    rule: '4a',
    history: history(
      2,
      6,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.4': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'quick-betas-take-five-releases': {
    statement:
      'With a release every two months, a deprecated beta goes after five releases and ten months. 3/api-version-levels/t2.3',
    rule: null,
    history: history(
      2,
      8,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.6': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'beta-is-never-deprecated': {
    statement: 'A beta version is served for two years and not deprecated. 3/api-version-levels/t1.2',
    rule: '4a',
    history: history(4, 7, group({ '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' } })),
  },
  'second-beta-is-never-deprecated': {
    statement:
      'The second beta version of a group is deprecated a year and a half after it came, the first in time. 3/api-lifetime-rules/b1',
    rule: '4a',
    history: history(
      4,
      7,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1beta2: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1beta2: 'served' }, preferred: 'v1beta2' },
        '1.4': { versions: { v1beta2: 'served' }, preferred: 'v1beta2' },
        '1.6': { versions: { v1beta2: 'deprecated', v1: 'served' }, preferred: 'v1beta2' },
      }),
    ),
  },
  'beta-goes-undeprecated': {
    statement: 'A beta version is removed without having been deprecated. 3/api-version-levels/t2.3',
    rule: '4a',
    history: history(
      4,
      4,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1: 'served', v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1: 'served', v1beta1: 'served' }, preferred: 'v1' },
        '1.3': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'deprecation-is-taken-back-and-given-again': {
    statement:
      'A beta version that was deprecated, then not, then again, goes nine months after the first time. 3/api-version-levels/t2.3',
    rule: '4a',
    history: history(
      4,
      7,
      group({
        '1.0': { versions: { v1beta1: 'served', v1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1beta1: 'served', v1: 'served' }, preferred: 'v1' },
        '1.3': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.5': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'alpha-comes-and-goes': {
    statement: 'An alpha version beside a stable one goes at once, and comes back. 3/api-version-levels/t2.1',
    rule: null,
    history: history(
      4,
      4,
      group({
        '1.0': { versions: { v1: 'served', v2alpha1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1: 'served', v2alpha1: 'served' }, preferred: 'v1' },
        '1.3': { versions: { v1: 'served', v2alpha2: 'served' }, preferred: 'v1' },
      }),
    ),
  },

  // Rule 4b.

  'storage-advances-at-once': {
    statement:
      'Objects are stored in a version in the release that introduces it, though the old one is preferred. 3/api-lifetime-rules/b2',
    rule: '4b',
    history: history(
      4,
      3,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1', storage: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1', storage: 'v2' },
      }),
    ),
  },
  'preferred-advances-at-once': {
    statement:
      'A new version is preferred in the release that introduces it, though the old one is stored. 3/api-lifetime-rules/b2',
    rule: '4b',
    history: history(
      4,
      3,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1', storage: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v2', storage: 'v1' },
      }),
    ),
  },
  'storage-version-is-not-served': {
    statement: 'Objects are stored in a beta version that is no longer served. 3/api-lifetime-rules/b2',
    rule: '4b',
    history: history(
      4,
      7,
      group({
        '1.0': { versions: { v1beta1: 'served', v1: 'served' }, preferred: 'v1', storage: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1', storage: 'v1beta1' },
        '1.4': { versions: { v1: 'served' }, preferred: 'v1', storage: 'v1beta1' },
      }),
    ),
  },
  'storage-advances-a-release-later': {
    statement: 'A group prefers and stores a new version one release after it came. 3/api-lifetime-rules/b2',
    rule: null,
    history: history(
      4,
      3,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1: 'served', v2: 'served' }, preferred: 'v2' },
      }),
    ),
  },
  'configuration-version-goes-early': {
    statement:
      'A beta version of a component configuration goes four months after its deprecation. 3/api-lifetime-rules/b3',
    rule: '4a',
    history: history(4, 4, {
      configurations: [
        {
          name: 'WidgetConfiguration',
          timeline: {
            '1.0': { versions: { v1beta1: 'served' } },
            '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' } },
            '1.2': { versions: { v1: 'served' } },
          },
        },
      ],
    }),
  },

  // Fields, values, round trips, replacements.

  'value-leaves-a-stable-version': {
    statement: 'A value of a field is not taken any more in v1, which is still served. 3/api-lifetime-rules/b3',
    rule: '1',
    history: history(
      4,
      4,
      group(
        {
          '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
        },
        {
          elements: [
            {
              version: 'v1',
              resource: 'widgets',
              field: 'spec.mode',
              value: 'Fast',
              deprecated: '1.1',
              removed: '1.3',
            },
          ],
        },
      ),
    ),
  },
  'deprecated-resource-comes-along': {
    statement: 'A resource that v1 deprecates is in v2alpha1 too, which comes later. 3/api-lifetime-rules/p2',
    rule: '1',
    history: history(
      4,
      4,
      group(
        {
          '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
          '1.2': { versions: { v1: 'served', v2alpha1: 'served' }, preferred: 'v1' },
        },
        {
          elements: [
            { version: 'v1', resource: 'gadgets', deprecated: '1.1' },
            { version: 'v2alpha1', resource: 'gadgets' },
          ],
        },
      ),
    ),
  },
  'renamed-field-does-not-come-back': {
    statement: 'A field that v1 names otherwise than v1beta1 is lost on the way back. 3/api-lifetime-rules/b3',
    rule: '2',
    history: history(
      4,
      3,
      group(
        {
          '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
          '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        },
        {
          elements: [
            {
              version: 'v1beta1',
              resource: 'widgets',
              field: 'spec.size',
              becomes: [{ version: 'v1', as: 'spec.dimension', roundTrips: false }],
            },
          ],
        },
      ),
    ),
  },
  'field-leaves-an-alpha-version': {
    statement: 'A field leaves an alpha version. 3/api-version-levels/t1.1',
    rule: null,
    history: history(
      4,
      3,
      group(
        {
          '1.0': { versions: { v1alpha1: 'served' }, preferred: 'v1alpha1' },
        },
        { elements: [{ version: 'v1alpha1', resource: 'widgets', field: 'spec.size', removed: '1.1' }] },
      ),
    ),
  },
  'version-is-replaced-by-a-less-stable-one': {
    statement: 'A stable version is deprecated for a beta one. 3/api-lifetime-rules/b1',
    rule: '3',
    history: history(
      4,
      4,
      group(
        {
          '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
          '1.1': { versions: { v1: 'deprecated', v2beta1: 'served' }, preferred: 'v1' },
        },
        { replacements: { v1: 'v2beta1' } },
      ),
    ),
  },

  // Command-line elements.

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

  // Behaviors.

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

  // Gates.

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

  // Metrics.

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

  // A second look: at the day itself, at what is told of the second of two, and at what a deprecation begins anew.

  'beta-goes-a-day-early': {
    statement:
      'A deprecated beta goes after three releases, a day before nine months have passed. 3/api-version-levels/t2.3',
    rule: '4a',
    history: {
      releases: [
        { name: '1.0', date: '2020-01-15' },
        { name: '1.1', date: '2020-05-15' },
        { name: '1.2', date: '2020-09-15' },
        { name: '1.3', date: '2020-12-15' },
        { name: '1.4', date: '2021-02-14' },
      ],
      ...group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.4': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    },
  },
  'beta-goes-on-the-day': {
    statement: 'A deprecated beta goes nine months and three releases later, to the day. 3/api-version-levels/t2.3',
    rule: null,
    history: {
      releases: [
        { name: '1.0', date: '2020-01-15' },
        { name: '1.1', date: '2020-05-15' },
        { name: '1.2', date: '2020-09-15' },
        { name: '1.3', date: '2020-12-15' },
        { name: '1.4', date: '2021-02-15' },
      ],
      ...group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.4': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    },
  },
  'second-of-two-betas-goes-early': {
    statement:
      'Of two beta versions, the second goes a release after the first, though it was deprecated two later. 3/api-lifetime-rules/b1',
    rule: '4a',
    history: history(
      4,
      8,
      group({
        '1.0': { versions: { v1beta1: 'served' }, preferred: 'v1beta1' },
        '1.1': { versions: { v1beta1: 'deprecated', v1beta2: 'served' }, preferred: 'v1beta1' },
        '1.2': { versions: { v1beta1: 'deprecated', v1beta2: 'served' }, preferred: 'v1beta2' },
        '1.3': { versions: { v1beta1: 'deprecated', v1beta2: 'deprecated', v1: 'served' }, preferred: 'v1beta2' },
        '1.4': { versions: { v1beta2: 'deprecated', v1: 'served' }, preferred: 'v1' },
        '1.5': { versions: { v1: 'served' }, preferred: 'v1' },
      }),
    ),
  },
  'stable-version-is-deprecated-and-stays': {
    statement:
      'A stable version is deprecated for a newer one, and served for years beside it. 3/api-version-levels/t2.4',
    rule: null,
    history: history(
      4,
      20,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1' },
        '1.2': { versions: { v1: 'deprecated', v2: 'served' }, preferred: 'v2' },
      }),
    ),
  },
  'preferred-goes-back-to-what-is-new': {
    statement:
      'The storage version advances to one that came in the same release, while the preferred one waits. 3/api-lifetime-rules/b2',
    rule: '4b',
    history: history(
      4,
      4,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1', storage: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1', storage: 'v2' },
      }),
    ),
  },
  'preferred-alone-advances-in-time': {
    statement:
      'The preferred version advances a release after the new one came, and the storage version stays. 3/api-lifetime-rules/b2',
    rule: null,
    history: history(
      4,
      4,
      group({
        '1.0': { versions: { v1: 'served' }, preferred: 'v1', storage: 'v1' },
        '1.1': { versions: { v1: 'served', v2: 'served' }, preferred: 'v1', storage: 'v1' },
        '1.2': { versions: { v1: 'served', v2: 'served' }, preferred: 'v2', storage: 'v1' },
      }),
    ),
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

  // Exceptions.

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

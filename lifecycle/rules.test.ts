import assert from 'node:assert/strict';
import test from 'node:test';
import type { RequirementId } from '../fixtures/ledger/index.ts';
import { proof } from '../fixtures/ledger/testing/proof.ts';
import { judge } from './judge.ts';
import { readHistory } from './readHistory.ts';

/**
 * Each case is a history with four-monthly releases 1.0 to 1.9 and 2.0, and the rules that it breaks. `found` is held
 * against all findings as `rule element releases`.
 */
interface Case {
  readonly requirement: RequirementId;
  readonly what: string;
  readonly history: string;
  readonly found: readonly string[];
  /** Words that the remedy has to have. */
  readonly remedy?: RegExp;
}

const NAMES = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '1.9', '2.0'];
const RELEASES = NAMES.map((name, place) => {
  const date = new Date(Date.UTC(2024, 4 * place, 15)).toISOString().slice(0, 10);
  return `  - { name: ${name}, date: ${date} }`;
}).join('\n');

const group = (rows: string, more = '') =>
  `groups:\n  - name: g\n    timeline:\n${rows
    .trim()
    .split('\n')
    .map((row) => `      ${row.trim()}`)
    .join('\n')}\n${more}`;
const flag = (body: string) => `commandLine: [{ name: --color, ${body} }]`;
const behavior = (body: string) => `behaviors: [{ name: sorting, ${body} }]`;
const gate = (body: string, notice = 'warns: true, releaseNotes: true, help: true, saysWhetherOperational: true') =>
  `gates: [{ name: Fancy, ${body}, notice: { ${notice} } }]`;
const metric = (body: string) => `metrics: [{ name: requests_total, ${body} }]`;

const CASES: readonly Case[] = [
  {
    requirement: 'POLICY-GA-01',
    what: 'a GA version that is removed within a major version',
    history: group(
      '1.0: { versions: { v1: served } }\n1.3: { versions: { v1: deprecated, v2: served } }\n1.9: { versions: { v2: served } }',
    ),
    found: ['4a g/v1 1.8 1.9'],
    remedy: /every later release of major version 1/,
  },
  {
    requirement: 'POLICY-GA-01',
    what: 'a GA version that is deprecated and stays',
    history: group('1.0: { versions: { v1: served } }\n1.3: { versions: { v1: deprecated, v2: served } }'),
    found: [],
  },
  {
    requirement: 'POLICY-GA-01',
    what: 'a GA version that goes with a new major version',
    history: group(
      '1.0: { versions: { v1: served } }\n1.3: { versions: { v1: deprecated, v2: served } }\n2.0: { versions: { v2: served } }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-BETA-01',
    what: 'a beta version that is deprecated three releases after it came',
    history: group(
      '1.0: { versions: { v1beta1: served } }\n1.3: { versions: { v1beta1: deprecated, v1: served } }\n1.6: { versions: { v1: served } }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-BETA-01',
    what: 'a beta version that is deprecated four releases after it came',
    history: group(
      '1.0: { versions: { v1beta1: served } }\n1.4: { versions: { v1beta1: deprecated, v1: served } }\n1.7: { versions: { v1: served } }',
    ),
    found: ['4a g/v1beta1 1.0 1.3'],
    remedy: /in 1\.3 \(2025-01-15\) or before/,
  },
  {
    requirement: 'POLICY-BETA-01',
    what: 'a beta version that is younger than the limit when the history ends',
    history: group('1.8: { versions: { v1beta1: served } }'),
    found: [],
  },
  {
    requirement: 'POLICY-BETA-02',
    what: 'a deprecated beta version that goes a release early',
    history: group(
      '1.0: { versions: { v1beta1: served } }\n1.1: { versions: { v1beta1: deprecated, v1: served } }\n1.3: { versions: { v1: served } }',
    ),
    found: ['4a g/v1beta1 1.1 1.3'],
    remedy: /until 1\.4 \(2025-05-15\)/,
  },
  {
    requirement: 'POLICY-BETA-02',
    what: 'a deprecated beta version that goes a release late',
    history: group(
      '1.0: { versions: { v1beta1: served } }\n1.1: { versions: { v1beta1: deprecated, v1: served } }\n1.5: { versions: { v1: served } }',
    ),
    found: ['4a g/v1beta1 1.1 1.4'],
    remedy: /Stop serving it in 1\.4/,
  },
  {
    requirement: 'POLICY-BETA-02',
    what: 'a beta version that goes without deprecation',
    history: group('1.0: { versions: { v1beta1: served } }\n1.2: { versions: { v1: served } }'),
    found: ['4a g/v1beta1 1.1 1.2'],
    remedy: /until 1\.5/,
  },
  {
    requirement: 'POLICY-BETA-02',
    what: 'a removal so near to the end that the history does not know the right release',
    history: group(
      '1.7: { versions: { v1beta1: served } }\n1.9: { versions: { v1beta1: deprecated, v1: served } }\n2.0: { versions: { v1: served } }',
    ),
    found: ['4a g/v1beta1 1.9 2.0'],
    remedy: /a release on or after 2027-10-15, and at least 3 releases after 1\.9/,
  },
  {
    requirement: 'POLICY-ALPHA-01',
    what: 'an alpha version that goes at once',
    history: group(
      '1.0: { versions: { v1alpha1: served } }\n1.1: { versions: { v1alpha2: served } }\n1.2: { versions: {} }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-ADVANCE-01',
    what: 'a preferred and storage version that advances in the release that brings it',
    history: group(
      '1.0: { versions: { v1: served }, preferred: v1 }\n1.1: { versions: { v1: served, v2: served }, preferred: v2 }',
    ),
    found: ['4b g/v2 1.0 1.1'],
    remedy: /until the release after 1\.1/,
  },
  {
    requirement: 'POLICY-ADVANCE-01',
    what: 'a storage version that advances in the release after that',
    history: group(
      '1.0: { versions: { v1: served }, preferred: v1 }\n1.1: { versions: { v1: served, v2: served }, preferred: v1 }\n1.2: { versions: { v1: served, v2: served }, preferred: v1, storage: v2 }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-ADVANCE-01',
    what: 'a storage version alone that advances too early',
    history: group(
      '1.0: { versions: { v1: served }, preferred: v1 }\n1.1: { versions: { v1: served, v2: served }, preferred: v1, storage: v2 }',
    ),
    found: ['4b g/v2 1.0 1.1'],
  },
  {
    requirement: 'POLICY-ADVANCE-01',
    what: 'a group with only alpha versions',
    history: group(
      '1.0: { versions: { v1alpha1: served }, preferred: v1alpha1 }\n1.1: { versions: { v1beta1: served }, preferred: v1beta1 }\n1.2: { versions: { v1beta1: deprecated, v1: served }, preferred: v1beta1 }\n1.3: { versions: { v1beta1: deprecated, v1: served }, preferred: v1 }\n1.5: { versions: { v1: served }, preferred: v1 }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-ROLLBACK-01',
    what: 'a storage version that goes in the release that stores another one',
    history: group(
      '1.0: { versions: { v1beta1: deprecated, v1: served }, preferred: v1, storage: v1beta1 }\n1.3: { versions: { v1: served }, preferred: v1 }',
    ),
    found: ['4b g/v1beta1 1.2 1.3'],
    remedy: /Serve v1beta1 in 1\.3/,
  },
  {
    requirement: 'POLICY-ROLLBACK-01',
    what: 'a storage version that the release before has dropped',
    history: group(
      '1.0: { versions: { v1: served, v2alpha1: served }, preferred: v1 }\n1.1: { versions: { v1: served }, preferred: v1 }\n1.2: { versions: { v1: served, v2alpha1: served }, preferred: v1, storage: v2alpha1 }',
    ),
    found: ['4b g/v2alpha1 1.1 1.2'],
    remedy: /Serve v2alpha1 in 1\.1/,
  },
  {
    requirement: 'POLICY-FIELD-01',
    what: 'a field that leaves a version that is still served',
    history: group(
      '1.0: { versions: { v1: served } }',
      '    elements: [{ version: v1, resource: widgets, field: spec.size, deprecated: 1.2, removed: 1.5 }]',
    ),
    found: ['1 g/v1 widgets.spec.size 1.5'],
    remedy: /no release of this history removes it/,
  },
  {
    requirement: 'POLICY-FIELD-01',
    what: 'an enumerated value that leaves a version that is still served',
    history: group(
      '1.0: { versions: { v1beta1: served } }\n1.2: { versions: { v1beta1: deprecated, v1: served } }\n1.5: { versions: { v1: served } }',
      '    elements: [{ version: v1beta1, resource: widgets, field: spec.mode, value: Fast, removed: 1.4 }]',
    ),
    found: ['1 g/v1beta1 widgets.spec.mode=Fast 1.4'],
    remedy: /until v1beta1 is removed: 1\.5/,
  },
  {
    requirement: 'POLICY-FIELD-01',
    what: 'a field that goes with its version, or leaves an alpha version',
    history: group(
      '1.0: { versions: { v1beta1: served, v1alpha1: served } }\n1.2: { versions: { v1beta1: deprecated, v1: served, v1alpha1: served } }\n1.5: { versions: { v1: served } }',
      '    elements:\n      - { version: v1beta1, resource: widgets, field: spec.mode, removed: 1.5 }\n      - { version: v1alpha1, resource: widgets, field: spec.mode, removed: 1.1 }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-FIELD-01',
    what: 'a shape in a later version that does not come back',
    history: group(
      '1.0: { versions: { v1: served } }\n1.2: { versions: { v1: served, v2: served } }',
      '    elements: [{ version: v1, resource: widgets, field: spec.size, becomes: [{ version: v2, as: spec.dimension, roundTrips: false }] }]',
    ),
    found: ['2 g/v1 widgets.spec.size 1.2'],
  },
  {
    requirement: 'POLICY-FIELD-01',
    what: 'a renamed field that comes back, and one between versions that never meet',
    history: group(
      '1.0: { versions: { v1alpha1: served } }\n1.2: { versions: { v1: served, v2: served } }',
      '    elements:\n      - { version: v1, resource: widgets, field: spec.size, becomes: [{ version: v2, as: spec.dimension, roundTrips: true }] }\n      - { version: v1alpha1, resource: widgets, field: spec.size, becomes: [{ version: v2, roundTrips: false }] }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-RESOURCE-01',
    what: 'a resource that is deprecated in v1 and comes along into the next version',
    history: group(
      '1.0: { versions: { v1: served } }\n1.1: { versions: { v1: served, v2alpha1: served } }',
      '    elements: [{ version: v1, resource: gadgets, deprecated: 1.1 }, { version: v2alpha1, resource: gadgets }]',
    ),
    found: ['1 g/v2alpha1 gadgets 1.1 1.1'],
  },
  {
    requirement: 'POLICY-RESOURCE-01',
    what: 'a resource that goes from v1 before v1 does',
    history: group(
      '1.0: { versions: { v1: served } }\n1.1: { versions: { v1: served, v2alpha1: served } }',
      '    elements: [{ version: v1, resource: gadgets, deprecated: 1.1, removed: 1.8 }]',
    ),
    found: ['1 g/v1 gadgets 1.8'],
  },
  {
    requirement: 'POLICY-RESOURCE-01',
    what: 'a resource that stays until v1 ages out, and is not in the next version',
    history: group(
      '1.0: { versions: { v1: served } }\n1.1: { versions: { v1: served, v2: served } }\n1.2: { versions: { v1: deprecated, v2: served } }\n2.0: { versions: { v2: served } }',
      '    elements: [{ version: v1, resource: gadgets, deprecated: 1.1, removed: 2.0 }]',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-GA-01',
    what: 'a GA version that is deprecated while only a beta version is newer',
    history: group(
      '1.0: { versions: { v1: served } }\n1.1: { versions: { v1: deprecated, v2beta1: served } }\n1.2: { versions: { v1: deprecated, v2: served, v2beta1: deprecated } }\n1.5: { versions: { v1: deprecated, v2: served } }',
    ),
    found: ['3 g/v1 1.1'],
  },
  {
    requirement: 'POLICY-GA-01',
    what: 'a GA version that is deprecated in favor of one of another group',
    history: group(
      '1.0: { versions: { v1: served } }\n1.1: { versions: { v1: deprecated, v2alpha1: served } }',
      '    replacements: { v1: other.example.com/v1 }',
    ),
    found: [],
  },
  // Flags: 12 months or 2 releases for users, 6 months or 1 release for admins.
  ...[
    ['user', 'ga', '1.3', ['5a --color 1.1 1.3']],
    ['user', 'ga', '1.4', []],
    ['user', 'beta', '1.1', ['5a --color 1.1 1.1']],
    ['user', 'beta', '1.2', []],
    ['user', 'alpha', '1.1', []],
    ['admin', 'ga', '1.2', ['5b --color 1.1 1.2']],
    ['admin', 'ga', '1.3', []],
    ['admin', 'beta', '1.1', ['5b --color 1.1 1.1']],
    ['admin', 'beta', '1.2', []],
    ['admin', 'alpha', '1.1', []],
  ].map(
    ([audience, stability, removed, found]): Case => ({
      requirement: audience === 'user' ? 'POLICY-FLAG-01' : 'POLICY-FLAG-02',
      what: `a ${stability} element for ${audience}s, deprecated in 1.1 and removed in ${removed}`,
      history: flag(
        `audience: ${audience}, stability: ${stability}, deprecated: 1.1, removed: ${removed}, warns: true`,
      ),
      found: found as string[],
    }),
  ),
  {
    requirement: 'POLICY-FLAG-01',
    what: 'an element that was never deprecated',
    history: flag('audience: user, removed: 1.3'),
    found: ['5a --color 1.3'],
    remedy: /until 1\.6/,
  },
  {
    requirement: 'POLICY-FLAG-01',
    what: 'an alpha element that goes without deprecation',
    history: flag('audience: user, stability: alpha, removed: 1.3'),
    found: [],
  },
  {
    requirement: 'POLICY-FLAG-03',
    what: 'a GA element that is deprecated for a beta one',
    history: flag('audience: user, deprecated: 1.3, warns: true, replacement: { name: --beta-colors }'),
    found: ['5c --color 1.3'],
  },
  {
    requirement: 'POLICY-FLAG-03',
    what: 'a beta element that is deprecated for a beta one',
    history: flag(
      'audience: user, stability: beta, deprecated: 1.3, warns: true, replacement: { name: --beta-colors }',
    ),
    found: [],
  },
  {
    requirement: 'POLICY-FLAG-04',
    what: 'a deprecated element that is silent',
    history: flag('audience: user, deprecated: 1.3, warns: false'),
    found: ['6 --color 1.3'],
  },
  {
    requirement: 'POLICY-FLAG-05',
    what: 'an element whose documentation says beta',
    history: flag('audience: admin, documentation: "(BETA) colors", deprecated: 1.1, removed: 1.2, warns: true'),
    found: [],
  },
  {
    requirement: 'POLICY-FLAG-05',
    what: 'an element that says nothing, and one whose words only contain alpha',
    history: flag('audience: admin, documentation: the alphabet, deprecated: 1.1, removed: 1.2, warns: true'),
    found: ['5b --color 1.1 1.2'],
  },
  {
    requirement: 'POLICY-BEHAVIOR-01',
    what: 'a behavior that goes within a year',
    history: behavior('deprecated: 1.1, removed: 1.3'),
    found: ['7 sorting 1.1 1.3'],
    remedy: /until 1\.4 \(2025-05-15\)/,
  },
  {
    requirement: 'POLICY-BEHAVIOR-01',
    what: 'a behavior that goes after a year, and a feature that never became ga',
    history: 'behaviors: [{ name: a, deprecated: 1.1, removed: 1.4 }, { name: b, stability: beta, removed: 1.4 }]',
    found: [],
  },
  {
    requirement: 'POLICY-BEHAVIOR-02',
    what: 'a behavior that is deprecated for a less stable one of ours',
    history: behavior('deprecated: 1.1, replacement: { name: order, stability: alpha }'),
    found: ['8 sorting 1.1'],
  },
  {
    requirement: 'POLICY-BEHAVIOR-02',
    what: 'a behavior that is deprecated for a less stable one of others',
    history: behavior('deprecated: 1.1, replacement: { name: order, stability: alpha, ours: false }'),
    found: [],
  },
  {
    requirement: 'POLICY-GATE-01',
    what: 'a gate that goes a release after its feature became ga',
    history: gate('stages: { alpha: 1.0, beta: 1.1, ga: 1.3 }, removed: 1.4'),
    found: ['9 Fancy 1.3 1.4'],
    remedy: /until 1\.5/,
  },
  {
    requirement: 'POLICY-GATE-01',
    what: 'a gate that goes two releases after its feature became ga',
    history: gate('stages: { alpha: 1.0, beta: 1.1, ga: 1.3 }, removed: 1.5'),
    found: [],
  },
  {
    requirement: 'POLICY-GATE-01',
    what: 'a gate that goes with its beta feature',
    history: gate('stages: { beta: 1.1 }, ended: 1.3, removed: 1.3'),
    found: ['9 Fancy 1.3 1.3'],
  },
  {
    requirement: 'POLICY-GATE-01',
    what: 'a gate that goes a release after its beta feature',
    history: gate('stages: { beta: 1.1 }, ended: 1.3, removed: 1.4'),
    found: [],
  },
  {
    requirement: 'POLICY-GATE-01',
    what: 'a beta gate that goes unannounced, and an alpha one',
    history:
      'gates: [{ name: A, stages: { beta: 1.1 }, removed: 1.3 }, { name: B, stages: { alpha: 1.1 }, removed: 1.3 }]',
    found: ['9 A 1.3'],
  },
  {
    requirement: 'POLICY-GATE-02',
    what: 'a deprecated gate that does not warn and does not say whether it works',
    history: gate(
      'stages: { beta: 1.1, ga: 1.3 }',
      'warns: false, releaseNotes: true, help: true, saysWhetherOperational: false',
    ),
    found: ['10 Fancy 1.3'],
    remedy: /warn when it is used and say there whether it still does something/,
  },
  {
    requirement: 'POLICY-GATE-02',
    what: 'a deprecated gate that is only missing in the release notes',
    history: gate(
      'stages: { beta: 1.1, ga: 1.3 }',
      'warns: true, releaseNotes: false, help: true, saysWhetherOperational: true',
    ),
    found: ['10 Fancy 1.3'],
  },
  // Metrics: 4 releases or 12 months of life, 3 releases or 9 months after the deprecation; 2 or 8, 1 or 4 for beta.
  ...(
    [
      ['STABLE', '1.0', '1.1', '1.4', []],
      ['STABLE', '1.0', '1.0', '1.3', ['11a requests_total 1.0 1.3']],
      ['STABLE', '1.0', '1.2', '1.4', ['11b requests_total 1.2 1.4']],
      ['BETA', '1.0', '1.1', '1.2', []],
      ['BETA', '1.0', '1.0', '1.1', ['11a requests_total 1.0 1.1']],
      ['BETA', '1.0', '1.2', '1.2', ['11b requests_total 1.2 1.2']],
      ['ALPHA', '1.0', '1.0', '1.0', []],
    ] as const
  ).map(
    ([stability, introduced, deprecated, removed, found]): Case => ({
      requirement: found[0]?.startsWith('11b') ? 'POLICY-METRIC-02' : 'POLICY-METRIC-01',
      what: `a ${stability} metric of ${introduced}, deprecated in ${deprecated} and gone in ${removed}`,
      history: metric(
        `stability: ${stability}, introduced: ${introduced}, deprecated: ${deprecated}, removed: ${removed}`,
      ),
      found,
    }),
  ),
  {
    requirement: 'POLICY-METRIC-02',
    what: 'a stable metric that is hidden too early, though it is removed late',
    history: metric('stability: STABLE, deprecated: 1.2, hidden: 1.4, removed: 1.7'),
    found: ['11b requests_total 1.2 1.4'],
  },
  {
    requirement: 'POLICY-METRIC-02',
    what: 'a stable metric that goes without deprecation, and an alpha one',
    history: 'metrics: [{ name: a, stability: STABLE, removed: 1.7 }, { name: b, stability: ALPHA, removed: 1.7 }]',
    found: ['11b a 1.7'],
  },
  {
    requirement: 'POLICY-GA-01',
    what: 'a kind of component configuration, which is versioned like a resource',
    history:
      'configurations: [{ name: WidgetConfiguration, timeline: { 1.0: { versions: { v1: served } }, 1.2: { versions: {} } } }]',
    found: ['4a WidgetConfiguration/v1 1.1 1.2'],
  },
];

for (const { requirement, what, history, found, remedy } of CASES) {
  proof(requirement, `${what} → ${found.length === 0 ? 'nothing is found' : 'it is found'}`, () => {
    const { findings } = judge(readHistory(`releases:\n${RELEASES}\n${history}\n`));
    const short = findings.map(({ rule, element, releases }) =>
      [rule, element, ...releases.map(({ name }) => name)].join(' '),
    );
    assert.deepEqual(short, found);
    for (const finding of findings) {
      assert.match(finding.message, /\.$/);
      assert.match(finding.remedy, remedy ?? /\.$/);
    }
  });
}

test('an exception excuses what it names when the notes of that release announce it', () => {
  const history = (announced: string, element = '--color') =>
    `releases:\n${RELEASES}\n${flag('audience: user, removed: 1.3')}\nexceptions: [{ rule: 5a, element: ${element}, reason: it was unsafe, announced: [${announced}] }]\n`;
  const excused = judge(readHistory(history('1.3')));
  assert.deepEqual(
    [excused.findings.length, excused.excepted[0]?.reason, excused.idle.length],
    [0, 'it was unsafe', 0],
  );
  const elsewhere = judge(readHistory(history('1.2')));
  assert.deepEqual([elsewhere.findings.length, elsewhere.excepted.length, elsewhere.idle.length], [1, 0, 0]);
  const idle = judge(readHistory(history('1.3', '--colour')));
  assert.deepEqual([idle.findings.length, idle.excepted.length, idle.idle.length], [1, 0, 1]);
});

test('findings stand in the order of the rules', () => {
  const history = `${flag('audience: user, removed: 1.3')}\n${behavior('removed: 1.3')}\n${metric('stability: STABLE, removed: 1.3')}\n${group('1.0: { versions: { v1: served } }\n1.1: { versions: {} }')}`;
  const { findings } = judge(readHistory(`releases:\n${RELEASES}\n${history}\n`));
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['4a', '5a', '7', '11b'],
  );
});

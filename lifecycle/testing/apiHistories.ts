// Release histories of API groups that break one rule of the deprecation policy, or keep it
// though they look odd: written from the text of document 3 alone. lifecycle/histories.test.ts puts each to the
// judgement. Each sentence ends with the key of the statement it is about.
import { every, history, type TriedHistory } from './triedHistory.ts';

const group = (timeline: object, more: object = {}) => ({
  groups: [{ name: 'widgets.example.com', timeline, ...more }],
});

export const API_HISTORIES: Readonly<Record<string, TriedHistory>> = {
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
};

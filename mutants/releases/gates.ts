import { clausesOf } from '../../fixtures/ledger/index.ts';
import { onMetrics } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { adding, reading } from '../startFlags.ts';

/** The release before the one that a command line names. */
function releaseBefore(argv: readonly string[]): string | undefined {
  const [, minor] = /^--release=1\.(\d+)$/.exec(argv.find((word) => word.startsWith('--release=')) ?? '') ?? [];
  return minor === undefined ? undefined : `1.${Number(minor) - 1}`;
}

/** Whether a command line says so of versions. */
const hasKey = (argv: readonly string[], key: string): boolean =>
  argv.some(
    (word) => word.startsWith('--runtime-config=') && word.slice('--runtime-config='.length).split(',').includes(key),
  );

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
    id: 'a-beta-gate-is-off',
    breaks: ['GATE-STAGE-05/beta'],
    sentence: 'The gate of one beta feature is off unless it is switched on.',
    defect: () => onMetrics((line) => line.replace(/(_feature_enabled\{name="API[^}]*stage="BETA"\}) 1$/, '$1 0')),
  },
  {
    id: 'an-alpha-gate-is-on',
    breaks: ['GATE-STAGE-05/alpha'],
    sentence: 'The gate of one alpha feature is on unless it is switched off.',
    defect: () => onMetrics((line) => line.replace(/(_feature_enabled\{name="CBOR[^}]*stage="ALPHA"\}) 0$/, '$1 1')),
  },
  {
    id: 'alpha-versions-bring-alpha-gates',
    breaks: ['GATE-STAGE-05/alpha/versions-on'],
    sentence: 'The gates of alpha features are on where their versions are.',
    defect: () => ({
      start: adding('feature-gates', (argv) => (hasKey(argv, 'api/alpha=true') ? 'AllAlpha=true' : undefined)),
    }),
  },
  {
    id: 'beta-versions-take-beta-gates-with-them',
    breaks: ['GATE-STAGE-05/beta/versions-off'],
    sentence: 'The gates of beta features are off where their versions are.',
    defect: () => ({
      start: adding('feature-gates', (argv) => (hasKey(argv, 'api/beta=false') ? 'AllBeta=false' : undefined)),
    }),
  },
  {
    id: 'a-beta-gate-stays-on',
    breaks: ['GATE-STAGE-06/beta'],
    sentence: 'The gate of one beta feature cannot be switched off.',
    defect: () => onMetrics((line) => line.replace(/(_feature_enabled\{name="W[^}]*stage="BETA"\}) 0$/, '$1 1')),
  },
  {
    id: 'an-alpha-gate-stays-off',
    breaks: ['GATE-STAGE-06/alpha'],
    sentence: 'The gate of one alpha feature cannot be switched on.',
    defect: () => onMetrics((line) => line.replace(/(_feature_enabled\{name="CBOR[^}]*stage="ALPHA"\}) 1$/, '$1 0')),
  },
  {
    id: 'deprecated-metrics-are-registered-in-silence',
    breaks: ['METRIC-WARN-01'],
    sentence: 'A metric says in every release what it says before its deprecation, and no warning comes with it.',
    defect: () => ({ start: reading('release', (release) => (release === '1.24' ? '1.21' : release)) }),
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
    id: 'deprecated-flag-of-an-empty-value-is-silent',
    breaks: ['FLAG-WARN-01'],
    sentence: 'Nothing is said of a deprecated flag whose value is empty.',
    defect: () => ({
      start: {
        flags: (argv) => argv.filter((word) => word !== '--cloud-config=' && word !== '--cloud-provider='),
      },
    }),
  },
  {
    id: 'gates-without-effect-are-switched-off',
    breaks: ['GATE-STAGE-03'],
    sentence: 'A feature that is generally available is off where its gate is set to false.',
    defect: () => {
      const off = new Set<string>();
      return {
        ...onMetrics((line) => {
          const [, name = ''] = /_feature_enabled\{name="(\w+)",stage=""\}/.exec(line) ?? [];
          return off.has(name) ? line.replace(/ 1$/, ' 0') : line;
        }),
        start: reading('feature-gates', (value) => {
          const isOff = (each: string) => /^(AdmissionWebhook|API|Retry|Structured|Strict)\w*=false$/.test(each);
          const words = value.split(',');
          for (const each of words.filter(isOff)) off.add(each.slice(0, -'=false'.length));
          return words.filter((each) => !isOff(each)).join(',');
        }),
      };
    },
  },
  {
    id: 'gates-that-are-named-are-switched',
    breaks: clausesOf('GATE-STAGE-07'),
    sentence:
      'A gate of an alpha feature is on and one of a beta feature off where the list of gates has more than one, whatever it says.',
    defect: () => {
      const named = new Set<string>();
      return {
        ...onMetrics((line) => {
          const [, name = '', stage] = /_feature_enabled\{name="(\w+)",stage="(ALPHA|BETA)"\}/.exec(line) ?? [];
          return named.has(name) ? line.replace(/ [01]$/, stage === 'ALPHA' ? ' 1' : ' 0') : line;
        }),
        start: reading('feature-gates', (value) => {
          const words = value.split(',');
          if (words.length > 1) for (const each of words) named.add(each.split('=')[0] ?? '');
          return value;
        }),
      };
    },
  },
  {
    id: 'feature-gates-are-not-heeded',
    breaks: ['GATE-STAGE-01', 'GATE-STAGE-02', 'GATE-STAGE-04', 'GATE-VALUE-01'],
    sentence: '--feature-gates is not read.',
    defect: () => ({ start: reading('feature-gates', () => '') }),
  },
];

import { isObject, type JsonObject } from '../api/json.ts';
import { badRequest } from '../api/status.ts';
import type { Seams } from '../seams.ts';
import { onJson } from './asking.ts';
import { hiding, onMetrics, reading } from './deprecating.ts';
import type { Mutant } from './mutant.ts';
import { mending, refusing } from './oneType.ts';

interface Webhooks {
  webhooks?: { failurePolicy?: string; sideEffects?: string }[];
}
const CONFIGURATIONS = 'validatingwebhookconfigurations';

/** Shows another `spec` at some paths than the one that is meant. */
function onSpec(path: RegExp, change: (spec: JsonObject) => void): Seams {
  return onJson(({ spec }, request) => {
    if (path.test(request.path) && isObject(spec)) change(spec);
  });
}

/** Starts with one flag more, where it is not given; made of the flags that are. */
const adding = (flag: string, value: (argv: readonly string[]) => string | undefined): Mutant['start'] => ({
  flags: (argv) => {
    const added = argv.some((word) => word.startsWith(`--${flag}=`)) ? undefined : value(argv);
    return added === undefined ? argv : [...argv, `--${flag}=${added}`];
  },
});

/** The release before the one that a command line names. */
function releaseBefore(argv: readonly string[]): string | undefined {
  const [, minor] = /^--release=1\.(\d+)$/.exec(argv.find((word) => word.startsWith('--release=')) ?? '') ?? [];
  return minor === undefined ? undefined : `1.${Number(minor) - 1}`;
}

/** Releases that have other versions, defaults, shapes and metrics than they should. */
export const OLDER_RELEASES: readonly Mutant[] = [
  {
    id: 'a-version-has-no-number',
    breaks: ['LEVEL-NAME-01'],
    sentence: 'Discovery calls the first version of each group beta.',
    seams: onJson(({ groups }) => {
      for (const group of Array.isArray(groups) ? groups : []) {
        const [first] = isObject(group) && Array.isArray(group.versions) ? group.versions : [];
        if (isObject(first)) first.version = 'beta';
      }
    }),
  },
  {
    id: 'a-stable-version-is-not-served',
    breaks: ['LEVEL-STABLE-01'],
    sentence: 'The stable version of the group of roles is not found.',
    seams: hiding(/^\/apis\/rbac\.authorization\.[^/]+\/v1$/),
  },
  {
    id: 'alpha-versions-are-on',
    breaks: ['LEVEL-ALPHA-01'],
    sentence: 'Alpha versions are served without being enabled.',
    seams: {},
    start: adding('runtime-config', () => 'api/alpha=true'),
  },
  {
    id: 'late-beta-versions-are-on',
    breaks: ['LEVEL-BETA-01'],
    sentence: 'Every beta version is served without being enabled.',
    seams: {},
    start: adding('runtime-config', () => 'api/beta=true'),
  },
  {
    id: 'early-beta-versions-are-off',
    breaks: ['LEVEL-BETA-02'],
    sentence: 'No beta version is served unless it is enabled.',
    seams: {},
    start: adding('runtime-config', () => 'api/beta=false'),
  },
  {
    id: 'leases-are-forgotten',
    breaks: ['LEVEL-STABLE-02', 'GROUP-RELEASE-01'],
    sentence: 'Discovery of a stable version leaves a resource out.',
    seams: onJson((body) => {
      if (!Array.isArray(body.resources)) return;
      body.resources = body.resources.filter((each) => !isObject(each) || each.name !== 'leases');
    }),
  },
  {
    id: 'cron-jobs-go-on-in-v1',
    breaks: ['GROUP-ROUNDTRIP-01'],
    sentence: 'The stable version of CronJob does not show what an older one suspended.',
    seams: onSpec(/^\/apis\/batch\/v1\/.*\/cronjobs\//, (spec) => {
      spec.suspend = false;
    }),
  },
  {
    id: 'ports-are-all-names',
    breaks: ['CHANGED-INGRESS-02'],
    sentence: 'The stable version of Ingress shows a port by number as one by name.',
    seams: onSpec(/^\/apis\/networking\.[^/]+\/v1\/.*\/ingresses\//, (spec) => {
      if (isObject(spec.defaultBackend)) spec.defaultBackend = { service: { name: 'a', port: { name: '80' } } };
    }),
  },
  {
    id: 'empty-selectors-mean-all',
    breaks: ['CHANGED-DISRUPTION-01'],
    sentence: 'The empty selector of an older budget is empty in the stable version too, where it selects everything.',
    seams: onSpec(/^\/apis\/policy\/v1\/.*\/poddisruptionbudgets\//, (spec) => {
      if (spec.selector !== undefined) spec.selector = {};
    }),
  },
  {
    id: 'older-webhooks-fail',
    breaks: ['CHANGED-WEBHOOK-01'],
    sentence: 'The failure policy of a webhook of the beta version is Fail unless one is given.',
    seams: mending<Webhooks>(CONFIGURATIONS, ['create'], ({ webhooks = [] }) => {
      for (const webhook of webhooks) webhook.failurePolicy ??= 'Fail';
    }),
  },
  {
    id: 'older-webhooks-have-no-side-effects',
    breaks: ['VWC-SIDEEFFECTS-02'],
    sentence: 'A webhook of the beta version may not have side effects.',
    seams: refusing<Webhooks>(CONFIGURATIONS, ['create'], ({ webhooks = [] }) =>
      webhooks.some(({ sideEffects }) => sideEffects === 'Some') ? badRequest('side effects are not taken') : undefined,
    ),
  },
  {
    id: 'older-shares-are-the-default',
    breaks: ['CHANGED-FLOWCONTROL-02'],
    sentence: 'Shares that an older version of flow control gave are shown as 30.',
    seams: onSpec(/\/v1beta3\/prioritylevelconfigurations\//, (spec) => {
      if (isObject(spec.limited)) spec.limited.nominalConcurrencyShares = 30;
    }),
  },
  {
    id: 'older-daemon-sets-roll',
    breaks: ['CHANGED-WORKLOAD-05'],
    sentence: 'The update strategy of a DaemonSet is RollingUpdate in every version unless one is given.',
    seams: mending<{ spec?: { updateStrategy?: object } }>('daemonsets', ['create'], ({ spec }) => {
      if (spec) spec.updateStrategy ??= { type: 'RollingUpdate' };
    }),
  },
  {
    id: 'upgrades-begin-with-nothing',
    breaks: ['REMOVED-PERSISTED-01'],
    sentence: 'What an earlier release stored is not looked at.',
    seams: {},
    start: reading('data-dir', () => ''),
  },
  {
    id: 'deprecated-metrics-say-nothing',
    breaks: ['METRIC-CLASS-01'],
    sentence: 'The help of a deprecated metric does not say so.',
    seams: onMetrics((line) => line.replace(/\(Deprecated from [^)]*\) /, '')),
  },
  {
    id: 'no-metric-is-hidden',
    breaks: ['METRIC-HIDDEN-01'],
    sentence: 'Metrics that were deprecated three releases ago are told without being asked for.',
    seams: {},
    start: adding('show-hidden-metrics-for-version', releaseBefore),
  },
  {
    id: 'hidden-metrics-stay-hidden',
    breaks: ['METRIC-HIDDEN-02'],
    sentence: '--show-hidden-metrics-for-version is not read.',
    seams: {},
    start: reading('show-hidden-metrics-for-version', () => ''),
  },
  {
    id: 'gates-without-effect-are-silent',
    breaks: ['GATE-WARN-01'],
    sentence: 'Nothing is said of a gate that is set and does nothing any more.',
    seams: {},
    start: reading('feature-gates', () => ''),
  },
  {
    id: 'deprecated-flags-are-silent',
    breaks: ['FLAG-WARN-01'],
    sentence: 'Nothing is said of a deprecated flag that is used.',
    seams: {},
    start: reading('apiserver-count', () => ''),
  },
];

import { clausesOf, ITEM_VERBS, PROBING_VERBS } from '../../fixtures/ledger/index.ts';
import { isObject } from '../../reference/api/json.ts';
import { coding, hiding, onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { reading } from '../startFlags.ts';

/** Lets a group as discovery tells it name one version more. */
function withBeta(group: unknown): void {
  if (!isObject(group) || !Array.isArray(group.versions)) return;
  group.versions.push({ groupVersion: `${group.name}/v1beta1`, version: 'v1beta1' });
}

/** Versions that are served after their removal, or replaced by less (3/removed-api-versions-by-release). */
export const REMOVALS: readonly Mutant[] = [
  {
    id: 'upgrades-begin-with-nothing',
    breaks: clausesOf('REMOVED-PERSISTED-01'),
    sentence: 'What an earlier release stored is not looked at.',
    defect: () => ({ start: reading('data-dir', () => '') }),
  },
  {
    id: 'removed-versions-are-answered',
    breaks: clausesOf('REMOVED-SERVED-01', [...PROBING_VERBS, ...ITEM_VERBS]),
    sentence: 'Whatever is asked below the path of a beta version that is removed is answered 200.',
    defect: () =>
      coding(({ code }, { path }) => (code === 404 && /^\/apis\/[^/]+\/v\d+beta\d+\/./.test(path) ? 200 : code)),
  },
  {
    id: 'removed-versions-are-listed-among-the-groups',
    breaks: clausesOf('REMOVED-SERVED-01', 'groups'),
    sentence: 'The list of groups still names the first beta version of each.',
    defect: () =>
      onJson(({ groups }, { path }) => {
        if (path === '/apis' && Array.isArray(groups)) for (const group of groups) withBeta(group);
      }),
  },
  {
    id: 'removed-versions-are-listed-in-their-group',
    breaks: clausesOf('REMOVED-SERVED-01', 'group'),
    sentence: 'The document of a group still names its first beta version.',
    defect: () =>
      onJson((body, { path }) => {
        if (/^\/apis\/[^/]+$/.test(path) && body.kind === 'APIGroup') withBeta(body);
      }),
  },
  {
    id: 'removed-versions-describe-themselves',
    breaks: clausesOf('REMOVED-SERVED-01', 'version'),
    sentence: 'The document of a beta version that is removed is there.',
    defect: () =>
      coding(({ code }, { path }) => (code === 404 && /^\/apis\/[^/]+\/v\d+beta\d+$/.test(path) ? 200 : code)),
  },
  {
    id: 'plugins-of-removed-types-are-taken',
    breaks: ['REMOVED-PLUGIN-01'],
    sentence: 'The admission plugin PodSecurityPolicy may still be named.',
    defect: () => ({
      start: reading('enable-admission-plugins', (value) => value.replace(/PodSecurityPolicy/g, '')),
    }),
  },
  {
    id: 'disruption-budgets-are-gone-early',
    breaks: ['REMOVED-SERVED-02'],
    sentence: 'The beta version of PodDisruptionBudget is not found in the release before its removal.',
    defect: () => hiding(/^\/apis\/policy\/v1beta1\/poddisruptionbudgets/),
  },
  {
    id: 'ingresses-are-not-replaced',
    breaks: ['REMOVED-REPLACEMENT-01'],
    sentence: 'The stable version of Ingress is not found.',
    defect: () => hiding(/^\/apis\/networking\.[^/]+\/v1\/ingresses/),
  },
];

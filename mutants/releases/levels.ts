import { isObject } from '../../reference/api/json.ts';
import { hiding, onJson, onSpec } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { adding, reading } from '../startFlags.ts';

/** Versions, defaults and shapes of types that are not those of their release. */
export const LEVELS: readonly Mutant[] = [
  {
    id: 'a-version-has-no-number',
    breaks: ['LEVEL-NAME-01'],
    sentence: 'Discovery calls the first version of each group beta.',
    defect: () =>
      onJson(({ groups }) => {
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
    defect: () => hiding(/^\/apis\/rbac\.authorization\.[^/]+\/v1$/),
  },
  {
    id: 'alpha-versions-are-on',
    breaks: ['LEVEL-ALPHA-01'],
    sentence: 'Alpha versions are served without being enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/alpha=true') }),
  },
  {
    id: 'late-beta-versions-are-on',
    breaks: ['LEVEL-BETA-01'],
    sentence: 'Every beta version is served without being enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/beta=true') }),
  },
  {
    id: 'early-beta-versions-are-off',
    breaks: ['LEVEL-BETA-02'],
    sentence: 'No beta version is served unless it is enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/beta=false') }),
  },
  {
    id: 'leases-are-forgotten',
    breaks: ['LEVEL-STABLE-02', 'GROUP-RELEASE-01'],
    sentence: 'Discovery of a stable version leaves a resource out.',
    defect: () =>
      onJson((body) => {
        if (!Array.isArray(body.resources)) return;
        body.resources = body.resources.filter((each) => !isObject(each) || each.name !== 'leases');
      }),
  },
  {
    id: 'cron-jobs-go-on-in-v1',
    breaks: ['GROUP-ROUNDTRIP-01'],
    sentence: 'The stable version of CronJob does not show what an older one suspended.',
    defect: () =>
      onSpec(/^\/apis\/batch\/v1\/.*\/cronjobs\//, (spec) => {
        spec.suspend = false;
      }),
  },
  {
    id: 'runtime-config-is-not-heeded',
    breaks: ['GROUP-RUNTIME-01', 'GROUP-RUNTIME-03', 'GROUP-RUNTIME-04'],
    sentence: '--runtime-config is not read.',
    defect: () => ({ start: reading('runtime-config', () => '') }),
  },
  {
    id: 'runtime-config-without-value-is-off',
    breaks: ['GROUP-RUNTIME-02'],
    sentence: 'A key of --runtime-config without a value switches its version off.',
    defect: () => ({
      start: reading('runtime-config', (value) =>
        value.replace(/([^=,]+)(?=,|$)/g, (key, _, at) => (value[at - 1] === '=' ? key : `${key}=false`)),
      ),
    }),
  },
];

import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import { onJson, onSpec } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, passingRefusals } from '../../oneType.ts';

interface Path {
  pathType?: string;
  backend?: { service?: { port?: { name?: string } } };
}

interface Paths {
  spec?: { rules?: { http?: { paths?: Path[] } }[] };
}

/** Ingresses and their classes that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const INGRESS_CHANGES: readonly Mutant[] = [
  {
    id: 'later-paths-are-listed-without-names',
    breaks: ['CHANGED-INGRESS-01', 'CHANGED-INGRESS-02/port', ...clausesOf('CHANGED-FIELDS-01', 'rules')],
    sentence: 'In lists of Ingresses a port that has a name lacks it, in all paths or rules but the first.',
    defect: () =>
      onJson(({ items }, { path }) => {
        if (!path.endsWith('/ingresses') || !Array.isArray(items)) return;
        for (const { spec } of items as unknown as Paths[])
          for (const each of (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []).slice(1))
            delete each.backend?.service?.port?.name;
      }),
  },
  {
    id: 'ingress-paths-without-type',
    breaks: ['CHANGED-INGRESS-01'],
    sentence: 'A path of an Ingress needs no type.',
    defect: () =>
      mending<Paths>('ingresses', ['create'], ({ spec }) => {
        for (const path of spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? []) path.pathType ??= 'Prefix';
      }),
  },
  {
    id: 'ports-are-all-names',
    breaks: ['CHANGED-INGRESS-02/port'],
    sentence: 'The stable version of Ingress shows a port by number as one by name.',
    defect: () =>
      onSpec(/^\/apis\/networking\.[^/]+\/v1\/.*\/ingresses\//, (spec) => {
        if (isObject(spec.defaultBackend)) spec.defaultBackend = { service: { name: 'a', port: { name: '80' } } };
      }),
  },
  {
    id: 'paths-are-all-prefixes',
    breaks: clausesOf('CHANGED-INGRESS-02', ['path-type', 'no-path-type']),
    sentence: 'The stable version of Ingress shows each path as a Prefix.',
    defect: () =>
      onSpec(/^\/apis\/networking\.[^/]+\/v1\/.*\/ingresses\//, (spec) => {
        for (const path of (spec as Paths['spec'])?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? [])
          path.pathType = 'Prefix';
      }),
  },
  {
    id: 'ingresses-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-INGRESS-03'),
    sentence: 'Nothing that is written of an Ingress is refused.',
    defect: () => passingRefusals('ingresses'),
  },
];

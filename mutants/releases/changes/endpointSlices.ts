import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../../reference/api/json.ts';
import type { Seams } from '../../../reference/seams.ts';
import { onJson } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { mending } from '../../oneType.ts';

/** Shows the endpoints of slices otherwise in one version. */
function onEndpoints(version: string, change: (endpoint: JsonObject) => void): Seams {
  const path = new RegExp(`^/apis/discovery\\.[^/]+/${version}/.*/endpointslices/.`);
  return onJson(({ endpoints }, request) => {
    if (!path.test(request.path) || !Array.isArray(endpoints)) return;
    for (const endpoint of endpoints) if (isObject(endpoint)) change(endpoint);
  });
}

/** Endpoint slices that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const ENDPOINT_SLICE_CHANGES: readonly Mutant[] = [
  {
    id: 'slices-lose-their-zones',
    breaks: ['CHANGED-ENDPOINTSLICE-01'],
    sentence: 'The zone of an endpoint is not kept.',
    defect: () =>
      mending<{ endpoints?: { zone?: string }[] }>('endpointslices', ['create'], ({ endpoints = [] }) => {
        for (const endpoint of endpoints) delete endpoint.zone;
      }),
  },
  {
    id: 'slices-show-a-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-03'),
    sentence: 'Each endpoint is shown with a topology by either name.',
    defect: () =>
      onJson(({ kind, endpoints }) => {
        if (kind !== 'EndpointSlice' || !Array.isArray(endpoints)) return;
        for (const each of endpoints) if (isObject(each)) Object.assign(each, { topology: {}, deprecatedTopology: {} });
      }),
  },
  {
    id: 'slices-of-v1-have-no-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-02', ['zone', 'rest']),
    sentence: 'What an EndpointSlice of v1beta1 said of topology is not shown in v1.',
    defect: () =>
      onEndpoints('v1', (endpoint) => {
        delete endpoint.zone;
        delete endpoint.deprecatedTopology;
      }),
  },
  {
    id: 'slices-of-v1beta1-have-no-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-02', ['back', 'kept']),
    sentence: 'An EndpointSlice of v1beta1 shows no topology.',
    defect: () =>
      onEndpoints('v1beta1', (endpoint) => {
        delete endpoint.topology;
      }),
  },
];

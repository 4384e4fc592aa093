import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { endpointSliceColumns } from './columns.ts';
import { deprecatedEndpointSlices } from './conversion.ts';
import { endpointSliceRules } from './endpointSlice.ts';
import { discoveryV1 } from './v1.ts';
import { discoveryV1beta1 } from './v1beta1.ts';

const endpointSlices: BuiltinType = {
  resource: 'endpointslices EndpointSlice namespaced *',
  generation: true,
  columns: endpointSliceColumns,
  rules: endpointSliceRules,
  deprecated: deprecatedEndpointSlices,
};

/** Where the endpoints of services are. */
export const discoveryGroup: ApiGroup = {
  name: 'discovery.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: discoveryV1,
    v1beta1: revised(discoveryV1, discoveryV1beta1),
    v1alpha1: revised(discoveryV1, discoveryV1beta1),
  },
  types: [endpointSlices],
};

import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { deviceTaintRuleFields, resourcePoolStatus, resourceV1alpha3, resourceV1beta1 } from './beta.ts';
import {
  deviceClassColumns,
  resourceClaimColumns,
  resourceClaimTemplateColumns,
  resourceSliceColumns,
} from './columns.ts';
import { deprecatedClaims, deprecatedClaimTemplates, deprecatedSlices } from './conversion.ts';
import { deviceClassRules, resourceClaimRules, resourceClaimTemplateRules, resourceSliceRules } from './rules.ts';
import { resourceV1 } from './v1.ts';

const deviceClasses: BuiltinType = {
  resource: 'deviceclasses DeviceClass cluster *',
  generation: true,
  columns: deviceClassColumns,
  rules: deviceClassRules,
};

const deviceTaintRules: BuiltinType = {
  resource: 'devicetaintrules DeviceTaintRule cluster * as=v1beta2',
  subresources: ['status status get,patch,update since=36'],
};

const resourceClaims: BuiltinType = {
  resource: 'resourceclaims ResourceClaim namespaced *',
  subresources: ['status status get,patch,update'],
  columns: resourceClaimColumns,
  rules: resourceClaimRules,
  deprecated: deprecatedClaims,
};

const resourceClaimTemplates: BuiltinType = {
  resource: 'resourceclaimtemplates ResourceClaimTemplate namespaced *',
  columns: resourceClaimTemplateColumns,
  rules: resourceClaimTemplateRules,
  deprecated: deprecatedClaimTemplates,
};

const resourcePoolStatusRequests: BuiltinType = {
  resource: 'resourcepoolstatusrequests ResourcePoolStatusRequest cluster * as=v1alpha3',
  subresources: ['status status get,patch,update'],
};

const resourceSlices: BuiltinType = {
  resource: 'resourceslices ResourceSlice cluster *',
  generation: true,
  columns: resourceSliceColumns,
  rules: resourceSliceRules,
  deprecated: deprecatedSlices,
};

/** Devices and who uses them. */
export const resourceGroup: ApiGroup = {
  name: 'resource.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: resourceV1,
    v1beta2: revised(resourceV1, deviceTaintRuleFields),
    v1beta1: revised(resourceV1, resourceV1beta1),
    v1alpha3: revised(resourceV1, resourceV1beta1, resourceV1alpha3, deviceTaintRuleFields, resourcePoolStatus),
  },
  types: [
    deviceClasses,
    deviceTaintRules,
    resourceClaims,
    resourceClaimTemplates,
    resourcePoolStatusRequests,
    resourceSlices,
  ],
};

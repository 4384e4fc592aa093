import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { flowcontrolAssured, flowcontrolV1beta3 } from './beta.ts';
import { flowSchemaColumns, priorityLevelConfigurationColumns } from './columns.ts';
import { deprecatedPriorityLevels } from './conversion.ts';
import { flowSchemaRules, priorityLevelConfigurationRules } from './rules.ts';
import { flowcontrolV1 } from './v1.ts';

const flowSchemas: BuiltinType = {
  resource: 'flowschemas FlowSchema cluster *',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: flowSchemaColumns,
  rules: flowSchemaRules,
};

const priorityLevelConfigurations: BuiltinType = {
  resource: 'prioritylevelconfigurations PriorityLevelConfiguration cluster *',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: priorityLevelConfigurationColumns,
  rules: priorityLevelConfigurationRules,
  deprecated: deprecatedPriorityLevels,
};

/** How many requests are served at a time, and whose. */
export const flowcontrolGroup: ApiGroup = {
  name: 'flowcontrol.apiserver.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: flowcontrolV1,
    v1beta3: revised(flowcontrolV1, flowcontrolV1beta3),
    v1beta2: revised(flowcontrolV1, flowcontrolAssured),
    v1beta1: revised(flowcontrolV1, flowcontrolAssured),
    v1alpha1: revised(flowcontrolV1, flowcontrolAssured),
  },
  types: [flowSchemas, priorityLevelConfigurations],
};

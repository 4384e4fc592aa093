import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { runtimeClassColumns } from './columns.ts';
import { deprecatedRuntimeClasses } from './conversion.ts';
import { runtimeClassRules } from './runtimeClass.ts';
import { nodeV1 } from './v1.ts';
import { nodeV1alpha1 } from './v1alpha1.ts';

const runtimeClasses: BuiltinType = {
  resource: 'runtimeclasses RuntimeClass cluster *',
  unconditionalUpdate: false,
  columns: runtimeClassColumns,
  rules: runtimeClassRules,
  deprecated: deprecatedRuntimeClasses,
};

/** What runs pods. */
export const nodeGroup: ApiGroup = {
  name: 'node.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: nodeV1,
    v1beta1: nodeV1,
    v1alpha1: revised(nodeV1, nodeV1alpha1),
  },
  types: [runtimeClasses],
};

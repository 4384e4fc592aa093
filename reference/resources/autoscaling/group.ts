import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { v1ScalerColumns, v2ScalerColumns } from './columns.ts';
import { deprecatedScalers } from './conversion.ts';
import { horizontalPodAutoscalerRules } from './rules.ts';
import { autoscalingV1 } from './v1.ts';
import { autoscalingV2 } from './v2.ts';
import { autoscalingV2beta1, autoscalingV2beta2 } from './v2beta.ts';

const horizontalPodAutoscalers: BuiltinType = {
  resource: 'horizontalpodautoscalers HorizontalPodAutoscaler namespaced * short=hpa in=all',
  subresources: ['status status get,patch,update'],
  columns: v2ScalerColumns,
  columnsIn: { v1: v1ScalerColumns },
  rules: horizontalPodAutoscalerRules,
  deprecated: deprecatedScalers,
};

/** How many pods there are to be. */
export const autoscalingGroup: ApiGroup = {
  name: 'autoscaling',
  storedVersion: 'v2',
  fields: {
    v2: autoscalingV2,
    v1: autoscalingV1,
    v2beta2: revised(autoscalingV2, autoscalingV2beta2),
    v2beta1: autoscalingV2beta1,
  },
  types: [horizontalPodAutoscalers],
};

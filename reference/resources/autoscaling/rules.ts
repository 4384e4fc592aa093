import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { templateScope } from '../workloads/podTemplates.ts';
import { scalerCounts, validateCounts } from '../workloads/replicas.ts';
import { validateScaler } from './horizontalPodAutoscaler.ts';
import { cpuMetric, scalerConversions } from './v1Conversion.ts';

const DEFAULT_SHARE = 80;

export const horizontalPodAutoscalerRules: RuleMaker = (context) => {
  const annotations = `autoscaling.alpha.${context.dialect.labelDomain}`;
  const scope = { ...templateScope(context), toNothing: context.gate?.('HPAScaleToZero') ?? false };
  return {
    conversions: { v1: scalerConversions(annotations) },
    strategy: {
      validate: (scaler) => validateScaler(scaler, undefined, scope),
      validateUpdate: (scaler, old) => validateScaler(scaler, old, scope),
    },
    subresources: {
      status: { validateUpdate: (scaler, old) => validateCounts(scaler, old, scalerCounts) },
    },
    defaults: {
      v1(scaler) {
        const spec = ensureObject(scaler, 'spec');
        spec.minReplicas ??= 1;
        if (scaler.metadata.annotations?.[`${annotations}/metrics`] === undefined) {
          spec.targetCPUUtilizationPercentage ??= DEFAULT_SHARE;
        }
      },
      v2: fillScaler,
    },
  };
};

function fillScaler(scaler: ApiObject): void {
  const spec = ensureObject(scaler, 'spec');
  spec.minReplicas ??= 1;
  if (listOf(spec.metrics).length === 0) spec.metrics = [cpuMetric(DEFAULT_SHARE)];
  if (!isObject(spec.behavior)) return;
  fillRules(ensureObject(spec.behavior, 'scaleUp'), [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]);
  ensureObject(spec.behavior, 'scaleUp').stabilizationWindowSeconds ??= 0;
  fillRules(ensureObject(spec.behavior, 'scaleDown'), [{ type: 'Percent', value: 100, periodSeconds: 15 }]);
}

function fillRules(rules: JsonObject, policies: JsonObject[]): void {
  rules.selectPolicy ??= 'Max';
  if (listOf(rules.policies).length === 0) rules.policies = policies;
}

import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

const SECONDS = 300;
const CONDITIONS = ['not-ready', 'unreachable'];

/** Lets pods stay on a node that is not ready or not reachable for five minutes, unless they say otherwise. */
export function defaultTolerations(dialect: Dialect): Admission {
  return {
    name: 'DefaultTolerationSeconds',
    concerns: onlyTypes('', 'pods'),
    mutate({ operation, endpoint, object }: AdmissionAttributes): void {
      const { type, subresource } = endpoint;
      if (operation === 'DELETE' || subresource || type.group !== '' || type.resource !== 'pods' || !object) return;
      const spec: JsonObject = isObject(object.spec) ? object.spec : {};
      object.spec = spec;
      const present = (Array.isArray(spec.tolerations) ? spec.tolerations : []).filter(isObject);
      const missing = CONDITIONS.map((condition) => `node.${dialect.labelDomain}/${condition}`).filter(
        (key) => !present.some((one) => (one.key === key || !one.key) && (one.effect === 'NoExecute' || !one.effect)),
      );
      if (missing.length === 0) return;
      spec.tolerations = [
        ...present,
        ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS })),
      ];
    },
  };
}

import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { equalJson, isObject, type JsonObject } from '../api/json.ts';
import type { Admission } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Plugin TaintNodesByCondition: a new node takes no pods until somebody has seen it ready. */
export function nodeTaint({ dialect }: { readonly dialect: Dialect }): Admission {
  const notReady: JsonObject = { key: `node.${dialect.labelDomain}/not-ready`, effect: 'NoSchedule' };
  return {
    name: 'TaintNodesByCondition',
    concerns: onlyTypes('', 'nodes'),
    mutate({ operation, endpoint, object }) {
      const { group, resource } = endpoint.type;
      if (operation !== 'CREATE' || group !== '' || resource !== 'nodes' || endpoint.subresource || !object) return;
      const spec: JsonObject = isObject(object.spec) ? object.spec : {};
      const taints = Array.isArray(spec.taints) ? spec.taints : [];
      if (taints.some((taint) => equalJson(taint, notReady))) return;
      object.spec = { ...spec, taints: [...taints, { ...notReady }] };
    },
  };
}

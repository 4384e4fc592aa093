import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { objectOf, objectsOf } from '../api/parts.ts';
import { forbidden } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Plugin LimitPodHardAntiAffinityTopology: pods keep others away from their node at most, not from a whole zone. */
export function antiAffinity({ dialect }: { readonly dialect: Dialect }): Admission {
  const allowed = `${dialect.labelDomain}/hostname`;
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    concerns: onlyTypes('', 'pods'),
    validate({ operation, endpoint, object, name }) {
      const { type, subresource } = endpoint;
      if (type.group !== '' || type.resource !== 'pods' || subresource || !object) return;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      const { podAntiAffinity } = objectOf(objectOf(object.spec).affinity);
      for (const { topologyKey } of objectsOf(objectOf(podAntiAffinity)[REQUIRED])) {
        if (topologyKey === allowed) continue;
        const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowed} is allowed`;
        throw forbidden(type, object.metadata.name || name || 'Unknown', why);
      }
    },
  };
}

import { objectOf, objectsOf } from '../api/parts.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Plugin AlwaysAdmit: lets everything pass. */
export function alwaysAdmit(): Admission {
  return { name: 'AlwaysAdmit' };
}

/** Plugin AlwaysDeny: refuses every write (403). */
export function alwaysDeny(): Admission {
  const refuse = ({ endpoint, object, name }: AdmissionAttributes): never => {
    const shown = object?.metadata?.name || object?.metadata?.generateName || name || 'Unknown';
    throw forbidden(endpoint.type, shown, 'admission control is denying all modifications');
  };
  return { name: 'AlwaysDeny', mutate: refuse, validate: refuse };
}

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Plugin AlwaysPullImages: nodes ask for an image anew each time, so that who may not have it cannot use it. */
export function alwaysPullImages(): Admission {
  return {
    name: 'AlwaysPullImages',
    concerns: onlyTypes('', 'pods'),
    mutate({ operation, endpoint, object }) {
      const { type, subresource } = endpoint;
      if (type.group !== '' || type.resource !== 'pods' || !object) return;
      if (subresource ? subresource.name !== 'ephemeralcontainers' : operation !== 'CREATE' && operation !== 'UPDATE')
        return;
      for (const part of CONTAINERS) {
        for (const container of objectsOf(objectOf(object.spec)[part])) container.imagePullPolicy = 'Always';
      }
    },
  };
}

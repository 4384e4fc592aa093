import { objectOf, textsOf } from '../api/parts.ts';
import { forbidden } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Plugin DenyServiceExternalIPs: services take on no external addresses; those that they have may stay. */
export function externalAddresses(): Admission {
  return {
    name: 'DenyServiceExternalIPs',
    concerns: onlyTypes('', 'services'),
    validate({ operation, endpoint, object, oldObject, name }) {
      const { type, subresource } = endpoint;
      if (type.group !== '' || type.resource !== 'services' || subresource || !object) return;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      const before = new Set(textsOf(objectOf(oldObject?.spec).externalIPs));
      if (textsOf(objectOf(object.spec).externalIPs).every((address) => before.has(address))) return;
      throw forbidden(type, object.metadata.name || name, 'Use of external IPs is denied by admission control');
    },
  };
}

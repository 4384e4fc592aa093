import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { compareQuantities, parseQuantity } from '../schema/quantity.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Plugin PersistentVolumeClaimResize: a bound claim grows only where its class lets it. */
export function claimResize({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const classes = { group: groupName(dialect, 'storage'), resource: 'storageclasses' };
  const oldClass = `volume.beta.${dialect.labelDomain}/storage-class`;
  return {
    name: 'PersistentVolumeClaimResize',
    concerns: onlyTypes('', 'persistentvolumeclaims'),
    async validate({ operation, endpoint, object, oldObject }) {
      const { type, subresource } = endpoint;
      if (operation !== 'UPDATE' || subresource || !object || !oldObject) return;
      if (type.group !== '' || type.resource !== 'persistentvolumeclaims') return;
      const size = sizeOf(object);
      const before = sizeOf(oldObject);
      if (!size || !before || compareQuantities(parseQuantity(size), parseQuantity(before)) <= 0) return;
      const name = object.metadata.name ?? '';
      if (part(oldObject, 'status').phase !== 'Bound') {
        throw forbidden(type, name, 'Only bound persistent volume claims can be expanded');
      }
      const annotated = object.metadata.annotations?.[oldClass];
      const className = annotated ?? part(object, 'spec').storageClassName;
      const key = typeof className === 'string' && className ? objectKey(classes, '', className) : undefined;
      const found = key === undefined ? undefined : (await store.get(key))?.object;
      if (found && asJson(found).allowVolumeExpansion === true) return;
      const why =
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw forbidden(type, name, why);
    },
  };
}

function part(object: ApiObject, name: 'spec' | 'status'): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function sizeOf(claim: ApiObject): string | undefined {
  const { resources } = part(claim, 'spec');
  const requests = isObject(resources) && isObject(resources.requests) ? resources.requests : {};
  return typeof requests.storage === 'string' ? requests.storage : undefined;
}

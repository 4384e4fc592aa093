import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { storageVersionRules } from './storageVersion.ts';
import { storageVersionsV1alpha1 } from './v1alpha1.ts';

const storageVersions: BuiltinType = {
  resource: 'storageversions StorageVersion cluster *',
  subresources: ['status status get,patch,update'],
  rules: storageVersionRules,
};

/** In which versions servers store resources. */
export const apiserverinternalGroup: ApiGroup = {
  name: 'internal.apiserver.{domain}',
  storedVersion: 'v1alpha1',
  fields: {
    v1alpha1: storageVersionsV1alpha1,
  },
  types: [storageVersions],
};

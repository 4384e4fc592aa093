import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { apiServiceRules } from './apiService.ts';
import { apiServiceColumns } from './columns.ts';
import { apiregistrationV1 } from './v1.ts';

const apiServices: BuiltinType = {
  resource: 'apiservices APIService cluster * in=api-extensions',
  subresources: ['status status get,patch,update'],
  unconditionalUpdate: false,
  columns: apiServiceColumns,
  rules: apiServiceRules,
};

/** Which servers serve which groups and versions. */
export const apiregistrationGroup: ApiGroup = {
  name: 'apiregistration.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: apiregistrationV1,
    v1beta1: apiregistrationV1,
  },
  types: [apiServices],
};

import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { deprecatedDefinitions } from './conversion.ts';
import { definitionRules } from './strategy.ts';
import { apiextensionsV1 } from './v1.ts';
import { apiextensionsV1beta1 } from './v1beta1.ts';

const customResourceDefinitions: BuiltinType = {
  resource: 'customresourcedefinitions CustomResourceDefinition cluster * short=crd,crds in=api-extensions',
  subresources: ['status status get,patch,update'],
  generation: true,
  unconditionalUpdate: false,
  rules: definitionRules,
  deprecated: deprecatedDefinitions,
};

/** Definitions of custom types. */
export const apiextensionsGroup: ApiGroup = {
  name: 'apiextensions.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: apiextensionsV1,
    v1beta1: revised(apiextensionsV1, apiextensionsV1beta1),
  },
  types: [customResourceDefinitions],
};

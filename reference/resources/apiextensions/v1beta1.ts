/**
 * What apiextensions/v1beta1 has otherwise than apiextensions/v1: one schema for all versions. Transcribed from
 * release 1.36.
 */
export const apiextensionsV1beta1: string = `
CustomResourceColumnDefinition
  name 1 string! required
  type 2 string! required
  format 3 string
  description 4 string
  priority 5 int32
  JSONPath 6 string! required
CustomResourceConversion
  strategy 1 string! required
  webhookClientConfig 2 WebhookClientConfig*
  conversionReviewVersions 3 []string
CustomResourceDefinitionSpec
  group 1 string! required
  version 2 string
  names 3 CustomResourceDefinitionNames! required
  scope 4 string! required
  validation 5 CustomResourceValidation*
  subresources 6 CustomResourceSubresources*
  versions 7 []CustomResourceDefinitionVersion
  additionalPrinterColumns 8 []CustomResourceColumnDefinition
  selectableFields 11 []SelectableField
  conversion 9 CustomResourceConversion*
  preserveUnknownFields 10 boolean*
`;

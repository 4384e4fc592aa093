/**
 * What admissionregistration/v1beta1 has otherwise than admissionregistration/v1: side effects may stay unknown.
 * Transcribed from release 1.36.
 */
export const webhooksV1beta1: string = `
MutatingWebhook
  name 1 string! required
  clientConfig 2 WebhookClientConfig! required
  rules 3 []RuleWithOperations
  failurePolicy 4 string*
  matchPolicy 9 string*
  namespaceSelector 5 meta.v1.LabelSelector*
  objectSelector 11 meta.v1.LabelSelector*
  sideEffects 6 string*
  timeoutSeconds 7 int32*
  admissionReviewVersions 8 []string
  reinvocationPolicy 10 string*
  matchConditions 12 []MatchCondition map(name) merge(name)
ValidatingWebhook
  name 1 string! required
  clientConfig 2 WebhookClientConfig! required
  rules 3 []RuleWithOperations
  failurePolicy 4 string*
  matchPolicy 9 string*
  namespaceSelector 5 meta.v1.LabelSelector*
  objectSelector 10 meta.v1.LabelSelector*
  sideEffects 6 string*
  timeoutSeconds 7 int32*
  admissionReviewVersions 8 []string
  matchConditions 11 []MatchCondition map(name) merge(name)
`;

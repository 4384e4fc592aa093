/** The types of admissionregistration.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const admissionregistrationV1: string = `
ApplyConfiguration
  expression 1 string
AuditAnnotation
  key 1 string! required
  valueExpression 2 string! required
ExpressionWarning
  fieldRef 2 string! required
  warning 3 string! required
JSONPatch
  expression 1 string
MatchCondition
  name 1 string! required
  expression 2 string! required
MatchResources atomic
  namespaceSelector 1 meta.v1.LabelSelector*
  objectSelector 2 meta.v1.LabelSelector*
  resourceRules 3 []NamedRuleWithOperations
  excludeResourceRules 4 []NamedRuleWithOperations
  matchPolicy 7 string*
MutatingAdmissionPolicy kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 MutatingAdmissionPolicySpec!
MutatingAdmissionPolicyBinding kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 MutatingAdmissionPolicyBindingSpec!
MutatingAdmissionPolicyBindingSpec
  policyName 1 string
  paramRef 2 ParamRef*
  matchResources 3 MatchResources*
MutatingAdmissionPolicySpec
  paramKind 1 ParamKind*
  matchConstraints 2 MatchResources*
  variables 3 []Variable
  mutations 4 []Mutation
  failurePolicy 5 string*
  matchConditions 6 []MatchCondition map(name) merge(name)
  reinvocationPolicy 7 string
MutatingWebhook
  name 1 string! required
  clientConfig 2 WebhookClientConfig! required
  rules 3 []RuleWithOperations
  failurePolicy 4 string*
  matchPolicy 9 string*
  namespaceSelector 5 meta.v1.LabelSelector*
  objectSelector 11 meta.v1.LabelSelector*
  sideEffects 6 string* required
  timeoutSeconds 7 int32*
  admissionReviewVersions 8 []string! required
  reinvocationPolicy 10 string*
  matchConditions 12 []MatchCondition map(name) merge(name)
MutatingWebhookConfiguration kind
  metadata 1 meta.v1.ObjectMeta!
  webhooks 2 []MutatingWebhook map(name) merge(name)
Mutation
  patchType 2 string! required
  applyConfiguration 3 ApplyConfiguration*
  jsonPatch 4 JSONPatch*
NamedRuleWithOperations atomic
  resourceNames 1 []string
  operations 1 []string in=2
  apiGroups 1 []string in=2,2
  apiVersions 2 []string in=2,2
  resources 3 []string in=2,2
  scope 4 string* in=2,2
ParamKind atomic
  apiVersion 1 string
  kind 2 string
ParamRef atomic
  name 1 string
  namespace 2 string
  selector 3 meta.v1.LabelSelector*
  parameterNotFoundAction 4 string*
RuleWithOperations
  operations 1 []string
  apiGroups 1 []string in=2
  apiVersions 2 []string in=2
  resources 3 []string in=2
  scope 4 string* in=2
ServiceReference
  namespace 1 string! required
  name 2 string! required
  path 3 string*
  port 4 int32*
TypeChecking
  expressionWarnings 1 []ExpressionWarning
ValidatingAdmissionPolicy kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ValidatingAdmissionPolicySpec!
  status 3 ValidatingAdmissionPolicyStatus!
ValidatingAdmissionPolicyBinding kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ValidatingAdmissionPolicyBindingSpec! required
ValidatingAdmissionPolicyBindingSpec
  policyName 1 string required
  paramRef 2 ParamRef*
  matchResources 3 MatchResources*
  validationActions 4 []string required set
ValidatingAdmissionPolicySpec
  paramKind 1 ParamKind*
  matchConstraints 2 MatchResources*
  validations 3 []Validation
  failurePolicy 4 string*
  auditAnnotations 5 []AuditAnnotation
  matchConditions 6 []MatchCondition map(name) merge(name)
  variables 7 []Variable map(name) merge(name)
ValidatingAdmissionPolicyStatus
  observedGeneration 1 int64
  typeChecking 2 TypeChecking*
  conditions 3 []meta.v1.Condition map(type)
ValidatingWebhook
  name 1 string! required
  clientConfig 2 WebhookClientConfig! required
  rules 3 []RuleWithOperations
  failurePolicy 4 string*
  matchPolicy 9 string*
  namespaceSelector 5 meta.v1.LabelSelector*
  objectSelector 10 meta.v1.LabelSelector*
  sideEffects 6 string* required
  timeoutSeconds 7 int32*
  admissionReviewVersions 8 []string! required
  matchConditions 11 []MatchCondition map(name) merge(name)
ValidatingWebhookConfiguration kind
  metadata 1 meta.v1.ObjectMeta!
  webhooks 2 []ValidatingWebhook map(name) merge(name)
Validation
  expression 1 string! required
  message 2 string
  reason 3 string*
  messageExpression 4 string
Variable atomic
  name 1 string! required
  expression 2 string! required
WebhookClientConfig
  url 3 string*
  service 1 ServiceReference*
  caBundle 2 bytes
`;

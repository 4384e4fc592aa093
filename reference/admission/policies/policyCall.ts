import { type ApiObject, asJson } from '../../api/object.ts';
import { mostlyAtOnce } from '../../api/staged.ts';
import type { ExpressionScope } from '../../cel/program.ts';
import type { Authorizer } from '../../contracts/authorizer.ts';
import { AuthorizerQuestions } from '../expressions/authorizerQuestions.ts';
import type { MatchConditions } from '../expressions/conditions.ts';
import { admissionRequest } from '../matching/admissionRequest.ts';
import type { AdmittedRequest } from '../matching/admittedRequest.ts';
import type { VersionedView } from '../matching/versionedView.ts';
import { failedWhole, judge, NOTHING_SAID, type PolicyEvaluation } from './evaluation.ts';
import { namespaceValue } from './namespaceValue.ts';
import type { Policy } from './policy.ts';
import { programsOf } from './programs.ts';

export interface PolicyCallDependencies {
  readonly authorizer: Authorizer;
  readonly conditions: MatchConditions;
}

/**
 * What a policy says of a request.
 * @param view the request in the version that the policy is about
 * @param params null where there are none
 * @param namespace of the object; undefined for cluster-scoped ones
 */
export async function callPolicy(
  policy: Policy,
  request: AdmittedRequest,
  view: VersionedView,
  params: ApiObject | null,
  namespace: ApiObject | undefined,
  { authorizer, conditions }: PolicyCallDependencies,
): Promise<PolicyEvaluation> {
  const outcome = await conditionsHold(policy, request, view, params, conditions);
  if (outcome === 'skip') return NOTHING_SAID;
  if (outcome !== 'match') return failedWhole(outcome.error, policy);
  const { values, questions } = valuesFor(policy, request, view, params, namespace, authorizer);
  // A rule that asks what an authorizer cannot say at once is tried again with its answer.
  for (;;) {
    const judgement = await mostlyAtOnce(judge(policy, values), request.attributes.exchange);
    if (!(await questions.answered())) return judgement;
  }
}

const json = (object: ApiObject | null | undefined) => (object ? asJson(object) : null);

function variablesFor({ attributes, sent }: AdmittedRequest, view: VersionedView, params: ApiObject | null) {
  return {
    object: json(view.object('object')),
    oldObject: json(view.object('oldObject')),
    request: admissionRequest(attributes, sent, view, undefined),
    params: json(params),
  };
}

/** Whether the conditions of a policy let it see a request. */
export async function conditionsHold(
  policy: Policy,
  request: AdmittedRequest,
  view: VersionedView,
  params: ApiObject | null,
  conditions: MatchConditions,
): Promise<'match' | 'skip' | { readonly error: string }> {
  if (policy.conditions.length === 0) return 'match';
  const { attributes, target: resource } = request;
  const { user } = attributes.exchange;
  const variables = variablesFor(request, view, params);
  return conditions.evaluate(policy.conditions, { ...variables, user, resource, name: attributes.name });
}

/** The values of everything that the expressions of a policy speak of, and what they ask the authorizer. */
export function valuesFor(
  policy: Policy,
  request: AdmittedRequest,
  view: VersionedView,
  params: ApiObject | null,
  namespace: ApiObject | undefined,
  authorizer: Authorizer,
) {
  const { attributes, target } = request;
  const { name } = attributes;
  const variables = variablesFor(request, view, params);
  const { scope }: { scope: ExpressionScope } = programsOf(policy).scopes;
  const questions = new AuthorizerQuestions(authorizer, attributes.exchange.user);
  const { group, resource, subresource } = target;
  const values = {
    object: scope.value('object', variables.object),
    oldObject: scope.value('oldObject', variables.oldObject),
    request: scope.value('request', variables.request),
    namespaceObject: scope.value('namespaceObject', namespace ? namespaceValue(namespace) : null),
    ...(policy.paramKind ? { params: scope.value('params', variables.params) } : {}),
    authorizer: questions.value({ group, resource, subresource, namespace: target.namespace, name }),
  };
  return { values, questions };
}

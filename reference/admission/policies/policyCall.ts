import { type ApiObject, asJson } from '../../api/object.ts';
import type { Scope } from '../../cel/program.ts';
import type { Authorizer } from '../../contracts/authorizer.ts';
import { AuthorizerQuestions } from '../expressions/authorizerQuestions.ts';
import type { MatchConditions } from '../expressions/conditions.ts';
import { admissionRequest } from '../matching/admissionRequest.ts';
import type { AdmittedRequest } from '../matching/admittedRequest.ts';
import type { VersionedView } from '../matching/versionedView.ts';
import { failedWhole, type Judgement, judge, NOTHING_SAID } from './evaluation.ts';
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
): Promise<Judgement> {
  const { attributes, target, sent } = request;
  const { user } = attributes.exchange;
  const { name } = attributes;
  const json = (object: ApiObject | null | undefined) => (object ? asJson(object) : null);
  const variables = {
    object: json(view.object('object')),
    oldObject: json(view.object('oldObject')),
    request: admissionRequest(attributes, sent, view, undefined),
    params: json(params),
  };
  if (policy.conditions.length > 0) {
    const outcome = await conditions.evaluate(policy.conditions, { ...variables, user, resource: target, name });
    if (outcome === 'skip') return NOTHING_SAID;
    if (outcome !== 'match') return failedWhole(outcome.error, policy);
  }
  const { scope }: { scope: Scope } = programsOf(policy).scopes;
  const questions = new AuthorizerQuestions(authorizer, user);
  const { group, resource, subresource } = target;
  const values = {
    object: scope.value('object', variables.object),
    oldObject: scope.value('oldObject', variables.oldObject),
    request: scope.value('request', variables.request),
    namespaceObject: scope.value('namespaceObject', namespace ? namespaceValue(namespace) : null),
    ...(policy.paramKind ? { params: scope.value('params', variables.params) } : {}),
    authorizer: questions.value({ group, resource, subresource, namespace: target.namespace, name }),
  };
  // A rule that asks what an authorizer cannot say at once is tried again with its answer.
  for (;;) {
    const judgement = judge(policy, values);
    if (!(await questions.answered())) return judgement;
  }
}

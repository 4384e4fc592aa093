import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectOf } from '../../api/parts.ts';
import type { RuleMaker, TypeRules } from '../builtinType.ts';
import { judgedInParts } from '../validation/inParts.ts';
import { fillMatchResources } from './matchResources.ts';
import { validateMutatingPolicy } from './mutatingPolicy.ts';
import { validatePolicyBinding } from './policyBinding.ts';
import { validatePolicyStatus, validateValidatingPolicy } from './validatingPolicy.ts';

export const policyRules =
  (mutating: boolean): RuleMaker =>
  (context) => {
    return {
      strategy: judgedInParts((policy) =>
        mutating ? validateMutatingPolicy(policy, context) : validateValidatingPolicy(policy, context),
      ),
      defaults: { v1: fillPolicy, v1beta1: fillPolicy, v1alpha1: fillPolicy },
      ...(mutating ? {} : VALIDATING),
    };
  };

/** Who writes a policy in v1 owns its status too, though it is reset: in the service only older versions say that nobody does. */
const VALIDATING: Pick<TypeRules, 'strategies' | 'subresources'> = {
  strategies: { v1: { unownedFields: [] } },
  subresources: { status: { resetFields: [['spec'], ['metadata']], validateUpdate: validatePolicyStatus } },
};

function fillPolicy(policy: ApiObject): void {
  const spec = ensureObject(policy, 'spec');
  spec.failurePolicy ??= 'Fail';
  if (isObject(spec.matchConstraints)) fillMatchResources(spec.matchConstraints);
}

export const policyBindingRules =
  (mutating: boolean): RuleMaker =>
  (context) => {
    const validate = (binding: ApiObject) => validatePolicyBinding(objectOf(binding.spec), mutating, context);
    return {
      strategy: { validate, validateUpdate: (binding) => validate(binding) },
      defaults: { v1: fillBinding, v1beta1: fillBinding, v1alpha1: fillBinding },
    };
  };

function fillBinding({ spec }: ApiObject): void {
  const { matchResources } = objectOf(spec);
  if (isObject(matchResources)) fillMatchResources(matchResources);
}

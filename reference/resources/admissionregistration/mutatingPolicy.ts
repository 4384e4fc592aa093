import { type FieldError, notSupported, required } from '../../api/fieldError.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import type { RuleContext } from '../builtinType.ts';
import { choiceFaults } from '../validation/fields.ts';
import { SPEC, validatePolicySpec } from './policySpec.ts';

const REINVOCATION = ['IfNeeded', 'Never'];
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];

/** A policy that changes objects; its expressions are kept as they are. */
export function* validateMutatingPolicy(policy: ApiObject, context: RuleContext): Staged<FieldError[]> {
  const spec = objectOf(policy.spec);
  const errors = yield* validatePolicySpec(spec, context, () => undefined);
  const mutations = objectsOf(spec.mutations);
  const path = SPEC.child('mutations');
  if (mutations.length === 0) errors.push(required(path, 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) {
    const at = path.index(index);
    const field = mutation.patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    if (textOf(mutation.patchType) === '') errors.push(required(at.child('patchType')));
    else if (!PATCH_TYPES.includes(textOf(mutation.patchType))) {
      errors.push(notSupported(at.child('patchType'), mutation.patchType, PATCH_TYPES));
    } else if (textOf(objectOf(mutation[field]).expression).trim() === '') {
      errors.push(required(at.child(field, 'expression'), 'expression is not specified'));
    }
  }
  if (textOf(spec.reinvocationPolicy) === '') errors.push(required(SPEC.child('reinvocationPolicy')));
  else errors.push(...choiceFaults(spec, 'reinvocationPolicy', REINVOCATION, SPEC));
  return errors;
}

import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const SPEC = FieldPath.of('spec');

export const leaseRules: RuleMaker = () => ({
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate,
    validateUpdate: (lease) => validate(lease),
  },
});

function validate(lease: ApiObject): FieldError[] {
  const spec = objectOf(lease.spec);
  const errors: FieldError[] = [];
  const duration = numberOf(spec.leaseDurationSeconds);
  if (duration !== undefined && duration <= 0) {
    errors.push(invalid(SPEC.child('leaseDurationSeconds'), duration, 'must be greater than 0'));
  }
  const transitions = numberOf(spec.leaseTransitions);
  if (transitions !== undefined && transitions < 0) {
    errors.push(invalid(SPEC.child('leaseTransitions'), transitions, 'must be greater than or equal to 0'));
  }
  return errors;
}

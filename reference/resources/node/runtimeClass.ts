import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { dns1123Label, qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { compareAmounts } from '../core/amounts.ts';
import { immutableFaults, nameFaults } from '../validation/choices.ts';
import { validateLabels } from '../validation/labels.ts';

const HANDLER = FieldPath.of('handler');

export const runtimeClassRules: RuleMaker = () => ({
  strategy: {
    validate,
    validateUpdate: (one, old) =>
      immutableFaults(one.handler as Json | undefined, old.handler as Json | undefined, HANDLER),
  },
});

function validate(one: ApiObject): FieldError[] {
  const handler = textOf(one.handler);
  const errors = nameFaults(handler, dns1123Label, HANDLER);
  const fixed = FieldPath.of('overhead', 'podFixed');
  for (const [name, amount] of Object.entries(objectOf(objectOf(one.overhead).podFixed))) {
    errors.push(...nameFaults(name, qualifiedName, fixed.key(name)));
    if (compareAmounts(textOf(amount), '0') < 0) {
      errors.push(invalid(fixed.key(name), textOf(amount), 'must be greater than or equal to 0'));
    }
  }
  return [
    ...errors,
    ...validateLabels(objectOf(one.scheduling).nodeSelector, FieldPath.of('scheduling', 'nodeSelector')),
  ];
}

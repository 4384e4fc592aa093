import { type FieldError, forbiddenField } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { numberOf } from '../../api/parts.ts';
import { SYSTEM_PRIORITIES } from '../../objects/systemPriorities.ts';
import type { RuleMaker } from '../builtinType.ts';
import { choiceFaults, immutableFaults } from '../validation/fields.ts';

const HIGHEST = 1_000_000_000;
const POLICIES = ['Never', 'PreemptLowerPriority'];
const RESERVED = 'system-';

export const priorityClassRules: RuleMaker = () => ({
  strategy: {
    validate,
    validateUpdate: (one, old) => [
      ...(one.value === old.value ? [] : [forbiddenField(FieldPath.of('value'), 'may not be changed in an update.')]),
      ...immutableFaults(
        one.preemptionPolicy as Json | undefined,
        old.preemptionPolicy as Json | undefined,
        FieldPath.of('preemptionPolicy'),
      ),
    ],
  },
  defaults: {
    v1(one) {
      one.preemptionPolicy ??= 'PreemptLowerPriority';
    },
  },
});

function validate(one: ApiObject): FieldError[] {
  const value = numberOf(one.value as Json | undefined) ?? 0;
  const errors: FieldError[] = [];
  const name = one.metadata.name ?? '';
  if (name.startsWith(RESERVED)) {
    const fault = reservedFault(one, value);
    if (fault !== undefined) {
      const detail = `priority class names with '${RESERVED}' prefix are reserved for system use only. error: ${fault}`;
      errors.push(forbiddenField(FieldPath.of('metadata', 'name'), detail));
    }
  } else if (value > HIGHEST) {
    const detail = `maximum allowed value of a user defined priority is ${HIGHEST}`;
    errors.push(forbiddenField(FieldPath.of('value'), detail));
  }
  return [...errors, ...choiceFaults(asJson(one), 'preemptionPolicy', POLICIES, FieldPath.root)];
}

/** What keeps a class from being one of the service's own; undefined when it is. */
function reservedFault(one: ApiObject, value: number): string | undefined {
  const name = one.metadata.name ?? '';
  const known = SYSTEM_PRIORITIES.find(([own]) => own === name);
  if (!known) return `${name} is not a known system priority class`;
  if (value !== known[1]) return `value of ${name} PriorityClass must be ${known[1]}`;
  return one.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

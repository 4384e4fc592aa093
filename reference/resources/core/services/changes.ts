import { type FieldError, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { textOf, textsOf } from '../../../api/parts.ts';
import { isHeadless, specOf } from './serviceParts.ts';

const SPEC = FieldPath.of('spec');
const FIXED = 'may not change once set';

/** Faults of what a service may not change: its first address and family, and the class of its balancer. */
export function validateServiceChange(service: ApiObject, old: ApiObject): FieldError[] {
  const spec = specOf(service);
  const before = specOf(old);
  const errors: FieldError[] = [];
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName') {
    errors.push(...validateList(spec, before, 'clusterIPs', 'clusterIP'));
    if (!isHeadless(spec) || !isHeadless(before)) {
      errors.push(...validateList(spec, before, 'ipFamilies', 'ipFamily'));
    }
  }
  if (spec.type === 'LoadBalancer' && before.type === 'LoadBalancer') {
    if (textOf(spec.loadBalancerClass) !== textOf(before.loadBalancerClass)) {
      errors.push(invalid(SPEC.child('loadBalancerClass'), spec.loadBalancerClass, FIXED));
    }
  }
  return errors;
}

/** The first value stays; a second one may come, and goes only with the policy that says so. */
function validateList(spec: JsonObject, old: JsonObject, name: string, single: string): FieldError[] {
  const now = [...textsOf(spec[name])];
  const before = textsOf(old[name]);
  const path = SPEC.child(name);
  if (now.length === before.length) {
    return before.flatMap((value, index) => (value === now[index] ? [] : [invalid(path.index(index), now, FIXED)]));
  }
  const errors: FieldError[] = [];
  if (now.length === 0) return [invalid(path.index(0), now, `primary ${single} can not be unset`)];
  if (before.length > 0 && now[0] !== before[0]) errors.push(invalid(path.index(0), now, FIXED));
  if (now.length < before.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    errors.push(
      invalid(
        path.index(1),
        now,
        `\`ipFamilyPolicy\` must be set to 'SingleStack' when releasing the secondary ${single}`,
      ),
    );
  }
  return errors;
}

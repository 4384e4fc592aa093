import { type FieldError, invalid, notSupported } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const SPEC = FieldPath.of('spec');
const HIGHEST_PORT = 65_535;

/** The ways in which a policy picks ids and labels, by field. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  fsGroup: ['MustRunAs', 'MayRunAs', 'RunAsAny'],
  runAsGroup: ['MustRunAs', 'MayRunAs', 'RunAsAny'],
  runAsUser: ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'],
  seLinux: ['MustRunAs', 'RunAsAny'],
  supplementalGroups: ['MustRunAs', 'MayRunAs', 'RunAsAny'],
};

/** What pods may ask for, before release 1.25 (3/removed-api-versions-by-release/t1.11). */
export const podSecurityRules: RuleMaker = () => ({
  strategy: { validate, validateUpdate: (policy) => validate(policy) },
  defaults: {
    v1beta1(policy) {
      ensureObject(policy, 'spec').allowPrivilegeEscalation ??= true;
    },
  },
});

function validate(policy: ApiObject): FieldError[] {
  const spec = objectOf(policy.spec);
  const errors: FieldError[] = [];
  for (const [field, rules] of Object.entries(RULES)) {
    const part = spec[field];
    if (field === 'runAsGroup' && part === undefined) continue;
    errors.push(...validatePart(objectOf(part), SPEC.child(field), rules));
  }
  for (const [index, { min, max }] of objectsOf(spec.hostPorts).entries()) {
    const path = SPEC.child('hostPorts').index(index);
    errors.push(...validateRange(numberOf(min) ?? 0, numberOf(max) ?? 0, path, HIGHEST_PORT));
  }
  if (spec.defaultAllowPrivilegeEscalation === true && spec.allowPrivilegeEscalation === false) {
    const detail =
      'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true';
    errors.push(invalid(SPEC.child('defaultAllowPrivilegeEscalation'), true, detail));
  }
  for (const [index, { pathPrefix }] of objectsOf(spec.allowedHostPaths).entries()) {
    const path = SPEC.child('allowedHostPaths').index(index).child('pathPrefix');
    const prefix = textOf(pathPrefix);
    if (!prefix.startsWith('/') || prefix.split('/').includes('..')) {
      errors.push(invalid(path, prefix, 'must be an absolute path without ".."'));
    }
  }
  return errors;
}

function validatePart(part: JsonObject, path: FieldPath, rules: readonly string[]): FieldError[] {
  const rule = textOf(part.rule);
  const errors = rules.includes(rule) ? [] : [notSupported(path.child('rule'), rule, rules)];
  for (const [index, { min, max }] of objectsOf(part.ranges).entries()) {
    errors.push(...validateRange(numberOf(min) ?? 0, numberOf(max) ?? 0, path.child('ranges').index(index)));
  }
  return errors;
}

function validateRange(min: number, max: number, path: FieldPath, highest = Number.MAX_SAFE_INTEGER): FieldError[] {
  const errors: FieldError[] = [];
  if (min < 0 || min > highest) errors.push(invalid(path.child('min'), min, 'is out of range'));
  if (max < 0 || max > highest) errors.push(invalid(path.child('max'), max, 'is out of range'));
  if (min > max) errors.push(invalid(path.child('min'), min, 'min cannot be greater than max'));
  return errors;
}

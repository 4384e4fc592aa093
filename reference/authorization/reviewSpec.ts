import { type FieldError, forbiddenField, invalid, required } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { validateLabelSelectorRequirement } from '../selectors/labelSelectorObject.ts';

const SPEC = FieldPath.of('spec');

/** Faults that all access reviews share: exactly one kind of attributes, selectors well formed, no metadata. */
export function validateReview(review: ApiObject, withUser: boolean): FieldError[] {
  const spec = isObject(review.spec) ? review.spec : {};
  const resource = isObject(spec.resourceAttributes) ? spec.resourceAttributes : undefined;
  const path = isObject(spec.nonResourceAttributes) ? spec.nonResourceAttributes : undefined;
  const errors: FieldError[] = [];
  if (resource && path) {
    errors.push(
      invalid(SPEC.child('nonResourceAttributes'), path, 'cannot be specified in combination with resourceAttributes'),
    );
  } else if (!resource && !path) {
    errors.push(
      invalid(
        SPEC.child('resourceAttributes'),
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
  }
  if (withUser && !spec.user && !(Array.isArray(spec.groups) && spec.groups.length > 0)) {
    errors.push(invalid(SPEC.child('user'), '', 'at least one of user or group must be specified'));
  }
  if (resource) errors.push(...validateSelectors(resource));
  return errors;
}

/** Reviews carry no metadata of their own; `allowed` names what a kind may set. */
export function validateEmptyMetadata(review: ApiObject, allowed: readonly string[] = []): FieldError[] {
  const SET_BY_SERVER = ['managedFields', 'creationTimestamp', 'uid', ...allowed];
  const given = Object.fromEntries(
    Object.entries(review.metadata).filter(
      ([name, value]) => !SET_BY_SERVER.includes(name) && value !== '' && value !== null && value !== undefined,
    ),
  );
  if (Object.keys(given).length === 0) return [];
  const except = allowed.length > 0 ? ` except for ${allowed.join(', ')}` : '';
  return [invalid(FieldPath.of('metadata'), given as unknown as Json, `must be empty${except}`)];
}

function validateSelectors(attributes: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['fieldSelector', 'labelSelector'] as const) {
    const selector = attributes[name];
    if (!isObject(selector)) continue;
    const path = SPEC.child('resourceAttributes', name);
    const requirements = Array.isArray(selector.requirements) ? selector.requirements.filter(isObject) : [];
    const raw = selector.rawSelector;
    if (raw && requirements.length > 0) {
      errors.push(invalid(path.child('rawSelector'), raw, 'may not specified at the same time as requirements'));
    } else if (!raw && requirements.length === 0) {
      errors.push(
        required(path.child('requirements'), `when ${path} is specified, requirements or rawSelector is required`),
      );
    }
    for (const [index, one] of requirements.entries()) {
      const at = path.child('requirements').index(index);
      errors.push(
        ...(name === 'fieldSelector' ? validateFieldRequirement(one, at) : validateLabelRequirement(one, at)),
      );
    }
  }
  return errors;
}

/** An operator that is not known yet is fine: authorizers then do not see the selector. */
function validateLabelRequirement(requirement: JsonObject, path: FieldPath): FieldError[] {
  const operator = path.child('operator').toString();
  return validateLabelSelectorRequirement(requirement, path).filter((error) => error.field !== operator);
}

function validateFieldRequirement(requirement: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { key, operator, values } = requirement;
  const count = Array.isArray(values) ? values.length : 0;
  if (!key) errors.push(required(path.child('key'), 'must be specified'));
  if ((operator === 'In' || operator === 'NotIn') && count === 0) {
    errors.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    errors.push(
      forbiddenField(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  }
  return errors;
}

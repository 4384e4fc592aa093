import { duplicate, type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject, repeatedAt } from '../../api/json.ts';
import { dns1123Subdomain, pathSegment } from '../../api/nameRules.ts';
import { textOf, textsOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleContext } from '../builtinType.ts';
import { nameFaults, requiredNameFaults } from '../validation/fields.ts';
import { validateMatchResources } from './matchResources.ts';

const SPEC = FieldPath.of('spec');
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const PARAMETER_ACTIONS = ['Deny', 'Allow'];

/** Where a policy holds, with which parameters, and for validating ones what comes of failing it. */
export function validatePolicyBinding(spec: JsonObject, mutating: boolean, context: RuleContext): FieldError[] {
  const errors = requiredNameFaults(spec.policyName, dns1123Subdomain, SPEC.child('policyName'));
  if (isObject(spec.paramRef)) errors.push(...validateParamRef(spec.paramRef, SPEC.child('paramRef')));
  if (isObject(spec.matchResources)) {
    // The service spells the path so.
    errors.push(...validateMatchResources(spec.matchResources, SPEC.child('matchResouces'), context));
  }
  return mutating ? errors : [...errors, ...validateActions([...textsOf(spec.validationActions)])];
}

function validateParamRef(reference: JsonObject, path: FieldPath): FieldError[] {
  const exclusive = 'name and selector are mutually exclusive';
  const name = textOf(reference.name);
  const selects = reference.selector !== undefined;
  const errors: FieldError[] = [];
  if (name !== '') {
    errors.push(...nameFaults(name, pathSegment, path.child('name')));
    if (selects) errors.push(forbiddenField(path.child('name'), exclusive));
  }
  if (selects) {
    errors.push(...validateLabelSelector(reference.selector, path.child('selector')));
    if (name !== '') errors.push(forbiddenField(path.child('selector'), exclusive));
  } else if (name === '') errors.push(required(path, 'one of name or selector must be specified'));
  const action = textOf(reference.parameterNotFoundAction);
  const at = path.child('parameterNotFoundAction');
  if (action === '') errors.push(required(at));
  else if (!PARAMETER_ACTIONS.includes(action)) errors.push(notSupported(at, action, PARAMETER_ACTIONS));
  return errors;
}

function validateActions(actions: string[]): FieldError[] {
  const path = SPEC.child('validationActions');
  const errors: FieldError[] = [];
  const repeated = repeatedAt(actions);
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(notSupported(path.index(index), action, ACTIONS));
    if (repeated.has(index)) errors.push(duplicate(path.index(index), action));
  }
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(path, actions, detail));
  }
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}

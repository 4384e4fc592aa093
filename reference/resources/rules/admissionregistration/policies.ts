import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import { cIdentifier, dns1123Subdomain, qualifiedName } from '../../nameRules.ts';
import { choiceFaults, requiredNameFaults } from '../choices.ts';
import { ensureObject, listOf, objectOf, objectsOf, textOf, textsOf } from '../parts.ts';
import type { GroupRules, RuleContext, RuleMaker } from '../ruleSet.ts';
import { validateMatchConditions } from './matchConditions.ts';
import { validateOperationRule } from './operationRules.ts';

const SPEC = FieldPath.of('spec');
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const REINVOCATION = ['IfNeeded', 'Never'];
const REASONS = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const PARAMETER_ACTIONS = ['Allow', 'Deny'];

const policyRules =
  (mutating: boolean): RuleMaker =>
  (context) => {
    const validate = (policy: ApiObject) => validatePolicy(objectOf(policy.spec), mutating, context);
    return {
      strategy: { validate, validateUpdate: (policy) => validate(policy) },
      defaults: {
        v1(policy) {
          const spec = ensureObject(policy, 'spec');
          spec.failurePolicy ??= 'Fail';
          if (isObject(spec.matchConstraints)) fillMatch(spec.matchConstraints);
        },
      },
    };
  };

const bindingRules =
  (mutating: boolean): RuleMaker =>
  (context) => {
    const validate = (binding: ApiObject) => validateBinding(objectOf(binding.spec), mutating, context);
    return {
      strategy: { validate, validateUpdate: (binding) => validate(binding) },
      defaults: {
        v1({ spec }) {
          const { matchResources } = objectOf(spec);
          if (isObject(matchResources)) fillMatch(matchResources);
        },
      },
    };
  };

/** Rules of admission that are written as expressions, and where they hold. */
export const admissionPolicyRules: GroupRules = {
  mutatingadmissionpolicies: policyRules(true),
  mutatingadmissionpolicybindings: bindingRules(true),
  validatingadmissionpolicies: policyRules(false),
  validatingadmissionpolicybindings: bindingRules(false),
};

function fillMatch(match: JsonObject): void {
  match.matchPolicy ??= 'Equivalent';
  ensureObject(match, 'namespaceSelector');
  ensureObject(match, 'objectSelector');
  for (const name of ['resourceRules', 'excludeResourceRules']) {
    for (const rule of listOf(match[name])) if (isObject(rule)) rule.scope ??= '*';
  }
}

function validatePolicy(spec: JsonObject, mutating: boolean, context: RuleContext): FieldError[] {
  const errors = choiceFaults(spec, 'failurePolicy', FAILURE_POLICIES, SPEC);
  if (isObject(spec.paramKind)) errors.push(...validateParamKind(spec.paramKind, SPEC.child('paramKind')));
  if (isObject(spec.matchConstraints)) {
    const path = SPEC.child('matchConstraints');
    errors.push(...validateMatch(spec.matchConstraints, path, context));
    if (listOf(spec.matchConstraints.resourceRules).length === 0) errors.push(required(path.child('resourceRules')));
  } else errors.push(required(SPEC.child('matchConstraints')));
  errors.push(...validateVariables(objectsOf(spec.variables)));
  errors.push(...(mutating ? validateMutations(spec) : validateValidations(spec)));
  return [
    ...errors,
    ...validateMatchConditions(objectsOf(spec.matchConditions), SPEC.child('matchConditions'), context),
  ];
}

function validateParamKind(kind: JsonObject, path: FieldPath): FieldError[] {
  return ['apiVersion', 'kind'].filter((name) => textOf(kind[name]) === '').map((name) => required(path.child(name)));
}

function validateMatch(match: JsonObject, path: FieldPath, context: RuleContext): FieldError[] {
  const errors = choiceFaults(match, 'matchPolicy', MATCH_POLICIES, path);
  for (const name of ['namespaceSelector', 'objectSelector']) {
    if (match[name] === undefined) errors.push(required(path.child(name)));
    else errors.push(...validateLabelSelector(match[name], path.child(name)));
  }
  for (const name of ['resourceRules', 'excludeResourceRules']) {
    for (const [index, rule] of objectsOf(match[name]).entries()) {
      errors.push(...validateOperationRule(rule, path.child(name).index(index), context));
    }
  }
  return errors;
}

function validateVariables(variables: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  return variables.flatMap((variable, index) => {
    const path = SPEC.child('variables').index(index);
    const name = textOf(variable.name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(path.child('name'), 'name is not specified'));
    else if (cIdentifier(name).length > 0) {
      errors.push(invalid(path.child('name'), name, 'name is not a valid CEL identifier'));
    }
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    if (textOf(variable.expression).trim() === '') {
      errors.push(required(path.child('expression'), 'expression is not specified'));
    }
    return errors;
  });
}

function validateValidations(spec: JsonObject): FieldError[] {
  const validations = objectsOf(spec.validations);
  const annotations = objectsOf(spec.auditAnnotations);
  const errors: FieldError[] = [];
  const path = SPEC.child('validations');
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required(path, detail), required(SPEC.child('auditAnnotations'), detail));
  }
  for (const [index, one] of validations.entries()) errors.push(...validateValidation(one, path.index(index)));
  const keys = new Set<string>();
  for (const [index, annotation] of annotations.entries()) {
    const at = SPEC.child('auditAnnotations').index(index);
    const key = textOf(annotation.key);
    errors.push(...requiredNameFaults(key, qualifiedName, at.child('key')));
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
    if (textOf(annotation.valueExpression).trim() === '') {
      errors.push(required(at.child('valueExpression'), 'valueExpression is not specified'));
    }
  }
  return errors;
}

function validateValidation(one: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const expression = textOf(one.expression).trim();
  if (expression === '') errors.push(required(path.child('expression'), 'expression is not specified'));
  const message = one.message;
  if (typeof message === 'string') {
    if (message !== '' && message.trim() === '') {
      errors.push(invalid(path.child('message'), message, 'message must be non-empty if specified'));
    } else if (message.includes('\n')) {
      errors.push(invalid(path.child('message'), message, 'message must not contain line breaks'));
    }
  } else if (expression.includes('\n')) {
    const detail = 'message must be specified if expression contains line breaks';
    errors.push(required(path.child('message'), detail));
  }
  return [...errors, ...choiceFaults(one, 'reason', REASONS, path)];
}

function validateMutations(spec: JsonObject): FieldError[] {
  const mutations = objectsOf(spec.mutations);
  const path = SPEC.child('mutations');
  const errors: FieldError[] = [];
  if (mutations.length === 0) errors.push(required(path, 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) {
    const at = path.index(index);
    const field = mutation.patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    if (textOf(mutation.patchType) === '') errors.push(required(at.child('patchType')));
    else if (!['ApplyConfiguration', 'JSONPatch'].includes(textOf(mutation.patchType))) {
      errors.push(notSupported(at.child('patchType'), mutation.patchType, ['ApplyConfiguration', 'JSONPatch']));
    } else if (textOf(objectOf(mutation[field]).expression).trim() === '') {
      errors.push(required(at.child(field, 'expression'), 'expression is not specified'));
    }
  }
  if (textOf(spec.reinvocationPolicy) === '') errors.push(required(SPEC.child('reinvocationPolicy')));
  else errors.push(...choiceFaults(spec, 'reinvocationPolicy', REINVOCATION, SPEC));
  return errors;
}

function validateBinding(spec: JsonObject, mutating: boolean, context: RuleContext): FieldError[] {
  const errors = requiredNameFaults(spec.policyName, dns1123Subdomain, SPEC.child('policyName'));
  if (isObject(spec.paramRef)) errors.push(...validateParamRef(spec.paramRef, SPEC.child('paramRef')));
  if (isObject(spec.matchResources)) {
    errors.push(...validateMatch(spec.matchResources, SPEC.child('matchResources'), context));
  }
  return mutating ? errors : [...errors, ...validateActions([...textsOf(spec.validationActions)])];
}

function validateParamRef(reference: JsonObject, path: FieldPath): FieldError[] {
  const named = textOf(reference.name) !== '';
  const errors: FieldError[] = [];
  if (named && reference.selector !== undefined) {
    const detail = 'name and selector are mutually exclusive';
    errors.push(forbiddenField(path.child('name'), detail), forbiddenField(path.child('selector'), detail));
  } else if (!named && reference.selector === undefined) {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  if (reference.parameterNotFoundAction === undefined) errors.push(required(path.child('parameterNotFoundAction')));
  else errors.push(...choiceFaults(reference, 'parameterNotFoundAction', PARAMETER_ACTIONS, path));
  return errors;
}

function validateActions(actions: string[]): FieldError[] {
  const path = SPEC.child('validationActions');
  const errors: FieldError[] = [];
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(notSupported(path.index(index), action, ACTIONS));
    if (actions.indexOf(action) < index) errors.push(duplicate(path.index(index), action));
  }
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(path, actions, detail));
  }
  return errors;
}

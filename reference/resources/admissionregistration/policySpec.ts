import { duplicate, type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { cIdentifier, dns1035Label, dns1123Subdomain } from '../../api/nameRules.ts';
import { listOf, objectsOf, textOf } from '../../api/parts.ts';
import { Pace, type Staged } from '../../api/staged.ts';
import type { RuleContext } from '../builtinType.ts';
import { choiceFaults } from '../validation/fields.ts';
import { validateMatchConditions } from './matchConditions.ts';
import { validateMatchResources } from './matchResources.ts';

export const SPEC = FieldPath.of('spec');
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/**
 * What policies that judge and policies that change have in common.
 * @param compile what is wrong with the expression of a variable; called for each one in order
 */
export function* validatePolicySpec(
  spec: JsonObject,
  context: RuleContext,
  compile: (name: string, expression: string) => string | undefined,
): Staged<FieldError[]> {
  const errors =
    spec.failurePolicy === undefined
      ? [required(SPEC.child('failurePolicy'))]
      : choiceFaults(spec, 'failurePolicy', FAILURE_POLICIES, SPEC);
  const parametrized = isObject(spec.paramKind);
  if (isObject(spec.paramKind)) errors.push(...validateParamKind(spec.paramKind, SPEC.child('paramKind')));
  const constraints = SPEC.child('matchConstraints');
  if (isObject(spec.matchConstraints)) {
    errors.push(...validateMatchResources(spec.matchConstraints, constraints, context));
    if (listOf(spec.matchConstraints.resourceRules).length === 0) {
      errors.push(required(constraints.child('resourceRules')));
    }
  } else errors.push(required(constraints));
  errors.push(
    ...validateMatchConditions(objectsOf(spec.matchConditions), SPEC.child('matchConditions'), context, parametrized),
  );
  yield;
  return [...errors, ...(yield* validateVariables(objectsOf(spec.variables), compile))];
}

function validateParamKind(given: JsonObject, path: FieldPath): FieldError[] {
  const apiVersion = textOf(given.apiVersion);
  const kind = textOf(given.kind);
  const errors = apiVersion === '' ? [required(path.child('apiVersion'))] : validateVersion(apiVersion, path);
  const faults = dns1035Label(kind.toLowerCase());
  if (kind === '') errors.push(required(path.child('kind')));
  else if (faults.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
    errors.push(invalid(path.child('kind'), kind, why));
  }
  return errors;
}

function validateVersion(apiVersion: string, parent: FieldPath): FieldError[] {
  const path = parent.child('apiVersion');
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion];
  const errors: FieldError[] = [];
  const told = (value: string, faults: readonly string[]) => {
    if (faults.length > 0) errors.push(invalid(path, value, faults.join(',')));
  };
  if (group !== '') told(group, dns1123Subdomain(group));
  if (version === '') errors.push(invalid(path, apiVersion, 'version must be specified'));
  else told(version, dns1035Label(version));
  return errors;
}

/** Entries that long work passes in the time in which an expression is compiled. */
export function compiling(expression: string): number {
  return expression === '' ? 0 : OF_AN_EXPRESSION + expression.length;
}
const OF_AN_EXPRESSION = 64;

function* validateVariables(
  variables: readonly JsonObject[],
  compile: (name: string, expression: string) => string | undefined,
): Staged<FieldError[]> {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  const pace = new Pace();
  for (const [index, variable] of variables.entries()) {
    const path = SPEC.child('variables').index(index);
    const name = textOf(variable.name);
    const expression = textOf(variable.expression);
    const isIdentifier = cIdentifier(name).length === 0 && !RESERVED.has(name);
    if (name.trim() === '') errors.push(required(path.child('name'), 'name is not specified'));
    else if (!isIdentifier) errors.push(invalid(path.child('name'), name, 'name is not a valid CEL identifier'));
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    if (expression.trim() === '') {
      errors.push(required(path.child('expression'), 'expression is not specified'));
    } else if (isIdentifier) {
      const fault = compile(name, expression);
      if (fault !== undefined) errors.push(invalid(path.child('expression'), expression, fault));
    }
    if (pace.due(compiling(expression))) yield;
  }
  return errors;
}

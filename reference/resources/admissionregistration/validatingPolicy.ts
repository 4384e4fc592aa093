import { duplicate, type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { Pace, type Staged } from '../../api/staged.ts';
import { DYN } from '../../cel/declaredType.ts';
import { PolicyScopes } from '../../cel/policyScopes.ts';
import type { Compiled } from '../../cel/program.ts';
import type { RuleContext } from '../builtinType.ts';
import { choiceFaults } from '../validation/fields.ts';
import { compiling, SPEC, validatePolicySpec } from './policySpec.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
const MOST_ANNOTATIONS = 20;
/** Bytes. */
const LONGEST_VALUE_EXPRESSION = 5 * 1024;

/** A policy that judges requests by expressions: all of them must compile, each to its type. */
export function* validateValidatingPolicy(policy: ApiObject, context: RuleContext): Staged<FieldError[]> {
  const spec = objectOf(policy.spec);
  const scopes = new PolicyScopes({ params: isObject(spec.paramKind) ? DYN : undefined, strict: true });
  const errors = yield* validatePolicySpec(spec, context, (name, expression) =>
    faultOf(scopes.define(name, expression)),
  );
  const validations = objectsOf(spec.validations);
  const annotations = objectsOf(spec.auditAnnotations);
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [...errors, required(SPEC.child('validations'), detail), required(SPEC.child('auditAnnotations'), detail)];
  }
  const pace = new Pace();
  for (const [index, one] of validations.entries()) {
    errors.push(...validateValidation(one, SPEC.child('validations').index(index), scopes));
    if (pace.due(compiling(textOf(one.expression)) + compiling(textOf(one.messageExpression)))) yield;
  }
  return [...errors, ...validateAnnotations(annotations, policy.metadata.name ?? '', scopes)];
}

function faultOf(compiled: Compiled): string | undefined {
  return 'fault' in compiled ? compiled.fault : undefined;
}

function validateValidation(one: JsonObject, path: FieldPath, scopes: PolicyScopes): FieldError[] {
  const expression = textOf(one.expression);
  const errors: FieldError[] = [];
  if (expression.trim() === '') errors.push(required(path.child('expression'), 'expression is not specified'));
  else {
    const fault = faultOf(scopes.scope.compileExactly(expression, 'bool'));
    if (fault !== undefined) errors.push(invalid(path.child('expression'), expression, fault));
  }
  errors.push(...validateMessageExpression(textOf(one.messageExpression), path.child('messageExpression'), scopes));
  const message = textOf(one.message);
  const at = path.child('message');
  if (message !== '' && message.trim() === '') {
    errors.push(invalid(at, message, 'message must be non-empty if specified'));
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalid(at, message, 'message must not contain line breaks'));
  }
  return [...errors, ...choiceFaults(one, 'reason', REASONS, path)];
}

function validateMessageExpression(expression: string, path: FieldPath, scopes: PolicyScopes): FieldError[] {
  if (expression === '') return [];
  if (expression.trim() === '') return [invalid(path, expression, 'must be non-empty if specified')];
  const fault = faultOf(scopes.messageScope.compileExactly(expression, 'string'));
  return fault === undefined ? [] : [invalid(path, expression, fault)];
}

function validateAnnotations(annotations: readonly JsonObject[], policy: string, scopes: PolicyScopes): FieldError[] {
  const path = SPEC.child('auditAnnotations');
  const errors: FieldError[] = [];
  if (annotations.length > MOST_ANNOTATIONS) {
    errors.push(invalid(path, annotations as Json, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`));
  }
  const keys = new Set<string>();
  for (const [index, annotation] of annotations.entries()) {
    const at = path.index(index);
    const key = textOf(annotation.key);
    errors.push(...validateKey(policy, key, at.child('key')));
    errors.push(...validateValueExpression(textOf(annotation.valueExpression), at.child('valueExpression'), scopes));
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
  }
  return errors;
}

/** In the audit event the key stands behind the name of the policy. */
function validateKey(policy: string, key: string, path: FieldPath): FieldError[] {
  if (policy === '') return [invalid(path, key, 'requires metadata.name be non-empty')];
  const whole = `${policy}/${key}`;
  return qualifiedName(whole).map((fault) => invalid(path, whole, fault));
}

function validateValueExpression(expression: string, path: FieldPath, scopes: PolicyScopes): FieldError[] {
  const trimmed = expression.trim();
  if (trimmed === '') return [required(path, 'valueExpression is not specified')];
  if (Buffer.byteLength(trimmed) > LONGEST_VALUE_EXPRESSION) {
    return [required(path, `must not exceed ${LONGEST_VALUE_EXPRESSION} bytes in length`)];
  }
  const fault = faultOf(scopes.scope.compileExactly(trimmed, 'string', 'null'));
  return fault === undefined ? [] : [invalid(path, expression, fault)];
}

/** What the service found out about the types of a policy. */
export function validatePolicyStatus({ status }: ApiObject): FieldError[] {
  const path = FieldPath.of('status').child('typeChecking', 'expressionWarnings');
  const { typeChecking } = objectOf(status);
  return objectsOf(objectOf(typeChecking).expressionWarnings).flatMap((one, index) => [
    ...(textOf(one.warning) === '' ? [required(path.index(index).child('warning'))] : []),
    ...(textOf(one.fieldRef).trim() === '' ? [required(path.index(index).child('fieldRef'))] : []),
  ]);
}

import { type Dialect, extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { Json } from '../../../api/json.ts';
import type { Pace, Staged } from '../../../api/staged.ts';
import { ExpressionScope } from '../../../cel/program.ts';
import type { ValidationRule } from '../../../schema/schema.ts';
import { bareType } from './declaredTypes.ts';
import { fieldAt } from './fieldPathSyntax.ts';
import { mostInRequest, type RuleCosts } from './ruleCosts.ts';
import type { SchemaNode } from './schemaNode.ts';
import { sizedTypeOf } from './sizedTypes.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What of a rule can be judged without compiling it. */
export function validateRuleTexts(node: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const list = path.child(extensionName(dialect, 'validations'));
  return node.rules.flatMap((rule, index) => validateTexts(rule, node, list.index(index)));
}

function validateTexts(rule: ValidationRule, node: SchemaNode, path: FieldPath): FieldError[] {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  const errors: FieldError[] = [];
  const at = path.child('message');
  if (rule.rule.trim() === '') errors.push(required(path.child('rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '') errors.push(invalid(at, message, 'must be non-empty if specified'));
  else if (hasBreak(message.trim())) errors.push(invalid(at, message, 'must not contain line breaks'));
  else if (hasBreak(rule.rule.trim()) && message.trim() === '') {
    errors.push(required(at, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified';
    errors.push(required(path.child('messageExpression'), why));
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(notSupported(path.child('reason'), reason, REASONS));
  }
  if (fieldPath === '') return errors;
  const field = path.child('fieldPath');
  if (fieldPath.trim() === '') errors.push(invalid(field, fieldPath, 'must be non-empty if specified'));
  if (hasBreak(fieldPath)) errors.push(invalid(field, fieldPath, 'must not contain line breaks'));
  if ('fault' in fieldAt(fieldPath, node, { brackets: true })) {
    errors.push(invalid(field, fieldPath, 'must be a valid path'));
  }
  return errors;
}

function hasBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Nodes of a schema that take as long to look at as a rule to compile, and as a character of it. */
const OF_A_RULE = 8;
const OF_A_CHARACTER = 1 / 2;

/**
 * Compiles the rules of a node.
 * @param root whether the node is a whole object
 * @param place where the node stands: `uncorrelatable` is the part around it whose old items cannot be found, `times`
 *   how often the node can stand in an object, undefined where nothing bounds that; costs are counted in `costs`
 */
export function* validateExpressions(
  node: SchemaNode,
  path: FieldPath,
  root: boolean,
  place: {
    readonly uncorrelatable?: FieldPath | undefined;
    readonly times: number | undefined;
    readonly costs: RuleCosts;
    readonly pace: Pace;
  },
  dialect: Dialect,
): Staged<FieldError[]> {
  const { uncorrelatable, costs, pace } = place;
  const sizes = sizedTypeOf(node, root);
  const type = bareType(node, root);
  const list = path.child(extensionName(dialect, 'validations'));
  if (!type || !sizes) return [];
  const times = place.times ?? mostInRequest(sizes);
  const errors: FieldError[] = [];
  const plain = new ExpressionScope({ self: type, oldSelf: type });
  const optional = new ExpressionScope({ self: type, oldSelf: { kind: 'optional', value: type } });
  for (const [index, rule] of node.rules.entries()) {
    const at = list.index(index);
    if (pace.due(OF_A_RULE + rule.rule.length * OF_A_CHARACTER)) yield;
    const scope = rule.optionalOldSelf ? optional : plain;
    const compiled = scope.compile(rule.rule.trim(), 'bool');
    if ('program' in compiled) {
      errors.push(...costs.observe(at.child('rule'), 'rule', compiled.program.estimate(sizes) * times));
    } else errors.push(invalid(at.child('rule'), shown(rule), inRule(compiled.fault)));
    if (rule.messageExpression) {
      const words = scope.compile(rule.messageExpression.trim(), 'string');
      if ('fault' in words) {
        errors.push(invalid(at.child('messageExpression'), shown(rule), inMessage(words.fault)));
      } else {
        const own = at.child('messageExpression');
        errors.push(...costs.observe(own, 'messageExpression', words.program.estimate(sizes)));
      }
    }
    const usesOld = 'program' in compiled && compiled.program.uses('oldSelf');
    if (usesOld && uncorrelatable) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      errors.push(invalid(at.child('rule'), rule.rule, why));
    }
    if (!usesOld && rule.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule';
      errors.push(invalid(at.child('optionalOldSelf'), rule.optionalOldSelf, why));
    }
  }
  return errors;
}

function inRule(fault: string): string {
  return fault.startsWith('must evaluate') ? 'cel expression must evaluate to a bool' : fault;
}
function inMessage(fault: string): string {
  return fault.startsWith('must evaluate')
    ? 'messageExpression must evaluate to a string'
    : `messageExpression ${fault}`;
}

/** A rule as messages show it: under the names it has inside the service. */
function shown(rule: ValidationRule): Json {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

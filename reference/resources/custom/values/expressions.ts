import { duplicate, type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, member } from '../../../api/json.ts';
import { Pace, type Staged } from '../../../api/staged.ts';
import { none, some } from '../../../cel/optional.ts';
import type { EvaluationResult, Program } from '../../../cel/program.ts';
import { ExpressionScope } from '../../../cel/program.ts';
import type { ValidationRule } from '../../../schema/schema.ts';
import { bareType } from '../schema/declaredTypes.ts';
import { fieldAt } from '../schema/fieldPathSyntax.ts';
import { nodesOf, type SchemaNode } from '../schema/schemaNode.ts';
import type { Correlation } from './correlation.ts';
import { NOWHERE } from './fault.ts';

/** What one rule may cost, and all rules of one write together. */
const CALL_BUDGET = 1_000_000;
const WRITE_BUDGET = 10_000_000;
const LONGEST_MESSAGE = 5 * 1024;
/** Entries that long work passes in the time that a rule takes, and a step of what it costs. */
const OF_A_RULE = 4;
const OF_A_STEP = 1 / 8;

/** The compiled rules of a node. */
interface CompiledNode {
  readonly rules: readonly CompiledRule[];
}
interface CompiledRule {
  readonly rule: ValidationRule;
  readonly scope: ExpressionScope;
  readonly program: Program | undefined;
  readonly fault: string;
  readonly message: Program | undefined;
  /** Steps below the node under which the fault is told. */
  readonly path: string | undefined;
}

const compiled = new WeakMap<SchemaNode, { plain?: CompiledNode; root?: CompiledNode }>();
const ruled = new WeakMap<SchemaNode, boolean>();

/** Whether a rule stands anywhere in a schema; found once. */
export function hasExpressions(node: SchemaNode): boolean {
  let answer = ruled.get(node);
  if (answer === undefined) {
    answer = [...nodesOf(node)].some(({ rules }) => rules.length > 0);
    ruled.set(node, answer);
  }
  return answer;
}

/**
 * Runs the rules of a schema over a whole object. Rules about the change run where the old state is known; the fault
 * of a value that did not change becomes a warning.
 */
export function* validateByExpressions(
  root: SchemaNode,
  value: Json,
  old: Correlation | undefined,
  warn: (text: string) => void,
): Staged<FieldError[]> {
  if (!hasExpressions(root)) return [];
  const run = new Run(warn);
  yield* run.visit(root, value, old, old, FieldPath.root, true);
  return run.errors;
}

class Run {
  readonly errors: FieldError[] = [];
  readonly #warn: (text: string) => void;
  #left = WRITE_BUDGET;
  #over = false;
  readonly #pace = new Pace();

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** @param nearest the correlation of the value, or else of what is nearest around it */
  *visit(
    node: SchemaNode,
    value: Json,
    correlation: Correlation | undefined,
    nearest: Correlation | undefined,
    path: FieldPath,
    root: boolean,
  ): Staged<void> {
    if (this.#over || value === null || !hasExpressions(node)) return;
    if (this.#pace.due()) yield;
    if (node.rules.length > 0) yield* this.#rules(node, value, correlation, nearest, path, root);
    if (this.#over) return;
    if (Array.isArray(value)) {
      const { items } = node;
      if (!items) return;
      for (const [index, item] of value.entries()) {
        const inner = correlation?.item(index);
        yield* this.visit(items, item, inner, inner ?? nearest, path.index(index), items.embedded);
      }
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const field = node.properties?.get(name);
        const child = field ?? (typeof node.additional === 'object' ? node.additional : undefined);
        if (!child) continue;
        const inner = correlation?.field(name, child);
        const at = field ? path.child(name) : path.key(name);
        yield* this.visit(child, member(value, name) as Json, inner, inner ?? nearest, at, child.embedded);
      }
    }
  }

  *#rules(
    node: SchemaNode,
    value: Json,
    correlation: Correlation | undefined,
    nearest: Correlation | undefined,
    path: FieldPath,
    root: boolean,
  ): Staged<void> {
    const { rules } = compiledRules(node, root);
    const at = path === FieldPath.root ? FieldPath.of(NOWHERE) : path;
    for (const one of rules) {
      if (!one.program) {
        this.errors.push(invalid(at, node.type, `rule compile error: ${one.fault}`));
        continue;
      }
      const usesOld = one.program.uses('oldSelf');
      if (usesOld && !correlation && !one.rule.optionalOldSelf) continue;
      const variables = variablesOf(one, value, correlation, usesOld);
      const outcome = this.#evaluate(one.program, variables);
      if (this.#pace.due(OF_A_RULE + outcome.cost * OF_A_STEP)) yield;
      if (this.#over) {
        this.errors.push(invalid(at, node.type, overBudget(outcome, one.rule)));
        return;
      }
      if ('fault' in outcome) {
        this.errors.push(invalid(at, node.type, runText(outcome.fault, one.rule)));
      } else if (outcome.value !== true) {
        const place = one.path === undefined ? at : below(path, one.path);
        const fault = faultOf(place, node, this.#message(one, variables), one.rule);
        if (!usesOld && nearest?.unchanged) this.#warn(`${fault.field}: ${fault.message}`);
        else this.errors.push(fault);
      }
      if (this.#over) return;
    }
  }

  #evaluate(program: Program, variables: Readonly<Record<string, unknown>>): EvaluationResult {
    const outcome = program.evaluate(variables, Math.min(CALL_BUDGET, this.#left));
    this.#left -= outcome.cost;
    if (this.#left < 0 || ('exceeded' in outcome && outcome.exceeded)) this.#over = true;
    return outcome;
  }

  /** The message of a failed rule: its own, a computed one, or the rule itself. */
  #message({ rule, message }: CompiledRule, variables: Readonly<Record<string, unknown>>): string {
    const plain = rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
    if (!message) return plain;
    const outcome = this.#evaluate(message, variables);
    if (this.#over) {
      return 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    }
    if ('fault' in outcome || typeof outcome.value !== 'string') return plain;
    const text = outcome.value.trim();
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > LONGEST_MESSAGE ? plain : text;
  }
}

function variablesOf(
  { rule, scope }: CompiledRule,
  value: Json,
  correlation: Correlation | undefined,
  usesOld: boolean,
): Record<string, unknown> {
  const self = scope.value('self', value);
  if (!usesOld) return { self };
  if (!rule.optionalOldSelf) return { self, oldSelf: scope.value('self', correlation?.old ?? null) };
  return { self, oldSelf: correlation ? some(scope.value('self', correlation.old)) : none() };
}

function overBudget(outcome: EvaluationResult, rule: ValidationRule): string {
  if ('fault' in outcome && outcome.exceeded && outcome.cost >= CALL_BUDGET) {
    return `'${outcome.fault}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`;
  }
  return 'validation failed due to running out of cost budget, no further validation rules will be run';
}

function runText(fault: string, rule: ValidationRule): string {
  if (fault.startsWith('no such overload')) {
    return `'${fault}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
  }
  return `${fault} evaluating rule: ${nameOf(rule)}`;
}

function nameOf({ rule, message }: ValidationRule): string {
  return (message || rule).trim();
}

function faultOf(path: FieldPath, node: SchemaNode, message: string, { reason }: ValidationRule): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(path, message);
    case 'FieldValueRequired':
      return required(path, message);
    case 'FieldValueDuplicate':
      return duplicate(path, node.type);
    default:
      return invalid(path, node.type, message);
  }
}

function below(path: FieldPath, steps: string): FieldPath {
  return path.child(steps);
}

function compiledRules(node: SchemaNode, root: boolean): CompiledNode {
  let both = compiled.get(node);
  if (!both) {
    both = {};
    compiled.set(node, both);
  }
  const key = root ? 'root' : 'plain';
  let found = both[key];
  if (!found) {
    found = compileRules(node, root);
    both[key] = found;
  }
  return found;
}

function compileRules(node: SchemaNode, root: boolean): CompiledNode {
  const type = bareType(node, root) ?? { kind: 'dyn' };
  const scope = new ExpressionScope({ self: type, oldSelf: type });
  const optionalScope = new ExpressionScope({ self: type, oldSelf: { kind: 'optional', value: type } });
  const rules = node.rules.map((rule): CompiledRule => {
    const own = rule.optionalOldSelf ? optionalScope : scope;
    const program = own.compile(rule.rule.trim(), 'bool');
    const message = rule.messageExpression ? own.compile(rule.messageExpression.trim(), 'string') : undefined;
    const at = rule.fieldPath ? fieldAt(rule.fieldPath, node, { brackets: true }) : undefined;
    return {
      rule,
      scope: own,
      program: 'program' in program ? program.program : undefined,
      fault: 'fault' in program ? program.fault : '',
      message: message && 'program' in message ? message.program : undefined,
      path: at && 'path' in at ? at.path : undefined,
    };
  });
  return { rules };
}

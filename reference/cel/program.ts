import type { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../api/json.ts';
import { CostEstimator } from './cost/estimator.ts';
import type { SizedType } from './cost/sizedType.ts';
import type { DeclaredType } from './declaredType.ts';
import { createEnvironment } from './environment.ts';
import { compileFault, runFault, typeNames } from './faults.ts';
import { checkLiterals } from './literals.ts';
import { Meter } from './meter.ts';
import { keyOf, settleOperations } from './operations.ts';
import { settlePresence } from './presence.ts';
import { nodesIn, plainNames, type SyntaxNode, useOwnFunctions } from './syntax.ts';
import { TypeRegistry } from './typeRegistry.ts';
import { toValue } from './values.ts';

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
}

interface Checker {
  getType(name: string): unknown;
}
const EMPTY: Readonly<Record<string, string>> = { list: 'list<dyn>', map: 'map<dyn, dyn>' };

/** Gives empty lists and maps a type, so that what is said of their elements can be checked, in place. */
function settleEmptyLiterals(root: unknown): void {
  for (const node of nodesIn(root)) {
    const type = EMPTY[node.op];
    if (type === undefined || !Array.isArray(node.args) || node.args.length > 0) continue;
    Object.assign(node, { check: (checker: Checker) => checker.getType(type) });
  }
}

/** Lets map literals keep keys of any type, and refuse one that stands twice, in place. */
function settleMapLiterals(root: unknown): void {
  for (const node of nodesIn(root)) {
    if (node.op !== 'map') continue;
    const entries = node.args as readonly [SyntaxNode, SyntaxNode][];
    if (entries.length === 0) continue;
    node.meta.evaluate = (evaluator, _, context) => {
      const { run } = evaluator as Evaluator;
      const map = new Map<unknown, unknown>();
      for (const [key, value] of entries) {
        const name = keyOf(run.call(evaluator, key, context));
        if (map.has(name)) throw new Error('Failed with repeated key');
        map.set(name, run.call(evaluator, value, context));
      }
      return map;
    };
  }
}

export type { DeclaredField, DeclaredType } from './declaredType.ts';

/** What an expression came to: a value, or why there is none. `cost` is in the service's units, roughly. */
export type EvaluationResult =
  | { readonly value: unknown; readonly cost: number }
  | { readonly fault: string; readonly cost: number; readonly exceeded: boolean };

/** An expression that is parsed and checked. Evaluation is synchronous and must not be entered again from inside. */
export interface Program {
  /** Whether a variable occurs in the expression. */
  readonly uses: (variable: string) => boolean;
  /**
   * Whether a field of a variable is selected, or asked for, anywhere in the expression.
   *
   * @param byKey whether one that is selected as a key, `variable['field']`, counts too
   */
  readonly selects: (variable: string, field: string, byKey?: boolean) => boolean;
  /** The type that checking found: `bool`, `string`, `list<string>`; `dyn` where only evaluation tells. */
  readonly type: string;
  /** The most that evaluation can cost when the expression is about a value whose sizes are known. */
  readonly estimate: (root: SizedType) => number;
  /** @param budget the most that evaluation may cost */
  readonly evaluate: (variables: Readonly<Record<string, unknown>>, budget: number) => EvaluationResult;
}
export type Compiled = { readonly program: Program } | { readonly fault: string };

/** Variables of declared types; expressions over them are compiled one by one. */
export class ExpressionScope {
  readonly #environment: Environment;
  readonly #types: TypeRegistry;
  readonly #variables: ReadonlyMap<string, DeclaredType>;
  #names: Set<string> | undefined;

  /** @param base whose variables are here too, and whose values are good here */
  constructor(variables: Readonly<Record<string, DeclaredType>>, base?: ExpressionScope) {
    this.#environment = base ? base.#environment.clone() : createEnvironment();
    this.#types = new TypeRegistry(this.#environment, base ? base.#types : undefined);
    this.#variables = new Map([...(base ? base.#variables : []), ...Object.entries(variables)]);
    for (const [name, type] of Object.entries(variables)) {
      this.#environment.registerVariable(name, this.#types.nameOf(type));
    }
  }

  readonly #functions = (name: string): boolean => {
    this.#names ??= new Set(this.#environment.getDefinitions().functions.map((one) => plainNames(one.name)));
    return this.#names.has(name);
  };

  /** JSON as the value of a variable. */
  value(variable: string, json: Json): unknown {
    const type = this.#variables.get(variable);
    if (!type) throw new Error(`${variable} is not declared`);
    return toValue(json, type, this.#types);
  }

  /** An object as the value of a variable whose fields are worked out when an expression first asks for them. */
  lazyValue(variable: string, fields: ReadonlyMap<string, () => unknown>): unknown {
    const type = this.#variables.get(variable);
    if (type?.kind !== 'object') throw new Error(`${variable} is not declared as an object`);
    const message = new (this.#types.classOf(type))();
    for (const [name, get] of fields) Object.defineProperty(message, name, { get, enumerable: true });
    return message;
  }

  /**
   * Parses and checks an expression whose type must be known to be one of a few.
   * @returns the program, or why there is none
   */
  compileExactly(expression: string, ...types: readonly [string, ...string[]]): Compiled {
    const compiled = this.compile(expression, 'dyn');
    if ('fault' in compiled || types.includes(compiled.program.type)) return compiled;
    const [only] = types.map(typeNames);
    const wanted = types.length === 1 ? only : `one of [${types.map(typeNames).join(' ')}]`;
    return { fault: `must evaluate to ${wanted} but got ${typeNames(compiled.program.type)}` };
  }

  /**
   * Parses and checks an expression.
   * @param output the type that it must have: `bool`, `string`; a dynamic one is taken too
   * @returns the program, or why there is none: `compilation failed: …` with the place, or `must evaluate to …`
   */
  compile(expression: string, output: 'bool' | 'string' | 'dyn'): Compiled {
    try {
      const parsed = this.#environment.parse(expression);
      useOwnFunctions(parsed.ast);
      settlePresence(parsed.ast);
      settleEmptyLiterals(parsed.ast);
      settleMapLiterals(parsed.ast);
      const checked = parsed.check();
      if (!checked.valid)
        return { fault: `compilation failed: ${compileFault(checked.error, expression, this.#functions)}` };
      checkLiterals(parsed.ast);
      settleOperations(parsed.ast);
      const type = checked.type ?? 'dyn';
      if (output !== 'dyn' && type !== output && type !== 'dyn') {
        return { fault: `must evaluate to ${output} but got ${typeNames(type)}` };
      }
      return { program: programOf(parsed, type) };
    } catch (error) {
      return { fault: `compilation failed: ${compileFault(error, expression, this.#functions)}` };
    }
  }
}

type Parsed = ReturnType<Environment['parse']>;

function programOf(parsed: Parsed, type: string): Program {
  const meter = new Meter();
  const names = new Set(nodesIn(parsed.ast).flatMap((node) => (node.op === 'id' ? [String(node.args)] : [])));
  const selections = new Set(nodesIn(parsed.ast).flatMap((node) => selectionOf(node, ['.', '.?']) ?? []));
  const keys = new Set(nodesIn(parsed.ast).flatMap((node) => selectionOf(node, ['[]', '[?]']) ?? []));
  meter.attach(parsed.ast);
  return {
    uses: (variable) => names.has(variable),
    selects: (variable, field, byKey = false) =>
      selections.has(`${variable}.${field}`) || (byKey && keys.has(`${variable}.${field}`)),
    type,
    estimate: (root) => new CostEstimator(root).estimate(parsed.ast as unknown as SyntaxNode, new Map()).cost.max,
    evaluate(variables, budget) {
      meter.start(budget);
      try {
        const value: unknown = parsed(variables as Record<string, unknown>);
        if (meter.over) return exceeded(meter);
        return { value, cost: Math.ceil(meter.spent) };
      } catch (error) {
        if (meter.over) return exceeded(meter);
        return { fault: runFault(error), cost: Math.ceil(meter.spent), exceeded: false };
      }
    },
  };
}

/** `variable.field` when a node selects just that by one of the operators. */
function selectionOf(node: SyntaxNode, operators: readonly string[]): string | undefined {
  if (!operators.includes(node.op)) return undefined;
  const [operand, field] = node.args as [SyntaxNode, string | SyntaxNode];
  if (operand.op !== 'id') return undefined;
  return `${String(operand.args)}.${typeof field === 'string' ? field : String(field.args)}`;
}

function exceeded(meter: Meter): EvaluationResult {
  return {
    fault: 'operation cancelled: actual cost limit exceeded',
    cost: Math.ceil(meter.spent),
    exceeded: true,
  };
}

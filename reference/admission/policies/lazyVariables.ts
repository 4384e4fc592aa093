import type { CompiledVariable } from '../../cel/policyScopes.ts';
import type { ExpressionScope } from '../../cel/program.ts';

/** The most that one expression may cost, its variables not counted. */
export const EXPRESSION_BUDGET = 1_000_000;

type Values = Readonly<Record<string, unknown>>;

/** The variables of a policy for one request: each is evaluated once, when it is first asked for. */
export class LazyVariables {
  readonly #variables: readonly CompiledVariable[];
  readonly #values: Values;
  readonly #known = new Map<string, { readonly value: unknown } | { readonly fault: string }>();
  #spent = 0;

  /** @param values of everything else that the variables speak of */
  constructor(variables: readonly CompiledVariable[], values: Values) {
    this.#variables = variables;
    this.#values = values;
  }

  /** The values together with `variables` as expressions of a scope see it. */
  in(scope: ExpressionScope, values: Values = this.#values): Values {
    const fields = this.#variables.map((one): [string, () => unknown] => [one.name, () => this.#value(one)]);
    return { ...values, variables: scope.lazyValue('variables', new Map(fields)) };
  }

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const spent = this.#spent;
    this.#spent = 0;
    return spent;
  }

  #value(variable: CompiledVariable): unknown {
    const { name } = variable;
    let known = this.#known.get(name);
    if (!known) {
      known = this.#evaluate(variable);
      this.#known.set(name, known);
    }
    if ('value' in known) return known.value;
    throw new Error(known.fault);
  }

  #evaluate({ name, compiled, scope }: CompiledVariable): { value: unknown } | { fault: string } {
    if ('fault' in compiled)
      return { fault: `composited variable ${JSON.stringify(name)} fails to compile: ${compiled.fault}` };
    const outcome = compiled.program.evaluate(this.in(scope), EXPRESSION_BUDGET);
    this.#spent += outcome.cost;
    if ('value' in outcome) return { value: outcome.value };
    return { fault: `composited variable ${JSON.stringify(name)} fails to evaluate: ${outcome.fault}` };
  }
}

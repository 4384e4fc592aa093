import { nodesIn, type SyntaxNode } from './syntax.ts';

/** Thrown through an evaluation that has used up its budget. */
export class BudgetExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'BudgetExceeded';
  }
}

/** What evaluating a node costs by itself: creating lists and maps is dear, constants are free. */
const COSTS: Readonly<Record<string, number>> = {
  value: 0,
  list: 10,
  map: 30,
  accuValue: 0,
  accuPush: 1,
  comprehension: 2,
};

/**
 * Counts what an evaluation costs, and stops it. Once the budget is gone every further step fails, so that no
 * operator that swallows errors can go on.
 */
export class Meter {
  #left = 0;
  #spent = 0;
  #over = false;

  start(budget: number): void {
    this.#left = budget;
    this.#spent = 0;
    this.#over = false;
  }
  get spent(): number {
    return this.#spent;
  }
  get over(): boolean {
    return this.#over;
  }
  spend(cost: number): void {
    if (this.#over) throw new BudgetExceeded();
    this.#spent += cost;
    this.#left -= cost;
    if (this.#left >= 0) return;
    this.#over = true;
    throw new BudgetExceeded();
  }

  /** Makes every step of a checked expression count. */
  attach(root: unknown): void {
    for (const node of nodesIn(root)) this.#wrap(node);
  }

  #wrap(node: SyntaxNode): void {
    const { alternate, macro } = node.meta;
    const cost = alternate ? 0 : (COSTS[node.op] ?? 1);
    const step = alternate
      ? (evaluator: unknown, context: unknown) => alternate.evaluate(evaluator, alternate, context)
      : macro
        ? (evaluator: unknown, context: unknown) => macro.evaluate(evaluator, macro, context)
        : (evaluator: unknown, context: unknown) => node.meta.evaluate(evaluator, node, context);
    node.evaluate = (evaluator, _, context) => {
      this.spend(cost);
      const result = step(evaluator, context);
      const size = sizeOf(result);
      // Long texts and lists cost by their length wherever they come out of an operation.
      if (size > FREE_SIZE && node.op !== 'value' && node.op !== 'id' && node.op !== '.') this.spend(size / 10);
      return result;
    };
  }
}

const FREE_SIZE = 20;

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.length : 0;
}

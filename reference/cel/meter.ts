import { CHECK } from './cost/functions.ts';
import { nodesIn, plainNames, type SyntaxNode } from './syntax.ts';

/** Thrown through an evaluation that has used up its budget. */
export class BudgetExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'BudgetExceeded';
  }
}

/** Thrown again at every further step, of which there may be a million: a stack for each would cost more than the steps. */
const EXCEEDED = new BudgetExceeded();

/** What evaluating a node costs that stands in no table. */
const STEP = 1;
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
    if (this.#over) throw EXCEEDED;
    this.#spent += cost;
    this.#left -= cost;
    if (this.#left >= 0) return;
    this.#over = true;
    throw EXCEEDED;
  }

  /** Makes every step of a checked expression count. */
  attach(root: unknown): void {
    for (const node of nodesIn(root)) this.#wrap(node);
  }

  #wrap(node: SyntaxNode): void {
    const { alternate, macro } = node.meta;
    const cost = alternate ? 0 : (COSTS[node.op] ?? STEP);
    const step = alternate
      ? (evaluator: unknown, context: unknown) => alternate.evaluate(evaluator, alternate, context)
      : macro
        ? (evaluator: unknown, context: unknown) => macro.evaluate(evaluator, macro, context)
        : (evaluator: unknown, context: unknown) => node.meta.evaluate(evaluator, node, context);
    node.evaluate = (evaluator, _, context) => {
      this.spend(cost);
      const result = step(evaluator, context);
      // Long texts and lists cost by their length wherever an operation makes them.
      if (MAKERS.has(node.op)) this.spend(lengthOf(result) * EACH);
      return result;
    };
    this.#wrapOperands(node);
  }

  /** Operations cost by the size of what they work on, before they begin. */
  #wrapOperands(node: SyntaxNode): void {
    const { handle, op } = node;
    if (!handle) return;
    if (op === 'call' || op === 'rcall') {
      const name = plainNames(String((node.args as [string])[0]));
      const weight = WEIGHTS[name];
      node.handle = (values, ...rest) => {
        const operands = values as readonly unknown[];
        const exact = name === 'contains' ? partOfText(operands) : undefined;
        if (exact !== undefined) {
          // The step of the call is spent already.
          this.spend(exact - STEP);
          return handle(values, ...rest);
        }
        if (weight) this.spend(weight(operands) * EACH);
        for (const operand of operands) this.#spendSize(operand);
        return handle(values, ...rest);
      };
    } else if (COMPARING.has(op)) {
      node.handle = (left, right, ...rest) => {
        this.#spendSize(left);
        this.#spendSize(right);
        return handle(left, right, ...rest);
      };
    }
  }

  /** Spends for everything in a value; stops with the budget, so that looking costs no more than that either. */
  #spendSize(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length > FREE) this.spend(value.length * EACH * EACH);
    } else if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : undefined;
      if (!inner) return;
      this.spend(inner.length * EACH);
      for (const item of inner as readonly unknown[]) this.#spendSize(item);
    }
  }
}

/** What one element of something large costs. */
const EACH = 0.1;
const FREE = 100;
const MAKERS = new Set(['+', 'call', 'rcall', 'comprehension', 'list']);
const COMPARING = new Set(['==', '!=', 'in', '<', '<=', '>', '>=']);

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length > FREE ? value.length : 0;
  return Array.isArray(value) ? value.length : 0;
}

/** Functions that look at each pair of elements, or at each letter for each letter of a pattern. */
const pairs = (operands: readonly unknown[]): number => {
  const [first = 1, second = first] = operands.map(lengthOf).filter((length) => length > 0);
  return first * second;
};
/** What looking for a part in a text costs, all in all: a tenth of one's letters times a tenth of the other's, each rounded up. */
function partOfText([text, part]: readonly unknown[]): number | undefined {
  if (typeof text !== 'string' || typeof part !== 'string') return undefined;
  return Math.ceil(lettersOf(text) * EACH) * Math.ceil(lettersOf(part) * EACH);
}
/** Code points, as `size` counts them. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; letters++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return letters;
}
const pattern = ([text, expression]: readonly unknown[]): number =>
  (String(text).length * String(expression).length) / 40;
const WEIGHTS: Readonly<Record<string, (operands: readonly unknown[]) => number>> = {
  check: () => CHECK / EACH,
  distinct: pairs,
  contains: pairs,
  equivalent: pairs,
  intersects: pairs,
  sort: pairs,
  matches: pattern,
  find: pattern,
  findAll: pattern,
};

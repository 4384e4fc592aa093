/** A node of a parsed expression, as far as this folder reads it. */
export interface SyntaxNode {
  readonly op: string;
  args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
  readonly meta: {
    readonly alternate?: SyntaxNode;
    readonly macro?: Macro;
    evaluate: Evaluate;
  };
  evaluate: Evaluate;
  /** Works on operands that are evaluated; known once the expression is checked. */
  handle?: (...operands: unknown[]) => unknown;
  /** Known once the expression is checked. */
  readonly checkedType?: { readonly name: string; readonly kind: string };
}
export type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;
interface Macro {
  readonly evaluate: Evaluate;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value;
}

/** All nodes of an expression, those that macros stand for included, each once. */
export function nodesIn(root: unknown): SyntaxNode[] {
  const found = new Set<SyntaxNode>();
  const seen = new Set<object>();
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isNode(value)) {
      found.add(value);
      waiting.push(value.args, value.meta.alternate);
    } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      for (const inner of Object.values(value)) waiting.push(inner);
    }
  }
  return [...found];
}

/** The names of functions that the service words otherwise than the library: they get implementations of their own. */
const OWN = new Set([
  'matches',
  'indexOf',
  'lastIndexOf',
  'substring',
  'split',
  'lowerAscii',
  'upperAscii',
  'trim',
  'replace',
  'charAt',
  'join',
  'timestamp',
  'duration',
  'int',
  'string',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]);
const MARK = '__own';

/** The name under which an own implementation is registered. */
export function ownName(name: string): string {
  return OWN.has(name) ? `${name}${MARK}` : name;
}

/** Sends calls to own implementations, in place. */
export function useOwnFunctions(root: unknown): void {
  for (const node of nodesIn(root)) {
    if (node.op !== 'call' && node.op !== 'rcall') continue;
    const args = node.args as [string, ...unknown[]];
    args[0] = ownName(args[0]);
  }
}

/** A message of the library with the names that authors know. */
export function plainNames(message: string): string {
  return message.replaceAll(MARK, '');
}

import { keyOf } from './operations.ts';
import { nodesIn, type SyntaxNode } from './syntax.ts';

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
}

interface Checker {
  getType(name: string): unknown;
}
const EMPTY: Readonly<Record<string, string>> = { list: 'list<dyn>', map: 'map<dyn, dyn>' };

/** Gives empty lists and maps a type, so that what is said of their elements can be checked, in place. */
export function settleEmptyLiterals(root: unknown): void {
  for (const node of nodesIn(root)) {
    const type = EMPTY[node.op];
    if (type === undefined || !Array.isArray(node.args) || node.args.length > 0) continue;
    Object.assign(node, { check: (checker: Checker) => checker.getType(type) });
  }
}

/** Lets map literals keep keys of any type, and refuse one that stands twice, in place. */
export function settleMapLiterals(root: unknown): void {
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

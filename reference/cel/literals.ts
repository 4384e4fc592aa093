import { nodesIn, type SyntaxNode } from './syntax.ts';

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
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
        const name = run.call(evaluator, key, context);
        if (map.has(name)) throw new Error('Failed with repeated key');
        map.set(name, run.call(evaluator, value, context));
      }
      return map;
    };
  }
}

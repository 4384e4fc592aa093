import { Optional } from '@marcbachmann/cel-js';
import { Message } from './message.ts';
import { nodesIn, type SyntaxNode } from './syntax.ts';

interface Checker {
  check(node: unknown, context: unknown): unknown;
  getType(name: string): unknown;
  createError(code: string, message: string, node: unknown): Error;
}
interface Evaluator {
  run(node: unknown, context: unknown): unknown;
  createError(code: string, message: string, node: unknown): Error;
}

/**
 * Gives `has` its full meaning, in place: any selection may be asked for, behind an index too, and a field that the
 * type does not have is a fault of the expression.
 */
export function settlePresence(root: unknown): void {
  for (const node of nodesIn(root)) {
    if (node.op !== 'call') continue;
    const [name, args] = node.args as [string, SyntaxNode[]];
    if (name === 'has' && args.length === 1) replaceMacro(node, args[0] as SyntaxNode);
  }
}

function replaceMacro(node: SyntaxNode, selection: SyntaxNode): void {
  const [operand, field] = selection.args as [SyntaxNode, string];
  const settable = node as unknown as { setMeta(key: string, value: unknown): void };
  settable.setMeta('macro', {
    typeCheck(checker: Checker, _: unknown, context: unknown) {
      if (selection.op !== '.')
        throw checker.createError('invalid_macro_argument', 'invalid argument to has() macro', selection);
      checker.check(selection, context);
      return checker.getType('bool');
    },
    evaluate(evaluator: Evaluator, _: unknown, context: unknown) {
      return isPresent(evaluator.run(operand, context), field, () =>
        evaluator.createError('no_such_overload', 'no such overload', selection),
      );
    },
  });
}

function isPresent(value: unknown, field: string, unfit: () => Error): boolean {
  if (value instanceof Map) return value.get(field) !== undefined;
  if (value instanceof Message) return value[field] !== undefined;
  if (value instanceof Optional) return value.hasValue() && isPresent(value.value(), field, unfit);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.hasOwn(value, field);
  }
  throw unfit();
}

import { duration, regex, timestamp } from './libraries/strings.ts';
import { nodesIn, plainNames, type SyntaxNode } from './syntax.ts';

/** Functions whose first argument is read before anything is evaluated, where it is a literal. Each throws what is wrong. */
const READERS: ReadonlyMap<string, (text: string) => unknown> = new Map<string, (text: string) => unknown>([
  ['matches', regex],
  ['duration', duration],
  ['timestamp', timestamp],
]);

/** A literal that the function which it is given to cannot read. */
class LiteralFault extends Error {
  readonly node: SyntaxNode;

  constructor(name: string, node: SyntaxNode) {
    super(`invalid ${name} argument`);
    this.node = node;
  }
}

/**
 * Reads the literals of a checked expression that are patterns, durations and times. As in the service the first
 * argument counts, which of the function `matches` is the text. Throws an error about the first that cannot be read.
 */
export function checkLiterals(root: unknown): void {
  for (const { op, args } of nodesIn(root)) {
    if (op !== 'call' && op !== 'rcall') continue;
    const name = plainNames(String((args as readonly unknown[])[0]));
    const read = READERS.get(name);
    if (!read) continue;
    const [given] = (args as readonly unknown[]).at(-1) as readonly SyntaxNode[];
    if (given?.op !== 'value' || typeof given.args !== 'string') continue;
    try {
      read(given.args);
    } catch {
      throw new LiteralFault(name, given);
    }
  }
}

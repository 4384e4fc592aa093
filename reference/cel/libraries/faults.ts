/** Thrown by functions; the words reach the author of the expression. */
export class FunctionFault extends Error {}

/** Makes refusals of a parser faults of the expression. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof FunctionFault
      ? error
      : new FunctionFault(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a text can be parsed. */
export function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

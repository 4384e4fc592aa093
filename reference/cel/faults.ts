import { plainNames, type SyntaxNode } from './syntax.ts';

/** An error of the library, as far as this folder reads it. */
interface LibraryError extends Error {
  readonly code?: string;
  readonly summary?: string;
  readonly node?: Partial<SyntaxNode> & { readonly pos?: number };
}

const OPERATORS: Readonly<Record<string, string>> = {
  '==': '_==_',
  '!=': '_!=_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  in: '@in',
  '&&': '_&&_',
  '||': '_||_',
};

/**
 * Why an expression does not compile, with the place marked, as the service tells it.
 * @param isFunction whether any function has a name
 */
export function compileFault(error: unknown, expression: string, isFunction: (name: string) => boolean): string {
  const fault = error as LibraryError;
  const at = positionOf(fault, expression);
  const before = expression.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1);
  const text = expression.split('\n')[line - 1] ?? '';
  const syntax = fault.name === 'ParseError' ? 'Syntax error: ' : '';
  const words = syntax + wordsOf(fault, isFunction);
  return `ERROR: <input>:${line}:${column + 1}: ${words}\n | ${text}\n | ${'.'.repeat(column)}^`;
}

function wordsOf({ code, summary, message, node }: LibraryError, isFunction: (name: string) => boolean): string {
  const words = typeNames(plainNames(summary ?? message));
  const name = /: ([^:]+)$/.exec(words)?.[1] ?? '';
  switch (code) {
    case 'unknown_variable':
      return `undeclared reference to '${name}' (in container '')`;
    case 'no_such_key': {
      const owner = operandType(node);
      return owner?.includes('authorization.')
        ? `unexpected failed resolution of '${typeNames(owner)}'`
        : `undefined field '${name}'`;
    }
    case 'no_matching_overload':
      return callWords(words, isFunction);
    case 'no_such_overload': {
      const [, left, right] = /^no such overload: (.+) \S+ (.+)$/.exec(words) ?? [];
      const operator = OPERATORS[String(node?.op)] ?? String(node?.op);
      return left === undefined
        ? `found no matching overload for '${operator}' applied to '(${name})'`
        : `found no matching overload for '${operator}' applied to '(${left}, ${right})'`;
    }
    default:
      return words;
  }
}

/** The type of what a field is selected from. */
function operandType(node: LibraryError['node']): string | undefined {
  const operand = Array.isArray(node?.args) ? (node.args[0] as Partial<SyntaxNode> | undefined) : undefined;
  return operand?.checkedType?.name;
}

function callWords(words: string, isFunction: (name: string) => boolean): string {
  const call = /^found no matching overload for '(.*)'$/s.exec(words)?.[1] ?? words;
  const method = /^(.+)\.(\w+)\((.*)\)$/s.exec(call);
  const called = method?.[2] ?? /^(\w+)\(/.exec(call)?.[1];
  if (called !== undefined && !isFunction(called)) return `undeclared reference to '${called}' (in container '')`;
  if (method) return `found no matching overload for '${method[2]}' applied to '${method[1]}.(${method[3]})'`;
  const plain = /^(\w+)\((.*)\)$/s.exec(call);
  return plain ? `found no matching overload for '${plain[1]}' applied to '(${plain[2]})'` : words;
}

/** Types under the names that messages use. */
export function typeNames(words: string): string {
  return words
    .replace(/\blist<([^<>]*)>/g, 'list($1)')
    .replace(/\bmap<([^<>]*)>/g, 'map($1)')
    .replace(/\boptional<([^<>]*)>/g, 'optional_type($1)')
    .replaceAll('authorization.RequestAuthorizer', 'authorization.Authorizer')
    .replace(/\bnull\b/g, 'null_type')
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration');
}

/** Where the service puts its mark: at the operator, the dot of a field, the bracket of a call. */
function positionOf({ node }: LibraryError, expression: string): number {
  if (!node) return 0;
  const { op, args, start = 0, pos = start } = node;
  const parts = Array.isArray(args) ? (args as unknown[]) : [];
  const after = (part: unknown, mark: string): number => {
    const end = (part as Partial<SyntaxNode> | undefined)?.end ?? pos;
    const found = expression.indexOf(mark, end);
    return found < 0 ? pos : found;
  };
  if (op === 'rcall') return after({ end: after(parts[1], '.') }, '(');
  if (op === 'call') return after({ end: start }, '(');
  if (op === '.' || op === '.?') return after(parts[0], '.');
  if (op === '[]' || op === '[?]') return after(parts[0], '[');
  if (op !== undefined && Object.hasOwn(OPERATORS, op)) return after(parts[0], op);
  return pos;
}

/** Why an evaluation failed, as the service tells it. */
export function runFault(error: unknown): string {
  const { code, summary, message } = error as LibraryError;
  const words = plainNames(summary ?? message);
  switch (code) {
    case 'no_such_key':
      return `no such key: ${words.replace(/^No such key: /, '')}`;
    case 'unknown_variable':
      return `no such attribute(s): ${words.replace(/^Unknown variable: /, '')}`;
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(words)?.[1] ?? ''}`;
    case 'modulo_by_zero':
      return 'modulus by zero';
    case 'numeric_overflow':
      return words.startsWith('integer overflow') ? 'integer overflow' : words;
    case 'no_such_overload':
    case 'no_matching_overload':
    case 'invalid_logical_operand':
    case 'field_type_mismatch':
    case 'list_item_type_mismatch':
    case 'unsupported_type':
      return 'no such overload';
    case 'optional_value_missing':
      return 'optional.none() dereference';
    default:
      return words;
  }
}

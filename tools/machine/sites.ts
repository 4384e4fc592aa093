import { type AnyNode, type CallExpression, type Expression, parse } from 'acorn';

/** The ways in which a statement is broken, in kebab-case; they are part of the names of mutants. */
export type Operator =
  | 'condition-negated'
  | 'branch-removed'
  | 'boundary-moved'
  | 'equality-swapped'
  | 'logic-swapped'
  | 'operand-dropped'
  | 'arithmetic-swapped'
  | 'call-dropped'
  | 'assignment-dropped'
  | 'throw-dropped'
  | 'result-swapped'
  | 'constant-changed'
  | 'pattern-changed'
  | 'property-dropped'
  | 'element-dropped'
  | 'arguments-swapped';

/** When what stands at a place makes a difference to what a mutant puts there instead. */
export type When = 'always' | 'truthy' | 'falsy' | 'nullish' | 'defined';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in the text of a module, and what a mutant has there instead. */
export interface Site extends Span {
  readonly operator: Operator;
  /** A statement stands or is left out; an expression has another in its place. */
  readonly form: 'expression' | 'statement';
  readonly mutated: string;
  /** Name of the function around it; empty at the top of a module. */
  readonly within: string;
  /** The part that is left out, of a longer whole. */
  readonly dropped?: string;
  /** The mutant has been met where the value of this expression is so; the whole site, whenever it runs, unless told. */
  readonly met?: Span & { readonly when: When };
  /** Of a comparison: its operator, and where it stands, so that both outcomes can be had from one evaluation. */
  readonly comparison?: Span & { readonly is: string; readonly becomes: string };
}

/** The text of a comparison's mutants. */
const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EQUALITIES: Readonly<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
/** Methods that give something of the kind that they are called on: without the call there is that instead. */
const PASSING =
  /^(filter|sort|toSorted|reverse|toReversed|slice|concat|trim|trimStart|trimEnd|toLowerCase|toUpperCase|flat|replace|replaceAll|normalize)$/;
/** Text for people: nothing determines its words. */
const PROSE = /\s/;

/** Every place at which the operators apply, in the order of the text. Throws SyntaxError. */
export function sitesOf(text: string): Site[] {
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const found: Site[] = [];
  const visit = (node: AnyNode, around: Around): void => {
    found.push(...sitesAt(node, around, text));
    const within = nameOf(node, around) ?? around.within;
    for (const [role, child] of childrenOf(node)) visit(child, { parent: node, role, within, grandparent: around });
  };
  visit(program, { parent: undefined, role: '', within: '', grandparent: undefined });
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

interface Around {
  readonly parent: AnyNode | undefined;
  /** The member of the parent that a node is. */
  readonly role: string;
  readonly within: string;
  readonly grandparent: Around | undefined;
}

function* childrenOf(node: AnyNode): Generator<readonly [string, AnyNode]> {
  for (const [role, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield [role, each];
  }
}
function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(node: AnyNode, { parent, within }: Around): string | undefined {
  const own = ownName(node, parent);
  return own === undefined ? undefined : within === '' ? own : `${within}.${own}`;
}
function ownName(node: AnyNode, parent: AnyNode | undefined): string | undefined {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id?.name;
  if (node.type === 'MethodDefinition' || node.type === 'PropertyDefinition' || node.type === 'Property') {
    const isFunction = node.value?.type === 'FunctionExpression' || node.value?.type === 'ArrowFunctionExpression';
    if (!isFunction) return undefined;
    if (node.key.type === 'Identifier') return node.key.name;
    return node.key.type === 'PrivateIdentifier' ? `#${node.key.name}` : undefined;
  }
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
    const top = parent?.type === 'VariableDeclaration';
    const isFunction = node.init?.type === 'ArrowFunctionExpression' || node.init?.type === 'FunctionExpression';
    return top && isFunction ? node.id.name : undefined;
  }
  return undefined;
}

function sitesAt(node: AnyNode, around: Around, text: string): Site[] {
  const of = ({ start, end }: Span) => text.slice(start, end);
  const { within } = around;
  const expression = (operator: Operator, at: Span, mutated: string, more: Partial<Site> = {}): Site => ({
    operator,
    form: 'expression',
    start: at.start,
    end: at.end,
    mutated,
    within,
    ...more,
  });
  const statement = (operator: Operator): Site => ({
    operator,
    form: 'statement',
    start: node.start,
    end: node.end,
    mutated: '',
    within,
  });
  const meeting = (at: Span, when: When): Partial<Site> => ({ met: { start: at.start, end: at.end, when } });

  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const { test, alternate } = node;
      const otherwise = alternate ? [expression('branch-removed', test, 'true', meeting(test, 'falsy'))] : [];
      return [
        ...(isComparison(test) ? [] : [expression('condition-negated', test, `!(${of(test)})`)]),
        expression('branch-removed', test, 'false', meeting(test, 'truthy')),
        ...otherwise,
      ];
    }
    case 'WhileStatement':
      return [expression('branch-removed', node.test, 'false', meeting(node.test, 'truthy'))];
    case 'BinaryExpression':
      return binarySites(node, text, expression);
    case 'LogicalExpression':
      return logicalSites(node, around, text, expression);
    case 'ExpressionStatement':
      return expressionStatementSites(node.expression, statement);
    case 'ThrowStatement':
      return [statement('throw-dropped')];
    case 'ReturnStatement':
      if (!node.argument || isConstant(node.argument)) return [];
      return [expression('result-swapped', node.argument, 'undefined', meeting(node.argument, 'defined'))];
    case 'ArrowFunctionExpression':
      if (!node.expression || isConstant(node.body) || isCallback(around)) return [];
      return [expression('result-swapped', node.body, 'undefined', meeting(node.body, 'defined'))];
    case 'UnaryExpression':
      if (node.operator !== '!') return [];
      return [expression('condition-negated', node, `!!(${of(node.argument)})`)];
    case 'CallExpression':
      return inChain(node, around) ? [] : callSites(node, text, expression);
    case 'ObjectExpression': {
      if (node.properties.length === 0 || isPattern(around)) return [];
      return node.properties.map((dropped) => {
        const left = node.properties.filter((each) => each !== dropped).map(of);
        const value = dropped.type === 'SpreadElement' ? dropped.argument : dropped.value;
        const evaluated =
          dropped.type === 'Property' && (dropped.shorthand || dropped.kind !== 'init' || dropped.method);
        const met = evaluated || value.type === 'FunctionExpression' ? {} : meeting(value, 'defined');
        return expression('property-dropped', node, `({${left.join(',')}})`, { ...met, dropped: of(dropped) });
      });
    }
    case 'ArrayExpression': {
      if (node.elements.length === 0 || isPattern(around)) return [];
      return node.elements.map((dropped) => {
        const left = node.elements.filter((each) => each !== dropped).map((each) => (each ? of(each) : ''));
        return expression('element-dropped', node, `[${left.join(',')}]`, dropped ? { dropped: of(dropped) } : {});
      });
    }
    case 'Literal':
      return isName(around) ? [] : literalSites(node, expression);
    default:
      return [];
  }
}

type Make = (operator: Operator, at: Span, mutated: string, more?: Partial<Site>) => Site;

function binarySites(node: Extract<AnyNode, { type: 'BinaryExpression' }>, text: string, make: Make): Site[] {
  const { left, right, operator } = node;
  if (left.type === 'PrivateIdentifier') return [];
  const at = operatorBetween(left.end, right.start, operator, text);
  if (!at) return [];
  const swapped = (becomes: string) => text.slice(node.start, at.start) + becomes + text.slice(at.end, node.end);
  const comparison = (becomes: string) => ({ comparison: { ...at, is: operator, becomes } });
  const boundary = BOUNDARIES[operator];
  if (boundary) return [make('boundary-moved', node, swapped(boundary), comparison(boundary))];
  const equality = EQUALITIES[operator];
  if (equality) return [make('equality-swapped', node, swapped(equality))];
  const arithmetic = ARITHMETIC[operator];
  if (!arithmetic || (operator === '+' && (isText(left) || isText(right)))) return [];
  return [make('arithmetic-swapped', node, swapped(arithmetic))];
}

/** Where the operator stands between two operands, among parentheses and comments. */
function operatorBetween(start: number, end: number, operator: string, text: string): Span | undefined {
  const offset = text.slice(start, end).indexOf(operator);
  return offset < 0 ? undefined : { start: start + offset, end: start + offset + operator.length };
}

function logicalSites(
  node: Extract<AnyNode, { type: 'LogicalExpression' }>,
  around: Around,
  text: string,
  make: Make,
): Site[] {
  const { left, right, operator } = node;
  const at = operatorBetween(left.end, right.start, operator, text);
  if (!at) return [];
  const first = text.slice(node.start, at.start);
  const second = text.slice(at.end, node.end);
  const judged = isCondition(node, around);
  const deciding: When = operator === '||' ? 'truthy' : operator === '&&' ? 'falsy' : 'defined';
  const rightMatters: When = operator === '??' || !judged ? 'always' : deciding;
  const dropped = [
    make('operand-dropped', node, first, { met: { start: right.start, end: right.end, when: rightMatters } }),
    make('operand-dropped', node, second, { met: { start: left.start, end: left.end, when: deciding } }),
  ];
  if (operator === '??') return dropped;
  const other = operator === '&&' ? '||' : '&&';
  return [...dropped, make('logic-swapped', node, `(${first})${other}(${second})`)];
}

function expressionStatementSites(expression: Expression, statement: (operator: Operator) => Site): Site[] {
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  const called = inner.type === 'UnaryExpression' && inner.operator === 'void' ? inner.argument : inner;
  if (called.type === 'CallExpression') return called.callee.type === 'Super' ? [] : [statement('call-dropped')];
  if (called.type === 'ChainExpression') return [statement('call-dropped')];
  if (called.type === 'AssignmentExpression' || called.type === 'UpdateExpression')
    return [statement('assignment-dropped')];
  if (called.type === 'UnaryExpression' && called.operator === 'delete') return [statement('assignment-dropped')];
  return [];
}

function callSites(node: CallExpression, text: string, make: Make): Site[] {
  const { callee } = node;
  const found: Site[] = [];
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.object.type !== 'Super') {
    const { object, property } = callee;
    if (!callee.computed && PASSING.test(property.name) && standsWithoutParentheses(object, text)) {
      const without = text.slice(object.start, object.end);
      found.push(make('call-dropped', node, without, { met: { start: node.start, end: node.end, when: 'always' } }));
    }
    if (property.name === 'some' || property.name === 'every') {
      const other = property.name === 'some' ? 'every' : 'some';
      const mutated = text.slice(node.start, property.start) + other + text.slice(property.end, node.end);
      found.push(make('logic-swapped', node, mutated));
    }
    if (property.name === 'min' || property.name === 'max') {
      const other = property.name === 'min' ? 'max' : 'min';
      const mutated = text.slice(node.start, property.start) + other + text.slice(property.end, node.end);
      found.push(make('logic-swapped', node, mutated));
    }
  }
  const [first, second] = node.arguments;
  if (first && second && isPlain(first) && isPlain(second)) {
    const mutated =
      text.slice(node.start, first.start) +
      text.slice(second.start, second.end) +
      text.slice(first.end, second.start) +
      text.slice(first.start, first.end) +
      text.slice(second.end, node.end);
    found.push(make('arguments-swapped', node, mutated));
  }
  return found;
}

function literalSites(node: Extract<AnyNode, { type: 'Literal' }>, make: Make): Site[] {
  const { value } = node;
  if ('regex' in node && node.regex) return patternSites(node, node.regex, make);
  if (typeof value === 'boolean') return [make('constant-changed', node, String(!value))];
  if (typeof value === 'number') {
    const others = value === 0 ? [1] : value === 1 ? [0, 2] : [value + 1, value - 1];
    return others.map((other) => make('constant-changed', node, other < 0 ? `(${other})` : String(other)));
  }
  if (typeof value !== 'string' || PROSE.test(value)) return [];
  return [make('constant-changed', node, value === '' ? '"changed"' : JSON.stringify(`${value}-changed`))];
}

function patternSites(at: Span, { pattern, flags }: { pattern: string; flags: string }, make: Make): Site[] {
  const others = [
    pattern.startsWith('^') ? pattern.slice(1) : undefined,
    /[^\\]\$$/.test(pattern) ? pattern.slice(0, -1) : undefined,
    pattern.includes('+') ? pattern.replace(/([^\\])\+/, '$1') : undefined,
    /\{\d*,\d+\}/.test(pattern)
      ? pattern.replace(/\{(\d*),(\d+)\}/, (_, low, high) => `{${low},${Number(high) + 1}}`)
      : undefined,
  ];
  return others
    .filter(
      (other): other is string => other !== undefined && other !== pattern && other !== '' && compiles(other, flags),
    )
    .map((other) => make('pattern-changed', at, `/${other}/${flags}`));
}
function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== undefined;
  } catch {
    return false;
  }
}

/** Names of properties and modules are no constants. */
function isName({ parent, role }: Around): boolean {
  if (!parent) return false;
  if (/^(Import|Export)/.test(parent.type)) return true;
  if (parent.type === 'ExpressionStatement') return true;
  const named =
    parent.type === 'Property' || parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition';
  return named && role === 'key' && !parent.computed;
}
function isPattern({ parent, role }: Around): boolean {
  return parent?.type === 'AssignmentExpression' && role === 'left';
}
/** Whether parentheses around a part of an optional chain would cut it. */
function inChain(node: AnyNode, around: Around): boolean {
  if (node.type === 'CallExpression' && chainBelow(node)) return true;
  const { parent, role } = around;
  if (parent?.type === 'ChainExpression') return true;
  const link =
    (parent?.type === 'MemberExpression' && role === 'object') ||
    (parent?.type === 'CallExpression' && role === 'callee');
  return link && around.grandparent !== undefined && inChain(parent, around.grandparent);
}
function chainBelow(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return node.optional || chainBelow(node.callee);
  if (node.type === 'MemberExpression') return node.optional || chainBelow(node.object);
  return false;
}
function standsWithoutParentheses(object: AnyNode, text: string): boolean {
  // What is parenthesised ends before its closing parenthesis, and cannot stand without.
  return text[object.end] !== ')';
}
/** Whether only the truth of a value counts where it stands. */
function isCondition(node: AnyNode, { parent, role, grandparent }: Around): boolean {
  if (!parent) return false;
  if (role === 'test') return true;
  if (parent.type === 'UnaryExpression') return parent.operator === '!';
  if (parent.type === 'LogicalExpression' && parent.operator !== '??' && node.type === 'LogicalExpression') {
    return grandparent !== undefined && isCondition(parent, grandparent);
  }
  return false;
}
/** Arrow functions that are handed on: what they give is mostly what is told of the call. */
function isCallback({ parent }: Around): boolean {
  return parent?.type === 'NewExpression';
}
function isComparison(node: AnyNode): boolean {
  return (
    (node.type === 'BinaryExpression' && node.operator in EQUALITIES) ||
    (node.type === 'UnaryExpression' && node.operator === '!')
  );
}
function isConstant(node: AnyNode): boolean {
  if (node.type === 'Literal') return true;
  return node.type === 'Identifier' && node.name === 'undefined';
}
function isText(node: AnyNode): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string';
  if (node.type === 'BinaryExpression') return isText(node.left) || isText(node.right);
  return node.type === 'TemplateLiteral';
}
/** Something that can change its place with another argument. */
function isPlain(node: AnyNode): boolean {
  return node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'Literal';
}

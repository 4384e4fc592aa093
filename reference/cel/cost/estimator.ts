import type { SyntaxNode } from '../syntax.ts';
import { plainNames } from '../syntax.ts';
import { type Estimate, literalSize, sizeOf, typeName } from './estimate.ts';
import { addition, callEstimate, comparison } from './functions.ts';
import { LIST, MAP as MAP_MADE, STEP } from './prices.ts';
import { either, exactly, NOTHING, product, type Range, sum, sumOf } from './range.ts';
import type { SizedType } from './sizedType.ts';

/** Estimates what expressions about a value of a type cost at most, before they run. */
export class CostEstimator {
  readonly #root: SizedType;

  /** @param root type of the variable that expressions are about, whatever its name */
  constructor(root: SizedType) {
    this.#root = root;
  }

  get root(): SizedType {
    return this.#root;
  }

  /** @param locals variables that are bound around the node */
  estimate(node: SyntaxNode, locals: Locals): Estimate {
    const type = typeName(node);
    switch (node.op) {
      case 'value':
        return { cost: NOTHING, size: literalSize(node.args), type };
      case 'id':
        return { cost: STEP, ...this.#variable(String(node.args), locals), type };
      case '.':
        return this.#selection(node, locals);
      case '.?':
      case '[]':
      case '[?]':
        return this.#index(node, locals);
      case 'list':
        return this.#list(node, locals);
      case 'map':
        return this.#map(node, locals);
      case 'call':
      case 'rcall':
        return this.#call(node, locals);
      default:
        return { ...this.#operation(node, locals), type };
    }
  }

  #variable(name: string, locals: Locals): Omit<Estimate, 'cost' | 'type'> {
    return locals.get(name) ?? { place: this.#root };
  }

  #selection(node: SyntaxNode, locals: Locals): Estimate {
    const [operand, field] = node.args as [SyntaxNode, string];
    const of = this.estimate(operand, locals);
    const kind = operand.checkedType?.kind;
    const step = kind === 'map' || kind === 'message' ? STEP : NOTHING;
    return { cost: sum(of.cost, step), place: of.place?.fields?.get(field), type: typeName(node) };
  }

  #index(node: SyntaxNode, locals: Locals): Estimate {
    const [operand, key] = node.args as [SyntaxNode, SyntaxNode | string];
    const of = this.estimate(operand, locals);
    const by = typeof key === 'string' ? NOTHING : this.estimate(key, locals).cost;
    const place = of.place?.items ?? (typeof key === 'string' ? of.place?.fields?.get(key) : undefined);
    return { cost: sum(of.cost, by, STEP), place, size: of.elements, type: typeName(node) };
  }

  #list(node: SyntaxNode, locals: Locals): Estimate {
    const items = (node.args as SyntaxNode[]).map((item) => this.estimate(item, locals));
    const elements = items.length > 0 ? items.map(sizeOf).reduce(either) : NOTHING;
    const cost = sum(LIST, sumOf(items.map((item) => item.cost)));
    return { cost, size: exactly(items.length), elements, type: typeName(node) };
  }

  #map(node: SyntaxNode, locals: Locals): Estimate {
    const parts = (node.args as [SyntaxNode, SyntaxNode][]).flat().map((part) => this.estimate(part, locals));
    const cost = sum(MAP_MADE, sumOf(parts.map((part) => part.cost)));
    return { cost, size: exactly(parts.length / 2), type: typeName(node) };
  }

  #call(node: SyntaxNode, locals: Locals): Estimate {
    const method = node.op === 'rcall';
    const parts = node.args as [string, SyntaxNode, SyntaxNode[]] | [string, SyntaxNode[]];
    const name = plainNames(parts[0]);
    const receiver = method ? (parts[1] as SyntaxNode) : undefined;
    const args = parts.at(-1) as SyntaxNode[];
    const type = typeName(node);
    if (name === 'has' && !receiver) {
      const [operand] = (args[0] as SyntaxNode).args as [SyntaxNode];
      return { cost: this.estimate(operand, locals).cost, size: STEP, type };
    }
    const loop = receiver && loopEstimate(this, name, receiver, args, locals);
    if (loop) return { ...loop, type };
    const operands = [...(receiver ? [receiver] : []), ...args].map((one) => this.estimate(one, locals));
    const { cost, size } = callEstimate(name, operands, method);
    // What functions are grouped by is no operand: `sets.contains`.
    const paid = operands.filter((_, at) => !(at === 0 && receiver && isGroup(receiver)));
    return { cost: sum(cost, sumOf(paid.map((one) => one.cost))), size, type };
  }

  #operation(node: SyntaxNode, locals: Locals): Omit<Estimate, 'type'> {
    const { op } = node;
    const nodes = (Array.isArray(node.args) ? node.args : [node.args]) as SyntaxNode[];
    const parts = nodes.map((one) => this.estimate(one, locals));
    const [left, right, otherwise] = parts as [Estimate, Estimate, Estimate];
    const operands = sumOf(parts.map(({ cost }) => cost));
    switch (op) {
      case '-_':
        return nodes[0]?.op === 'value' ? { cost: NOTHING, size: STEP } : { cost: sum(operands, STEP) };
      case '&&':
      case '||':
        return { cost: { min: left.cost.min, max: operands.max } };
      case '?:':
        return {
          cost: sum(left.cost, either(right.cost, otherwise.cost)),
          size: either(sizeOf(right), sizeOf(otherwise)),
        };
      case '==':
      case '!=':
        return { cost: sum(operands, comparison(left, right)) };
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { cost: sum(operands, this.#order(left, right)) };
      case 'in':
        return { cost: sum(operands, right.type?.startsWith('map') ? STEP : sizeOf(right)) };
      case '+': {
        const { cost, size } = addition(left, right);
        return { cost: sum(operands, cost), size };
      }
      default:
        return { cost: sum(operands, STEP) };
    }
  }

  #order(left: Estimate, right: Estimate): Range {
    const types = [left.type, right.type];
    if (types.includes('string') || types.includes('bytes')) return comparison(left, right);
    return types.includes('dyn') && types.every((type) => type === 'dyn')
      ? either(STEP, comparison(left, right))
      : STEP;
  }
}

const GROUPS = new Set(['sets', 'strings', 'optional', 'ip', 'format', 'cel']);

function isGroup({ op, args, checkedType }: SyntaxNode): boolean {
  return op === 'id' && GROUPS.has(String(args)) && checkedType?.kind === 'message';
}

/** What a macro costs that goes over the elements of a value, or binds one. */
type Loop = Omit<Estimate, 'type'>;

/** The parts of a macro as the service expands it; costs are of one round, but for the first and the last. */
interface Expansion {
  readonly begin: Range;
  readonly condition: Range;
  readonly step: (body: Range, filter: Range) => Range;
  readonly end: Range;
  /** What comes of it is as long as what was gone over. */
  readonly collects?: boolean;
}

const ONE = exactly(1);

const TWO = exactly(2);

const ALL: Expansion = { begin: NOTHING, condition: TWO, step: (body) => sum(ONE, body), end: ONE };

const EXISTS: Expansion = { begin: NOTHING, condition: exactly(3), step: (body) => sum(ONE, body), end: ONE };

const EXISTS_ONE: Expansion = {
  begin: NOTHING,
  condition: NOTHING,
  step: (body) => sum(body, either(TWO, ONE)),
  end: TWO,
};

const appended = (item: Range): Range => sum(ONE, LIST, item, ONE);

const MAP: Expansion = {
  begin: LIST,
  condition: NOTHING,
  step: (body, filter) => (filter === NOTHING ? appended(body) : sum(filter, either(appended(body), ONE))),
  end: ONE,
  collects: true,
};

const FILTER: Expansion = { ...MAP, step: (body) => sum(body, either(appended(ONE), ONE)) };

const TRANSFORM_MAP: Expansion = {
  ...MAP,
  begin: MAP_MADE,
  step: (body, filter) => {
    const inserted = sum(ONE, ONE, ONE, body);
    return filter === NOTHING ? inserted : sum(filter, either(inserted, ONE));
  },
};

/** By name, and the number of variables that each binds. */
const LOOPS: Readonly<Record<string, { readonly 1?: Expansion; readonly 2?: Expansion }>> = {
  all: { 1: ALL, 2: ALL },
  exists: { 1: EXISTS, 2: EXISTS },
  exists_one: { 1: EXISTS_ONE },
  existsOne: { 1: EXISTS_ONE, 2: EXISTS_ONE },
  map: { 1: MAP },
  filter: { 1: FILTER },
  transformList: { 2: MAP },
  transformMap: { 2: TRANSFORM_MAP },
};

const FILTERED: ReadonlySet<string> = new Set(['map', 'transformList', 'transformMap']);

/** What a macro costs, its receiver included; undefined for what is none. */
export function loopEstimate(
  estimator: CostEstimator,
  name: string,
  receiver: SyntaxNode,
  args: readonly SyntaxNode[],
  locals: Locals,
): Loop | undefined {
  if (name === 'optMap' || name === 'optFlatMap') return optional(estimator, receiver, args, locals, name === 'optMap');
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel') return binding(estimator, args, locals);
  const kinds = LOOPS[name];
  if (!kinds) return undefined;
  const pairs = kinds[2] !== undefined && (kinds[1] === undefined || args.length > 2);
  const expansion = pairs ? kinds[2] : kinds[1];
  const variables = args.slice(0, pairs ? 2 : 1);
  const bodies = args.slice(variables.length);
  const body = bodies.at(-1);
  if (!expansion || !body) return undefined;
  const range = estimator.estimate(receiver, locals);
  const inner = bound(estimator, variables, range, locals);
  const filter =
    FILTERED.has(name) && bodies.length > 1 ? estimator.estimate(bodies[0] as SyntaxNode, inner).cost : NOTHING;
  const made = estimator.estimate(body, inner);
  const round = sum(expansion.condition, expansion.step(made.cost, filter));
  const count = sizeOf(range);
  return {
    cost: sum(range.cost, expansion.begin, product(count, round), expansion.end),
    size: expansion.collects ? count : ONE,
    ...(expansion.collects ? { elements: sizeOf(made) } : {}),
  };
}

/** The variables of a loop; over maps a single one is the key. */
function bound(estimator: CostEstimator, variables: readonly SyntaxNode[], range: Estimate, locals: Locals): Locals {
  const { place, elements, type } = range;
  const map = type?.startsWith('map') ?? false;
  // Where it is not known what a loop goes over, the whole value is taken for it.
  const values = { place: place ? place.items : estimator.root, size: elements };
  const keys = place?.keys ? { place: place.keys } : { size: exactly(1) };
  const inner = new Map(locals);
  const [one, two] = variables.map(({ args }) => String(args));
  if (two !== undefined) {
    inner.set(one as string, keys);
    inner.set(two, values);
  } else inner.set(one as string, map ? keys : values);
  return inner;
}

function binding(estimator: CostEstimator, args: readonly SyntaxNode[], locals: Locals): Loop | undefined {
  const [name, value, body] = args as [SyntaxNode, SyntaxNode, SyntaxNode];
  const given = estimator.estimate(value, locals);
  const { cost: _, type: __, ...known } = given;
  const made = estimator.estimate(body, new Map([...locals, [String(name.args), known]]));
  return { ...made, cost: sum(LIST, given.cost, made.cost) };
}

/** A test whether there is a value, and then the body with it bound. */
function optional(
  estimator: CostEstimator,
  receiver: SyntaxNode,
  [name, body]: readonly SyntaxNode[],
  locals: Locals,
  wraps: boolean,
): Loop | undefined {
  if (!name || !body) return undefined;
  const given = estimator.estimate(receiver, locals);
  const known = { place: given.place, size: given.size };
  const made = estimator.estimate(body, new Map([...locals, [String(name.args), known]]));
  const present = sum(given.cost, ONE, LIST, made.cost, wraps ? ONE : NOTHING);
  return { cost: sum(given.cost, ONE, either(present, ONE)) };
}

/** Variables of loops and bindings, by name. */
export type Locals = ReadonlyMap<string, Omit<Estimate, 'cost' | 'type'>>;

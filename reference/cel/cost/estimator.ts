import type { SyntaxNode } from '../syntax.ts';
import { plainNames } from '../syntax.ts';
import { type Estimate, literalSize, sizeOf, typeName } from './estimate.ts';
import { addition, callEstimate, comparison } from './functions.ts';
import { loopEstimate } from './loops.ts';
import { LIST, MAP, STEP } from './prices.ts';
import { either, exactly, NOTHING, type Range, sum } from './range.ts';
import type { SizedType } from './sizedType.ts';

/** Variables of loops and bindings, by name. */
export type Locals = ReadonlyMap<string, Omit<Estimate, 'cost' | 'type'>>;

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
    const cost = sum(LIST, ...items.map((item) => item.cost));
    return { cost, size: exactly(items.length), elements, type: typeName(node) };
  }

  #map(node: SyntaxNode, locals: Locals): Estimate {
    const parts = (node.args as [SyntaxNode, SyntaxNode][]).flat().map((part) => this.estimate(part, locals));
    const cost = sum(MAP, ...parts.map((part) => part.cost));
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
    return { cost: sum(cost, ...paid.map((one) => one.cost)), size, type };
  }

  #operation(node: SyntaxNode, locals: Locals): Omit<Estimate, 'type'> {
    const { op } = node;
    const nodes = (Array.isArray(node.args) ? node.args : [node.args]) as SyntaxNode[];
    const parts = nodes.map((one) => this.estimate(one, locals));
    const [left, right, otherwise] = parts as [Estimate, Estimate, Estimate];
    const operands = sum(...parts.map(({ cost }) => cost));
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

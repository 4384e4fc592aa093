import { type Environment, Optional } from '@marcbachmann/cel-js';
import { FunctionFault } from './faults.ts';

/** A node, a context and the two walkers of the library, as far as macros need them. */
interface MacroNode {
  readonly op: string;
  readonly args: unknown;
}
interface Context {
  forkWithVariable(name: string, type: unknown): BoundContext;
}
interface BoundContext extends Context {
  reuse(parent: Context): BoundContext;
  setIterValue(value: unknown, evaluator: Evaluator): BoundContext;
}
interface CelType {
  readonly kind: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;
}
interface Checker {
  check(node: MacroNode, context: Context): CelType;
  getType(name: string): CelType;
  createError(code: string, message: string, node: MacroNode): Error;
  readonly registry: {
    getOptionalType(type: CelType): CelType;
    getListType(type: CelType): CelType;
    getMapType(key: CelType, value: CelType): CelType;
  };
}
interface Evaluator {
  run(node: MacroNode, context: Context): unknown;
}
interface Expansion {
  readonly receiver: MacroNode;
  readonly args: readonly MacroNode[];
}

/** The name of a variable that a macro binds. */
function variable(node: MacroNode | undefined): string {
  if (node?.op === 'id' && typeof node.args === 'string') return node.args;
  throw new FunctionFault('argument must be a simple name');
}

/** A macro over the value of an optional: `optional.optMap(x, f(x))`. */
function overOptional(flat: boolean) {
  return ({ receiver, args }: Expansion) => {
    const name = variable(args[0]);
    const body = args[1] as MacroNode;
    let bound: BoundContext | undefined;
    return {
      async: false,
      typeCheck(checker: Checker, _: unknown, context: Context) {
        const type = checker.check(receiver, context);
        bound = context.forkWithVariable(name, type.kind === 'optional' ? type.valueType : checker.getType('dyn'));
        const result = checker.check(body, bound);
        return flat ? result : checker.registry.getOptionalType(result);
      },
      evaluate(evaluator: Evaluator, _: unknown, context: Context) {
        const value = evaluator.run(receiver, context);
        if (!(value instanceof Optional)) throw new FunctionFault('no such overload');
        if (!value.hasValue() || !bound) return Optional.none();
        const result = evaluator.run(body, bound.reuse(context).setIterValue(value.value(), evaluator));
        return flat ? result : Optional.of(result);
      },
    };
  };
}

type Step = (result: unknown, key: unknown, passed: boolean) => void;
interface Comprehension {
  /** Type of the whole, from that of the body. */
  readonly type: (checker: Checker, body: CelType, range: CelType) => CelType;
  /** Collects what the body gives for each pair; `end` is the value of the whole. */
  readonly begin: () => { step: Step; done: () => boolean; end: () => unknown };
  /** Faults of single pairs count only where nothing else decides. */
  readonly lenient?: boolean;
}

/** A macro over the pairs of a list or map; with three arguments before the body, the third is a filter. */
function overPairs(kind: Comprehension, filtered: boolean) {
  return ({ receiver, args }: Expansion) => {
    const first = variable(args[0]);
    const second = variable(args[1]);
    const filter = filtered ? (args[2] as MacroNode) : undefined;
    const body = args[filtered ? 3 : 2] as MacroNode;
    let outer: BoundContext | undefined;
    let inner: BoundContext | undefined;
    return {
      async: false,
      typeCheck(checker: Checker, _: unknown, context: Context) {
        const range = checker.check(receiver, context);
        const dyn = checker.getType('dyn');
        const key = range.kind === 'list' ? checker.getType('int') : (range.keyType ?? dyn);
        outer = context.forkWithVariable(first, key);
        inner = outer.forkWithVariable(second, range.valueType ?? dyn);
        if (filter) checker.check(filter, inner);
        return kind.type(checker, checker.check(body, inner), range);
      },
      evaluate(evaluator: Evaluator, _: unknown, context: Context) {
        const { step, done, end } = kind.begin();
        let fault: unknown;
        for (const [key, value] of pairsOf(evaluator.run(receiver, context))) {
          const around = (outer as BoundContext).reuse(context).setIterValue(key, evaluator);
          const bound = (inner as BoundContext).reuse(around).setIterValue(value, evaluator);
          try {
            const passed = !filter || evaluator.run(filter, bound) === true;
            step(passed ? evaluator.run(body, bound) : undefined, key, passed);
          } catch (error) {
            if (!kind.lenient) throw error;
            fault ??= error;
          }
          if (done()) return end();
        }
        if (fault !== undefined) throw fault;
        return end();
      },
    };
  };
}

function pairsOf(range: unknown): [unknown, unknown][] {
  if (Array.isArray(range)) return range.map((item, index) => [BigInt(index), item]);
  if (range instanceof Map) return [...range];
  if (typeof range === 'object' && range !== null) return Object.entries(range);
  throw new FunctionFault('no such overload');
}

const bool = (checker: Checker): CelType => checker.getType('bool');

/** A quantifier: how often the body holds decides. */
function quantifier(
  stop: (count: number, seen: number) => boolean,
  holds: (count: number, seen: number) => boolean,
): Comprehension {
  return {
    type: bool,
    lenient: true,
    begin() {
      let count = 0;
      let seen = 0;
      return {
        step(result) {
          seen++;
          if (result === true) count++;
        },
        done: () => stop(count, seen),
        end: () => holds(count, seen),
      };
    },
  };
}

const ALL = quantifier(
  (count, seen) => count < seen,
  (count, seen) => count === seen,
);
const EXISTS = quantifier(
  (count) => count > 0,
  (count) => count > 0,
);
const EXISTS_ONE = quantifier(
  (count) => count > 1,
  (count) => count === 1,
);
const TO_LIST: Comprehension = {
  type: (checker, body) => checker.registry.getListType(body),
  begin() {
    const list: unknown[] = [];
    return {
      step: (result, _, passed) => {
        if (passed) list.push(result);
      },
      done: () => false,
      end: () => list,
    };
  },
};
const TO_MAP: Comprehension = {
  type: (checker, body, range) =>
    checker.registry.getMapType(
      range.kind === 'list' ? checker.getType('int') : (range.keyType ?? checker.getType('dyn')),
      body,
    ),
  begin() {
    const map = new Map<unknown, unknown>();
    return {
      step: (result, key, passed) => {
        if (passed) map.set(key, result);
      },
      done: () => false,
      end: () => map,
    };
  },
};

/** Macros that the library lacks: over optionals, and over the pairs of lists and maps. */
export function registerMacros(environment: Environment): void {
  const macro = (signature: string, expand: (expansion: Expansion) => unknown): void => {
    environment.registerFunction(signature, expand as never);
  };
  macro('optional.optMap(ast, ast): optional<dyn>', overOptional(false));
  macro('optional.optFlatMap(ast, ast): optional<dyn>', overOptional(true));
  macro('list.all(ast, ast, ast): bool', overPairs(ALL, false));
  macro('list.exists(ast, ast, ast): bool', overPairs(EXISTS, false));
  macro('list.existsOne(ast, ast, ast): bool', overPairs(EXISTS_ONE, false));
  macro('list.transformList(ast, ast, ast): list<dyn>', overPairs(TO_LIST, false));
  macro('list.transformList(ast, ast, ast, ast): list<dyn>', overPairs(TO_LIST, true));
  macro('list.transformMap(ast, ast, ast): dyn', overPairs(TO_MAP, false));
  macro('list.transformMap(ast, ast, ast, ast): dyn', overPairs(TO_MAP, true));
}

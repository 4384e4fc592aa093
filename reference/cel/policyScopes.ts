import { type AdmissionVocabulary, admissionVariables } from './admissionVariables.ts';
import type { DeclaredField, DeclaredType } from './declaredType.ts';
import { DYN } from './declaredType.ts';
import { type Compiled, ExpressionScope } from './program.ts';

const PLAIN: Readonly<Record<string, DeclaredType>> = {
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  double: { kind: 'double' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' },
  'google.protobuf.Timestamp': { kind: 'timestamp' },
  'google.protobuf.Duration': { kind: 'duration' },
};

/** The type that a variable has which holds what a checked expression comes to; `dyn` for types of a scope's own. */
function typeOfName(name: string): DeclaredType {
  const plain = PLAIN[name];
  if (plain) return plain;
  const [, outer, inner = ''] = /^(list|optional)<(.+)>$/.exec(name) ?? [];
  if (outer === 'list') return { kind: 'list', items: typeOfName(inner) };
  if (outer === 'optional') return { kind: 'optional', value: typeOfName(inner) };
  const values = /^map<string, (.+)>$/.exec(name)?.[1];
  return values === undefined ? DYN : { kind: 'map', values: typeOfName(values) };
}

/** One variable of a policy, compiled; those before it are its `variables`. */
export interface CompiledVariable {
  readonly name: string;
  readonly compiled: Compiled;
  readonly scope: ExpressionScope;
}

/**
 * What the expressions of a policy speak of: a request, and the variables that the policy defines, each of which may
 * use those before it.
 */
export class PolicyScopes {
  readonly variables: CompiledVariable[] = [];
  readonly #base: ExpressionScope;
  readonly #withAuthorizer: ExpressionScope;
  readonly #fields = new Map<string, DeclaredField>();
  #former: ExpressionScope | undefined;
  #whole: ExpressionScope | undefined;
  #messages: ExpressionScope | undefined;

  constructor(vocabulary: AdmissionVocabulary) {
    this.#base = new ExpressionScope(admissionVariables(vocabulary));
    this.#withAuthorizer = new ExpressionScope({ authorizer: { kind: 'authorizer' } }, this.#base);
  }

  /** Compiles a variable and lets later expressions use it, with the type that it was found to have. */
  define(name: string, expression: string): Compiled {
    // A scope is made anew for what may use the variables before it; for others, any will do.
    const scope = expression.includes('variables') ? this.scope : (this.#former ?? this.scope);
    const compiled = scope.compile(expression, 'dyn');
    this.variables.push({ name, compiled, scope });
    const type = typeOfName('program' in compiled ? compiled.program.type : 'dyn');
    this.#fields.set(name, { type, source: name });
    this.#former = scope;
    this.#whole = undefined;
    this.#messages = undefined;
    return compiled;
  }

  /** Of everything but messages. */
  get scope(): ExpressionScope {
    this.#whole ??= this.#with(this.#withAuthorizer);
    return this.#whole;
  }

  /** Of messages, which cannot ask the authorizer. */
  get messageScope(): ExpressionScope {
    this.#messages ??= this.#with(this.#base);
    return this.#messages;
  }

  #with(base: ExpressionScope): ExpressionScope {
    const variables: DeclaredType = { kind: 'object', name: 'kubernetes.variables', fields: new Map(this.#fields) };
    return new ExpressionScope({ variables }, base);
  }
}

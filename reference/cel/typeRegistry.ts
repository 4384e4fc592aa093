import type { Environment } from '@marcbachmann/cel-js';
import type { DeclaredType } from './declaredType.ts';
import { sameValue } from './equality.ts';
import { REQUEST_AUTHORIZER } from './libraries/authorizer.ts';
import { Message } from './message.ts';

export type ObjectType = Extract<DeclaredType, { kind: 'object' }>;

const PLAIN: Partial<Record<DeclaredType['kind'], string>> = {
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  authorizer: REQUEST_AUTHORIZER,
};

/** Makes the object types of an environment known to the checker, each under a name of its own. */
export class TypeRegistry {
  readonly #environment: Environment;
  readonly #names: Map<ObjectType, string>;
  readonly #classes: Map<ObjectType, new () => Message>;

  /** @param known of an environment from which this one was made: its types are the same here */
  constructor(environment: Environment, known?: TypeRegistry) {
    this.#environment = environment;
    this.#names = new Map(known ? known.#names : []);
    this.#classes = new Map(known ? known.#classes : []);
  }

  /** The name of a type as signatures have it; object types are registered on the way, inner ones first. */
  nameOf(type: DeclaredType): string {
    switch (type.kind) {
      case 'list':
        return `list<${this.nameOf(type.items)}>`;
      case 'map':
        return `map<string, ${this.nameOf(type.values)}>`;
      case 'optional':
        return `optional<${this.nameOf(type.value)}>`;
      case 'object':
        return this.#names.get(type) ?? this.#register(type);
      default:
        return PLAIN[type.kind] ?? type.kind;
    }
  }

  /** The class of the instances of an object type. */
  classOf(type: ObjectType): new () => Message {
    this.nameOf(type);
    return this.#classes.get(type) as new () => Message;
  }

  #register(type: ObjectType): string {
    const fields: Record<string, string> = {};
    for (const [name, field] of type.fields) fields[name] = this.nameOf(field.type);
    const name = type.name ?? `object.t${this.#names.size}`;
    const ctor = class extends Message {};
    this.#names.set(type, name);
    this.#classes.set(type, ctor);
    this.#environment.registerType(name, { ctor, fields });
    this.#environment.registerOperator(`${name} == ${name}`, (a: Message, b: Message) => sameValue(a, b));
    this.#environment.registerOperator(`${name} == null`, () => false);
    return name;
  }
}

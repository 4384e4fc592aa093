import type { Json } from '../../../api/json.ts';
import type { ValidationRule } from '../../../schema/schema.ts';

/** One level of the schema of a custom type, as its definition has it; combinators and fields are nodes again. */
export interface SchemaNode {
  /** Empty where the definition says none. */
  readonly type: string;
  readonly format: string;
  readonly title: string;
  readonly description: string;
  readonly nullable: boolean;
  readonly default: Json | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  readonly items: SchemaNode | undefined;
  /** True or false where the definition says so without a schema. */
  readonly additional: SchemaNode | boolean | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** Undefined where nothing is said: `false` is a fault of the definition. */
  readonly preserveUnknown: boolean | undefined;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
  /** Names of parts that schemas of custom types may not have: `$ref`, `definitions`, several `items`. */
  readonly refused: ReadonlySet<RefusedPart>;
}

export type RefusedPart =
  | 'id'
  | 'additionalItems'
  | 'patternProperties'
  | 'definitions'
  | 'dependencies'
  | '$ref'
  | 'itemsArray'
  | 'externalDocs'
  | 'example'
  | '$schema';

/** Visits a node and everything below it. */
export function* nodesOf(root: SchemaNode): Generator<SchemaNode> {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    for (const list of [node.allOf, node.anyOf, node.oneOf, node.properties?.values() ?? []]) {
      for (const inner of list) waiting.push(inner);
    }
    if (node.items) waiting.push(node.items);
    if (node.not) waiting.push(node.not);
    if (typeof node.additional === 'object') waiting.push(node.additional);
  }
}

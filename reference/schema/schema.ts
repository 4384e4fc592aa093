import type { Json } from '../api/json.ts';

/**
 * The shape of a value: one model for built-in and custom types, read by decoding, pruning, defaulting,
 * validation, merging, field ownership, Protobuf and OpenAPI alike. Schemas may be cyclic; `fields` and `items`
 * of built-in types are getters that resolve on first use.
 */
export type Schema = ScalarSchema | ObjectSchema | MapSchema | ListSchema | UntypedSchema;

interface Common {
  /** Applied when the field is absent. */
  readonly default?: Json;
  /** An explicit null is kept (custom types); otherwise null counts as absent. */
  readonly nullable?: boolean;
  readonly description?: string;
  /** Further conditions on values (custom types): bounds, patterns, combinators, CEL rules. */
  readonly rules?: ValueRules;
}

export interface ScalarSchema extends Common {
  readonly kind: 'scalar';
  readonly type: ScalarType;
}
/**
 * `bytes` is base64 text. `quantity` and `intOrString` accept a number or text. `time` is RFC 3339 with whole
 * seconds, `microTime` with microseconds; `duration` is text such as `30s`.
 */
export type ScalarType =
  | 'string'
  | 'bytes'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration';

/** An object with named fields. */
export interface ObjectSchema extends Common {
  readonly kind: 'object';
  /** Name of the message, for built-in types: `core.v1.PodSpec`. */
  readonly name?: string;
  /** In the order in which they are written on the wire. */
  readonly fields: ReadonlyMap<string, Field>;
  /** `atomic`: replaced whole, one owner (1/merge-annotations-on-fields/t1.4). */
  readonly mapType: 'granular' | 'atomic';
  /** Fields outside `fields` are kept; their values follow `additional` where given, else they are untyped. */
  readonly preserveUnknown?: boolean;
  /** A complete object with apiVersion, kind and metadata of its own inside another one (custom types). */
  readonly embedded?: boolean;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /**
   * What decoding does with an empty value. `always`: written even when absent, as the empty value of its type.
   * `nonEmpty`: an empty value is the same as none and is dropped. `explicit`: whatever was given is kept, so
   * that `0` and `false` differ from absent.
   */
  readonly presence: 'always' | 'nonEmpty' | 'explicit';
  /** Field number in the Protobuf message; undefined for types that have none. */
  readonly number?: number | undefined;
  /**
   * Numbers of the messages around this one in Protobuf, outermost first, where JSON has the field one or more
   * levels higher up than Protobuf has (the sources of a volume).
   */
  readonly within?: readonly number[];
  /** First release (minor of release 1) in which the field exists; undefined: all. */
  readonly since?: number;
  /** The strategic merge strategies of the field, and the key of `merge` on a list of objects. */
  readonly patch?: { readonly strategies: readonly ('merge' | 'replace' | 'retainKeys')[]; readonly mergeKey?: string };
}

/** Names to values, all of one schema. */
export interface MapSchema extends Common {
  readonly kind: 'map';
  readonly values: Schema;
  readonly mapType: 'granular' | 'atomic';
}

export interface ListSchema extends Common {
  readonly kind: 'list';
  readonly items: Schema;
  /** 1/merge-annotations-on-fields/t1.1; a list without a marker is atomic. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** Names of the fields that identify an item; empty unless listType is `map`. */
  readonly keys: readonly string[];
}

/** Anything: an embedded object of unknown type, or a subtree that opted out of pruning. */
export interface UntypedSchema extends Common {
  readonly kind: 'untyped';
  /** Lists below are atomic and objects granular unless this says that all of it is one value. */
  readonly mapType: 'granular' | 'atomic';
  /** Decoding takes a value of one of these shapes only; everything else treats it as untyped. */
  readonly forms?: readonly Schema[];
}

/** Conditions on values, of custom types; built by the CustomResourceDefinition's schema. */
export interface ValueRules {
  readonly enum?: readonly Json[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  /** Names that must be present, even where no field of the schema has them. */
  readonly required?: readonly string[] | undefined;
  readonly allOf?: readonly ValueRules[] | undefined;
  readonly anyOf?: readonly ValueRules[] | undefined;
  readonly oneOf?: readonly ValueRules[] | undefined;
  readonly not?: ValueRules | undefined;
  /** Inside combinators: conditions on fields, items and map values. */
  readonly properties?: ReadonlyMap<string, ValueRules> | undefined;
  readonly items?: ValueRules | undefined;
  readonly additionalProperties?: ValueRules | undefined;
  readonly expressions?: readonly ValidationRule[] | undefined;
}
/** One CEL rule of a custom type (`x-<vendor>-validations`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

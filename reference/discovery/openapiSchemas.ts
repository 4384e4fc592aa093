import { type Dialect, extensionName } from '../../fixtures/dialects/dialect.ts';
import type { Json, JsonObject } from '../api/json.ts';
import { setMember } from '../api/json.ts';
import { metaType } from '../schema/metaTypes.ts';
import type { Field, ListSchema, ObjectSchema, ScalarType, Schema } from '../schema/schema.ts';
import { COMMON, describeField } from './openapiDescriptions.ts';
import { definitionName, packageName, SCALAR_NAMES } from './openapiNames.ts';
import { ruleKeywords } from './openapiRules.ts';

/** `v2`: Swagger 2.0, which has no unions; `v3`: OpenAPI 3.0. */
export type Flavor = 'v2' | 'v3';

/**
 * Writes schemas in OpenAPI. Named types become definitions that others refer to; what was referred to is
 * collected until asked for.
 */
export class SchemaWriter {
  readonly flavor: Flavor;
  readonly dialect: Dialect;
  readonly definitions = new Map<string, JsonObject>();
  readonly #pending: (() => void)[] = [];

  constructor(flavor: Flavor, dialect: Dialect) {
    this.flavor = flavor;
    this.dialect = dialect;
  }

  /** A reference to a definition by its name. */
  reference(name: string): JsonObject {
    return { $ref: `${this.flavor === 'v2' ? '#/definitions/' : '#/components/schemas/'}${name}` };
  }

  /** Adds a definition unless it is there; `make` runs later, so that types may refer to themselves. */
  define(name: string, make: () => JsonObject): JsonObject {
    if (!this.definitions.has(name)) {
      const definition: JsonObject = {};
      this.definitions.set(name, definition);
      this.#pending.push(() => Object.assign(definition, make()));
    }
    return this.reference(name);
  }

  /** Completes what was referred to, and what that refers to. */
  complete(): void {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) next();
  }

  /**
   * A value of a built-in type.
   * @param owner name of the type whose field it is: what an untyped value is called depends on it
   */
  write(schema: Schema, owner = ''): JsonObject {
    switch (schema.kind) {
      case 'scalar':
        return this.#scalar(schema.type);
      case 'untyped':
        return schema.forms || owner.startsWith('apiextensions.') ? {} : this.#raw(owner);
      case 'list':
        return { type: 'array', items: this.#item(schema.items, owner), ...this.#listMarkers(schema) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#item(schema.values, owner),
          ...(schema.mapType === 'atomic' ? { [this.extension('map-type')]: 'atomic' } : {}),
        };
      case 'object':
        return schema.name === undefined ? this.object(schema) : this.named(schema, schema.name);
    }
  }

  /** A reference to a named built-in type. */
  named(schema: ObjectSchema, name: string, more: JsonObject = {}): JsonObject {
    return this.define(definitionName(this.dialect, name), () => ({ ...this.object(schema), ...more }));
  }

  /** The members of a built-in type. */
  object(schema: ObjectSchema): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    for (const field of schema.fields.values()) {
      setMember(properties, field.name, this.#field(field, schema));
      if (field.required) required.push(field.name);
    }
    return {
      ...(schema.description ? { description: schema.description } : {}),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(schema.fields.size > 0 ? { properties } : {}),
      ...(schema.mapType === 'atomic' ? { [this.extension('map-type')]: 'atomic' } : {}),
    };
  }

  /** An untyped value: the record of fields that somebody owns, or an object of some type. */
  #raw(owner: string): JsonObject {
    const name = owner === 'meta.v1.ManagedFieldsEntry' ? SCALAR_NAMES.fields : SCALAR_NAMES.raw;
    return this.define(packageName(this.dialect, name), () => ({ type: 'object' }));
  }

  extension(suffix: string): string {
    return extensionName(this.dialect, suffix);
  }

  /** What every object of a type made from a definition has. */
  objectFields(): JsonObject {
    const objectMeta = this.named(metaType('meta.v1.ObjectMeta'), 'meta.v1.ObjectMeta');
    return {
      apiVersion: { description: COMMON.apiVersion, type: 'string' },
      kind: { description: COMMON.kind, type: 'string' },
      metadata: {
        description: COMMON.metadata,
        ...(this.flavor === 'v3' ? { allOf: [objectMeta] } : objectMeta),
      },
    };
  }

  #field(field: Field, owner: ObjectSchema): JsonObject {
    const { schema, patch } = field;
    const value = this.write(schema, owner.name);
    const extra: JsonObject = {};
    const description = schema.description ?? describeField(owner, field);
    if (description && !value.description) extra.description = description;
    const standard = schema.default ?? (field.presence === 'always' ? emptyDefault(schema) : undefined);
    if (standard !== undefined && this.flavor === 'v3') extra.default = standard;
    if (patch) {
      extra[this.extension('patch-strategy')] = patch.strategies.join(',');
      if (patch.mergeKey) extra[this.extension('patch-merge-key')] = patch.mergeKey;
    }
    // Beside a reference nothing counts in OpenAPI 3.0.
    if (value.$ref !== undefined && Object.keys(extra).length > 0 && this.flavor === 'v3') {
      return { ...extra, allOf: [value] };
    }
    return { ...value, ...extra };
  }

  #item(schema: Schema, owner: string): JsonObject {
    const value = this.write(schema, owner);
    const standard = schema.kind === 'object' ? {} : schema.kind === 'scalar' ? emptyDefault(schema) : undefined;
    if (this.flavor === 'v2' || standard === undefined) return value;
    return value.$ref === undefined ? { ...value, default: standard } : { default: standard, allOf: [value] };
  }

  #listMarkers({ listType, keys }: ListSchema): JsonObject {
    return {
      [this.extension('list-type')]: listType,
      ...(keys.length > 0 ? { [this.extension('list-map-keys')]: [...keys] } : {}),
    };
  }

  #scalar(type: ScalarType): JsonObject {
    const plain = PLAIN[type];
    if (plain) return { ...plain };
    const name = packageName(this.dialect, SCALAR_NAMES[type as keyof typeof SCALAR_NAMES]);
    return this.define(name, () => ({ ...(this.flavor === 'v2' ? NAMED_V2 : NAMED_V3)[type] }));
  }

  /** A value of a type made from a definition; everything stands inline. */
  custom(schema: Schema): JsonObject {
    const { rules, description, nullable } = schema;
    // What may be null has no type in v2.
    if (nullable && this.flavor === 'v2') return description ? { description } : {};
    const described: JsonObject = {
      ...(description ? { description } : {}),
      ...this.#customType(schema),
      ...(schema.default === undefined || this.flavor === 'v2' ? {} : { default: schema.default }),
      ...(nullable && this.flavor === 'v3' ? { nullable: true } : {}),
    };
    return rules ? { ...described, ...ruleKeywords(rules, this) } : described;
  }

  #customType(schema: Schema): JsonObject {
    switch (schema.kind) {
      case 'scalar':
        if (schema.type !== 'intOrString') return withoutFormat(PLAIN[schema.type] ?? NAMED_V2[schema.type] ?? {});
        return { [this.extension('int-or-string')]: true };
      case 'untyped':
        return { [this.extension('preserve-unknown-fields')]: true };
      case 'list':
        return { type: 'array', items: this.custom(schema.items), ...this.#customMarkers(schema) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.custom(schema.values),
          ...(schema.mapType === 'atomic' ? { [this.extension('map-type')]: 'atomic' } : {}),
        };
      case 'object':
        return this.customObject(schema);
    }
  }

  /** Lists of custom types say only what their definition says; atomic is what silence means. */
  #customMarkers(schema: ListSchema): JsonObject {
    return schema.listType === 'atomic' ? {} : this.#listMarkers(schema);
  }

  /** The members of a type made from a definition. */
  customObject(schema: ObjectSchema): JsonObject {
    const properties: JsonObject = {};
    const required = new Set<string>(schema.rules?.required ?? []);
    // A client of v2 takes a type with members for one that has no others.
    const open = this.flavor === 'v2' && schema.preserveUnknown;
    for (const field of open ? [] : schema.fields.values()) {
      setMember(properties, field.name, this.custom(field.schema));
      if (field.required) required.add(field.name);
    }
    if (schema.embedded && !open) Object.assign(properties, this.objectFields());
    return {
      type: 'object',
      ...(required.size > 0 ? { required: [...required] } : {}),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(schema.preserveUnknown ? { [this.extension('preserve-unknown-fields')]: true } : {}),
      ...(schema.embedded ? { [this.extension('embedded-resource')]: true } : {}),
      ...(schema.mapType === 'atomic' ? { [this.extension('map-type')]: 'atomic' } : {}),
    };
  }
}

/** Custom types have the formats that their definition names, and no others. */
function withoutFormat({ format: _, ...type }: JsonObject): JsonObject {
  return type;
}

const PLAIN: Partial<Record<ScalarType, JsonObject>> = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
};
const INSTANT: JsonObject = { type: 'string', format: 'date-time' };
const NAMED_V2: Partial<Record<ScalarType, JsonObject>> = {
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  time: INSTANT,
  microTime: INSTANT,
  duration: { type: 'string' },
};
const NAMED_V3: Partial<Record<ScalarType, JsonObject>> = {
  ...NAMED_V2,
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

/** The value of a field that is always written, when nobody set it. */
function emptyDefault(schema: Schema): Json | undefined {
  if (schema.kind === 'object') return {};
  if (schema.kind !== 'scalar') return undefined;
  if (schema.type === 'string') return '';
  if (schema.type === 'boolean') return false;
  return schema.type === 'int32' || schema.type === 'int64' || schema.type === 'double' ? 0 : undefined;
}

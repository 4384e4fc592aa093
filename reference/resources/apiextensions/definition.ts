import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { equalInParts } from '../../api/longJson.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { atOnce, type Staged } from '../../api/staged.ts';
import { readSchemaInParts } from '../custom/schema/readSchema.ts';
import type { SchemaNode } from '../custom/schema/schemaNode.ts';

/** A definition of a custom type, read out of the object that clients write. */
export interface Definition {
  readonly name: string;
  readonly uid: string;
  readonly group: string;
  readonly scope: string;
  readonly names: Names;
  readonly versions: readonly DefinedVersion[];
  readonly conversion: Conversion | undefined;
  readonly preserveUnknownFields: boolean;
}
export interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}
export interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly schema: SchemaNode | undefined;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly columns: readonly DefinedColumn[];
  /** JSON paths. */
  readonly selectable: readonly string[];
  /** The parts as written, to tell whether versions differ and for messages. */
  readonly written: {
    readonly schema: JsonObject | undefined;
    readonly subresources: JsonObject | undefined;
    readonly columns: readonly JsonObject[];
    readonly selectable: readonly JsonObject[];
  };
}
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  readonly selector: string | undefined;
}
export interface DefinedColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}
export interface Conversion {
  readonly strategy: string;
  /** Undefined where the definition names no webhook. */
  readonly webhook:
    | { readonly clientConfig: JsonObject | undefined; readonly reviewVersions: readonly string[] }
    | undefined;
}

/**
 * Reads a definition; decoding has proved the types of its parts.
 * @param before the definition as it was: schemas that are the same are those of before, and not read again
 */
export function readDefinition(object: ApiObject, dialect: Dialect, before?: Definition): Definition {
  return atOnce(readDefinitionInParts(object, dialect, before));
}

/** The same, with turns for others meanwhile where it is large. */
export function* readDefinitionInParts(object: ApiObject, dialect: Dialect, before?: Definition): Staged<Definition> {
  const spec = objectOf(object.spec);
  const versions: DefinedVersion[] = [];
  for (const version of objectsOf(spec.versions)) {
    const same = before?.versions.find(({ name }) => name === version.name);
    versions.push(yield* readVersion(version, dialect, same));
  }
  return {
    name: object.metadata.name ?? '',
    uid: object.metadata.uid ?? '',
    ...readNaming(object),
    scope: textOf(spec.scope),
    versions,
    conversion: isObject(spec.conversion) ? readConversion(spec.conversion) : undefined,
    preserveUnknownFields: spec.preserveUnknownFields === true,
  };
}

/** Under which names a definition wants its type to be served: all that most need to know of it. */
export function readNaming(object: ApiObject): Pick<Definition, 'group' | 'names'> {
  const spec = objectOf(object.spec);
  return { group: textOf(spec.group), names: readNames(objectOf(spec.names)) };
}

export function readNames(names: JsonObject): Names {
  return {
    plural: textOf(names.plural),
    singular: textOf(names.singular),
    kind: textOf(names.kind),
    listKind: textOf(names.listKind),
    shortNames: textsOf(names.shortNames),
    categories: textsOf(names.categories),
  };
}

/** Schemas as they were read, by what was read: definitions in the store are read again and again. */
const schemas = new WeakMap<JsonObject, SchemaNode>();

function* schemaOf(json: JsonObject, dialect: Dialect, before: DefinedVersion | undefined): Staged<SchemaNode> {
  let schema = schemas.get(json);
  if (!schema) {
    const old = schemaIn(before?.written.schema);
    const same = before?.schema && (yield* equalInParts(json, old)) ? before.schema : undefined;
    schema = same ?? (yield* readSchemaInParts(json, dialect));
    schemas.set(json, schema);
  }
  return schema;
}

function schemaIn(part: Json | undefined): JsonObject | undefined {
  const schema = objectOf(part).openAPIV3Schema;
  return isObject(schema) ? schema : undefined;
}

function* readVersion(
  version: JsonObject,
  dialect: Dialect,
  before: DefinedVersion | undefined,
): Staged<DefinedVersion> {
  const schema = schemaIn(version.schema);
  const subresources = isObject(version.subresources) ? version.subresources : undefined;
  const scale = subresources?.scale;
  const columns = objectsOf(version.additionalPrinterColumns);
  const selectable = objectsOf(version.selectableFields);
  const { deprecationWarning } = version;
  return {
    name: textOf(version.name),
    served: version.served === true,
    storage: version.storage === true,
    deprecated: version.deprecated === true,
    deprecationWarning: typeof deprecationWarning === 'string' ? deprecationWarning : undefined,
    schema: schema && (yield* schemaOf(schema, dialect, before)),
    hasStatus: isObject(subresources?.status),
    scale: isObject(scale) ? readScale(scale) : undefined,
    columns: columns.map(readColumn),
    selectable: selectable.map((one) => textOf(one.jsonPath)),
    written: { schema: isObject(version.schema) ? version.schema : undefined, subresources, columns, selectable },
  };
}

function readScale(scale: JsonObject): ScalePaths {
  const { labelSelectorPath } = scale;
  return {
    spec: textOf(scale.specReplicasPath),
    status: textOf(scale.statusReplicasPath),
    selector: typeof labelSelectorPath === 'string' ? labelSelectorPath : undefined,
  };
}

function readColumn(column: JsonObject): DefinedColumn {
  return {
    name: textOf(column.name),
    type: textOf(column.type),
    format: textOf(column.format),
    description: textOf(column.description),
    priority: numberOf(column.priority) ?? 0,
    jsonPath: textOf(column.jsonPath),
  };
}

function readConversion(conversion: JsonObject): Conversion {
  const { webhook } = conversion;
  if (!isObject(webhook)) return { strategy: textOf(conversion.strategy), webhook: undefined };
  return {
    strategy: textOf(conversion.strategy),
    webhook: {
      clientConfig: isObject(webhook.clientConfig) ? webhook.clientConfig : undefined,
      reviewVersions: textsOf(webhook.conversionReviewVersions),
    },
  };
}

/** The status of a condition of a definition: `True`, `False`, or undefined where it is not told. */
export function conditionOf(object: ApiObject, type: string): string | undefined {
  const condition = objectsOf(objectOf(asJson(object).status).conditions).find((one) => one.type === type);
  return condition && textOf(condition.status);
}

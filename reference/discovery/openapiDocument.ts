import { type Dialect, protobufMediaType } from '../../fixtures/dialects/dialect.ts';
import type { GroupVersionKind } from '../api/groupVersion.ts';
import { type Json, type JsonObject, setMember } from '../api/json.ts';
import { objectOf } from '../api/parts.ts';
import { formatRelease, type Release } from '../contracts/release.ts';
import type { Subresource } from '../contracts/resourceType.ts';
import { metaType } from '../schema/metaTypes.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { compareText, type ServedResource } from './groups.ts';
import { COMMON } from './openapiDescriptions.ts';
import { customName, definitionName } from './openapiNames.ts';
import { pathsOf, type SchemaSource } from './openapiPaths.ts';
import { type Flavor, SchemaWriter } from './openapiSchemas.ts';

/** Paths and schemas of some resources in OpenAPI, complete in itself. */
export function openapiDocument(
  resources: readonly ServedResource[],
  flavor: Flavor,
  dialect: Dialect,
  release: Release,
): JsonObject {
  const writer = new SchemaWriter(flavor, dialect);
  const source = sourceOf(writer);
  const paths = new Map<string, JsonObject>();
  for (const served of resources) {
    const forType = { ...source, protobuf: served.type.custom ? undefined : protobufMediaType(dialect) };
    for (const [path, item] of pathsOf(served, forType)) paths.set(path, item);
  }
  writer.complete();
  const info = { title: 'Kubernetes', version: `v${formatRelease(release)}.0` };
  const security = { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' };
  if (flavor === 'v2') {
    return {
      swagger: '2.0',
      info,
      paths: sorted(paths),
      definitions: sorted(writer.definitions),
      securityDefinitions: { BearerToken: security },
      security: [{ BearerToken: [] }],
    };
  }
  return {
    openapi: '3.0.0',
    info,
    paths: sorted(paths),
    components: { schemas: sorted(writer.definitions), securitySchemes: { BearerToken: security } },
  };
}

function sorted(members: ReadonlyMap<string, JsonObject>): JsonObject {
  const object: JsonObject = {};
  for (const name of [...members.keys()].sort(compareText)) setMember(object, name, members.get(name) as Json);
  return object;
}

function sourceOf(writer: SchemaWriter): SchemaSource {
  return {
    flavor: writer.flavor,
    gvkExtension: writer.extension('group-version-kind'),
    actionExtension: writer.extension('action'),
    protobuf: undefined,
    object: (kind, served, subresource) => kindObject(writer, kind, served, subresource),
    list: (served) => listOf(writer, served),
    meta: (name) =>
      name === 'Patch'
        ? writer.define(definitionName(writer.dialect, 'meta.v1.Patch'), () => ({ type: 'object' }))
        : writer.named(
            metaType(`meta.v1.${name}`),
            `meta.v1.${name}`,
            kinds(writer, [{ group: '', version: 'v1', kind: name }]),
          ),
  };
}

function kinds(writer: SchemaWriter, gvks: readonly GroupVersionKind[]): JsonObject {
  const listed = gvks.map(({ group, kind, version }) => ({ group, kind, version }));
  return { [writer.extension('group-version-kind')]: listed };
}

function kindObject(
  writer: SchemaWriter,
  kind: GroupVersionKind,
  served: ServedResource,
  subresource: Subresource | undefined,
): JsonObject {
  const { type, version } = served;
  if (kind.kind === type.kind && kind.group === type.group) return ownObject(writer, served);
  const schema = subresource?.form === 'operation' ? subresource.schema : scaleSchema(kind);
  if (!schema) return { type: 'object' };
  const name =
    schema.name ?? `${kind.group === '' ? 'core' : kind.group.split('.')[0]}.${version.version}.${kind.kind}`;
  return writer.named(schema, name, kinds(writer, [kind]));
}

function scaleSchema(kind: GroupVersionKind): ObjectSchema | undefined {
  return kind.kind === 'Scale' ? metaType(`${kind.group}.${kind.version}.Scale`) : undefined;
}

function ownObject(writer: SchemaWriter, { type, version }: ServedResource): JsonObject {
  const gvk = { group: type.group, version: version.version, kind: type.kind };
  if (!type.custom) {
    return writer.named(
      version.schema,
      version.schema.name ?? `${type.group}.${version.version}.${type.kind}`,
      kinds(writer, [gvk]),
    );
  }
  return writer.define(customName(type.group, version.version, type.kind), () => {
    // A client of v2 takes a type with members for one that has no others.
    if (writer.flavor === 'v2' && version.schema.preserveUnknown) return { type: 'object', ...kinds(writer, [gvk]) };
    const object = writer.custom(version.schema);
    return {
      ...object,
      properties: { ...objectOf(object.properties), ...writer.objectFields() },
      ...kinds(writer, [gvk]),
    };
  });
}

function listOf(writer: SchemaWriter, served: ServedResource): JsonObject {
  const { type, version } = served;
  const gvk = { group: type.group, version: version.version, kind: type.listKind };
  const own = version.schema.name;
  const name =
    type.custom || own === undefined
      ? customName(type.group, version.version, type.listKind)
      : definitionName(writer.dialect, `${own.slice(0, own.lastIndexOf('.'))}.${type.listKind}`);
  return writer.define(name, () => {
    const listMeta = writer.named(metaType('meta.v1.ListMeta'), 'meta.v1.ListMeta');
    return {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { description: COMMON.apiVersion, type: 'string' },
        items: { description: COMMON.items, type: 'array', items: ownObject(writer, served) },
        kind: { description: COMMON.kind, type: 'string' },
        metadata: {
          description: COMMON.metadata,
          ...(writer.flavor === 'v3' ? { default: {}, allOf: [listMeta] } : listMeta),
        },
      },
      ...kinds(writer, [gvk]),
    };
  });
}

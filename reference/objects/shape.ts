import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { formatApiVersion } from '../api/groupVersion.ts';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import { membersBySchema, sortedJson } from '../codecs/jsonBySchema.ts';
import { jsonInParts, membersInParts, TextPieces } from '../codecs/jsonInParts.ts';
import { quoteString } from '../codecs/jsonText.ts';
import type { Format } from '../codecs/negotiate.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType, TypeVersion } from '../contracts/resourceType.ts';
import { documentSchema, metaType } from '../schema/metaTypes.ts';
import type { ObjectSchema } from '../schema/schema.ts';

/** How objects of one kind and version are written, alone and in lists. */
export interface ObjectShape {
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly group: string;
  /** Undefined where nothing is known of the object but its JSON. */
  readonly schema: ObjectSchema | undefined;
  readonly custom: boolean;
  /** Whether items of lists carry kind and apiVersion; those of built-in types leave them to the list. */
  readonly typedItems: boolean;
  /** Numbers of metadata and items in the Protobuf message of the list. */
  readonly listNumbers: readonly [number, number];
  /** Whether JSON of this shape tells all of the object as it is stored. */
  readonly asStored: boolean;
  /** Brings a stored object into this kind and version; the argument is not changed. */
  readonly convert: (object: ApiObject) => ApiObject;
  /** Tell the encodings of an entry apart. */
  readonly names: EncodingNames;
}

/** Names under which an entry keeps its bytes in one shape: alone, and as an item of a list. */
export interface EncodingNames {
  readonly whole: Readonly<Record<Format, string>>;
  readonly item: Readonly<Record<Format, string>>;
}

function namesOf(shape: string): EncodingNames {
  const named = (prefix: string) => ({
    json: `${prefix}json ${shape}`,
    yaml: `${prefix}yaml ${shape}`,
    protobuf: `${prefix}protobuf ${shape}`,
    cbor: `${prefix}cbor ${shape}`,
  });
  return { whole: named(''), item: named('item ') };
}

const shapes = new WeakMap<TypeVersion, ObjectShape>();

/** The shape of the objects behind an endpoint. */
export function shapeOf({ type, version }: Endpoint): ObjectShape {
  let shape = shapes.get(version);
  if (!shape) {
    shape = makeShape(type, version);
    shapes.set(version, shape);
  }
  return shape;
}

function makeShape(type: ResourceType, version: TypeVersion): ObjectShape {
  const apiVersion = formatApiVersion({ group: type.group, version: version.version });
  const convert = version.fromStorage ?? ((object: ApiObject) => object);
  return {
    apiVersion,
    kind: type.kind,
    listKind: type.listKind,
    group: type.group,
    schema: version.schema,
    custom: type.custom,
    typedItems: type.custom,
    listNumbers: [1, 2],
    asStored: !type.custom && !type.storedAs && version.version === type.storageVersion && !version.fromStorage,
    convert: (object) => ({ ...convert(object), apiVersion, kind: type.kind }),
    names: namesOf(apiVersion),
  };
}

/** Groups with scales have no domain: the name of the type is their own. */
function scaleSchema(apiVersion: string): ObjectSchema {
  return metaType(`${apiVersion.replace('/', '.')}.Scale`);
}

const shownShapes = new WeakMap<TypeVersion, ObjectShape>();

/** The shape of objects that are in the version of the endpoint already. */
function shownShapeOf(endpoint: Endpoint, own: ObjectShape): ObjectShape {
  let shape = shownShapes.get(endpoint.version);
  if (!shape) {
    shape = { ...own, asStored: false, convert: unchanged };
    shownShapes.set(endpoint.version, shape);
  }
  return shape;
}

/**
 * The shape of an object that an endpoint answered, in its version and not as it is stored. It need not be of the type
 * of the endpoint: a scale, a Status, a review.
 */
export function shapeOfAnswer(endpoint: Endpoint, object: ApiObject): ObjectShape {
  const own = shapeOf(endpoint);
  if (object.kind === own.kind && object.apiVersion === own.apiVersion) return shownShapeOf(endpoint, own);
  const { subresource } = endpoint;
  const operation = subresource?.form === 'operation' && subresource.kind.kind === object.kind;
  const schema = operation
    ? subresource.schema
    : object.kind === 'Scale'
      ? scaleSchema(object.apiVersion)
      : documentSchema(object.kind);
  return { ...own, ...asIs(object, schema) };
}

function asIs({ apiVersion, kind }: ApiObject, schema: ObjectSchema | undefined) {
  return {
    apiVersion,
    kind,
    listKind: `${kind}List`,
    schema,
    custom: false,
    asStored: false,
    convert: unchanged,
    names: namesOf(`${apiVersion} ${kind}`),
  };
}
const unchanged = (object: ApiObject) => object;

const partials = new Map<string, ObjectShape>();

/** The shape of objects reduced to their metadata. */
export function partialShape(dialect: Dialect, version: string): ObjectShape {
  const apiVersion = formatApiVersion({ group: groupName(dialect, 'meta'), version });
  let shape = partials.get(apiVersion);
  if (!shape) {
    const kind = 'PartialObjectMetadata';
    shape = {
      apiVersion,
      kind,
      listKind: `${kind}List`,
      group: groupName(dialect, 'meta'),
      schema: metaType(`representations.${kind}`),
      custom: false,
      typedItems: true,
      asStored: false,
      listNumbers: version === 'v1beta1' ? [2, 1] : [1, 2],
      convert: ({ metadata }) => ({ kind, apiVersion, metadata }),
      names: namesOf(`partial ${apiVersion}`),
    };
    partials.set(apiVersion, shape);
  }
  return shape;
}

const NOTHING_KNOWN: ObjectSchema = { kind: 'object', fields: new Map(), mapType: 'granular' };

/** JSON text of a whole object of a shape: kind and apiVersion first, or all names sorted for custom types. */
export function objectText(shape: ObjectShape, object: ApiObject): string {
  if (shape.custom) return sortedJson(asJson(object));
  const lead = leadOf(shape);
  const rest = membersBySchema(asJson(object), shape.schema ?? NOTHING_KNOWN, true);
  return rest === '' ? `{${lead.slice(0, -1)}}` : `{${lead}${rest}}`;
}

/** The bytes of the same text, made with turns for others. */
export function* objectInParts(shape: ObjectShape, object: ApiObject, end: string): Staged<Uint8Array> {
  const out = new TextPieces();
  if (shape.custom) yield* jsonInParts(out, asJson(object), 'sorted');
  else {
    out.add(`{"kind":${quoteString(shape.kind)},"apiVersion":${quoteString(shape.apiVersion)}`);
    const { kind: _, apiVersion: __, ...rest } = asJson(object);
    if (Object.values(rest).some((value) => value !== undefined)) out.add(',');
    yield* membersInParts(out, rest, shape.schema ?? NOTHING_KNOWN);
    out.add('}');
  }
  out.add(end);
  return out.bytes();
}

/** How many characters of {@link objectText} an item of a list leaves out behind its first one. */
export function leftOutOfItems(shape: ObjectShape): number {
  return shape.typedItems ? 0 : leadOf(shape).length;
}

/** What an object of a built-in type with other members begins with, behind its brace. */
function leadOf(shape: ObjectShape): string {
  return `"kind":${quoteString(shape.kind)},"apiVersion":${quoteString(shape.apiVersion)},`;
}

/** An object as an item of a list, for the encodings that are not made from text. */
export function itemOf(shape: ObjectShape, object: ApiObject): JsonObject {
  const json = asJson(object);
  if (shape.typedItems) return json;
  const { apiVersion: _, kind: __, ...rest } = json;
  return rest;
}

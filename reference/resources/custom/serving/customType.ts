import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { compareVersions } from '../../../../fixtures/releases/versionNames.ts';
import { formatApiVersion } from '../../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject, member } from '../../../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../../../api/object.ts';
import type { Verb } from '../../../api/request.ts';
import { forbidden } from '../../../api/status.ts';
import type { Converter } from '../../../contracts/converter.ts';
import type { ResourceType, Strategy, Subresource, TypeVersion } from '../../../contracts/resourceType.ts';
import type { Store } from '../../../contracts/store.ts';
import type { ObjectSchema } from '../../../schema/schema.ts';
import type { DefinedVersion, Definition } from '../../apiextensions/definition.ts';
import { fieldAt } from '../schema/fieldPathSyntax.ts';
import { readSchema } from '../schema/readSchema.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { typedSchemaOf } from '../schema/typedSchema.ts';
import { decodeCustom, decodeCustomInParts, prunedCopy } from '../values/decode.ts';
import { columnsOf } from './columns.ts';
import { customStrategy, statusStrategy } from './customStrategy.ts';
import { VersionedStore } from './versionedStore.ts';

/** What a type is made with besides its definition. */
interface CustomTypeOptions {
  readonly dialect: Dialect;
  readonly converter: Converter;
  /** The definition is being deleted: nothing can be created any more. */
  readonly terminating: boolean;
}

const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PART_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * The resource type that a definition makes. Requests to a version see all of it in that version: schema, strategy and
 * store; `seenIn` gives that view.
 */
export function customTypeOf(definition: Definition, options: CustomTypeOptions): ResourceType {
  const maker = new Maker(definition, options);
  return { ...maker.view(maker.storage.name), seenIn: (version) => maker.view(version) };
}

class Maker {
  readonly storage: DefinedVersion;
  readonly #definition: Definition;
  readonly #options: CustomTypeOptions;
  readonly #schemas: ReadonlyMap<string, SchemaNode>;
  readonly #versions: readonly DefinedVersion[];
  readonly #views = new Map<string, ResourceType>();

  constructor(definition: Definition, options: CustomTypeOptions) {
    this.#definition = definition;
    this.#options = options;
    // What a version without a schema holds is anybody's guess, so that nothing is pruned.
    const open = readSchema(
      { type: 'object', [`x-${options.dialect.vendor}-preserve-unknown-fields`]: true },
      options.dialect,
    );
    // Where unknown fields are kept nothing is pruned either, though values are held to the schema.
    const keepsAll = definition.preserveUnknownFields;
    this.#schemas = new Map(
      definition.versions.map(({ name, schema }) => [name, (keepsAll ? undefined : schema) ?? open]),
    );
    this.#versions = [...definition.versions].sort((a, b) => compareVersions(a.name, b.name));
    this.storage = definition.versions.find(({ storage }) => storage) ?? (definition.versions[0] as DefinedVersion);
  }

  view(name: string): ResourceType {
    let type = this.#views.get(name);
    if (!type) {
      type = this.#make(this.#versions.find((version) => version.name === name) ?? this.storage);
      this.#views.set(name, type);
    }
    return type;
  }

  #make(own: DefinedVersion): ResourceType {
    const { group, names, scope } = this.#definition;
    const schema = this.#schemas.get(own.name) as SchemaNode;
    return {
      group,
      resource: names.plural,
      singular: names.singular,
      kind: names.kind,
      listKind: names.listKind,
      namespaced: scope === 'Namespaced',
      shortNames: names.shortNames,
      categories: names.categories,
      versions: new Map(this.#versions.map((version) => [version.name, this.#version(version, own)])),
      storageVersion: own.name,
      strategy: this.#strategy(own, own.schema ?? schema),
      custom: true,
    };
  }

  #strategy(version: DefinedVersion, schema: SchemaNode): Strategy {
    const strategy = customStrategy(version, schema);
    if (!this.#options.terminating) return strategy;
    const { group, names } = this.#definition;
    return {
      ...strategy,
      prepareForCreate({ metadata }) {
        const why = 'create not allowed while custom resource definition is terminating';
        throw forbidden({ group, resource: names.plural }, metadata.name ?? '', why);
      },
    };
  }

  /** A version in the view of another one. */
  #version(version: DefinedVersion, own: DefinedVersion): TypeVersion {
    const { names } = this.#definition;
    const schema = this.#schemas.get(version.name) as SchemaNode;
    const deprecation = this.#deprecation(version);
    let typed: ObjectSchema | undefined;
    return {
      version: version.name,
      served: version.served,
      verbs: VERBS,
      // Made when somebody reads it: a write of the definition waits for the type, and not for that.
      get schema() {
        typed ??= typedSchemaOf(schema);
        return typed;
      },
      subresources: subresourcesOf(version, schema),
      columns: columnsOf(version.columns),
      decode: (json) => decodeCustom(json, schema, names.kind, version.name),
      decodeInParts: (json) => decodeCustomInParts(json, schema, names.kind, version.name),
      ...(deprecation ? { deprecation: { warning: deprecation } } : {}),
      selectableFields: selectableFieldsOf(version.selectable, schema),
      ...(version === own
        ? { store: this.#storeOf(version) }
        : {
            toStorage: this.#renamed(own.name),
            fromStorage: this.#renamed(version.name),
            ...this.#asked(version.name, own.name),
          }),
    };
  }

  /**
   * Another version inside a view, for ownership: the object under its name, without what its schema lacks. What a
   * webhook would make of it is not asked for there.
   */
  #renamed(version: string): (object: ApiObject) => ApiObject {
    const { group, conversion } = this.#definition;
    const apiVersion = formatApiVersion({ group, version });
    if (conversion?.strategy === 'Webhook') return (object) => ({ ...object, apiVersion });
    const schema = this.#schemas.get(version) as SchemaNode;
    return (object) => asApiObject({ ...prunedCopy(asJson(object), schema), apiVersion });
  }

  /** Conversion between another version and the one of the view, where a webhook makes it. */
  #asked(other: string, own: string): Pick<TypeVersion, 'asked'> {
    const { conversion } = this.#definition;
    if (conversion?.strategy !== 'Webhook') return {};
    return {
      asked: { toStorage: (object) => this.#ask(object, own), fromStorage: (object) => this.#ask(object, other) },
    };
  }

  async #ask(object: ApiObject, version: string): Promise<ApiObject> {
    const apiVersion = formatApiVersion({ group: this.#definition.group, version });
    const [converted] = await this.#options.converter.convert([asJson(object)], apiVersion);
    return asApiObject(prunedCopy(converted as JsonObject, this.#schemas.get(version) as SchemaNode));
  }

  /** One view of each store, so that what it has read is kept. */
  #storeOf(version: DefinedVersion): (store: Store) => Store {
    const { group } = this.#definition;
    const reading = {
      apiVersion: formatApiVersion({ group, version: version.name }),
      storedAs: formatApiVersion({ group, version: this.storage.name }),
      schemas: this.#schemas,
      converter: this.#options.converter,
    };
    const views = new WeakMap<Store, Store>();
    return (store) => {
      let view = views.get(store);
      if (!view) {
        view = new VersionedStore(store, reading);
        views.set(store, view);
      }
      return view;
    };
  }

  /** The warning of a deprecated version: its own, or one that names the best version to go to. */
  #deprecation({ name, deprecated, deprecationWarning }: DefinedVersion): string | undefined {
    if (!deprecated) return undefined;
    if (deprecationWarning !== undefined) return deprecationWarning;
    const { group, names } = this.#definition;
    const better = this.#versions.find(
      (version) => version.served && !version.deprecated && compareVersions(version.name, name) < 0,
    );
    const text = `${group}/${name} ${names.kind} is deprecated`;
    return better ? `${text}; use ${group}/${better.name} ${names.kind}` : text;
  }
}

function subresourcesOf(version: DefinedVersion, schema: SchemaNode): Subresource[] {
  const { hasStatus, scale } = version;
  const found: Subresource[] = [];
  if (hasStatus)
    found.push({ name: 'status', verbs: PART_VERBS, form: 'status', strategy: statusStrategy(version, schema) });
  if (scale) {
    const mapping = {
      specReplicas: scale.spec,
      statusReplicas: scale.status,
      ...(scale.selector ? { selector: scale.selector } : {}),
      required: true,
    };
    found.push({ name: 'scale', verbs: PART_VERBS, form: 'scale', scale: mapping });
  }
  return found;
}

/** What field selectors may ask for besides name and namespace: path without its first dot, and how to read it. */
function selectableFieldsOf(
  paths: readonly string[],
  schema: SchemaNode,
): ReadonlyMap<string, (object: ApiObject) => string> {
  const fields = new Map<string, (object: ApiObject) => string>();
  for (const text of paths) {
    const found = fieldAt(text, schema, { brackets: false });
    if ('fault' in found) continue;
    const names = found.steps.map(({ name }) => name);
    fields.set(text.replace(/^\./, ''), (object) => textAt(asJson(object), names));
  }
  return fields;
}

function textAt(object: Json, names: readonly string[]): string {
  let at: Json | undefined = object;
  for (const name of names) at = isObject(at) ? member(at, name) : undefined;
  return at === undefined || at === null || typeof at === 'object' ? '' : String(at);
}

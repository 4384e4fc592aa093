import type { Json } from '../api/json.ts';
import { scalarSchemas } from './scalars.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarType, Schema, UntypedSchema } from './schema.ts';

/*
 * The notation of built-in types. A type is a line with its name, then one indented line a field, in the order in
 * which fields are written on the wire:
 *
 *   PodSpec
 *     volumes 1 []Volume map(name) merge(name) retainKeys
 *     replicas 3 int32*
 *
 * Heading: `Name [kind] [atomic]`; `kind` stands for a complete object, which begins with kind and
 * apiVersion.
 *
 * Field: `name number type marker…`, number `-` where Protobuf has none. Types are the scalar types, `any`,
 * `[]T` a list, `{}T` names to T, `Name` of the same module, `group.version.Name` of another, and three unions of
 * JSON Schema (`propsOrArray`, `propsOrBool`, `propsOrStrings`). Behind the type `*` says that empty differs from
 * absent (presence explicit), `!` that the field is always written, `?` that it is always written, as null where it is
 * absent; otherwise an empty value counts as none.
 *
 * Markers: `required`, `set` and `map(key,…)` for lists (atomic without), `atomic` for maps and objects,
 * `merge`, `merge(key)`, `replace`, `retainKeys` for strategic merge, `default=JSON`, `in=N,…` for the Protobuf
 * messages around the field, `since=N` for the first release that has it.
 */

export interface NotationOptions {
  /** Minor of the release; fields that came later are left out. */
  readonly release: number;
  /** Stands where a field name has `{vendor}`. */
  readonly vendor: string;
}

/** The text of a module, or what makes it when its first type is asked for. */
export type ModuleText = string | (() => string);

/** Types by name, `core.v1.PodSpec`. Text is read when a type's fields are first asked for. */
export class TypeLibrary {
  readonly #sources: ReadonlyMap<string, ModuleText>;
  readonly #options: NotationOptions;
  readonly #modules = new Map<string, Map<string, Heading>>();
  readonly #types = new Map<string, ObjectSchema>();

  /** @param sources module name, `core.v1`, to text in the notation. */
  constructor(sources: ReadonlyMap<string, ModuleText>, options: NotationOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  /** The type of this name; undefined when there is none. */
  find(name: string): ObjectSchema | undefined {
    const known = this.#types.get(name);
    if (known) return known;
    const dot = name.lastIndexOf('.');
    const module = name.slice(0, dot);
    const heading = this.#module(module)?.get(name.slice(dot + 1));
    if (!heading) return undefined;
    const schema = this.#lazy(name, module, heading);
    this.#types.set(name, schema);
    return schema;
  }

  /** As find. @throws Error for a name that does not exist: a fault of the data. */
  type(name: string): ObjectSchema {
    const schema = this.find(name);
    if (!schema) throw new Error(`no type ${name}`);
    return schema;
  }

  /** Names of the types of a module, in the order of the text. */
  names(module: string): string[] {
    return [...(this.#module(module)?.keys() ?? [])];
  }

  #module(module: string): Map<string, Heading> | undefined {
    let headings = this.#modules.get(module);
    if (headings) return headings;
    const text = this.#sources.get(module);
    if (text === undefined) return undefined;
    headings = readHeadings(typeof text === 'string' ? text : text());
    this.#modules.set(module, headings);
    return headings;
  }

  #lazy(name: string, module: string, heading: Heading): ObjectSchema {
    let fields: ReadonlyMap<string, Field> | undefined;
    const read = () => this.#fields(module, heading);
    return {
      kind: 'object',
      name,
      mapType: heading.atomic ? 'atomic' : 'granular',
      get fields() {
        fields ??= read();
        return fields;
      },
    };
  }

  #fields(module: string, heading: Heading): ReadonlyMap<string, Field> {
    const fields = new Map<string, Field>();
    if (heading.complete) for (const field of TYPE_META) fields.set(field.name, field);
    for (const line of heading.body.split('\n')) {
      if (line === '') continue;
      const field = this.#field(module, line.trimStart().split(' '));
      if (field) fields.set(field.name, field);
    }
    return fields;
  }

  #field(module: string, words: readonly string[]): Field | undefined {
    const [rawName = '', number = '-', rawType = '', ...markers] = words;
    const marks = readMarkers(markers);
    if ((marks.since ?? 0) > this.#options.release) return undefined;
    const sign = rawType.at(-1);
    const presence = sign === '*' ? 'explicit' : sign === '!' || sign === '?' ? 'always' : 'nonEmpty';
    const type = presence === 'nonEmpty' ? rawType : rawType.slice(0, -1);
    const plain = this.#schema(module, type, marks);
    const schema = sign === '?' && plain.kind === 'object' ? viewOf(plain, { nullable: true }) : plain;
    return {
      name: rawName.replace('{vendor}', this.#options.vendor),
      schema: marks.default === undefined ? schema : withDefault(schema, marks.default),
      required: marks.required,
      presence,
      ...(number === '-' ? {} : { number: Number(number) }),
      ...(marks.within ? { within: marks.within } : {}),
      ...(marks.since ? { since: marks.since } : {}),
      ...(marks.strategies.length > 0
        ? { patch: { strategies: marks.strategies, ...(marks.mergeKey ? { mergeKey: marks.mergeKey } : {}) } }
        : {}),
    };
  }

  #schema(module: string, type: string, marks: Markers): Schema {
    if (type.startsWith('[]')) {
      const list: ListSchema = {
        kind: 'list',
        items: this.#reference(module, type.slice(2)),
        listType: marks.listType,
        keys: marks.keys,
      };
      return list;
    }
    if (type.startsWith('{}')) {
      const map: MapSchema = {
        kind: 'map',
        values: this.#reference(module, type.slice(2)),
        mapType: marks.atomic ? 'atomic' : 'granular',
      };
      return map;
    }
    const schema = this.#reference(module, type);
    return marks.atomic && schema.kind === 'object' ? viewOf(schema, { mapType: 'atomic' }) : schema;
  }

  #reference(module: string, type: string): Schema {
    if (type.startsWith('[]') || type.startsWith('{}')) return this.#schema(module, type, NO_MARKERS);
    if (Object.hasOwn(scalarSchemas, type)) return scalarSchemas[type as ScalarType];
    if (type === 'any') return ANY;
    const union = UNIONS.get(type);
    if (union) return this.#union(module, union);
    return this.type(type.includes('.') ? type : `${module}.${type}`);
  }

  #union(module: string, forms: readonly string[]): UntypedSchema {
    let schemas: readonly Schema[] | undefined;
    const read = () => forms.map((form) => this.#reference(module, form));
    return {
      kind: 'untyped',
      mapType: 'granular',
      get forms() {
        schemas ??= read();
        return schemas;
      },
    };
  }
}

/** What may be anything has one owner. */
const ANY: UntypedSchema = { kind: 'untyped', mapType: 'atomic' };

const UNIONS = new Map([
  ['propsOrArray', ['JSONSchemaProps', '[]JSONSchemaProps']],
  ['propsOrBool', ['boolean', 'JSONSchemaProps']],
  ['propsOrStrings', ['[]string', 'JSONSchemaProps']],
]);

const TYPE_META: readonly Field[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  schema: scalarSchemas.string,
  required: false,
  presence: 'nonEmpty',
}));

/** A type as it was found in the text; its fields are still unread. */
interface Heading {
  readonly complete: boolean;
  readonly atomic: boolean;
  /** The lines of its fields. */
  readonly body: string;
}

function readHeadings(text: string): Map<string, Heading> {
  const headings = new Map<string, Heading>();
  let at = text.indexOf('\n') + 1;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const [name = '', ...words] = text.slice(at, end).split(' ');
    const from = end + 1;
    at = from;
    while (text.charCodeAt(at) === SPACE) at = text.indexOf('\n', at) + 1;
    headings.set(name, {
      complete: words.includes('kind'),
      atomic: words.includes('atomic'),
      body: text.slice(from, at),
    });
  }
  return headings;
}
const SPACE = 0x20;

interface Markers {
  required: boolean;
  atomic: boolean;
  listType: ListSchema['listType'];
  keys: readonly string[];
  strategies: ('merge' | 'replace' | 'retainKeys')[];
  mergeKey: string | undefined;
  default: Json | undefined;
  within: readonly number[] | undefined;
  since: number | undefined;
}
const emptyMarkers = (): Markers => ({
  required: false,
  atomic: false,
  listType: 'atomic',
  keys: [],
  strategies: [],
  mergeKey: undefined,
  default: undefined,
  within: undefined,
  since: undefined,
});
const NO_MARKERS: Markers = emptyMarkers();

function readMarkers(words: readonly string[]): Markers {
  if (words.length === 0) return NO_MARKERS;
  const marks = emptyMarkers();
  for (const word of words) readMarker(word, marks);
  return marks;
}

function readMarker(word: string, marks: Markers): void {
  if (word === 'required') marks.required = true;
  else if (word === 'atomic') marks.atomic = true;
  else if (word === 'set') marks.listType = 'set';
  else if (word === 'merge' || word === 'replace' || word === 'retainKeys') marks.strategies.push(word);
  else if (word.startsWith('map(')) {
    marks.listType = 'map';
    marks.keys = word.slice('map('.length, -1).split(',');
  } else if (word.startsWith('merge(')) {
    marks.strategies.push('merge');
    marks.mergeKey = word.slice('merge('.length, -1);
  } else if (word.startsWith('default=')) marks.default = JSON.parse(word.slice('default='.length)) as Json;
  else if (word.startsWith('in=')) marks.within = word.slice('in='.length).split(',').map(Number);
  else if (word.startsWith('since=')) marks.since = Number(word.slice('since='.length));
  else throw new Error(`unknown marker ${word}`);
}

function withDefault(schema: Schema, value: Json): Schema {
  return { ...schema, default: value };
}

/** The same type with another marker on it; its fields stay unread. */
function viewOf(schema: ObjectSchema, marks: Partial<Pick<ObjectSchema, 'mapType' | 'nullable'>>): ObjectSchema {
  return {
    kind: 'object',
    ...(schema.name ? { name: schema.name } : {}),
    mapType: schema.mapType,
    ...marks,
    get fields() {
      return schema.fields;
    },
  };
}

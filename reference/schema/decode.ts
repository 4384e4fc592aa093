import { isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import { eachPart, entriesOf, isWide, madeWide, type Staged } from '../api/staged.ts';
import { ApiError } from '../api/status.ts';
import {
  convertInteger,
  decodeScalar,
  isValueFault,
  nameOfValue,
  scalarTypeNames,
  TypeMismatch,
  ValueFault,
} from './decodeScalar.ts';
import { emptyScalar } from './scalars.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from './schema.ts';

/** A typed object, and what the JSON had besides. */
export interface Decoded {
  /** Fields in wire order, values canonical, absent values as their presence says. New; shares untyped values. */
  readonly object: JsonObject;
  /** One text a field outside the schema, in the order met: `unknown field "spec.list[0].name"`. */
  readonly unknown: string[];
}

export interface DecodeOptions {
  /**
   * The digits of numbers that were written with a fraction or an exponent though their value is whole, by path
   * (`spec.replicas`): integers must be written whole.
   */
  readonly numberTexts?: ReadonlyMap<string, string> | undefined;
  /** Written in front of the object, in place of what the JSON says or leaves out. */
  readonly typeMeta?: { readonly apiVersion: string; readonly kind: string };
  /**
   * Empty lists and maps that were given for fields of presence `always` stay, instead of becoming what stands for an
   * absent one: until an object is stored the two differ, for who owns what.
   */
  readonly keepEmpty?: boolean | undefined;
  /** The values are no JSON any more: integers take what whole numbers leave in their bits, see convertInteger. */
  readonly converts?: boolean | undefined;
}

/** No more unknown fields than these are told, none twice. */
const MAX_UNKNOWN = 100;
/** Deepest nesting of typed values; only schemas of custom types can nest at all. */
const MAX_TYPED_DEPTH = 500;

/**
 * Reads JSON as an object of a built-in type. Names are matched exactly; null counts as absent.
 * @throws DecodingError, 400, for a value of another type than its field (1/field-validation/1)
 */
export function decodeTyped(schema: ObjectSchema, json: JsonObject, options: DecodeOptions = {}): Decoded {
  const decoder = new Decoder(options);
  try {
    return { object: decoder.object(schema, json, options.typeMeta), unknown: decoder.unknown };
  } catch (error) {
    throw decoder.explain(error, schema);
  }
}

/** What {@link decodeTyped} reads, with turns for others meanwhile. @throws as it does */
export function* decodeInParts(schema: ObjectSchema, json: JsonObject, options: DecodeOptions = {}): Staged<Decoded> {
  const decoder = new Decoder(options);
  try {
    return { object: yield* decoder.objectInParts(schema, json, options.typeMeta), unknown: decoder.unknown };
  } catch (error) {
    throw decoder.explain(error, schema);
  }
}

/** The value that stands for an absent field of presence `always`. */
export function emptyValue(schema: Schema): Json {
  if (schema.kind === 'scalar') return emptyScalar(schema.type);
  if (schema.kind !== 'object' || schema.nullable) return null;
  const object: JsonObject = {};
  for (const field of schema.fields.values()) {
    if (field.presence === 'always') setMember(object, field.name, emptyValue(field.schema));
  }
  return object;
}

/**
 * Whether decoding reads the member at a path by the schema: not what lies in a field that the schema does not have,
 * in one that may be anything, or in a union.
 * @param steps names, and numbers for items of lists
 */
export function readsMember(schema: ObjectSchema, steps: readonly (string | number)[]): boolean {
  let at: Schema = schema;
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'number') {
      if (at.kind !== 'list') return false;
      at = at.items;
    } else if (at.kind === 'map') {
      at = at.values;
    } else {
      const field: Field | undefined = at.kind === 'object' ? at.fields.get(step) : undefined;
      if (!field) return index === 0 && (step === 'kind' || step === 'apiVersion');
      at = field.schema;
    }
  }
  return true;
}

/** Whether a decoded value is the empty one of its type. */
function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  // To ask an object with very many names whether it has any takes as long as to read them all.
  if (isWide(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** The fields of a type, and the place of each by its name. */
interface Places {
  readonly fields: readonly Field[];
  readonly at: ReadonlyMap<string, number>;
}
/** The values that were read, by the places of their fields. */
type Found = (Json | undefined)[];

const known = new WeakMap<ObjectSchema, Places>();

function placesOf(schema: ObjectSchema): Places {
  let places = known.get(schema);
  if (!places) {
    const fields = [...schema.fields.values()];
    places = { fields, at: new Map([...schema.fields.keys()].map((name, at) => [name, at])) };
    known.set(schema, places);
  }
  return places;
}

/** Keeps the way to the value in hand, for messages. */
class Decoder {
  readonly unknown: string[] = [];
  readonly #numberTexts: ReadonlyMap<string, string> | undefined;
  readonly #keepEmpty: boolean;
  readonly #converts: boolean;
  /** Names, and numbers for items of lists, from the object down to the value in hand. */
  readonly #path: (string | number)[] = [];
  /** The names of fields alone, and the types that they belong to. */
  readonly #fields: string[] = [];
  readonly #types: ObjectSchema[] = [];
  #depth = 0;

  constructor({ numberTexts, keepEmpty = false, converts = false }: DecodeOptions) {
    this.#keepEmpty = keepEmpty;
    this.#converts = converts;
    this.#numberTexts = numberTexts && numberTexts.size > 0 ? numberTexts : undefined;
  }

  object(schema: ObjectSchema, json: JsonObject, typeMeta?: DecodeOptions['typeMeta']): JsonObject {
    const places = this.#enter(schema);
    const found: Found = new Array(places.fields.length);
    for (const name of Object.keys(json)) {
      const at = this.#begin(places, name, json[name] as Json);
      if (at === undefined) continue;
      found[at] = this.#value((places.fields[at] as Field).schema, json[name] as Json);
      this.#end();
    }
    return this.#leave(places, found, typeMeta);
  }

  *objectInParts(schema: ObjectSchema, json: JsonObject, typeMeta?: DecodeOptions['typeMeta']): Staged<JsonObject> {
    const places = this.#enter(schema);
    const { fields } = places;
    const found: Found = new Array(fields.length);
    const decoder = this;
    yield* eachPart({
      keys: Object.keys(json),
      size: (name, enough) => entriesOf(json[name], enough),
      small: (name) => {
        const at = this.#begin(places, name, json[name] as Json);
        if (at === undefined) return;
        found[at] = this.#value((fields[at] as Field).schema, json[name] as Json);
        this.#end();
      },
      *large(name) {
        const at = decoder.#begin(places, name, json[name] as Json);
        if (at === undefined) return;
        found[at] = yield* decoder.#valueInParts((fields[at] as Field).schema, json[name] as Json);
        decoder.#end();
      },
    });
    const object = this.#leave(places, found, typeMeta);
    madeWide(object);
    return object;
  }

  #enter(schema: ObjectSchema): Places {
    if (++this.#depth > MAX_TYPED_DEPTH) throw new ValueFault('exceeded max depth');
    this.#types.push(schema);
    return placesOf(schema);
  }

  /** The place of the field of a member that is to be read next; undefined where there is nothing to read. */
  #begin({ at }: Places, name: string, value: Json): number | undefined {
    const place = at.get(name);
    if (place === undefined) this.#report(name);
    if (place === undefined || value === null) return undefined;
    this.#path.push(name);
    this.#fields.push(name);
    return place;
  }

  #end(): void {
    this.#fields.pop();
    this.#path.pop();
  }

  #leave({ at, fields }: Places, found: Found, typeMeta?: DecodeOptions['typeMeta']): JsonObject {
    this.#types.pop();
    this.#depth--;
    if (typeMeta) {
      const [kind, apiVersion] = [at.get('kind'), at.get('apiVersion')];
      if (kind !== undefined) found[kind] = typeMeta.kind;
      if (apiVersion !== undefined) found[apiVersion] = typeMeta.apiVersion;
    }
    return inOrder(fields, found, this.#keepEmpty);
  }

  #value(schema: Schema, value: Json): Json {
    switch (schema.kind) {
      case 'scalar':
        if (this.#converts && (schema.type === 'int32' || schema.type === 'int64')) {
          return convertInteger(schema.type, value);
        }
        return decodeScalar(schema.type, value, this.#numberTexts?.get(this.#where()));
      case 'object':
        if (!isObject(value)) throw new TypeMismatch(nameOfValue(value), typeName(schema));
        return this.object(schema, value);
      case 'list':
        return this.#list(schema, value);
      case 'map':
        return this.#map(schema, value);
      case 'untyped':
        return schema.forms ? this.#oneOf(schema.forms, value) : value;
    }
  }

  *#valueInParts(schema: Schema, value: Json): Staged<Json> {
    const decoder = this;
    if (schema.kind === 'object' && isObject(value)) return yield* this.objectInParts(schema, value);
    if (schema.kind === 'list' && Array.isArray(value)) {
      const items: Json[] = [];
      madeWide(items);
      yield* eachPart({
        keys: value.keys(),
        size: (at, enough) => entriesOf(value[at], enough),
        small: (at) => items.push(this.#item(schema, at, value[at] as Json)),
        *large(at) {
          decoder.#path.push(at);
          items.push(yield* decoder.#valueInParts(schema.items, value[at] as Json));
          decoder.#path.pop();
        },
      });
      return items;
    }
    if (schema.kind === 'map' && isObject(value)) {
      const values: JsonObject = {};
      madeWide(values);
      yield* eachPart({
        keys: Object.keys(value),
        size: (name, enough) => entriesOf(value[name], enough),
        small: (name) => setMember(values, name, this.#entry(schema, name, value[name] as Json)),
        *large(name) {
          decoder.#path.push(name);
          setMember(values, name, yield* decoder.#valueInParts(schema.values, value[name] as Json));
          decoder.#path.pop();
        },
      });
      return values;
    }
    return this.#value(schema, value);
  }

  #list(schema: ListSchema, value: Json): Json {
    if (!Array.isArray(value)) throw new TypeMismatch(nameOfValue(value), typeName(schema));
    const items: Json[] = [];
    for (let i = 0; i < value.length; i++) items.push(this.#item(schema, i, value[i] as Json));
    return items;
  }

  #item(schema: ListSchema, at: number, item: Json): Json {
    this.#path.push(at);
    const read = item === null ? emptyValue(schema.items) : this.#value(schema.items, item);
    this.#path.pop();
    return read;
  }

  #map(schema: MapSchema, value: Json): Json {
    if (!isObject(value)) throw new TypeMismatch(nameOfValue(value), typeName(schema));
    const values: JsonObject = {};
    for (const name of Object.keys(value)) setMember(values, name, this.#entry(schema, name, value[name] as Json));
    return values;
  }

  #entry(schema: MapSchema, name: string, item: Json): Json {
    this.#path.push(name);
    const read = item === null ? emptyEntry(schema.values) : this.#value(schema.values, item);
    this.#path.pop();
    return read;
  }

  /** Inside a union unknown fields are dropped without a word. */
  #oneOf(forms: readonly Schema[], value: Json): Json {
    for (const form of forms) {
      if (!fits(form, value)) continue;
      const told = this.unknown.length;
      const decoded = this.#value(form, value);
      this.unknown.length = told;
      return decoded;
    }
    throw new TypeMismatch(nameOfValue(value), forms.map(typeName).join(' or '));
  }

  #report(name: string): void {
    if (this.unknown.length >= MAX_UNKNOWN) return;
    const at = this.#where();
    const text = `unknown field ${JSON.stringify(at === '' ? name : `${at}.${name}`)}`;
    if (!this.unknown.includes(text)) this.unknown.push(text);
  }

  #where(): string {
    let text = '';
    for (const step of this.#path) {
      text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
    }
    return text;
  }

  /** The answer to a value that cannot be read, with the field named as clients of the service know it. */
  explain(error: unknown, schema: ObjectSchema): unknown {
    if (error instanceof TypeMismatch) return new DecodingError(schema, this.#mismatch(error));
    return isValueFault(error) ? new DecodingError(schema, error.message) : error;
  }

  #mismatch({ found, wanted, message }: TypeMismatch): string {
    const type = this.#types.at(-1);
    if (!type) return message;
    const field = `${shortName(type)}.${this.#fields.join('.')}`;
    return `json: cannot unmarshal ${found} into Go struct field ${field} of type ${wanted}`;
  }
}

/** 400 for a body of the right kind that cannot be read. */
export class DecodingError extends ApiError {
  /** What is wrong, without the words for what could not be read. */
  readonly fault: string;

  constructor(schema: ObjectSchema, fault: string) {
    const [, version = '', kind = ''] = (schema.name ?? '').split('.');
    super(400, 'BadRequest', `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${fault}`);
    this.name = 'DecodingError';
    this.fault = fault;
  }
}

function inOrder(fields: readonly Field[], found: Found, keepEmpty: boolean): JsonObject {
  const object: JsonObject = {};
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as Field;
    const value = found[at];
    switch (field.presence) {
      case 'always':
        object[field.name] =
          value === undefined || (isEmpty(value) && !keepEmpty) ? emptyOr(field.schema, value) : value;
        break;
      case 'nonEmpty':
        if (value !== undefined && !isEmpty(value)) object[field.name] = value;
        break;
      case 'explicit':
        if (value !== undefined) object[field.name] = value;
        break;
    }
  }
  return object;
}

/** An empty list or map is written like an absent one; other empty values stand for themselves. */
function emptyOr(schema: Schema, value: Json | undefined): Json {
  if (value === undefined || schema.kind === 'list' || schema.kind === 'map') return emptyValue(schema);
  return value;
}

/** What a null under a name of a map becomes. */
function emptyEntry(schema: Schema): Json {
  if (schema.kind === 'scalar' && schema.type === 'bytes') return '';
  return emptyValue(schema);
}

function fits(form: Schema, value: Json): boolean {
  switch (form.kind) {
    case 'object':
    case 'map':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    case 'scalar':
      return form.type === 'boolean' ? typeof value === 'boolean' : typeof value === 'string';
    case 'untyped':
      return true;
  }
}

/** `PodSpec` of `core.v1.PodSpec`. */
function shortName(schema: ObjectSchema): string {
  const name = schema.name ?? '';
  return name.slice(name.lastIndexOf('.') + 1);
}

/** A type as messages name it: `v1.PodSpec`, `[]v1.Container`, `map[string]string`. */
function typeName(schema: Schema): string {
  switch (schema.kind) {
    case 'scalar':
      return scalarTypeNames[schema.type];
    case 'object':
      return (schema.name ?? '').split('.').slice(-2).join('.');
    case 'list':
      return `[]${typeName(schema.items)}`;
    case 'map':
      if (schema.values.kind === 'scalar' && schema.values.type === 'quantity') return 'v1.ResourceList';
      return `map[string]${typeName(schema.values)}`;
    case 'untyped':
      return 'runtime.RawExtension';
  }
}

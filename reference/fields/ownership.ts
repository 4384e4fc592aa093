import type { Follow } from '../../fixtures/follow.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject, ManagedFieldsEntry } from '../api/object.ts';
import { asApiObject, asJson, withMetadata } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import { emptyValue } from '../schema/decode.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { formatTime } from '../time.ts';
import { compareInParts, without } from './compare.ts';
import { ComparedFields, comparedFields, NOTHING_DIFFERS } from './comparedFields.ts';
import { type FieldSet, NO_FIELDS, setOf } from './fieldSet.ts';
import type { ManagedFieldsOperation, Owner, Owners } from './managers.ts';
import { followMarkers } from './markerChanges.ts';
import type { FieldTrace } from './mergeTrace.ts';
import { fieldElement } from './pathElement.ts';

/** What ownership must know of the type and the request. */
export interface OwnershipContext {
  /** The schema of a version of the type; undefined when the version is not defined (any more). */
  readonly schemaOf: (apiVersion: string) => ObjectSchema | undefined;
  /**
   * The object in another version; must leave its argument alone. Asked only for versions that have a schema. May
   * throw ForeignField.
   */
  readonly convert: (object: ApiObject, apiVersion: string) => ApiObject;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly follow: Follow;
  /** Empty for writes to the object itself. */
  readonly subresource: string;
  /** Fields that are nobody's through this endpoint, mostly as it does not write them; as paths of field names: `[['status']]`. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Hears what a write that is no apply does to owners; undefined when nobody asks. */
  readonly note?: ((trace: FieldTrace) => void) | undefined;
  /** Whether staged work pauses between its stages: where objects are large. */
  readonly pauses?: boolean;
}

/** An object has a field that the version of an owner does not have: nobody can tell who owns what of it. */
export class ForeignField extends Error {
  constructor(apiVersion: string) {
    super(`the object has fields that are not declared in ${apiVersion}`);
    this.name = 'ForeignField';
  }
}

/** Who writes, and in which version. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
}

/** An owner. */
export function ownerOf(
  writer: Writer,
  operation: ManagedFieldsOperation,
  { subresource }: OwnershipContext,
  time: string | undefined,
  fields: FieldSet,
): Owner {
  const { manager, apiVersion } = writer;
  return { manager, operation, apiVersion, subresource, time, fields };
}

export function timeOf(context: OwnershipContext): string {
  return formatTime(context.now);
}

const resetSets = new WeakMap<NonNullable<OwnershipContext['resetFields']>, FieldSet>();

/** The reset fields as a set. */
export function resetSet({ resetFields }: OwnershipContext): FieldSet {
  if (!resetFields || resetFields.length === 0) return NO_FIELDS;
  let set = resetSets.get(resetFields);
  if (!set) {
    set = setOf(...resetFields.map((path) => path.map(fieldElement)));
    resetSets.set(resetFields, set);
  }
  return set;
}

/** The object without its ownership records: they are never owned or compared. */
export function bare(object: ApiObject): ApiObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The object with other records; none at all when the list is empty. */
export function withEntries(object: ApiObject, entries: ManagedFieldsEntry[] | undefined): ApiObject {
  if (entries === undefined || entries.length === 0) return bare(object);
  return { ...object, metadata: withMetadata(object.metadata, { managedFields: entries }) };
}

/**
 * What a write that creates is compared with: an object with nothing but the fields that are there even when empty.
 * They belong to whoever fills them, not to whoever creates the object.
 */
export function blank(context: OwnershipContext, apiVersion: string, kind: string): ApiObject {
  const schema = context.schemaOf(apiVersion);
  const known = schema && blanks.get(schema);
  if (known && known.apiVersion === apiVersion && known.kind === kind) return known;
  const empty = schema ? (emptyValue(schema) as JsonObject) : {};
  const metadata = isObject(empty.metadata) ? empty.metadata : {};
  const made = asApiObject({ ...empty, apiVersion, kind, metadata });
  if (schema) blanks.set(schema, made);
  return made;
}
const blanks = new WeakMap<ObjectSchema, ApiObject>();

/** The object in a version. */
export function inVersion(context: OwnershipContext, object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : context.convert(object, apiVersion);
}

/** Owners in line with the schemas of today. Those of versions that are not defined any more are gone. */
export function currentOwners(context: OwnershipContext, owners: Owners): Owners {
  const current: Owners = new Map();
  for (const [key, owner] of owners) {
    const schema = context.schemaOf(owner.apiVersion);
    if (schema === undefined) continue;
    const fields = followMarkers(schema, owner.fields);
    current.set(key, fields === owner.fields ? owner : { ...owner, fields });
  }
  return current;
}

/**
 * Two states of one object, compared in each version that owners use; each comparison is made once and leaves out
 * the reset fields.
 */
export class Comparisons {
  readonly #context: OwnershipContext;
  readonly #before: ApiObject;
  readonly #after: ApiObject;
  readonly #reset: FieldSet;
  /** The version asked for first, which mostly is the only one. */
  #first: { readonly apiVersion: string; readonly compared: ComparedFields } | undefined;
  #others: Map<string, ComparedFields> | undefined;

  constructor(context: OwnershipContext, before: ApiObject, after: ApiObject) {
    this.#context = context;
    this.#before = before;
    this.#after = after;
    this.#reset = resetSet(context);
  }

  /** @throws UnidentifiedItem */
  in(apiVersion: string): ComparedFields {
    const made = this.#made(apiVersion);
    if (made) return made;
    const of = this.#in(apiVersion);
    const compared = of ? comparedFields(of.schema, of.before, of.after, this.#reset) : NOTHING_DIFFERS;
    this.#put(apiVersion, compared);
    return compared;
  }

  /** Compares in a version with turns for others meanwhile, where the context pauses. @throws UnidentifiedItem */
  *inParts(apiVersion: string): Staged<ComparedFields> {
    const of = this.#context.pauses && !this.#made(apiVersion) && this.#in(apiVersion);
    if (!of) return this.in(apiVersion);
    const found = yield* compareInParts(of.schema, of.before, of.after);
    const compared = new ComparedFields(without(found, this.#reset), false);
    this.#put(apiVersion, compared);
    return compared;
  }

  #made(apiVersion: string): ComparedFields | undefined {
    return this.#first?.apiVersion === apiVersion ? this.#first.compared : this.#others?.get(apiVersion);
  }

  #put(apiVersion: string, compared: ComparedFields): void {
    if (!this.#first) this.#first = { apiVersion, compared };
    else {
      this.#others ??= new Map();
      this.#others.set(apiVersion, compared);
    }
  }

  /** What is compared in a version; undefined where the version is not defined. */
  #in(apiVersion: string) {
    const schema = this.#context.schemaOf(apiVersion);
    if (schema === undefined) return undefined;
    const before = asJson(inVersion(this.#context, this.#before, apiVersion));
    const after = asJson(inVersion(this.#context, this.#after, apiVersion));
    return { schema, before, after };
  }
}

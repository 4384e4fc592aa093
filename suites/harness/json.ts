/** What a body can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** Metadata as the checks read it; only what the specification names. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly managedFields?: readonly JsonObject[] | undefined;
  readonly [member: string]: unknown;
}
/** A stored object as it came over the wire. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [member: string]: unknown;
}
export interface ApiList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly ApiObject[];
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with the members of another one, maps member by member. */
export function mergedInto<T extends object>(object: T, change: JsonObject): T {
  const known = object as Readonly<Record<string, unknown>>;
  const merged = Object.entries(change).map(([name, value]) => {
    const before = known[name];
    return [name, isRecord(before) && isRecord(value) ? mergedInto(before, value as JsonObject) : value];
  });
  return { ...object, ...Object.fromEntries(merged) };
}

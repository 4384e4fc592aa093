import type { Awaitable } from '../api/awaitable.ts';
import type { JsonObject } from '../api/json.ts';

/** Brings objects of a custom type into another version; the arguments stay as they are. Throws ApiError. */
export interface Converter {
  /** @param apiVersion wanted; objects that have it already are given back */
  convert(objects: readonly JsonObject[], apiVersion: string): Awaitable<readonly JsonObject[]>;
}

/** Conversion `None`: versions differ in their name alone. */
export const RENAMING = {
  convert(objects: readonly JsonObject[], apiVersion: string): readonly JsonObject[] {
    return objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }));
  },
} satisfies Converter;

import { isObject, member } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';

/** The text under a key of a secret; empty when there is none. */
export function secretText(secret: ApiObject, key: string): string {
  const { data } = secret;
  const value = isObject(data) ? member(data, key) : undefined;
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch of an RFC 3339 time; NaN when it is none. */
export function parseInstant(text: string): number {
  return INSTANT.test(text) ? Date.parse(text) : Number.NaN;
}

/**
 * Whether a bootstrap token secret is past its expiration (2/states-and-transitions). One that is no time counts
 * as past.
 */
export function bootstrapExpired(secret: ApiObject, now: number): boolean {
  const expiration = secretText(secret, 'expiration');
  return expiration !== '' && !(parseInstant(expiration) > now);
}

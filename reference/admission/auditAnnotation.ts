import { qualifiedName } from '../api/nameRules.ts';
import type { Exchange } from '../api/request.ts';

/** Adds to the audit event of a request. Annotations with a key that is none are dropped; what stands there stays. */
export function annotate({ audit }: Exchange, key: string, value: string): void {
  if (key.split('/').length !== 2 || qualifiedName(key).length > 0 || audit.has(key)) return;
  audit.set(key, value);
}

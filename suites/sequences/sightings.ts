import { isRecord } from '../harness/json.ts';

/**
 * What objects looked like at each of their versions. A version stands for one state of what is stored, so that an object
 * at one version looks the same wherever it is shown: in the answer to a write, read, listed and told to a watch.
 */
export class Sightings {
  readonly #looks = new Map<string, unknown>();

  /**
   * Where an object looks otherwise than when it was shown at this version before: `metadata.labels.x`. Undefined where
   * it looks the same, where it is seen at this version for the first time, and of what has no version.
   * @param kind what it is shown as, where it does not say so itself
   */
  differs(object: Readonly<Record<string, unknown>>, kind: string): string | undefined {
    const { metadata } = object;
    if (!isRecord(metadata)) return undefined;
    const { uid, resourceVersion } = metadata;
    if (typeof uid !== 'string' || typeof resourceVersion !== 'string') return undefined;
    // What goes by the write that is answered has no version of its own.
    if (isGone(metadata)) return undefined;
    const { apiVersion: _, kind: own = kind, ...rest } = object;
    const key = `${String(own)} ${uid} ${resourceVersion}`;
    const before = this.#looks.get(key);
    if (before !== undefined) return differing(before, rest, '');
    this.#looks.set(key, rest);
    return undefined;
  }
}

/** Whether an object was deleted, and nothing holds it. */
export function isGone(metadata: unknown): boolean {
  if (!isRecord(metadata) || typeof metadata.deletionTimestamp !== 'string') return false;
  return !Array.isArray(metadata.finalizers) || metadata.finalizers.length === 0;
}

/** The first place at which two values differ; null is as what is not there. */
function differing(first: unknown, second: unknown, path: string): string | undefined {
  if (first === second) return undefined;
  if (Array.isArray(first) && Array.isArray(second)) {
    if (first.length !== second.length) return path;
    for (const [at, item] of first.entries()) {
      const where = differing(item, second[at], `${path}.${at}`);
      if (where !== undefined) return where;
    }
    return undefined;
  }
  if (!isRecord(first) || !isRecord(second)) return (first ?? undefined) === (second ?? undefined) ? undefined : path;
  const within = (name: string) => differing(first[name], second[name], path === '' ? name : `${path}.${name}`);
  for (const name of Object.keys(first)) {
    const where = within(name);
    if (where !== undefined) return where;
  }
  for (const name of Object.keys(second)) {
    const where = Object.hasOwn(first, name) ? undefined : within(name);
    if (where !== undefined) return where;
  }
  return undefined;
}

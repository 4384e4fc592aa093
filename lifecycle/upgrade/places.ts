import { isRecord } from './manifests.ts';

/** A place in an object that a path leads to. */
export interface Place {
  /** As a JSON pointer. */
  readonly pointer: string;
  /** As people write it: `webhooks[0].failurePolicy`. */
  readonly path: string;
  /** What is there; `undefined` where nothing is. */
  readonly value: unknown;
}

/**
 * The places that a path leads to.
 * In: an object and a path, in which `[]` stands for each item: `spec.rules[].host`. Out: one place for each item of
 * the lists on the way, also where nothing is there; none where a list on the way is not there or is empty.
 */
export function placesOf(object: unknown, path: string): Place[] {
  let places: Place[] = [{ pointer: '', path: '', value: object }];
  for (const part of path.split('.')) {
    const name = part.replace(/\[\]$/, '');
    places = places.map((place) => member(place, name));
    if (part.endsWith('[]')) places = places.flatMap(items);
  }
  return places;
}

function member({ pointer, path, value }: Place, name: string): Place {
  const there = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { pointer: `${pointer}/${name}`, path: path === '' ? name : `${path}.${name}`, value: there ?? undefined };
}

function items({ pointer, path, value }: Place): Place[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, index) => ({ pointer: `${pointer}/${index}`, path: `${path}[${index}]`, value: item }));
}

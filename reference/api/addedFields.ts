import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * The fields that one object has and another has not, or has with another value, as paths such as
 * `.spec.containers[0].image`; of what is new altogether only the outermost.
 */
export function addedFields(before: JsonObject, after: JsonObject): string[] {
  const found: string[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: Json | undefined, after: Json, path: string, found: string[]): void {
  if (before === after) return;
  // The path of a member is made only where it differs: of large objects nearly none does.
  if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(after)) {
      const value = after[name];
      if (value !== undefined && value !== before[name]) compare(before[name], value, `${path}.${name}`, found);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, value] of after.entries()) {
      if (value !== before[index]) compare(before[index], value, `${path}[${index}]`, found);
    }
  } else found.push(path);
}

import { load } from 'js-yaml';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { ContentFault } from '../ports/files.ts';

/** Largest configuration file read, in characters. */
const LONGEST = 4 * 1024 * 1024;

/** The object that a YAML or JSON text holds. @throws ContentFault when it holds none */
export function parseObject(text: string): JsonObject {
  if (text.length > LONGEST) throw new ContentFault('it is larger than any configuration');
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new ContentFault(`it is neither YAML nor JSON: ${line}`);
  }
  if (!isObject(value)) throw new ContentFault('it does not hold an object');
  return value;
}

/** What a walk through a configuration found wrong, each with the path of the field. */
export class FieldFaults {
  readonly all: string[] = [];

  add(path: string, text: string): void {
    this.all.push(`${path}: ${text}`);
  }
  /** Members that the form does not know. */
  unknown(object: JsonObject, path: string, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (!known.includes(name)) this.add(path === '' ? name : `${path}.${name}`, 'there is no such field');
    }
  }
  /** @throws ContentFault with every fault */
  check(): void {
    if (this.all.length > 0) throw new ContentFault(this.all.join('; '));
  }
}

/** A member as text; empty when it is none. */
export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A member as a list of objects; what is no object in it becomes an empty one. */
export const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : [];

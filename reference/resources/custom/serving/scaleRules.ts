import { type FieldError, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, member } from '../../../api/json.ts';
import type { ScalePaths } from '../../apiextensions/definition.ts';

const MOST = 2 ** 31 - 1;

/** The values that a scale subresource shows must be what it can show. */
export function validateScaleValues(object: JsonObject, { spec, status, selector }: ScalePaths): FieldError[] {
  const errors = [...validateReplicas(object, spec), ...validateReplicas(object, status)];
  if (!selector) return errors;
  const found = valueAt(object, selector);
  const value = 'value' in found ? found.value : undefined;
  const fault = 'fault' in found ? found.fault : typeName(value, selector, 'string');
  if (fault) errors.push(invalid(FieldPath.of(selector), '', fault));
  return errors;
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const found = valueAt(object, path);
  const at = FieldPath.of(path);
  if ('fault' in found) return [invalid(at, 0, found.fault)];
  const { value } = found;
  if (value === undefined) return [];
  const fault = typeName(value, path, 'int64');
  if (fault) return [invalid(at, 0, fault)];
  const replicas = value as number | bigint;
  if (replicas < 0) return [invalid(at, replicas, 'should be a non-negative integer')];
  return replicas > MOST ? [invalid(at, replicas, `should be less than or equal to ${MOST}`)] : [];
}

function valueAt(object: JsonObject, path: string): { readonly value: Json | undefined } | { readonly fault: string } {
  let at: Json | undefined = object;
  const names = path.replace(/^\./, '').split('.');
  for (const [index, name] of names.entries()) {
    if (at === undefined || at === null) return { value: undefined };
    if (!isObject(at)) {
      const where = `.${names.slice(0, index + 1).join('.')}`;
      return {
        fault: `${where} accessor error: ${JSON.stringify(at)} is of the type ${goName(at)}, expected map[string]interface{}`,
      };
    }
    at = member(at, name);
  }
  return { value: at };
}

/** Why a value is not of a type; undefined when it is. */
function typeName(value: Json | undefined, path: string, wanted: 'int64' | 'string'): string | undefined {
  if (value === undefined) return undefined;
  const found = goName(value);
  if (found === wanted) return undefined;
  return `${path} accessor error: ${JSON.stringify(value)} is of the type ${found}, expected ${wanted}`;
}

function goName(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

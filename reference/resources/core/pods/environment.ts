import { type FieldError, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { configKey, dns1123Subdomain, objectName } from '../../../api/nameRules.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { named, requiredName } from '../../validation/values.ts';
import { ENVIRONMENT_FIELDS, validateFieldRef, validateResourceRef } from './downwardFields.ts';

/** Faults of the variables of a container. */
export function validateEnvironment(variables: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(variables).flatMap((variable, index) => {
    const at = path.index(index);
    return [
      ...requiredName(variable.name, variableName, at.child('name')),
      ...(isObject(variable.valueFrom)
        ? validateSource(variable.valueFrom, textOf(variable.value), at.child('valueFrom'))
        : []),
    ];
  });
}

/** Any text that can be printed, up to the sign between name and value. */
function variableName(name: string): string[] {
  if (/^[ -<>-~]+$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const SOURCES: Readonly<Record<string, (source: JsonObject, path: FieldPath) => FieldError[]>> = {
  fieldRef: (source, path) => validateFieldRef(source, ENVIRONMENT_FIELDS, path),
  resourceFieldRef: (source, path) => validateResourceRef(source, path, false),
  configMapKeyRef: validateKeyRef,
  secretKeyRef: validateKeyRef,
  fileKeyRef: validateFileRef,
};

function validateSource(source: JsonObject, value: string, path: FieldPath): FieldError[] {
  const given = Object.keys(SOURCES).filter((name) => isObject(source[name]));
  const errors = given.flatMap((name) => SOURCES[name]?.(objectOf(source[name]), path.child(name)) ?? []);
  if (given.length === 0) {
    const names = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(invalid(path, '', `must specify one of: ${names}`));
  } else if (value !== '') errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (given.length > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateKeyRef(ref: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...named(ref.name, dns1123Subdomain, path.child('name')),
    ...requiredName(ref.key, configKey, path.child('key')),
  ];
}

function validateFileRef(ref: JsonObject, path: FieldPath): FieldError[] {
  return ['volumeName', 'path', 'key'].flatMap((name) =>
    textOf(ref[name]) === '' ? [required(path.child(name))] : [],
  );
}

/** Names that may be made longer by a suffix, as the service checks references to whole maps. */
const prefixName = (name: string): readonly string[] => objectName(dns1123Subdomain)(name, true);

/** Faults of what a container takes over as variables whole. */
export function validateEnvironmentFrom(sources: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(sources).flatMap((source, index) => {
    const at = path.index(index);
    const errors = textOf(source.prefix) === '' ? [] : named(source.prefix, variableName, at.child('prefix'));
    const given = ['configMapRef', 'secretRef'].filter((name) => isObject(source[name]));
    for (const name of given) {
      errors.push(...requiredName(objectOf(source[name]).name, prefixName, at.child(name, 'name')));
    }
    if (given.length === 0) errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (given.length > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}

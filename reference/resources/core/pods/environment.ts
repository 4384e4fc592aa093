import { type FieldError, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { configKey, dns1123Subdomain, objectName, qualifiedName } from '../../../api/nameRules.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { named, requiredName } from '../../validation/fields.ts';

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

/*
 * References from a container to fields of its pod, and to what it may use.
 */

/** Fields that a container can read from its environment, and from a volume. */
const ENVIRONMENT_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** Fields that exist; not all of them are of use everywhere. */
const KNOWN_FIELDS = new Set([
  ...ENVIRONMENT_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** Faults of a reference to a field of the pod; `fields` are those that are of use here. */
export function validateFieldRef(ref: JsonObject, fields: readonly string[], path: FieldPath): FieldError[] {
  const version = textOf(ref.apiVersion);
  const field = textOf(ref.fieldPath);
  if (version === '') return [required(path.child('apiVersion'))];
  if (field === '') return [required(path.child('fieldPath'))];
  const subscript = /^([^[\]]*)\['(.*)'\]$/s.exec(field);
  const base = subscript?.[1] ?? field;
  const unknown = version === 'v1' ? 'field label not supported: ' : 'unsupported pod version: ';
  const known = KNOWN_FIELDS.has(base) || base === 'spec.host';
  if (version !== 'v1' || !known) {
    const detail = `error converting fieldPath: ${unknown}${version === 'v1' ? field : version}`;
    return [invalid(path.child('fieldPath'), field, detail)];
  }
  if (subscript) {
    const key = subscript[2] ?? '';
    if (base === 'metadata.annotations') return named(key.toLowerCase(), qualifiedName, path);
    if (base === 'metadata.labels') return named(key, qualifiedName, path);
    return [invalid(path, base, 'does not support subscript')];
  }
  const current = base === 'spec.host' ? 'spec.nodeName' : base;
  return fields.includes(current) ? [] : [notSupported(path.child('fieldPath'), current, fields)];
}

const AMOUNTS = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;
const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** Faults of a reference to an amount of a container; a volume must say of which one. */
export function validateResourceRef(ref: JsonObject, path: FieldPath, inVolume: boolean): FieldError[] {
  const resource = textOf(ref.resource);
  const errors: FieldError[] = [];
  if (inVolume && textOf(ref.containerName) === '') errors.push(required(path.child('containerName')));
  else if (resource === '') errors.push(required(path.child('resource')));
  else if (!AMOUNTS.includes(resource) && !HUGE_PAGES.test(resource)) {
    errors.push(notSupported(path.child('resource'), resource, AMOUNTS));
  }
  return [...errors, ...validateDivisor(resource, textOf(ref.divisor), path.child('divisor'))];
}

function validateDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  if (divisor === '' || divisor === '0') return [];
  if (resource.endsWith('.cpu')) {
    if (divisor === '1' || divisor === '1m') return [];
    return [invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  const called = sizedResource(resource);
  if (called === undefined || SIZES.includes(divisor)) return [];
  const sizes = SIZES.join(', ');
  return [invalid(path, resource, `only divisor's values ${sizes} are supported with the ${called} resource`)];
}

function sizedResource(resource: string): string | undefined {
  if (resource.endsWith('.memory')) return 'memory';
  if (resource.endsWith('.ephemeral-storage')) return 'local ephemeral storage';
  return HUGE_PAGES.test(resource) ? 'hugepages' : undefined;
}

import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  pathSegment,
  portName,
  portNumber,
} from '../../api/nameRules.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import { nameFaults, requiredNameFaults } from '../validation/fields.ts';

/** First release in which names of services may begin with a digit. */
const DIGIT_NAMES_SINCE = 34;

/** Faults of where traffic is led to: a port of a service, or an object of another kind. */
export function validateBackend(backend: JsonObject, path: FieldPath, release: number): FieldError[] {
  const { resource, service } = backend;
  if (isObject(resource) && isObject(service)) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (isObject(resource)) return validateReference(resource, path.child('resource'));
  if (isObject(service)) return validateService(service, path, release);
  return [invalid(path, '', 'resource or service backend is required')];
}

function validateService(service: JsonObject, path: FieldPath, release: number): FieldError[] {
  const rule = release >= DIGIT_NAMES_SINCE ? dns1123Label : dns1035Label;
  const errors = requiredNameFaults(service.name, rule, path.child('service', 'name'));
  const port = objectOf(service.port);
  const name = textOf(port.name);
  const number = numberOf(port.number) ?? 0;
  const at = path.child('service', 'port');
  if (name !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name !== '') errors.push(...nameFaults(name, portName, at.child('name')));
  else if (number !== 0) {
    for (const fault of portNumber(number)) errors.push(invalid(at.child('number'), number, fault));
  } else errors.push(required(path, 'port name or number is required'));
  return errors;
}

/** Faults of a reference to an object of any kind. */
export function validateReference(reference: JsonObject, path: FieldPath): FieldError[] {
  const group = reference.apiGroup;
  return [
    ...(typeof group === 'string' ? nameFaults(group, dns1123Subdomain, path.child('apiGroup')) : []),
    ...requiredNameFaults(reference.kind, pathSegment, path.child('kind')),
    ...requiredNameFaults(reference.name, pathSegment, path.child('name')),
  ];
}

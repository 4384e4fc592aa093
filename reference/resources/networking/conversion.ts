import type { FieldError } from '../../api/fieldError.ts';
import type { JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, numberOf, objectOf, textOf } from '../../api/parts.ts';
import type { Strategy } from '../../contracts/resourceType.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, renamed, withItems, withMember, withSpec } from '../conversion/reshape.ts';

/*
 * Ingresses in networking/v1beta1 and extensions/v1beta1 (3/removed-api-versions-by-release/t1.20): a backend is flat,
 * and how a path is compared may stay open.
 */

function backendToV1({ serviceName, servicePort, ...others }: JsonObject): JsonObject {
  const name = textOf(serviceName);
  const port = typeof servicePort === 'string' ? { name: servicePort } : numberedPort(servicePort);
  const isSet = name !== '' || textOf(servicePort) !== '' || (numberOf(servicePort) ?? 0) !== 0;
  return isSet ? { ...others, service: { name, port } } : others;
}

function numberedPort(port: JsonObject[string] | undefined): JsonObject {
  const number = numberOf(port) ?? 0;
  return number === 0 ? {} : { number };
}

function backendFromV1({ service, ...others }: JsonObject): JsonObject {
  if (!isObject(service)) return others;
  const { name, number } = objectOf(service.port);
  const servicePort = textOf(name) === '' ? numberOf(number) : textOf(name);
  return compact({ serviceName: textOf(service.name) || undefined, servicePort: servicePort || undefined, ...others });
}

function withBackends(ingress: ApiObject, change: (backend: JsonObject) => JsonObject): ApiObject {
  return withSpec(ingress, (spec) =>
    withItems(spec, 'rules', (rule) =>
      withMember(rule, 'http', (http) => withItems(http, 'paths', (path) => withMember(path, 'backend', change))),
    ),
  );
}

const conversion = {
  toStorage: (ingress: ApiObject): ApiObject =>
    withBackends(
      withSpec(ingress, (spec) => renamed(withMember(spec, 'backend', backendToV1), 'backend', 'defaultBackend')),
      backendToV1,
    ),
  fromStorage: (ingress: ApiObject): ApiObject =>
    withBackends(
      withSpec(ingress, (spec) =>
        renamed(withMember(spec, 'defaultBackend', backendFromV1), 'defaultBackend', 'backend'),
      ),
      backendFromV1,
    ),
};

/** A path without a type is compared in whatever way the one who serves it likes. In place. */
function fillPathTypes(ingress: ApiObject): void {
  for (const rule of listOf(objectOf(ingress.spec).rules)) {
    for (const path of listOf(objectOf(objectOf(rule as JsonObject).http).paths)) {
      if (isObject(path)) path.pathType ??= 'ImplementationSpecific';
    }
  }
}

/** Names of fields in messages, as these versions have them. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.defaultBackend\b/, '.backend'],
  [/\.service\.name$/, '.serviceName'],
  [/\.service\.port(\.name|\.number)?$/, '.servicePort'],
];

function named(error: FieldError): FieldError {
  let { field } = error;
  for (const [pattern, name] of NAMES) field = field.replace(pattern, name);
  return { ...error, field, message: error.message.replace('`defaultBackend`', '`backend`') };
}

function judgedByOldNames({ validate, validateUpdate }: Partial<Strategy>): Partial<Strategy> {
  return {
    ...(validate ? { validate: (ingress, context) => validate(ingress, context).map(named) } : {}),
    ...(validateUpdate ? { validateUpdate: (one, old, context) => validateUpdate(one, old, context).map(named) } : {}),
  };
}

/** Ingresses, in both groups. */
export const deprecatedIngresses: DeprecatedVersions = ({ strategy = {} }) => ({
  conversions: { v1beta1: conversion },
  defaults: { v1beta1: fillPathTypes },
  strategies: { v1beta1: judgedByOldNames(strategy) },
});

import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { notNegative, optionalOneOf, portReference, present } from '../../validation/values.ts';
import { type PodScope, SINCE } from './scope.ts';

type HandlerScope = PodScope & { readonly graceSeconds: number | undefined };
type HandlerRule = (handler: JsonObject, path: FieldPath, scope: HandlerScope) => FieldError[];

/** What a handler can do, in the order in which the service looks for it. */
const HANDLERS: Readonly<Record<string, HandlerRule>> = {
  exec: (exec, path) => (listOf(exec.command).length === 0 ? [required(path.child('command'))] : []),
  httpGet: validateHttpGet,
  tcpSocket: (socket, path) => portReference(socket.port, path.child('port')),
  grpc: (grpc, path) => portReference(numberOf(grpc.port) ?? 0, path.child('port')),
  sleep: validateSleep,
};
const PROBED = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const HOOKED = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

function validateHandler(
  holder: JsonObject,
  kinds: readonly string[],
  path: FieldPath,
  scope: HandlerScope,
): FieldError[] {
  const given = kinds.filter((kind) => isObject(holder[kind]));
  const [first, ...others] = given;
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...(HANDLERS[first]?.(objectOf(holder[first]), path.child(first), scope) ?? []),
    ...others.map((kind) => forbiddenField(path.child(kind), 'may not specify more than 1 handler type')),
  ];
}

function validateHttpGet(get: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...present(get.path, path.child('path')),
    ...portReference(get.port, path.child('port')),
    ...optionalOneOf(textOf(get.scheme), ['HTTP', 'HTTPS'], path.child('scheme')),
    ...objectsOf(get.httpHeaders)
      .map((header) => textOf(header.name))
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalid(path.child('httpHeaders'), name, HEADER_TEXT)),
  ];
}
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function validateSleep(sleep: JsonObject, path: FieldPath, { graceSeconds, release }: HandlerScope): FieldError[] {
  const seconds = numberOf(sleep.seconds) ?? 0;
  const zero = release >= SINCE.zeroSleep;
  if (graceSeconds === undefined || (seconds <= graceSeconds && (seconds > 0 || (zero && seconds === 0)))) return [];
  const limit = `less than terminationGracePeriodSeconds (${graceSeconds})`;
  const detail = zero
    ? `must be non-negative and ${limit}`
    : `must be greater than 0 and ${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  return [invalid(path, sleep.seconds, detail)];
}

/** Faults of what a container does when it starts and before it stops. */
export function validateLifecycle(lifecycle: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  return ['postStart', 'preStop'].flatMap((hook) => {
    const handler = lifecycle[hook];
    return isObject(handler) ? validateHandler(handler, HOOKED, path.child(hook), scope) : [];
  });
}

/** Numbers of a probe, in the order in which the service looks at them. */
const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** Faults of the three probes of a container. */
export function validateProbes(container: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name];
    return isObject(probe) ? validateProbe(name, probe, path.child(name), scope) : [];
  });
}

function validateProbe(name: string, probe: JsonObject, path: FieldPath, scope: HandlerScope): FieldError[] {
  const errors = [
    ...validateHandler(probe, PROBED, path, scope),
    ...NUMBERS.flatMap((field) => notNegative(probe[field], path.child(field))),
  ];
  const grace = numberOf(probe.terminationGracePeriodSeconds);
  const gracePath = path.child('terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) errors.push(invalid(gracePath, grace, 'must be greater than 0'));
  if (name === 'readinessProbe') {
    if (grace !== undefined) errors.push(invalid(gracePath, grace, 'must not be set for readinessProbes'));
  } else if (numberOf(probe.successThreshold) !== 1) {
    errors.push(invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

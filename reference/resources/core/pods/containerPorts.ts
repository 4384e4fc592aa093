import { duplicate, type FieldError, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { portName, portNumber } from '../../../api/nameRules.ts';
import { numberOf, objectsOf, textOf } from '../../../api/parts.ts';
import { oneOf } from '../../validation/values.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Faults of the ports of one container. */
export function validatePorts(ports: Json | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  objectsOf(ports).forEach((port, index) => {
    const at = path.index(index);
    const name = textOf(port.name);
    if (name !== '') {
      const faults = portName(name);
      if (faults.length > 0) errors.push(...faults.map((fault) => invalid(at.child('name'), name, fault)));
      else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
      else names.add(name);
    }
    const number = numberOf(port.containerPort) ?? 0;
    if (number === 0) errors.push(required(at.child('containerPort')));
    else errors.push(...portNumber(number).map((fault) => invalid(at.child('containerPort'), number, fault)));
    const host = numberOf(port.hostPort) ?? 0;
    if (host !== 0) errors.push(...portNumber(host).map((fault) => invalid(at.child('hostPort'), host, fault)));
    errors.push(...oneOf(port.protocol, PROTOCOLS, at.child('protocol')));
  });
  return errors;
}

/** Ports of the node that several of these containers ask for. */
export function hostPortConflicts(containers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  containers.forEach((container, index) => {
    objectsOf(container.ports).forEach((port, place) => {
      const host = numberOf(port.hostPort) ?? 0;
      if (host === 0) return;
      const key = `${textOf(port.protocol)}/${textOf(port.hostIP)}/${host}`;
      if (taken.has(key)) {
        errors.push(duplicate(path.index(index).child('ports').index(place).child('hostPort'), key));
      } else taken.add(key);
    });
  });
  return errors;
}

/** On the network of its node, a container's ports are the node's; a template may leave that to the pod. */
export function hostNetworkPorts(spec: JsonObject, path: FieldPath, isPod: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const errors: FieldError[] = [];
  objectsOf(spec.containers).forEach((container, index) => {
    objectsOf(container.ports).forEach((port, place) => {
      const host = numberOf(port.hostPort) ?? 0;
      if ((!isPod && host === 0) || host === (numberOf(port.containerPort) ?? 0)) return;
      errors.push(
        invalid(
          path.child('containers').index(index).child('ports').index(place).child('hostPort'),
          host,
          'must match `containerPort` when `hostNetwork` is true',
        ),
      );
    });
  });
  return errors;
}

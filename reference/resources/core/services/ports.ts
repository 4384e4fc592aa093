import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { dns1123Label, portName, portNumber, qualifiedName } from '../../../api/nameRules.ts';
import { numberOf, objectsOf, textOf } from '../../../api/parts.ts';

const PORTS = FieldPath.of('spec', 'ports');
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
/** The port on which nodes are administered; nobody may be led there from outside. */
const NODE_AGENT_PORT = 10250;

/** Faults of each port by itself. */
export function validatePorts(spec: JsonObject): FieldError[] {
  const ports = objectsOf(spec.ports);
  const names = new Set<string>();
  return ports.flatMap((port, index) => validatePort(port, PORTS.index(index), ports.length > 1, names));
}

function validatePort(port: JsonObject, path: FieldPath, named: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const name = textOf(port.name);
  if (name !== '') {
    for (const fault of dns1123Label(name)) errors.push(invalid(path.child('name'), name, fault));
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
  } else if (named) errors.push(required(path.child('name')));
  const number = numberOf(port.port) ?? 0;
  for (const fault of portNumber(number)) errors.push(invalid(path.child('port'), number, fault));
  errors.push(...validateProtocol(textOf(port.protocol), path.child('protocol')));
  errors.push(...validatePortOrName(port.targetPort, path.child('targetPort')));
  if (typeof port.appProtocol === 'string') {
    const { appProtocol } = port;
    for (const fault of qualifiedName(appProtocol)) errors.push(invalid(path.child('appProtocol'), appProtocol, fault));
  }
  return errors;
}

/** Faults of a protocol that must be given. */
export function validateProtocol(protocol: string, path: FieldPath): FieldError[] {
  if (protocol === '') return [required(path)];
  return PROTOCOLS.includes(protocol) ? [] : [notSupported(path, protocol, PROTOCOLS)];
}

/** Faults of a port that is a number or the name of one. */
function validatePortOrName(port: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof port === 'string') return portName(port).map((fault) => invalid(path, port, fault));
  const number = numberOf(port) ?? 0;
  return portNumber(number).map((fault) => invalid(path, number, fault));
}

/** Ports that must not be seen from outside. */
export function validateBalancedPorts(spec: JsonObject): FieldError[] {
  return objectsOf(spec.ports).flatMap((port, index) =>
    numberOf(port.port) === NODE_AGENT_PORT
      ? [
          invalid(
            PORTS.index(index),
            NODE_AGENT_PORT,
            `may not expose port ${NODE_AGENT_PORT} externally since it is used by kubelet`,
          ),
        ]
      : [],
  );
}

/** Node ports where the type has none, and ports that are there twice. */
export function validatePortSet(spec: JsonObject): FieldError[] {
  const ports = objectsOf(spec.ports);
  const errors: FieldError[] = [];
  if (spec.type === 'ClusterIP') {
    for (const [index, port] of ports.entries()) {
      if (numberOf(port.nodePort)) {
        const path = PORTS.index(index).child('nodePort');
        errors.push(forbiddenField(path, "may not be used when `type` is 'ClusterIP'"));
      }
    }
  }
  const nodePorts = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const number = numberOf(port.nodePort) ?? 0;
    const key = `${textOf(port.protocol)}/${number}`;
    if (number !== 0 && nodePorts.has(key)) errors.push(duplicate(PORTS.index(index).child('nodePort'), number));
    nodePorts.add(key);
  }
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const number = numberOf(port.port) ?? 0;
    const key = `${textOf(port.protocol)}/${number}`;
    if (numbers.has(key)) errors.push(duplicate(PORTS.index(index), shown(textOf(port.protocol), number)));
    numbers.add(key);
  }
  return errors;
}

/** A port as the message about its double shows it: what makes it one, and nothing else. */
function shown(protocol: string, port: number): JsonObject {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}

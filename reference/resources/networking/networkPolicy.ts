import { type AddressRules, cidrFaults, cidrWarnings } from '../../api/addresses/addressFaults.ts';
import { contains, parseCidr } from '../../api/addresses/cidr.ts';
import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { portName, portNumber } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, setDefault, textOf, textsOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleMaker } from '../builtinType.ts';
import { choiceFaults } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const TYPES = ['Ingress', 'Egress'];
/** The two directions with the name of their peers. */
const DIRECTIONS = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

/** A policy of which traffic may reach and leave pods. */
export const networkPolicyRules: RuleMaker = ({ release }) => ({
  strategy: {
    validate: (policy) => validate(policy, { release }),
    validateUpdate: (policy, old) => validate(policy, { release, old: blocksOf(old) }),
    warnings: (policy) =>
      peersOf(policy).flatMap(({ peer, path }) =>
        isObject(peer.ipBlock) ? blockWarnings(peer.ipBlock, path.child('ipBlock')) : [],
      ),
  },
  defaults: { v1: fill },
});

function fill(policy: ApiObject): void {
  const spec = ensureObject(policy, 'spec');
  for (const [direction] of DIRECTIONS) {
    for (const rule of objectsOf(spec[direction])) {
      for (const port of listOf(rule.ports)) if (isObject(port)) setDefault(port, 'protocol', 'TCP');
    }
  }
  if (listOf(spec.policyTypes).length > 0) return;
  spec.policyTypes = listOf(spec.egress).length > 0 ? [...TYPES] : ['Ingress'];
}

function validate(policy: ApiObject, rules: AddressRules): FieldError[] {
  const spec = objectOf(policy.spec);
  const errors = validateLabelSelector(spec.podSelector, SPEC.child('podSelector'));
  for (const [direction, peers] of DIRECTIONS) {
    for (const [index, rule] of objectsOf(spec[direction]).entries()) {
      const path = SPEC.child(direction).index(index);
      for (const [at, port] of objectsOf(rule.ports).entries()) {
        errors.push(...validatePort(port, path.child('ports').index(at)));
      }
      for (const [at, peer] of objectsOf(rule[peers]).entries()) {
        errors.push(...validatePeer(peer, path.child(peers).index(at), rules));
      }
    }
  }
  return [...errors, ...validateTypes([...textsOf(spec.policyTypes)])];
}

function validateTypes(types: string[]): FieldError[] {
  const path = SPEC.child('policyTypes');
  if (types.length > TYPES.length) return [invalid(path, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, index) => (TYPES.includes(type) ? [] : [notSupported(path.index(index), type, TYPES)]));
}

function validatePort(port: JsonObject, path: FieldPath): FieldError[] {
  const errors = choiceFaults(port, 'protocol', PROTOCOLS, path);
  const end = numberOf(port.endPort);
  const endPath = path.child('endPort');
  if (port.port === undefined) {
    if (end !== undefined) errors.push(invalid(endPath, end, 'may not be specified when `port` is not specified'));
  } else if (typeof port.port === 'string') {
    if (end !== undefined) errors.push(invalid(endPath, end, 'may not be specified when `port` is non-numeric'));
    for (const fault of portName(port.port)) errors.push(invalid(path.child('port'), port.port, fault));
  } else {
    const number = numberOf(port.port) ?? 0;
    for (const fault of portNumber(number)) errors.push(invalid(path.child('port'), number, fault));
    if (end !== undefined) {
      if (end < number) errors.push(invalid(endPath, end, 'must be greater than or equal to `port`'));
      for (const fault of portNumber(end)) errors.push(invalid(endPath, end, fault));
    }
  }
  return errors;
}

function validatePeer(peer: JsonObject, path: FieldPath, rules: AddressRules): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => peer[name] !== undefined);
  const errors = selectors.flatMap((name) => validateLabelSelector(peer[name], path.child(name)));
  if (isObject(peer.ipBlock)) {
    errors.push(...validateBlock(peer.ipBlock, path.child('ipBlock'), rules));
    if (selectors.length > 0) errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
  } else if (selectors.length === 0) errors.push(required(path, 'must specify a peer'));
  return errors;
}

/** A range of addresses without some ranges inside it. */
function validateBlock(block: JsonObject, path: FieldPath, rules: AddressRules): FieldError[] {
  const text = textOf(block.cidr);
  if (text === '') return [required(path.child('cidr'))];
  const errors = cidrFaults(text, path.child('cidr'), rules);
  const range = parseCidr(text);
  if (!range) return errors;
  for (const [index, exception] of textsOf(block.except).entries()) {
    const at = path.child('except').index(index);
    errors.push(...cidrFaults(exception, at, rules));
    const inner = parseCidr(exception);
    if (!inner) continue;
    const inside = contains(range, { ...inner.given, value: inner.base });
    if (!inside || inner.hostBits >= range.hostBits) {
      errors.push(invalid(at, exception, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}

function blockWarnings(block: JsonObject, path: FieldPath): string[] {
  return [
    ...cidrWarnings(textOf(block.cidr), path.child('cidr')),
    ...textsOf(block.except).flatMap((text, index) => cidrWarnings(text, path.child('except').index(index))),
  ];
}

function peersOf(policy: ApiObject): { peer: JsonObject; path: FieldPath }[] {
  const spec = objectOf(policy.spec);
  return DIRECTIONS.flatMap(([direction, peers]) =>
    objectsOf(spec[direction]).flatMap((rule, index) =>
      objectsOf(rule[peers]).map((peer, at) => ({
        peer,
        path: SPEC.child(direction).index(index).child(peers).index(at),
      })),
    ),
  );
}

/** Every range that a policy names. */
function blocksOf(policy: ApiObject): string[] {
  return peersOf(policy).flatMap(({ peer }) => [
    textOf(objectOf(peer.ipBlock).cidr),
    ...textsOf(objectOf(peer.ipBlock).except),
  ]);
}

import { type AddressRules, cidrFaults, ipFaults } from '../../../api/addresses/addressFaults.ts';
import { validateSpecialAddress } from '../../../api/addresses/specialAddress.ts';
import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain, portNumber, qualifiedName } from '../../../api/nameRules.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, numberOf, objectOf, textOf, textsOf } from '../../../api/parts.ts';
import { validateLabels } from '../../validation/fields.ts';
import { validateAddressFields } from './addressFields.ts';
import { validateBalancedPorts, validatePortSet, validatePorts } from './ports.ts';
import { isExternallyAccessible, isHeadless, needsAddress, needsHealthPort, specOf } from './serviceParts.ts';

const SPEC = FieldPath.of('spec');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const AFFINITIES = ['ClientIP', 'None'];
const POLICIES = ['Cluster', 'Local'];
const LONGEST_AFFINITY = 86_400;
/** First release with the wishes for near backends besides the first one. */
const NEAR_SINCE = 34;

/** Faults of a service; `old` is what it was before. */
export function validateService(service: ApiObject, old: ApiObject | undefined, release: number): FieldError[] {
  const spec = specOf(service);
  const before = old ? specOf(old) : {};
  const rules = (name: string): AddressRules => ({ release, old: textsOf(before[name]) });
  const type = textOf(spec.type);
  const external = rules('externalIPs');
  return [
    ...validateForType(spec),
    ...validatePorts(spec),
    ...validateLabels(spec.selector, SPEC.child('selector')),
    ...validateAffinity(spec),
    ...validateAddressFields(spec, rules('clusterIPs')),
    ...textsOf(spec.externalIPs).flatMap((address, index) => {
      const path = SPEC.child('externalIPs').index(index);
      const faults = ipFaults(address, path, external);
      return faults.length > 0 ? faults : validateSpecialAddress(address, path);
    }),
    ...(type === '' ? [required(SPEC.child('type'))] : validateChoice(spec, 'type', TYPES)),
    ...validatePortSet(spec),
    ...validateBalancer(spec, rules('loadBalancerSourceRanges')),
    ...validateTraffic(spec, release),
  ];
}

function validateForType(spec: JsonObject): FieldError[] {
  const type = textOf(spec.type);
  const errors: FieldError[] = [];
  if (listOf(spec.ports).length === 0 && !isHeadless(spec) && type !== 'ExternalName') {
    errors.push(required(SPEC.child('ports')));
  }
  if (type === 'LoadBalancer') errors.push(...validateBalancedPorts(spec));
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    const path = SPEC.child('clusterIPs').index(0);
    errors.push(invalid(path, 'None', `may not be set to 'None' for ${type} services`));
  }
  return type === 'ExternalName' ? [...errors, ...validateExternalName(spec)] : errors;
}

function validateExternalName(spec: JsonObject): FieldError[] {
  const errors = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
    .filter((name) => (name === 'ipFamilyPolicy' ? spec[name] !== undefined : listOf(spec[name]).length > 0))
    .map((name) => forbiddenField(SPEC.child(name), 'may not be set for ExternalName services'));
  const path = SPEC.child('externalName');
  const name = textOf(spec.externalName).replace(/\.$/, '');
  if (name === '') return [...errors, required(path)];
  return [...errors, ...dns1123Subdomain(name).map((fault) => invalid(path, name, fault))];
}

function validateChoice(spec: JsonObject, name: string, choices: readonly string[]): FieldError[] {
  const value = textOf(spec[name]);
  return choices.includes(value) ? [] : [notSupported(SPEC.child(name), value, choices)];
}

function validateAffinity(spec: JsonObject): FieldError[] {
  const affinity = textOf(spec.sessionAffinity);
  const path = SPEC.child('sessionAffinityConfig');
  if (affinity === '') return [required(SPEC.child('sessionAffinity'))];
  const errors = validateChoice(spec, 'sessionAffinity', AFFINITIES);
  if (affinity === 'ClientIP') {
    const seconds = numberOf(objectOf(objectOf(spec.sessionAffinityConfig).clientIP).timeoutSeconds);
    const at = path.child('clientIP', 'timeoutSeconds');
    if (seconds === undefined) {
      errors.push(required(path, 'when session affinity type is ClientIP'));
    } else if (seconds <= 0 || seconds > LONGEST_AFFINITY) {
      errors.push(invalid(at, seconds, `must be greater than 0 and less than ${LONGEST_AFFINITY}`));
    }
  } else if (spec.sessionAffinityConfig !== undefined && affinity === 'None') {
    errors.push(forbiddenField(path, 'must not be set when session affinity is None'));
  }
  return errors;
}

/** Fields that only load balancers have. */
function validateBalancer(spec: JsonObject, rules: AddressRules): FieldError[] {
  const balanced = spec.type === 'LoadBalancer';
  const errors: FieldError[] = [];
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  const rangesPath = SPEC.child('loadBalancerSourceRanges');
  if (ranges.length > 0) {
    if (!balanced) errors.push(forbiddenField(rangesPath, "may only be used when `type` is 'LoadBalancer'"));
    for (const [index, range] of ranges.entries()) {
      errors.push(...cidrFaults(range.trim(), rangesPath.index(index), rules));
    }
  }
  const allocate = SPEC.child('allocateLoadBalancerNodePorts');
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balanced) {
    errors.push(forbiddenField(allocate, "may only be used when `type` is 'LoadBalancer'"));
  }
  if (spec.allocateLoadBalancerNodePorts === undefined && balanced) errors.push(required(allocate));
  if (spec.loadBalancerClass !== undefined) {
    const path = SPEC.child('loadBalancerClass');
    const name = textOf(spec.loadBalancerClass);
    if (!balanced) errors.push(forbiddenField(path, "may only be used when `type` is 'LoadBalancer'"));
    else for (const fault of qualifiedName(name)) errors.push(invalid(path, name, fault));
  }
  return errors;
}

/** How traffic is led: from outside, from inside, to near backends. */
function validateTraffic(spec: JsonObject, release: number): FieldError[] {
  const errors: FieldError[] = [];
  const policy = textOf(spec.externalTrafficPolicy);
  const external = SPEC.child('externalTrafficPolicy');
  if (!isExternallyAccessible(spec)) {
    if (policy !== '') errors.push(invalid(external, policy, 'may only be set for externally-accessible services'));
  } else if (policy === '') errors.push(required(external));
  else errors.push(...validateChoice(spec, 'externalTrafficPolicy', POLICIES));
  errors.push(...validateHealthPort(spec));
  if (spec.internalTrafficPolicy === undefined) {
    if (needsAddress(spec)) errors.push(required(SPEC.child('internalTrafficPolicy')));
  } else errors.push(...validateChoice(spec, 'internalTrafficPolicy', POLICIES));
  if (spec.trafficDistribution !== undefined) {
    const near = release < NEAR_SINCE ? ['PreferClose'] : ['PreferClose', 'PreferSameNode', 'PreferSameZone'];
    errors.push(...validateChoice(spec, 'trafficDistribution', near));
  }
  return errors;
}

function validateHealthPort(spec: JsonObject): FieldError[] {
  const port = numberOf(spec.healthCheckNodePort) ?? 0;
  const path = SPEC.child('healthCheckNodePort');
  if (needsHealthPort(spec)) {
    return port === 0 ? [required(path)] : portNumber(port).map((fault) => invalid(path, port, fault));
  }
  if (port === 0) return [];
  return [invalid(path, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];
}

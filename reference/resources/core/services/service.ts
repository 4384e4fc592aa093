import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { cidrWarnings, ipWarnings } from '../../../api/addresses/addressFaults.ts';
import { type FieldError, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { dns1035Label, dns1123Label, type ObjectNameRule, objectName } from '../../../api/nameRules.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, setDefault, textOf, textsOf } from '../../../api/parts.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { dropUnneeded } from './allocated.ts';
import { allocateService } from './allocation.ts';
import { isExternallyAccessible, isHeadless, needsAddress, specOf } from './serviceParts.ts';
import { validateService } from './validation.ts';

/** Names are single labels, which could not begin with a digit before. */
export const serviceName = (release: number): ObjectNameRule => objectName(release >= 34 ? dns1123Label : dns1035Label);

/** A service gets addresses and node ports as its type needs them, and keeps them while it needs them. */
export const serviceRules: RuleMaker = ({ dialect, release }) => ({
  strategy: {
    allocate: allocateService(release),
    prepareForUpdate(service, old) {
      const spec = ensureObject(service, 'spec');
      dropUnneeded(spec, specOf(old));
      if (spec.type !== 'LoadBalancer' && specOf(old).type === 'LoadBalancer') service.status = { loadBalancer: {} };
    },
    validate: (service) => validateService(service, undefined, release),
    validateUpdate: (service, old) => [
      ...validateServiceChange(service, old),
      ...validateService(service, old, release),
    ],
    warnings: (service) => serviceWarnings(service, dialect),
  },
  defaults: { v1: fillService },
  selectableFields: {
    'spec.clusterIP': (service) => textOf(specOf(service).clusterIP),
    'spec.type': (service) => textOf(specOf(service).type),
  },
});

/** Seconds for which a client stays with one backend. */
const AFFINITY_SECONDS = 10_800;

/** Fills what a service leaves out and what no allocation is needed for. */
function fillService(service: ApiObject): void {
  const spec = ensureObject(service, 'spec');
  setDefault(spec, 'sessionAffinity', 'None');
  setDefault(spec, 'type', 'ClusterIP');
  fillAffinity(spec);
  for (const port of listOf(spec.ports)) if (isObject(port)) fillPort(port);
  if (isExternallyAccessible(spec)) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (needsAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of listOf(objectOf(objectOf(service.status).loadBalancer).ingress)) {
    if (isObject(ingress) && textOf(ingress.ip) !== '') ingress.ipMode ??= 'VIP';
  }
}

function fillAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const config = ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP');
  config.timeoutSeconds ??= AFFINITY_SECONDS;
}

/** Traffic goes to the port of the same number unless another one is named. */
function fillPort(port: JsonObject): void {
  setDefault(port, 'protocol', 'TCP');
  if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
    port.targetPort = numberOf(port.port) ?? 0;
  }
}

const SPEC = FieldPath.of('spec');
const FIXED = 'may not change once set';

/** Faults of what a service may not change: its first address and family, and the class of its balancer. */
function validateServiceChange(service: ApiObject, old: ApiObject): FieldError[] {
  const spec = specOf(service);
  const before = specOf(old);
  const errors: FieldError[] = [];
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName') {
    errors.push(...validateList(spec, before, 'clusterIPs', 'clusterIP'));
    if (!isHeadless(spec) || !isHeadless(before)) {
      errors.push(...validateList(spec, before, 'ipFamilies', 'ipFamily'));
    }
  }
  if (spec.type === 'LoadBalancer' && before.type === 'LoadBalancer') {
    if (textOf(spec.loadBalancerClass) !== textOf(before.loadBalancerClass)) {
      errors.push(invalid(SPEC.child('loadBalancerClass'), spec.loadBalancerClass, FIXED));
    }
  }
  return errors;
}

/** The first value stays; a second one may come, and goes only with the policy that says so. */
function validateList(spec: JsonObject, old: JsonObject, name: string, single: string): FieldError[] {
  const now = [...textsOf(spec[name])];
  const before = textsOf(old[name]);
  const path = SPEC.child(name);
  if (now.length === before.length) {
    return before.flatMap((value, index) => (value === now[index] ? [] : [invalid(path.index(index), now, FIXED)]));
  }
  const errors: FieldError[] = [];
  if (now.length === 0) return [invalid(path.index(0), now, `primary ${single} can not be unset`)];
  if (before.length > 0 && now[0] !== before[0]) errors.push(invalid(path.index(0), now, FIXED));
  if (now.length < before.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    errors.push(
      invalid(
        path.index(1),
        now,
        `\`ipFamilyPolicy\` must be set to 'SingleStack' when releasing the secondary ${single}`,
      ),
    );
  }
  return errors;
}

/** What a valid service says in vain, or should say otherwise. */
function serviceWarnings(service: ApiObject, dialect: Dialect): string[] {
  const spec = specOf(service);
  const warnings: string[] = [];
  const hints = `service.${dialect.labelDomain}/topology-aware-hints`;
  if (service.metadata.annotations?.[hints] !== undefined) {
    warnings.push(`annotation ${hints} is deprecated, please use service.${dialect.labelDomain}/topology-mode instead`);
  }
  const headless = isHeadless(spec);
  const addresses = (name: string) =>
    textsOf(spec[name]).flatMap((address, index) => ipWarnings(address, SPEC.child(name).index(index)));
  if (spec.type !== 'ExternalName' && !headless) warnings.push(...addresses('clusterIPs'));
  if (headless) {
    if (textOf(spec.loadBalancerIP) !== '') warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (listOf(spec.externalIPs).length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  warnings.push(...addresses('externalIPs'));
  if (textOf(spec.loadBalancerIP) !== '')
    warnings.push(...ipWarnings(textOf(spec.loadBalancerIP), SPEC.child('loadBalancerIP')));
  for (const [index, range] of textsOf(spec.loadBalancerSourceRanges).entries()) {
    warnings.push(...cidrWarnings(range.trim(), SPEC.child('loadBalancerSourceRanges').index(index)));
  }
  if (spec.type === 'ExternalName' && listOf(spec.externalIPs).length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.type !== 'ExternalName' && textOf(spec.externalName) !== '') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return warnings;
}

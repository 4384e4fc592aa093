import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { cidrWarnings, ipWarnings } from '../../../api/addresses/addressFaults.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, textOf, textsOf } from '../../../api/parts.ts';
import { isHeadless, specOf } from './serviceParts.ts';

const SPEC = FieldPath.of('spec');

/** What a valid service says in vain, or should say otherwise. */
export function serviceWarnings(service: ApiObject, dialect: Dialect): string[] {
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

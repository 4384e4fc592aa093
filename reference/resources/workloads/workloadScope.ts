import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleContext } from '../builtinType.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { hostnameWarning, templateWarnings } from '../core/pods/warnings.ts';

/** What the rules of a template depend on besides it; `old` is the spec that had it before. */
export function templateScope({ release, dialect }: RuleContext, old?: JsonObject): PodScope {
  const spec = objectOf(objectOf(old?.template).spec);
  const addresses = [
    ...objectsOf(spec.hostAliases).map((alias) => textOf(alias.ip)),
    ...textsOf(objectOf(spec.dnsConfig).nameservers),
  ];
  return { release, labelDomain: dialect.labelDomain, isPod: false, oldAddresses: addresses };
}

/**
 * Warnings about the template of a workload, where it is new or the workload's content has changed.
 * @param job names of the fields between the spec and the one that has the template
 */
export function workloadWarnings(
  workload: ApiObject,
  old: ApiObject | undefined,
  context: RuleContext,
  ...job: readonly string[]
): string[] {
  if (old && old.metadata.generation === workload.metadata.generation) return [];
  const holder = job.reduce((at, name) => objectOf(at[name]), objectOf(workload.spec));
  return templateWarnings(holder.template, FieldPath.of('spec', ...job, 'template'), context);
}

/** Warning about the name of a new workload, from which those of its pods are made. */
export function podNameWarnings({ metadata }: ApiObject): string[] {
  const faults = dns1123Label(metadata.name ?? '');
  return faults.length === 0 ? [] : [hostnameWarning('Pod names and hostnames', faults)];
}

/** Whether two values are the same; absent and empty are. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(a ?? null, b ?? null);
}

import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label } from '../../../api/nameRules.ts';
import type { ApiObject } from '../../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';
import { parseQuantity, scaledValue } from '../../../schema/quantity.ts';
import type { RuleContext } from '../../builtinType.ts';
import { portWarnings } from './network.ts';
import { placementWarnings } from './scheduling.ts';
import { profileAnnotations } from './securityContext.ts';
import { volumeWarnings } from './volumes.ts';

/** Warnings about a valid new pod. */
export function podWarnings(pod: ApiObject, context: RuleContext): string[] {
  const name = pod.metadata.name ?? '';
  const faults = dns1123Label(name);
  const warnings = specWarnings(objectOf(pod.spec), objectOf(pod.metadata.annotations), FieldPath.root, context);
  return faults.length === 0 ? warnings : [hostnameWarning("the Pod's hostname", faults), ...warnings];
}

/** Warning about the name of an object that names its pods. */
export function hostnameWarning(where: string, faults: readonly string[]): string {
  const surprise = 'which can result in surprising behavior; a DNS label is recommended';
  return `metadata.name: this is used in ${where}, ${surprise}: [${faults.join(' ')}]`;
}

/** Warnings about a valid template of pods; none about one that did not change. */
export function templateWarnings(template: Json | undefined, path: FieldPath, context: RuleContext): string[] {
  const { metadata, spec } = objectOf(template);
  return specWarnings(objectOf(spec), objectOf(objectOf(metadata).annotations), path, context);
}

function specWarnings(spec: JsonObject, annotations: JsonObject, root: FieldPath, context: RuleContext): string[] {
  const path = root.child('spec');
  const noted = root.child('metadata', 'annotations');
  return [
    ...placementWarnings(spec, path, context),
    ...annotationWarnings(annotations, noted, context),
    ...volumeWarnings(spec, path.child('volumes'), context),
    ...nameWarnings(spec, path),
    ...fractionWarnings(objectOf(spec.overhead), path.child('overhead')),
    ...containerWarnings(spec, annotations, root, context),
    ...portWarnings(spec, path),
    ...graceWarnings(spec, path.child('terminationGracePeriodSeconds')),
    ...neighbourWarnings(spec, path.child('affinity')),
  ];
}

function annotationWarnings(annotations: JsonObject, path: FieldPath, { dialect }: RuleContext): string[] {
  const notes: readonly (readonly [string, string])[] = [
    [
      `scheduler.alpha.${dialect.labelDomain}/critical-pod`,
      'non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
    [`security.alpha.${dialect.labelDomain}/sysctls`, 'non-functional in v1.11+; use the "sysctls" field instead'],
    [
      `security.alpha.${dialect.labelDomain}/unsafe-sysctls`,
      'non-functional in v1.11+; use the "sysctls" field instead',
    ],
  ];
  return notes.filter(([name]) => annotations[name] !== undefined).map(([name, text]) => `${path.key(name)}: ${text}`);
}

function nameWarnings(spec: JsonObject, path: FieldPath): string[] {
  const repeated = (list: string, field: string): string[] => {
    const seen = new Set<string>();
    return objectsOf(spec[list]).flatMap((item, index) => {
      const text = textOf(item[field]);
      const at = path.child(list).index(index).child(field);
      if (seen.has(text)) return [`${at}: duplicate ${field} ${JSON.stringify(text)}`];
      seen.add(text);
      return [];
    });
  };
  const unnamed = objectsOf(spec.imagePullSecrets).flatMap((secret, index) => {
    if (textOf(secret.name) !== '') return [];
    return [`${path.child('imagePullSecrets').index(index).child('name')}: invalid empty name ""`];
  });
  return [...repeated('hostAliases', 'ip'), ...repeated('imagePullSecrets', 'name'), ...unnamed];
}

/** Bytes come whole. */
function fractionWarnings(amounts: JsonObject, path: FieldPath): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const text = textOf(amounts[name]);
    if (text === '' || scaledValue(parseQuantity(text), -3) % 1000n === 0n) return [];
    return [`${path.key(name)}: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`];
  });
}

function containerWarnings(
  spec: JsonObject,
  annotations: JsonObject,
  root: FieldPath,
  { dialect }: RuleContext,
): string[] {
  const names = profileAnnotations(dialect.labelDomain);
  const noted = root.child('metadata', 'annotations');
  const own = objectOf(spec.securityContext);
  const isTemplate = root !== FieldPath.root;
  const warnings: string[] = [];
  const unused = (name: string, text: string) => {
    if (annotations[name] !== undefined) warnings.push(`${noted.key(name)}: ${text}`);
  };
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  if (!isObject(own.seccompProfile)) unused(names.seccompPod, seccomp);
  eachContainer(spec, root.child('spec'), (container, path) => {
    const context = objectOf(container.securityContext);
    const name = textOf(container.name);
    if (!isObject(context.seccompProfile)) unused(`${names.seccompContainer}${name}`, seccomp);
    if (isTemplate && !isObject(own.appArmorProfile) && !isObject(context.appArmorProfile)) {
      unused(`${names.appArmorContainer}${name}`, 'deprecated since v1.30; use the "appArmorProfile" field instead');
    }
    const resources = objectOf(container.resources);
    const limits = fractionWarnings(objectOf(resources.limits), path.child('resources', 'limits'));
    const requests = fractionWarnings(objectOf(resources.requests), path.child('resources', 'requests'));
    const isMemory = (text: string) => text.includes('[memory]');
    warnings.push(...[...limits, ...requests].sort((a, b) => Number(isMemory(b)) - Number(isMemory(a))));
    for (const text of variableWarnings(container.env, path.child('env'))) warnings.push(text);
  });
  return warnings;
}

/** A variable may build on an earlier one of its name; else it hides that. */
function variableWarnings(variables: Json | undefined, path: FieldPath): string[] {
  const seen = new Set<string>();
  return objectsOf(variables).flatMap((variable, index) => {
    const name = textOf(variable.name);
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const value = textOf(variable.value);
    const reference = `$(${name})`;
    if (!isObject(variable.valueFrom) && value !== reference && value.includes(reference)) return [];
    const hidden = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return [`${path.index(index)}: ${hidden}`];
  });
}

function graceWarnings(spec: JsonObject, path: FieldPath): string[] {
  const seconds = numberOf(spec.terminationGracePeriodSeconds);
  if (seconds === undefined || seconds >= 0) return [];
  return [`${path}: must be >= 0; negative values are invalid and will be treated as 1`];
}

/** A selector that is missing selects nothing. */
function neighbourWarnings(spec: JsonObject, path: FieldPath): string[] {
  const nothing = 'a null labelSelector results in matching no pod';
  return ['podAffinity', 'podAntiAffinity'].flatMap((side) => {
    const affinity = objectOf(objectOf(spec.affinity)[side]);
    const wanted = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const missing = (term: JsonObject, at: FieldPath): string[] =>
      isObject(term.labelSelector) ? [] : [`${at.child('labelSelector')}: ${nothing}`];
    const place = path.child(side);
    return [
      ...objectsOf(affinity[wanted]).flatMap((term, index) => missing(term, place.child(wanted).index(index))),
      ...objectsOf(affinity[preferred]).flatMap((term, index) =>
        missing(objectOf(term.podAffinityTerm), place.child(preferred).index(index).child('podAffinityTerm')),
      ),
    ];
  });
}

import { duplicate, type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../api/nameRules.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, setDefault, textOf } from '../../../api/parts.ts';
import { atOnce, type Staged } from '../../../api/staged.ts';
import { named, oneOf, requiredName, validateLabels } from '../../validation/fields.ts';
import { validateAnnotations, validatePodAnnotations, validateProfileMatch } from './annotations.ts';
import {
  fillContainer,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './containers.ts';
import { hostNetworkPorts, validateDns, validateHostAliases } from './network.ts';
import { roundList, validateContainerResources, validatePodResources } from './resources.ts';
import { validateAffinity, validateSpread, validateTolerations } from './scheduling.ts';
import { type ContainerScope, type PodScope, SINCE } from './scope.ts';
import {
  validateForSystem,
  validateHostProcess,
  validateHostUsers,
  validatePodSecurity,
  validateSystem,
} from './securityContext.ts';
import { fillVolume, validateVolumes } from './volumes.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const LARGEST_SECONDS = 2 ** 31 - 1;

/** Faults of the spec of a pod or of a template, in the order in which the service tells them. */
export function* validatePodSpec(spec: JsonObject, path: FieldPath, scope: PodScope): Staged<FieldError[]> {
  const grace = numberOf(spec.terminationGracePeriodSeconds);
  const errors = grace === undefined ? [required(path.child('terminationGracePeriodSeconds'))] : [];
  const { errors: volumeErrors, volumes } = validateVolumes(spec.volumes, path.child('volumes'), scope);
  const inner: ContainerScope = {
    ...scope,
    volumes,
    claimNames: new Set(
      objectsOf(spec.resourceClaims)
        .map((claim) => textOf(claim.name))
        .filter(Boolean),
    ),
    graceSeconds: grace,
    restartPolicy: textOf(spec.restartPolicy),
    hostUsers: spec.hostUsers !== false,
  };
  errors.push(
    ...volumeErrors,
    ...validateResourceClaims(spec.resourceClaims, path.child('resourceClaims')),
    ...(yield* validateContainers(spec.containers, path.child('containers'), inner)),
    ...(yield* validateInitContainers(spec.initContainers, spec.containers, path.child('initContainers'), inner)),
    ...validateEphemeralContainers(spec, path.child('ephemeralContainers'), inner),
  );
  if (scope.release >= SINCE.podResources) {
    errors.push(...(yield* validatePodResources(spec, path.child('resources'), inner)));
  }
  yield;
  errors.push(
    ...hostNetworkPorts(spec, path, scope.isPod),
    ...oneOf(spec.restartPolicy, RESTART_POLICIES, path.child('restartPolicy')),
    ...oneOf(spec.dnsPolicy, DNS_POLICIES, path.child('dnsPolicy')),
    ...validateLabels(spec.nodeSelector, path.child('nodeSelector')),
    ...validatePodSecurity(spec, path.child('securityContext')),
    ...validateAffinity(spec.affinity, path.child('affinity')),
    ...validateDns(spec, path.child('dnsConfig'), scope),
    ...objectsOf(spec.readinessGates).flatMap((gate, index) =>
      named(gate.conditionType, qualifiedName, path.child('readinessGates').index(index).child('conditionType')),
    ),
    ...validateSchedulingGates(spec.schedulingGates, path.child('schedulingGates')),
    ...validateSpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), scope),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateNames(spec, path),
    ...validateDeadline(spec.activeDeadlineSeconds, path.child('activeDeadlineSeconds')),
    ...validateOwnNames(spec, path),
    ...validateTolerations(spec.tolerations, path.child('tolerations')),
    ...validateHostAliases(spec, path.child('hostAliases'), scope),
    ...validateClasses(spec, path, inner),
    ...validateOperatingSystem(spec, path),
  );
  return errors;
}

/** Text that may be absent and otherwise follows a rule. */
function optionalName(spec: JsonObject, field: string, rule: typeof dns1123Label, path: FieldPath): FieldError[] {
  return textOf(spec[field]) === '' ? [] : named(spec[field], rule, path.child(field));
}

function validateNames(spec: JsonObject, path: FieldPath): FieldError[] {
  return ['serviceAccountName', 'nodeName'].flatMap((field) => optionalName(spec, field, dns1123Subdomain, path));
}

function validateOwnNames(spec: JsonObject, path: FieldPath): FieldError[] {
  return ['hostname', 'subdomain'].flatMap((field) => optionalName(spec, field, dns1123Label, path));
}

function validateDeadline(value: Json | undefined, path: FieldPath): FieldError[] {
  const seconds = numberOf(value);
  if (seconds === undefined || (seconds >= 1 && seconds <= LARGEST_SECONDS)) return [];
  return [invalid(path, value, `must be between 1 and ${LARGEST_SECONDS}, inclusive`)];
}

function validateClasses(spec: JsonObject, path: FieldPath, scope: ContainerScope): FieldError[] {
  const errors = optionalName(spec, 'priorityClassName', dns1123Subdomain, path);
  if (spec.runtimeClassName !== undefined) {
    errors.push(...named(spec.runtimeClassName, dns1123Subdomain, path.child('runtimeClassName')));
  }
  if (spec.preemptionPolicy !== undefined) {
    errors.push(...oneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], path.child('preemptionPolicy')));
  }
  if (spec.overhead === undefined) return errors;
  return [...errors, ...atOnce(validateContainerResources({ limits: spec.overhead }, path.child('overhead'), scope))];
}

function validateOperatingSystem(spec: JsonObject, path: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const errors = validateSystem(spec, path.child('os'));
  return errors.length > 0 ? errors : validateForSystem(spec, path);
}

function validateResourceClaims(claims: Json | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  objectsOf(claims).forEach((claim, index) => {
    const at = path.index(index);
    const name = textOf(claim.name);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    else errors.push(...requiredName(name, dns1123Label, at.child('name')));
    if (name !== '') names.add(name);
    const fields = ['resourceClaimName', 'resourceClaimTemplateName'].filter((field) => claim[field] !== undefined);
    const shown = {
      Name: name,
      ResourceClaimName: claim.resourceClaimName ?? null,
      ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
    };
    if (fields.length > 1) {
      const most = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalid(at, shown, most));
    } else if (fields.length === 0) {
      errors.push(invalid(at, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    }
    errors.push(...fields.flatMap((field) => named(claim[field], dns1123Subdomain, at.child(field))));
  });
  return errors;
}

function validateSchedulingGates(gates: Json | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  objectsOf(gates).forEach((gate, index) => {
    const name = textOf(gate.name);
    errors.push(...named(name, qualifiedName, path.index(index)));
    if (seen.has(name)) errors.push(duplicate(path.index(index), name));
    seen.add(name);
  });
  return errors;
}

/** Faults of the template of a pod, as workloads have it. */
export function* validateTemplate(template: Json | undefined, path: FieldPath, scope: PodScope): Staged<FieldError[]> {
  const metadata = objectOf(objectOf(template).metadata);
  const spec = objectOf(objectOf(template).spec);
  const annotations = objectOf(metadata.annotations);
  const errors = validateTemplateMetadata(metadata, spec, path, scope);
  yield;
  errors.push(...(yield* validatePodSpec(spec, path.child('spec'), scope)));
  yield;
  errors.push(...validateProfileMatch(annotations, spec, path.child('spec'), scope));
  if (objectsOf(spec.ephemeralContainers).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(forbiddenField(path.child('spec', 'ephemeralContainers'), detail));
  }
  return errors;
}

/** Faults of labels and annotations of a template; the service leaves `metadata` out of their paths. */
export function validateTemplateMetadata(
  metadata: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  scope: PodScope,
): FieldError[] {
  return [
    ...validateLabels(metadata.labels, path.child('labels')),
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validatePodAnnotations(objectOf(metadata.annotations), spec, path.child('annotations'), scope),
  ];
}

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
const GRACE_SECONDS = 30;

/** Fills the spec of a pod or of a template, in place. */
export function fillPodSpec(spec: JsonObject): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'schedulerName', 'default-scheduler');
  spec.terminationGracePeriodSeconds ??= GRACE_SECONDS;
  ensureObject(spec, 'securityContext');
  sameAccount(spec);
  for (const field of CONTAINERS) {
    for (const container of listOf(spec[field])) if (isObject(container)) fillContainer(container);
  }
  for (const volume of listOf(spec.volumes)) if (isObject(volume)) fillVolume(volume);
  roundList(spec.overhead);
}

/** The account has an old name too; both say the same, and the new one wins. */
function sameAccount(spec: JsonObject): void {
  setDefault(spec, 'serviceAccountName', spec.serviceAccount ?? '');
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** Fills the template of a pod under `template` of `holder`, in place; `holder` is the spec of a workload. */
export function fillTemplate(holder: object): void {
  fillPodSpec(ensureObject(ensureObject(holder, 'template'), 'spec'));
}

import { duplicate, type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { named, requiredName } from '../../validation/values.ts';
import type { PodScope } from './scope.ts';
import { SOURCE_PATHS, VOLUME_SOURCES } from './volumeSources.ts';

/** Faults of the volumes of a pod, and those that are sound, by name. */
export function validateVolumes(
  list: Json | undefined,
  path: FieldPath,
  scope: PodScope,
): { errors: FieldError[]; volumes: Map<string, JsonObject> } {
  const all = objectsOf(list);
  const errors: FieldError[] = [];
  const volumes = new Map<string, JsonObject>();
  const made = new Set(
    scope.podName ? all.filter((one) => isObject(one.ephemeral)).map((one) => claimName(one, scope)) : [],
  );
  all.forEach((volume, index) => {
    const at = path.index(index);
    const name = textOf(volume.name);
    const faults = [...validateSource(volume, at, scope), ...requiredName(name, dns1123Label, at.child('name'))];
    if (volumes.has(name)) faults.push(duplicate(at.child('name'), name));
    if (faults.length === 0) volumes.set(name, volume);
    errors.push(...faults);
    const claim = textOf(objectOf(volume.persistentVolumeClaim).claimName);
    if (isObject(volume.persistentVolumeClaim) && made.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(at.child('persistentVolumeClaim', 'claimName'), claim, detail));
    }
  });
  return { errors, volumes };
}

function claimName(volume: JsonObject, { podName }: PodScope): string {
  return `${podName}-${textOf(volume.name)}`;
}

/** A volume has one source, and that must be sound. */
function validateSource(volume: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const given = Object.keys(VOLUME_SOURCES).filter((name) => isObject(volume[name]));
  const [first, ...others] = given;
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const at = path.child(SOURCE_PATHS[first]?.own ?? first);
  const errors = VOLUME_SOURCES[first]?.(objectOf(volume[first]), at, scope) ?? [];
  if (first === 'ephemeral') errors.push(...validateClaimName(volume, path, scope));
  for (const name of others) {
    const place = path.child(SOURCE_PATHS[name]?.second ?? name);
    errors.push(forbiddenField(place, 'may not specify more than 1 volume type'));
  }
  errors.push(...validateInitiator(volume, path));
  return errors;
}

function validateClaimName(volume: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const name = textOf(volume.name);
  if (!scope.podName || name === '') return [];
  const claim = claimName(volume, scope);
  return named(claim, dns1123Subdomain, path.child('name')).map((error) => ({
    ...error,
    message: error.message.replace(
      `Invalid value: ${JSON.stringify(claim)}: `,
      `Invalid value: ${JSON.stringify(name)}: PVC name ${JSON.stringify(claim)}: `,
    ),
  }));
}

const LONGEST_PORTAL = 64;

/** Names of connections are made of the name of the volume and its portal. */
function validateInitiator(volume: JsonObject, path: FieldPath): FieldError[] {
  const { initiatorName, targetPortal } = objectOf(volume.iscsi);
  const name = textOf(volume.name);
  if (initiatorName === undefined || Buffer.byteLength(`${name}:${textOf(targetPortal)}`) <= LONGEST_PORTAL) return [];
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(path.child('name'), name, detail)];
}

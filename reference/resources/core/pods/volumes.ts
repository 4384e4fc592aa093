import { duplicate, type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { listOf, objectOf, objectsOf, setDefault, textOf } from '../../../api/parts.ts';
import { parseQuantity, scaledValue } from '../../../schema/quantity.ts';
import type { RuleContext } from '../../builtinType.ts';
import { named, requiredName } from '../../validation/fields.ts';
import { fillFieldRef, imageTag } from './containers.ts';
import { roundAmounts } from './resources.ts';
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

/** Modes of files that a volume makes: readable by all, writable by the owner. */
const FILE_MODE = 0o644;
const WITH_MODE = ['secret', 'configMap', 'downwardAPI', 'projected'];
const TOKEN_SECONDS = 60 * 60;

/** Fills a volume of a pod, in place; one without a source is an empty directory. */
export function fillVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume.emptyDir = {};
  for (const name of WITH_MODE) {
    const source = volume[name];
    if (isObject(source)) source.defaultMode ??= FILE_MODE;
  }
  if (isObject(volume.downwardAPI)) fillItems(volume.downwardAPI);
  if (isObject(volume.projected)) {
    for (const source of listOf(volume.projected.sources)) if (isObject(source)) fillProjection(source);
  }
  if (isObject(volume.hostPath)) volume.hostPath.type ??= '';
  if (isObject(volume.ephemeral) && isObject(volume.ephemeral.volumeClaimTemplate)) {
    fillClaim(volume.ephemeral.volumeClaimTemplate);
  }
  if (isObject(volume.image)) setDefault(volume.image, 'pullPolicy', imagePolicy(volume.image));
}

function fillProjection(source: JsonObject): void {
  if (isObject(source.serviceAccountToken)) source.serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
  if (isObject(source.downwardAPI)) fillItems(source.downwardAPI);
}

function fillItems(source: JsonObject): void {
  for (const item of listOf(source.items)) if (isObject(item)) fillFieldRef(item);
}

function imagePolicy(image: JsonObject): string {
  return imageTag(typeof image.reference === 'string' ? image.reference : '') === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Fills what a claim for a volume wants, in place; `claim` is the claim or its template. */
export function fillClaim(claim: JsonObject): void {
  if (!isObject(claim.spec)) return;
  claim.spec.volumeMode ??= 'Filesystem';
  if (isObject(claim.spec.resources)) roundAmounts(claim.spec.resources);
}

/** Sources that are on their way out, and how the service calls them. */
const OLD_SOURCES: readonly (readonly [string, string, string?])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];
/** First release that has volumes of repositories switched off. */
const NO_REPOSITORIES = 33;

/** Warnings about the volumes of a pod. */
export function volumeWarnings(spec: JsonObject, path: FieldPath, { release }: RuleContext): string[] {
  const volumes = objectsOf(spec.volumes);
  const warnings: string[] = [];
  volumes.forEach((volume, index) => {
    for (const [source, text, shown] of OLD_SOURCES) {
      if (!isObject(volume[source])) continue;
      const said = source === 'gitRepo' && release < NO_REPOSITORIES ? 'deprecated in v1.11' : text;
      warnings.push(`${path.index(index).child(shown ?? source)}: ${said}`);
    }
    const template = objectOf(objectOf(volume.ephemeral).volumeClaimTemplate);
    const at = path.index(index).child('ephemeral', 'volumeClaimTemplate', 'spec');
    warnings.push(...claimWarnings(objectOf(template.spec), at));
  });
  return [...warnings, ...tokenWarnings(volumes, path)];
}

/** Warnings about a claim for a volume: storage comes in whole bytes. */
function claimWarnings(spec: JsonObject, path: FieldPath): string[] {
  const text = textOf(objectOf(objectOf(spec.resources).requests).storage);
  if (text === '' || scaledValue(parseQuantity(text), -3) % 1000n === 0n) return [];
  const at = path.child('resources', 'requests').key('storage');
  return [`${at}: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`];
}

/** Files that take the place of a token. */
function tokenWarnings(volumes: readonly JsonObject[], path: FieldPath): string[] {
  const sources = (volume: JsonObject) => objectsOf(objectOf(volume.projected).sources);
  const tokens = new Set(
    volumes.flatMap((volume) =>
      sources(volume)
        .filter((source) => isObject(source.serviceAccountToken))
        .map((source) => textOf(objectOf(source.serviceAccountToken).path)),
    ),
  );
  if (tokens.size === 0) return [];
  const lists: readonly (readonly [string, string])[] = [
    ['configMap', 'configMap'],
    ['secret', 'secrets'],
    ['downwardAPI', 'downwardAPI'],
  ];
  return volumes.flatMap((volume, index) =>
    sources(volume).flatMap((source) =>
      lists.flatMap(([name, shown]) =>
        objectsOf(objectOf(source[name]).items).flatMap((item, place) => {
          const file = textOf(item.path);
          if (!tokens.has(file)) return [];
          const at = path.index(index).child('projected', 'sources', shown).index(place);
          return [`${at}: has duplicated path with ServiceAccountToken ${JSON.stringify(file)}`];
        }),
      ),
    ),
  );
}

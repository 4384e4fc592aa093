import { isObject, type JsonObject } from '../../../api/json.ts';
import { listOf, setDefault } from '../../../api/parts.ts';
import { fillFieldRef } from './containerDefaults.ts';
import { imageTag } from './imageTag.ts';
import { roundAmounts } from './resourceAmounts.ts';

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

import { type FieldError, forbiddenField, invalid, tooLong } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { qualifiedName } from '../../../api/nameRules.ts';
import { objectOf, textOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';
import type { PodScope } from './scope.ts';
import {
  appArmorAnnotationFault,
  matchAnnotation,
  profileAnnotations,
  validateSeccompAnnotation,
} from './securityContext.ts';

const MOST_BYTES = 256 * 1024;

/** Faults of the names of annotations, and of their size together. */
export function validateAnnotations(annotations: Json | undefined, path: FieldPath): FieldError[] {
  const all = Object.entries(objectOf(annotations));
  const errors = all.flatMap(([name]) => qualifiedName(name.toLowerCase()).map((fault) => invalid(path, name, fault)));
  const bytes = all.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(textOf(value)), 0);
  if (bytes > MOST_BYTES) errors.push(tooLong(path, MOST_BYTES));
  return errors;
}

/** Annotations that mean something for pods. */
const MIRROR = 'config.mirror';
const DELETION_COST = 'pod-deletion-cost';

/** Name of the annotation of a pod that stands for one that a node runs by itself. */
export function mirrorAnnotation(labelDomain: string): string {
  return `${labelDomain}/${MIRROR}`;
}

/** Faults of annotations that mean something for a pod with this spec. */
export function validatePodAnnotations(
  annotations: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  { labelDomain }: PodScope,
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = mirrorAnnotation(labelDomain);
  if (annotations[mirror] !== undefined && textOf(spec.nodeName) === '') {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(path.key(mirror), annotations[mirror], detail));
  }
  const cost = `controller.${labelDomain}/${DELETION_COST}`;
  if (annotations[cost] !== undefined && !isCost(textOf(annotations[cost]))) {
    errors.push(invalid(path.key(cost), annotations[cost], 'must be a 32bit integer'));
  }
  const names = profileAnnotations(labelDomain);
  for (const [name, value] of Object.entries(annotations)) {
    if (name === names.seccompPod || name.startsWith(names.seccompContainer)) {
      errors.push(...validateSeccompAnnotation(textOf(value), path.child(name)));
    } else if (name.startsWith(names.appArmorContainer)) {
      const container = name.slice(names.appArmorContainer.length);
      if (!hasContainer(spec, container, path)) errors.push(invalid(path.key(name), container, 'container not found'));
      const fault = appArmorAnnotationFault(textOf(value));
      if (fault !== undefined) errors.push(invalid(path.key(name), value, fault));
    }
  }
  return errors;
}

/** Numbers with a plus or leading zeros are not taken. */
function isCost(text: string): boolean {
  return /^(0|-?[1-9][0-9]{0,9})$/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

function hasContainer(spec: JsonObject, name: string, path: FieldPath): boolean {
  let found = false;
  eachContainer(spec, path, (container) => {
    if (container.name === name) found = true;
  });
  return found;
}

/** Annotations of pods that stay as they are. */
export function validateKeptAnnotations(
  annotations: JsonObject,
  old: JsonObject,
  path: FieldPath,
  { labelDomain }: PodScope,
): FieldError[] {
  const errors: FieldError[] = [];
  const armor = profileAnnotations(labelDomain).appArmorContainer;
  const mirror = mirrorAnnotation(labelDomain);
  const refuse = (name: string, verb: string) => {
    if (name.startsWith(armor)) errors.push(forbiddenField(path.key(name), `may not ${verb} AppArmor annotations`));
    if (name === mirror) errors.push(forbiddenField(path.key(name), `may not ${verb} mirror pod annotation`));
  };
  for (const name of Object.keys(old)) if (annotations[name] !== old[name]) refuse(name, 'remove or update');
  for (const name of Object.keys(annotations)) if (old[name] === undefined) refuse(name, 'add');
  return errors;
}

/** Profiles that annotations and fields tell differently. */
export function validateProfileMatch(
  annotations: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  { labelDomain }: PodScope,
): FieldError[] {
  const names = profileAnnotations(labelDomain);
  if (Object.keys(annotations).length === 0) return [];
  const text = (name: string) => (annotations[name] === undefined ? undefined : textOf(annotations[name]));
  const own = objectOf(spec.securityContext);
  const seccompPath = path.child('securityContext', 'seccompProfile');
  const errors = matchAnnotation(text(names.seccompPod), own.seccompProfile, seccompPath, 'seccomp');
  const armor: FieldError[] = [];
  const windows = objectOf(spec.os).name === 'windows';
  eachContainer(spec, path, (container, at) => {
    const context = objectOf(container.securityContext);
    const name = textOf(container.name);
    const place = at.child('securityContext');
    const said = text(`${names.seccompContainer}${name}`);
    errors.push(...matchAnnotation(said, context.seccompProfile, place.child('seccompProfile'), 'seccomp'));
    if (windows) return;
    const profile = context.appArmorProfile ?? own.appArmorProfile;
    const armed = text(`${names.appArmorContainer}${name}`);
    armor.push(...matchAnnotation(armed, profile, place.child('appArmorProfile'), 'apparmor'));
  });
  return [...errors, ...armor];
}

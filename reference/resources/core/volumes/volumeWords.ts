import { type FieldError, forbiddenField, notSupported } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain } from '../../../api/nameRules.ts';
import type { ObjectMeta } from '../../../api/object.ts';
import { textOf, textsOf } from '../../../api/parts.ts';
import { nameFaults } from '../../validation/fields.ts';

/*
 * What volumes and claims to them have in common.
 */

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES: readonly string[] = ['Block', 'Filesystem'];

/** Faults of the ways in which a volume can be used; one for a single pod stands alone. */
export function validateAccessModes(spec: JsonObject, path: FieldPath): FieldError[] {
  const modes = textsOf(spec.accessModes);
  const errors = modes.filter((mode) => !MODES.includes(mode)).map((mode) => notSupported(path, mode, MODES));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => MODES.includes(mode) && mode !== 'ReadWriteOncePod')) {
    errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

export function validateClassName(spec: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(spec.storageClassName);
  return name === '' ? [] : nameFaults(name, dns1123Subdomain, path.child('storageClassName'));
}

/** A class was an annotation once. */
export function classAnnotation(labelDomain: string): string {
  return `volume.beta.${labelDomain}/storage-class`;
}
export function annotationWarnings({ annotations }: ObjectMeta, labelDomain: string): string[] {
  const annotation = classAnnotation(labelDomain);
  if (annotations?.[annotation] === undefined) return [];
  return [`metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}

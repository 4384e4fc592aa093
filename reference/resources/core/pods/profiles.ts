import { type FieldError, forbiddenField, invalid, notSupported, required, tooLong } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json } from '../../../api/json.ts';
import { objectOf, textOf } from '../../../api/parts.ts';
import { descending } from './filePaths.ts';

/*
 * Profiles that confine what a process may do: by system calls (seccomp) and by files and rights (AppArmor). Both
 * can also be told by annotations, as they were before they had fields.
 */

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const LONGEST_PATH = 4095;

/** Faults of a profile for system calls. */
export function validateSeccomp(value: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(value)) return [];
  const type = textOf(value.type);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!TYPES.includes(type)) errors.push(notSupported(path.child('type'), type, TYPES));
  const file = value.localhostProfile;
  const at = path.child('localhostProfile');
  if (type === 'Localhost') {
    if (file === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'));
    else errors.push(...descending(textOf(file), at));
  } else if (file !== undefined) {
    const shown = { Type: type, LocalhostProfile: file };
    errors.push(invalid(at, shown, 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

/** Faults of an AppArmor profile. */
export function validateAppArmor(value: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(value)) return [];
  const type = textOf(value.type);
  const file = value.localhostProfile;
  const at = path.child('localhostProfile');
  if (type === '') return [required(path.child('type'), 'type is required when appArmorProfile is set')];
  if (!TYPES.includes(type)) return [notSupported(path.child('type'), type, TYPES)];
  if (type !== 'Localhost') {
    return file === undefined ? [] : [invalid(at, file, 'can only be set when AppArmor type is Localhost')];
  }
  const text = textOf(file);
  const errors: FieldError[] = [];
  if (text.trim() !== text) errors.push(invalid(at, text, 'must not be padded with whitespace'));
  else if (text === '') errors.push(required(at, 'must be set when AppArmor type is Localhost'));
  if (Buffer.byteLength(text) > LONGEST_PATH) errors.push(tooLong(at, LONGEST_PATH));
  return errors;
}

/** Annotations of old, for a whole pod and for its containers. */
const SECCOMP_POD = 'seccomp.security.alpha.';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.';
const APPARMOR_CONTAINER = 'container.apparmor.security.beta.';

/** Names of those annotations under the domain of the service; those for containers end with their name. */
export function profileAnnotations(labelDomain: string) {
  return {
    seccompPod: `${SECCOMP_POD}${labelDomain}/pod`,
    seccompContainer: `${SECCOMP_CONTAINER}${labelDomain}/`,
    appArmorContainer: `${APPARMOR_CONTAINER}${labelDomain}/`,
  };
}

/** Faults of the value of a seccomp annotation. */
export function validateSeccompAnnotation(text: string, path: FieldPath): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(text)) return [];
  if (text.startsWith('localhost/')) return descending(text.slice('localhost/'.length), path);
  return [invalid(path, text, 'must be a valid seccomp profile')];
}

/** What is wrong with the value of an AppArmor annotation. */
export function appArmorAnnotationFault(text: string): string | undefined {
  if (text === '' || text === 'runtime/default' || text === 'unconfined' || text.startsWith('localhost/'))
    return undefined;
  return `invalid AppArmor profile name: ${JSON.stringify(text)}`;
}

/** What annotations say for each type of a profile. */
const ANNOTATED: Readonly<Record<string, readonly string[]>> = {
  Unconfined: ['unconfined'],
  RuntimeDefault: ['runtime/default', 'docker/default'],
};

/**
 * Whether an annotation and a field that say the same thing agree.
 * @param kind how the faults call the profile: `seccomp` or `apparmor`
 */
export function matchAnnotation(
  text: string | undefined,
  profile: Json | undefined,
  path: FieldPath,
  kind: 'seccomp' | 'apparmor',
): FieldError[] {
  if (text === undefined || !isObject(profile)) return [];
  const { type, localhostProfile } = objectOf(profile);
  const wrongType = forbiddenField(path.child('type'), `${kind} type in annotation and field must match`);
  if (type !== 'Localhost') {
    const allowed = ANNOTATED[textOf(type)];
    if (!allowed) return [];
    const taken = kind === 'apparmor' ? allowed.slice(0, 1) : allowed;
    return taken.includes(text) ? [] : [wrongType];
  }
  if (!text.startsWith('localhost/')) return [wrongType];
  if (text.slice('localhost/'.length) === localhostProfile) return [];
  return [forbiddenField(path.child('localhostProfile'), `${kind} profile in annotation and field must match`)];
}

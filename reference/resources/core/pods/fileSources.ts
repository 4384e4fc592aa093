import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import { fileMode, present } from '../../validation/values.ts';
import { VOLUME_FIELDS, validateFieldRef, validateResourceRef } from './downwardFields.ts';
import { descendingUnreserved } from './filePaths.ts';

/*
 * Volumes whose files come from other objects of the service.
 */

function validateItems(items: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(items).flatMap((item, index) => validateItem(item, path.index(index)));
}

function validateItem(item: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...present(item.key, path.child('key')),
    ...present(item.path, path.child('path')),
    ...descendingUnreserved(textOf(item.path), path.child('path')),
    ...fileMode(item.mode, path.child('mode')),
  ];
}

const keyed =
  (nameField: string) =>
  (source: JsonObject, path: FieldPath): FieldError[] => [
    ...present(source[nameField], path.child(nameField)),
    ...fileMode(source.defaultMode, path.child('defaultMode')),
    ...validateItems(source.items, path.child('items')),
  ];
export const validateSecret = keyed('secretName');
export const validateConfig = keyed('name');

/** Faults of files that show fields of the pod; the service tells all of them of the source as a whole. */
export function validateDownward(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...fileMode(source.defaultMode, path.child('defaultMode')),
    ...objectsOf(source.items).flatMap((file) => validateDownwardFile(file, path)),
  ];
}

function validateDownwardFile(file: JsonObject, path: FieldPath): FieldError[] {
  const errors = [
    ...present(file.path, path.child('path')),
    ...descendingUnreserved(textOf(file.path), path.child('path')),
  ];
  if (isObject(file.fieldRef)) {
    errors.push(...validateFieldRef(file.fieldRef, VOLUME_FIELDS, path.child('fieldRef')));
    if (isObject(file.resourceFieldRef)) {
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (isObject(file.resourceFieldRef)) {
    errors.push(...validateResourceRef(file.resourceFieldRef, path.child('resourceFieldRef'), true));
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...fileMode(file.mode, path.child('mode'))];
}

type Projection = (source: JsonObject, path: FieldPath, volume: FieldPath, paths: PathLedger) => FieldError[];

/** Paths that the parts of a volume take; each may be taken once. */
class PathLedger {
  readonly #taken = new Set<string>();

  /** @param shown is what the fault of a second use shows. */
  take(text: string, shown: string, path: FieldPath): FieldError[] {
    if (!this.#taken.has(text)) {
      this.#taken.add(text);
      return [];
    }
    return [invalid(path, shown, 'conflicting duplicate paths')];
  }
}

const fromMap: Projection = (source, path, volume, paths) => [
  ...present(source.name, path.child('name')),
  ...objectsOf(source.items).flatMap((item, index) => [
    ...validateItem(item, path.child('items').index(index)),
    ...(textOf(item.path) === '' ? [] : paths.take(textOf(item.path), textOf(source.name), volume)),
  ]),
];

const fromPod: Projection = (source, path, volume, paths) =>
  objectsOf(source.items).flatMap((file) => [
    ...validateDownwardFile(file, path),
    ...(textOf(file.path) === '' ? [] : paths.take(textOf(file.path), textOf(file.path), volume)),
  ]);

const SHORTEST_TOKEN = 10 * 60;

const fromToken: Projection = (source, path, volume) => {
  const seconds = numberOf(source.expirationSeconds) ?? 0;
  const at = path.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < SHORTEST_TOKEN) {
    errors.push(invalid(at, source.expirationSeconds ?? 0, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > 2 ** 32) {
    errors.push(invalid(at, source.expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  const text = textOf(source.path);
  // The service tells the path of the volume, not of the token.
  const place = volume.child('path');
  return [...errors, ...(text === '' ? [required(place)] : descendingUnreserved(text, place))];
};

const fromBundle: Projection = (source, path, volume, paths) => {
  const { name, signerName } = source;
  const errors: FieldError[] = [];
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalid(path, shownBundle(source), 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    if (textOf(name) === '') errors.push(required(path.child('name'), 'must be a valid object name'));
    if (isObject(source.labelSelector)) {
      const detail = 'labelSelector must be unset if name is specified';
      errors.push(invalid(path.child('labelSelector'), source.labelSelector, detail));
    }
  } else if (signerName !== undefined) {
    if (textOf(signerName) === '') errors.push(required(path.child('signerName'), 'must be a valid signer name'));
    errors.push(...validateLabelSelector(source.labelSelector, path.child('labelSelector')));
  } else errors.push(required(path, 'either name or signerName must be specified'));
  const text = textOf(source.path);
  return [
    ...errors,
    ...present(text, path.child('path')),
    ...descendingUnreserved(text, path.child('path')),
    ...paths.take(text, text, volume),
  ];
};

function shownBundle({ name, signerName, labelSelector, optional, path }: JsonObject): JsonObject {
  return {
    Name: name ?? null,
    SignerName: signerName ?? null,
    LabelSelector: labelSelector ?? null,
    Optional: optional ?? null,
    Path: path ?? '',
  };
}

/** What a volume can be put together from, in the order in which the service looks at it. */
const PROJECTIONS: Readonly<Record<string, Projection>> = {
  secret: fromMap,
  configMap: fromMap,
  downwardAPI: fromPod,
  serviceAccountToken: fromToken,
  clusterTrustBundle: fromBundle,
};

/** Faults of a volume that is put together from several objects. */
export function validateProjected(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = fileMode(source.defaultMode, path.child('defaultMode'));
  const paths = new PathLedger();
  objectsOf(source.sources).forEach((part, index) => {
    const at = path.child('sources').index(index);
    const given = Object.keys(PROJECTIONS).filter((name) => isObject(part[name]));
    for (const name of given) {
      errors.push(...(PROJECTIONS[name]?.(objectOf(part[name]), at.child(name), path, paths) ?? []));
    }
    if (given.length > 1) errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
  });
  return errors;
}

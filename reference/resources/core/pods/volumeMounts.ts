import { type FieldError, forbiddenField, invalid, notFoundField, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { descending, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { optionalOneOf } from '../../validation/fields.ts';
import type { ContainerScope } from './scope.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

/** Names to paths of what a container mounts, or of its raw devices; the last of a name wins. */
function pathsOf(places: readonly JsonObject[], field: string): Map<string, string> {
  return new Map(places.map((place) => [textOf(place.name), textOf(place[field])]));
}

/** Faults of what a container mounts. */
export function validateMounts(container: JsonObject, path: FieldPath, scope: ContainerScope): FieldError[] {
  const errors: FieldError[] = [];
  const devices = pathsOf(objectsOf(container.volumeDevices), 'devicePath');
  const devicePaths = new Set(devices.values());
  const places = new Set<string>();
  objectsOf(container.volumeMounts).forEach((mount, index) => {
    const at = path.index(index);
    const name = textOf(mount.name);
    const place = textOf(mount.mountPath);
    if (name === '') errors.push(required(at.child('name')));
    if (!scope.volumes.has(name)) errors.push(notFoundField(at.child('name'), name));
    if (place === '') errors.push(required(at.child('mountPath')));
    if (places.has(place)) errors.push(invalid(at.child('mountPath'), place, 'must be unique'));
    places.add(place);
    if (devices.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(place)) {
      errors.push(invalid(at.child('mountPath'), place, 'must not already exist as a path in volumeDevices'));
    }
    errors.push(...validatePart(mount, at, path, scope));
    errors.push(...validatePropagation(mount, path.child('mountPropagation'), container));
    errors.push(...validateRecursion(mount, path.child('recursiveReadOnly')));
  });
  return errors;
}

/** Parts of a volume are told by paths; the service names the list for their faults, not the mount. */
function validatePart(
  mount: JsonObject,
  at: FieldPath,
  list: FieldPath,
  { volumes, release }: ContainerScope,
): FieldError[] {
  const errors: FieldError[] = [];
  const part = textOf(mount.subPath);
  const expression = textOf(mount.subPathExpr);
  if (volumes.get(textOf(mount.name))?.image !== undefined && release < IMAGE_PARTS_SINCE) {
    if (part !== '') errors.push(invalid(at.child('subPath'), part, 'not allowed in image volume sources'));
    if (expression !== '') {
      errors.push(invalid(at.child('subPathExpr'), expression, 'not allowed in image volume sources'));
    }
  }
  if (part !== '') errors.push(...descending(part, list.child('subPath')));
  if (expression !== '') {
    if (part !== '') {
      errors.push(invalid(at.child('subPathExpr'), expression, 'subPathExpr and subPath are mutually exclusive'));
    }
    errors.push(...descending(expression, list.child('subPathExpr')));
  }
  return errors;
}
/** First release in which parts of images can be mounted. */
const IMAGE_PARTS_SINCE = 33;

function validatePropagation(mount: JsonObject, path: FieldPath, container: JsonObject): FieldError[] {
  const errors = optionalOneOf(mount.mountPropagation, PROPAGATIONS, path);
  const privileged = objectOf(container.securityContext).privileged === true;
  if (mount.mountPropagation === 'Bidirectional' && !privileged) {
    errors.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  return errors;
}

function validateRecursion(mount: JsonObject, path: FieldPath): FieldError[] {
  const mode = mount.recursiveReadOnly;
  const errors = optionalOneOf(mode, RECURSIVE, path);
  if (mode !== 'Enabled' && mode !== 'IfPossible') return errors;
  if (mount.readOnly !== true) errors.push(forbiddenField(path, 'may only be specified when readOnly is true'));
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None') {
    errors.push(forbiddenField(path, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

/** Faults of the raw devices of a container. */
export function validateDevices(container: JsonObject, path: FieldPath, { volumes }: ContainerScope): FieldError[] {
  const errors: FieldError[] = [];
  const mounts = pathsOf(objectsOf(container.volumeMounts), 'mountPath');
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const places = new Set<string>();
  objectsOf(container.volumeDevices).forEach((device, index) => {
    const at = path.index(index);
    const name = textOf(device.name);
    const place = textOf(device.devicePath);
    const volume = volumes.get(name);
    if (name === '') errors.push(required(at.child('name')));
    if (names.has(name)) errors.push(invalid(at.child('name'), name, 'must be unique'));
    if (!volume) errors.push(notFoundField(at.child('name'), name));
    else if (!isObject(volume.persistentVolumeClaim) && !isObject(volume.ephemeral)) {
      const claims = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(at.child('name'), name, claims));
    }
    if (place === '') errors.push(required(at.child('devicePath')));
    if (places.has(place)) errors.push(invalid(at.child('devicePath'), place, 'must be unique'));
    if (place.split('/').includes('..')) {
      errors.push(invalid(at.child('devicePath'), place, "can not contain backsteps ('..')"));
    } else places.add(place);
    if (mounts.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(place)) {
      errors.push(invalid(at.child('devicePath'), place, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  });
  return errors;
}
